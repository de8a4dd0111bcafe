package state

import (
	"encoding/binary"
	"math"
)

// prefixLen is the length of what precedes an object's own key: the space byte and the object id.
const prefixLen = 5

// appendKey appends the store's form of key: space, object id (big endian, so that objects sort by id), key.
func appendKey(dst []byte, s Space, object uint32, key []byte) []byte {
	dst = append(dst, byte(s))
	dst = binary.BigEndian.AppendUint32(dst, object)
	return append(dst, key...)
}

// appendEnd appends the first store key behind everything of an object.
func appendEnd(dst []byte, s Space, object uint32) []byte {
	if object == math.MaxUint32 {
		return append(dst, byte(s)+1)
	}
	return appendKey(dst, s, object+1, nil)
}

// span returns the store keys of [lo, hi) of an object; hi nil means to the object's end.
func span(s Space, object uint32, lo, hi []byte) (from, to []byte) {
	from = appendKey(make([]byte, 0, prefixLen+len(lo)), s, object, lo)
	if hi == nil {
		return from, appendEnd(nil, s, object)
	}
	return from, appendKey(make([]byte, 0, prefixLen+len(hi)), s, object, hi)
}
