package exec

import (
	"encoding/binary"
	"math/bits"

	"wmsql/column"
)

// nearTable finds groups by a key that is a small whole number: by the number itself, without encoding and hashing it. It stands beside a
// groupTable, which has the same groups.
type nearTable struct {
	slots []int32 // by key: the group's number + 1, 0 where there is none
}

// nearMax is the largest key that is small.
const nearMax = 1 << 16

// nearKeys returns the keys of a batch if there is one column of them, of small whole numbers without NULL; else nil.
func nearKeys(cols []column.Vector) []int64 {
	if len(cols) != 1 {
		return nil
	}
	v, ok := cols[0].(*column.Of[int64])
	if !ok || v.Nulls != nil {
		return nil
	}
	union := uint64(0)
	for _, x := range v.Values {
		union |= uint64(x) // a negative number sets the highest bit
	}
	if union >= nearMax {
		return nil
	}
	return v.Values
}

// find appends the group of each key to dst; keys that are new to t become groups.
func (n *nearTable) find(dst []int32, keys []int64, t *groupTable) []int32 {
	t.added = t.added[:0]
	for _, k := range keys {
		if k >= int64(len(n.slots)) {
			n.slots = append(n.slots, make([]int32, 1<<bits.Len64(uint64(k))-len(n.slots))...)
		}
		s := n.slots[k] - 1
		if s < 0 {
			s = t.one(binary.LittleEndian.AppendUint64([]byte{wordValue}, uint64(k)))
			n.slots[k] = s + 1
		}
		dst = append(dst, s)
	}
	return dst
}
