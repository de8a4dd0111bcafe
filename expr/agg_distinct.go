package expr

import (
	"encoding/binary"
	"maps"
	"slices"

	"wmsql/column"
	"wmsql/types"
)

// distinctAccumulator feeds each combination of argument values to an aggregate once a slot. The sets are exact; they
// count how often a combination came, so that it can be retracted.
type distinctAccumulator struct {
	inner Accumulator
	agg   *Aggregate
	site  *aggSite
	seen  []map[string]distinctEntry // per slot, by key of the arguments
	lossy bool                       // the key does not tell the arguments exactly: 1.0 and 1.00 are one numeric
	bytes int64                      // of the keys
	key   []byte
	keep  []int32 // slots and rows to hand on
	rows  []int32
}

// distinctEntry is one combination of arguments: how many rows had it and, where the key is not enough, the first one's
// arguments in the row codec.
type distinctEntry struct {
	n   int64
	row string
}

func newDistinctAccumulator(a *Aggregate, s *aggSite) Accumulator {
	d := &distinctAccumulator{inner: a.Func.make(s), agg: a, site: s}
	for _, t := range s.args {
		switch t.Layout() {
		case types.LayoutInt64, types.LayoutBool:
		case types.LayoutBytes:
			d.lossy = d.lossy || t.Kind == types.BPChar
		default:
			d.lossy = true
		}
	}
	return d
}

// Resize makes n slots exist.
func (d *distinctAccumulator) Resize(n int) {
	d.inner.Resize(n)
	for len(d.seen) < n {
		d.seen = append(d.seen, nil)
	}
}

// Add hands on the rows whose arguments are new to their slot.
func (d *distinctAccumulator) Add(slots, rows []int32, args []column.Vector) error {
	return d.feed(slots, rows, args, 1, d.inner.Add)
}

// Retract hands on the rows that were the last with their arguments in their slot.
func (d *distinctAccumulator) Retract(slots, rows []int32, args []column.Vector) error {
	return d.feed(slots, rows, args, -1, d.inner.Retract)
}

func (d *distinctAccumulator) feed(slots, rows []int32, args []column.Vector, by int64, to func([]int32, []int32, []column.Vector) error) error {
	args = args[:len(d.agg.Args)]
	d.keep, d.rows = d.keep[:0], d.rows[:0]
	for k, slot := range slots {
		i := rowAt(rows, k)
		if d.count(slot, args, i, by) {
			d.keep, d.rows = append(d.keep, slot), append(d.rows, int32(i))
		}
	}
	return to(d.keep, d.rows, args)
}

// count changes how often a combination came and reports whether that made it appear or disappear.
func (d *distinctAccumulator) count(slot int32, args []column.Vector, i int, by int64) bool {
	d.key = d.key[:0]
	for _, v := range args {
		if v.IsNull(i) && len(args) == 1 {
			return false // no aggregate of one argument that comes here minds a NULL
		}
		d.key = column.AppendKey(d.key, v, i, false)
	}
	if d.seen[slot] == nil {
		d.seen[slot] = map[string]distinctEntry{}
	}
	e := d.seen[slot][string(d.key)]
	was := e.n
	e.n += by
	switch {
	case e.n == 0:
		delete(d.seen[slot], string(d.key))
		d.bytes -= int64(len(d.key) + len(e.row))
		return true
	case was == 0:
		if d.lossy {
			e.row = string(column.AppendRow(nil, args, i))
		}
		d.bytes += int64(len(d.key) + len(e.row))
	}
	d.seen[slot][string(d.key)] = e
	return was == 0
}

// Merge adds the combinations of another accumulator's slots.
func (d *distinctAccumulator) Merge(slots []int32, other Accumulator, from []int32) error {
	o := other.(*distinctAccumulator)
	for k, slot := range slots {
		for key, e := range o.seen[from[k]] {
			if err := d.restore(slot, key, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// restore adds a combination known by its key.
func (d *distinctAccumulator) restore(slot int32, key string, e distinctEntry) error {
	if d.seen[slot] == nil {
		d.seen[slot] = map[string]distinctEntry{}
	}
	if old, ok := d.seen[slot][key]; ok {
		old.n += e.n
		d.seen[slot][key] = old
		return nil
	}
	d.seen[slot][key] = e
	d.bytes += int64(len(key) + len(e.row))
	if d.lossy {
		args, err := decodeRows(d.site.args, [][]byte{[]byte(e.row)})
		if err != nil {
			return err
		}
		return d.inner.Add([]int32{slot}, nil, args)
	}
	rest := []byte(key)
	args := make([]column.Vector, len(d.site.args))
	for i, t := range d.site.args {
		b := column.NewBuilder(t, 1)
		var err error
		if rest, err = column.DecodeKey(b, rest, false); err != nil {
			return err
		}
		args[i] = b.Build()
	}
	return d.inner.Add([]int32{slot}, nil, args)
}

// Result appends the value of each slot.
func (d *distinctAccumulator) Result(b column.Builder, slots []int32) error {
	return d.inner.Result(b, slots)
}

// Encode appends the combinations of a slot; the aggregate's own state follows from them.
func (d *distinctAccumulator) Encode(dst []byte, slot int32) []byte {
	dst = binary.AppendUvarint(append(dst, stateVersion), uint64(len(d.seen[slot])))
	for _, key := range slices.Sorted(maps.Keys(d.seen[slot])) {
		e := d.seen[slot][key]
		dst = binary.AppendVarint(dst, e.n)
		dst = append(binary.AppendUvarint(dst, uint64(len(key))), key...)
		dst = append(binary.AppendUvarint(dst, uint64(len(e.row))), e.row...)
	}
	return dst
}

// Decode reads what Encode wrote.
func (d *distinctAccumulator) Decode(slot int32, data []byte) ([]byte, error) {
	data, err := checkVersion(data)
	if err != nil {
		return nil, err
	}
	d.Reset(slot)
	total, k := binary.Uvarint(data)
	if k <= 0 {
		return nil, errBadState()
	}
	data = data[k:]
	for range total {
		var e distinctEntry
		var key, row []byte
		ok := false
		if data, ok = decodeVarint(&e.n, data); ok {
			key, data, ok = readBytes(data)
		}
		if ok {
			row, data, ok = readBytes(data)
		}
		if !ok {
			return nil, errBadState()
		}
		e.row = string(row)
		if err := d.restore(slot, string(key), e); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// Move makes slot to hold what slot from held.
func (d *distinctAccumulator) Move(to, from int32) {
	if to != from {
		d.inner.Move(to, from)
		d.forget(to)
		d.seen[to], d.seen[from] = d.seen[from], nil
	}
}

// Reset empties a slot.
func (d *distinctAccumulator) Reset(slot int32) {
	d.inner.Reset(slot)
	d.forget(slot)
}

func (d *distinctAccumulator) forget(slot int32) {
	for key, e := range d.seen[slot] {
		d.bytes -= int64(len(key) + len(e.row))
	}
	d.seen[slot] = nil
}

// Bytes estimates the memory held: a map entry costs about 60 bytes beside its key.
func (d *distinctAccumulator) Bytes() int64 {
	n := d.inner.Bytes() + d.bytes + 8*int64(cap(d.seen))
	for _, m := range d.seen {
		n += 60 * int64(len(m))
	}
	return n
}
