package column

import (
	"hash/maphash"
)

// The forms of a column of byte strings.
const (
	stringsPlain byte = 1 // lengths, then the bytes of all rows
	stringsDict  byte = 2 // number of entries, their lengths and bytes, then a code a row
)

// dictMax is the most entries a dictionary has. Codes of more values save little, and
// finding out that there are too many must be cheap.
const dictMax = 255

func appendStrings(dst []byte, v *Bytes) []byte {
	n := v.Len()
	if n >= 8 {
		if d := newDict(v); d != nil {
			return d.append(append(dst, stringsDict), v)
		}
	}
	dst = appendLengths(append(dst, stringsPlain), v.Offsets)
	return append(dst, v.Data[v.Offsets[0]:v.Offsets[n]]...)
}

// dict gives each distinct value of a column a code in order of appearance.
type dict struct {
	slots [1024]int16 // code+1, 0: free; open addressing
	rows  [dictMax]int32
	codes []int64
	n     int
}

// newDict returns nil when v has too many distinct values to gain by codes.
func newDict(v *Bytes) *dict {
	n := v.Len()
	limit := min(dictMax, n/2)
	d := &dict{codes: make([]int64, n)}
	seed := maphash.MakeSeed()
	for i := range n {
		b := v.Value(i)
		h := maphash.Bytes(seed, b) & 1023
		for d.slots[h] != 0 && string(v.Value(int(d.rows[d.slots[h]-1]))) != string(b) {
			h = (h + 1) & 1023
		}
		if d.slots[h] == 0 {
			if d.n == limit {
				return nil
			}
			d.rows[d.n] = int32(i)
			d.n++
			d.slots[h] = int16(d.n)
		}
		d.codes[i] = int64(d.slots[h] - 1)
	}
	return d
}

func (d *dict) append(dst []byte, v *Bytes) []byte {
	offsets := make([]int32, d.n+1)
	for k, row := range d.rows[:d.n] {
		offsets[k+1] = offsets[k] + int32(len(v.Value(int(row))))
	}
	dst = append(dst, byte(d.n))
	dst = appendLengths(dst, offsets)
	for _, row := range d.rows[:d.n] {
		dst = append(dst, v.Value(int(row))...)
	}
	return appendInts(dst, d.codes)
}

func (r *reader) strings(n int) (*Bytes, bool) {
	form, ok := r.take(1)
	if !ok {
		return nil, false
	}
	switch form[0] {
	case stringsPlain:
		offsets, ok := r.lengths(n)
		if !ok {
			return nil, false
		}
		data, ok := r.take(int(offsets[n]))
		return &Bytes{Data: append([]byte(nil), data...), Offsets: offsets}, ok
	case stringsDict:
		return r.dictStrings(n)
	}
	return nil, false
}

func (r *reader) dictStrings(n int) (*Bytes, bool) {
	count, ok := r.take(1)
	if !ok {
		return nil, false
	}
	k := int(count[0])
	ends, ok := r.lengths(k)
	if !ok {
		return nil, false
	}
	data, ok := r.take(int(ends[k]))
	if !ok {
		return nil, false
	}
	codes, ok := r.ints(n)
	if !ok {
		return nil, false
	}
	size := 0
	for _, c := range codes {
		if c < 0 || c >= int64(k) {
			return nil, false
		}
		size += int(ends[c+1] - ends[c])
	}
	if size > MaxBytes {
		return nil, false
	}
	out := &Bytes{Data: make([]byte, 0, size), Offsets: make([]int32, 1, n+1)}
	for _, c := range codes {
		out.Data = append(out.Data, data[ends[c]:ends[c+1]]...)
		out.Offsets = append(out.Offsets, int32(len(out.Data)))
	}
	return out, true
}
