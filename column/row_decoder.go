package column

import (
	"encoding/binary"

	"wmsql/types"
)

// RowDecoder reads many rows of a layout into the same builders, as Layout.Decode does with one: what is to be done for each column is
// found once.
type RowDecoder struct {
	layout *Layout
	into   []Builder
	steps  []rowStep // a column each
}

// rowStep is what a row's value of one column is taken for.
type rowStep struct {
	do   rowAction
	ints *FixedBuilder[int64] // of takeInt
}

type rowAction byte

const (
	takeAny  rowAction = iota // by its builder
	takeInt                   // whole numbers, times
	skipAny                   // by its type
	skipInt                   // a number of one to ten bytes
	skipText                  // a length and as many bytes
)

// NewRowDecoder returns a decoder of rows of l into those of its columns for which there is a builder.
func NewRowDecoder(l *Layout, into []Builder) *RowDecoder {
	d := &RowDecoder{layout: l, into: into, steps: make([]rowStep, len(into))}
	for c, b := range into {
		s := &d.steps[c]
		ints, isInt := b.(*FixedBuilder[int64])
		layout := l.Types[c].Layout()
		switch {
		case isInt:
			s.do, s.ints = takeInt, ints
		case b != nil:
			s.do = takeAny
		case layout == types.LayoutInt64:
			s.do = skipInt
		case layout == types.LayoutBytes:
			s.do = skipText
		default:
			s.do = skipAny
		}
	}
	return d
}

// Decode appends one row.
func (d *RowDecoder) Decode(data []byte) error {
	head := 1 + (d.layout.Base+7)/8
	if len(d.steps) > d.layout.Base || len(data) < head || data[0] != rowVersion {
		return d.layout.Decode(d.into, data)
	}
	r := reader{data: data[head:]}
	for c := range d.steps {
		if data[1+c/8]&(1<<(c%8)) != 0 {
			if b := d.into[c]; b != nil {
				b.AppendNull()
			}
			continue
		}
		if !d.step(c, &r) {
			return badRow()
		}
	}
	return nil
}

// step takes the value of column c.
func (d *RowDecoder) step(c int, r *reader) bool {
	switch s := &d.steps[c]; s.do {
	case takeInt:
		u, size := uvarint(r.data)
		if size <= 0 {
			return false
		}
		r.data = r.data[size:]
		s.ints.Append(int64(u>>1) ^ -int64(u&1)) // as binary.Varint has it
		return true
	case skipInt:
		_, size := uvarint(r.data)
		if size <= 0 {
			return false
		}
		r.data = r.data[size:]
		return true
	case skipText:
		n, size := uvarint(r.data)
		if size <= 0 || n > uint64(len(r.data)-size) {
			return false
		}
		r.data = r.data[size+int(n):]
		return true
	case takeAny:
		return r.value(d.into[c])
	default:
		return r.skip(d.layout.Types[c])
	}
}

// uvarint is binary.Uvarint, by a shorter way for the numbers of up to three bytes that most are.
func uvarint(b []byte) (u uint64, size int) {
	if len(b) < 3 {
		return binary.Uvarint(b)
	}
	switch {
	case b[0] < 0x80:
		return uint64(b[0]), 1
	case b[1] < 0x80:
		return uint64(b[0]&0x7f) | uint64(b[1])<<7, 2
	case b[2] < 0x80:
		return uint64(b[0]&0x7f) | uint64(b[1]&0x7f)<<7 | uint64(b[2])<<14, 3
	}
	return binary.Uvarint(b)
}
