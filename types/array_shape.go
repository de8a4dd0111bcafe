package types

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"

	"wmsql/sqlerr"
)

// ArrayDim is one dimension of an array: how many elements, and the number of the first.
type ArrayDim struct{ Len, Low int32 }

// ArrayShape is the dimensions of an array, the outermost first. Arrays of one dimension that counts from 1, and empty ones, have none: nil.
// Elements lie in row-major order. A shape is never changed.
type ArrayShape struct{ Dims []ArrayDim }

// arrayDimsMax is Postgres's MAXDIM.
const arrayDimsMax = 6

// ShapeOf returns the shape of these dimensions, nil where there is none to tell. It keeps dims.
func ShapeOf(dims []ArrayDim) *ArrayShape {
	if len(dims) == 0 || len(dims) == 1 && dims[0].Low == 1 || slices.ContainsFunc(dims, func(d ArrayDim) bool { return d.Len == 0 }) {
		return nil
	}
	return &ArrayShape{dims}
}

// DimsOf returns the dimensions of an array of a shape, perhaps nil, and n elements.
func (s *ArrayShape) DimsOf(n int) []ArrayDim {
	switch {
	case n == 0:
		return nil
	case s == nil:
		return []ArrayDim{{int32(n), 1}}
	}
	return s.Dims
}

// Compare orders the shapes of arrays of equal elements: by the number of dimensions, then their lengths, then their bounds. nil is first.
func (s *ArrayShape) Compare(t *ArrayShape) int {
	switch {
	case s == nil && t == nil:
		return 0
	case s == nil:
		return -1
	case t == nil:
		return 1
	}
	return bytes.Compare(AppendShape(nil, s), AppendShape(nil, t))
}

// appendBounds writes [0:2][1:1]=, what stands before the braces where a bound is not 1.
func (s *ArrayShape) appendBounds(dst []byte) []byte {
	if s == nil || !slices.ContainsFunc(s.Dims, func(d ArrayDim) bool { return d.Low != 1 }) {
		return dst
	}
	return append(AppendDims(dst, s.Dims), '=')
}

// AppendDims writes dimensions as array_dims does: [1:2][1:3].
func AppendDims(dst []byte, dims []ArrayDim) []byte {
	for _, d := range dims {
		dst = strconv.AppendInt(append(dst, '['), int64(d.Low), 10)
		dst = strconv.AppendInt(append(dst, ':'), int64(d.Low)+int64(d.Len)-1, 10)
		dst = append(dst, ']')
	}
	return dst
}

// AppendNested writes n elements with elem, nested as the shape says: open and shut around each level, sep between.
func (s *ArrayShape) AppendNested(dst []byte, n int, open, shut byte, sep string, elem func(dst []byte, e int) []byte) []byte {
	dims := s.DimsOf(n)
	if dims == nil {
		return append(dst, open, shut)
	}
	e := 0
	var level func(k int)
	level = func(k int) {
		dst = append(dst, open)
		for i := range dims[k].Len {
			if i > 0 {
				dst = append(dst, sep...)
			}
			if k == len(dims)-1 {
				dst = elem(dst, e)
				e++
				continue
			}
			level(k + 1)
		}
		dst = append(dst, shut)
	}
	level(0)
	return dst
}

// AppendArrayText writes n elements with elem as an array's text.
func (s *ArrayShape) AppendArrayText(dst []byte, n int, elem func(dst []byte, e int) []byte) []byte {
	return s.AppendNested(s.appendBounds(dst), n, '{', '}', ",", elem)
}

// CheckDims refuses more dimensions than an array may have.
func CheckDims(n int) error {
	if n > arrayDimsMax {
		return sqlerr.Newf(sqlerr.ProgramLimitExceeded, "number of array dimensions (%d) exceeds the maximum allowed (%d)", n, arrayDimsMax)
	}
	return nil
}

// AppendShape writes a shape for a stored row or key: the number of dimensions, their lengths, their bounds, so that the order of bytes is
// Compare's. ReadShape reads it.
func AppendShape(dst []byte, s *ArrayShape) []byte {
	dst = append(dst, byte(len(s.Dims)))
	for _, d := range s.Dims {
		dst = binary.BigEndian.AppendUint32(dst, uint32(d.Len))
	}
	for _, d := range s.Dims {
		dst = binary.BigEndian.AppendUint32(dst, uint32(d.Low)^1<<31)
	}
	return dst
}

// ReadShape reads what AppendShape wrote, of an array of n elements; ok is false if it is damaged.
func ReadShape(data []byte, n int) (s *ArrayShape, rest []byte, ok bool) {
	if len(data) == 0 || data[0] == 0 || data[0] > arrayDimsMax || len(data) < 1+8*int(data[0]) {
		return nil, nil, false
	}
	dims := make([]ArrayDim, data[0])
	data = data[1:]
	total := int64(1)
	for i := range dims {
		dims[i].Len = int32(binary.BigEndian.Uint32(data[4*i:]))
		dims[i].Low = int32(binary.BigEndian.Uint32(data[4*(len(dims)+i):]) ^ 1<<31)
		if total *= int64(dims[i].Len); dims[i].Len < 1 || total > int64(n) {
			return nil, nil, false
		}
	}
	return &ArrayShape{dims}, data[8*len(dims):], total == int64(n)
}
