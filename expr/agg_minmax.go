package expr

import (
	"bytes"
	"encoding/binary"
	"math"

	"wmsql/column"
	"wmsql/types"
)

// extreme is the least or greatest value so far.
type extreme[T any] struct {
	v  T
	ok bool // there was a value
}

// codec writes and reads a value of a fixed-width type.
type codec[T any] struct {
	write func(dst []byte, v T) []byte
	read  func(data []byte) (T, []byte, bool)
}

// extremeKernel makes min (sign -1) or max (sign 1) over fixed-width values. Of equal values that look different, such as 1.0 and
// 1.00, the last stays, as in Postgres.
func extremeKernel[T any](sign int, order func(a, b T) int, c codec[T]) *cellKernel[extreme[T]] {
	better := func(s *extreme[T], v T) error {
		if !s.ok || order(v, s.v)*sign >= 0 {
			s.v, s.ok = v, true
		}
		return nil
	}
	return &cellKernel[extreme[T]]{
		add: eachRow(better),
		merge: func(dst, src *extreme[T]) error {
			if src.ok {
				return better(dst, src.v)
			}
			return nil
		},
		result: fixedResult(func(s *extreme[T]) (T, bool, error) { return s.v, s.ok, nil }),
		encode: func(dst []byte, s *extreme[T]) []byte {
			if !s.ok {
				return append(dst, 0)
			}
			return c.write(append(dst, 1), s.v)
		},
		decode: func(s *extreme[T], data []byte) (rest []byte, ok bool) {
			if len(data) == 0 || data[0] > 1 {
				return nil, false
			}
			if data[0] == 0 {
				return data[1:], true
			}
			s.v, rest, s.ok = c.read(data[1:])
			return rest, s.ok
		},
	}
}

var (
	intCodec = codec[int64]{
		write: binary.AppendVarint,
		read: func(data []byte) (v int64, rest []byte, ok bool) {
			rest, ok = decodeVarint(&v, data)
			return v, rest, ok
		},
	}
	floatCodec = codec[float64]{
		write: func(dst []byte, v float64) []byte { return binary.BigEndian.AppendUint64(dst, math.Float64bits(v)) },
		read: func(data []byte) (float64, []byte, bool) {
			if len(data) < 8 {
				return 0, nil, false
			}
			return math.Float64frombits(binary.BigEndian.Uint64(data)), data[8:], true
		},
	}
	decimalCodec = codec[types.Decimal]{
		write: func(dst []byte, v types.Decimal) []byte { return v.AppendCompact(dst) },
		read:  types.DecimalOfCompact,
	}
)

// intExtreme is min or max of integers and times, with a loop of its own.
func intExtreme(sign int) *cellKernel[extreme[int64]] {
	k := extremeKernel(sign, func(a, b int64) int {
		if a < b {
			return -1
		}
		return 1
	}, intCodec)
	k.add = func(st []extreme[int64], slots, rows []int32, args []column.Vector) error {
		v := args[0].(*column.Of[int64])
		for k, slot := range slots {
			i := rowAt(rows, k)
			if v.Nulls != nil && v.Nulls[i] {
				continue
			}
			x, s := v.Values[i], &st[slot]
			if !s.ok || sign > 0 && x > s.v || sign < 0 && x < s.v {
				s.v, s.ok = x, true
			}
		}
		return nil
	}
	return k
}

// bytesExtreme is min or max of byte strings; a slot owns its value.
func bytesExtreme(sign int) *cellKernel[extreme[[]byte]] {
	better := func(s *extreme[[]byte], v []byte) error {
		if !s.ok || bytes.Compare(v, s.v)*sign > 0 {
			s.v, s.ok = append(s.v[:0], v...), true
		}
		return nil
	}
	k := extremeKernel(sign, bytes.Compare, codec[[]byte]{
		write: appendBytes,
		read:  readBytes,
	})
	k.add = eachRow(better)
	k.merge = func(dst, src *extreme[[]byte]) error {
		if src.ok {
			return better(dst, src.v)
		}
		return nil
	}
	k.result = bytesResult(func(dst []byte, s *extreme[[]byte]) ([]byte, bool, error) { return append(dst, s.v...), s.ok, nil })
	k.heap = func(s *extreme[[]byte]) int { return cap(s.v) }
	return k
}

// appendBytes writes a length and the bytes.
func appendBytes(dst, v []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(v))), v...)
}

// readBytes reads a length and so many bytes, copied.
func readBytes(data []byte) (v, rest []byte, ok bool) {
	n, k := binary.Uvarint(data)
	if k <= 0 || uint64(len(data)-k) < n {
		return nil, nil, false
	}
	return append([]byte(nil), data[k:k+int(n)]...), data[k+int(n):], true
}

// bytesResult makes a result function of one that appends a slot's value; ok false is NULL.
func bytesResult[S any](f func(dst []byte, s *S) (out []byte, ok bool, err error)) func([]S, []int32, types.Type) (column.Vector, error) {
	return func(st []S, slots []int32, t types.Type) (column.Vector, error) {
		out := bytesOutput{t: t}
		return out.fill(nil, len(slots), func(dst []byte, k int) ([]byte, error) {
			v, ok, err := f(dst, &st[slots[k]])
			if err == nil && !ok {
				err = errNull
			}
			return v, err
		})
	}
}

// vectorExtreme is min or max of any other type: a slot holds a vector of one row.
func vectorExtreme(sign int, t types.Type) *cellKernel[extreme[column.Vector]] {
	better := func(s *extreme[column.Vector], v column.Vector, i int) {
		if !s.ok || column.Compare(v, i, s.v, 0)*sign >= 0 {
			s.v, s.ok = v.Take([]int32{int32(i)}), true
		}
	}
	k := extremeKernel(sign, nil, vectorCodec(t))
	k.add = func(st []extreme[column.Vector], slots, rows []int32, args []column.Vector) error {
		for k, slot := range slots {
			if i := rowAt(rows, k); !args[0].IsNull(i) {
				better(&st[slot], args[0], i)
			}
		}
		return nil
	}
	k.merge = func(dst, src *extreme[column.Vector]) error {
		if src.ok {
			better(dst, src.v, 0)
		}
		return nil
	}
	k.result = vectorResult
	return k
}

// vectorCodec writes and reads vectors of one row.
func vectorCodec(t types.Type) codec[column.Vector] {
	return codec[column.Vector]{
		write: func(dst []byte, v column.Vector) []byte { return column.AppendRow(dst, []column.Vector{v}, 0) },
		read: func(data []byte) (column.Vector, []byte, bool) {
			b := column.NewBuilder(t, 1)
			rest, err := column.DecodeRow([]column.Builder{b}, data)
			return b.Build(), rest, err == nil
		},
	}
}

func vectorResult(st []extreme[column.Vector], slots []int32, t types.Type) (column.Vector, error) {
	b := column.NewBuilder(t, len(slots))
	for _, slot := range slots {
		if s := &st[slot]; s.ok {
			b.AppendFrom(s.v, 0)
		} else {
			b.AppendNull()
		}
	}
	return b.Build(), nil
}

// makeExtreme makes min or max for the type of the call.
func makeExtreme(sign int) func(*aggSite) Accumulator {
	return func(s *aggSite) Accumulator {
		t := s.args[0]
		switch {
		case t.Layout() == types.LayoutInt64:
			return makeCells(intExtreme(sign))(s)
		case t.Layout() == types.LayoutFloat64:
			return makeCells(extremeKernel(sign, compareFloat, floatCodec))(s)
		case t.Layout() == types.LayoutDecimal:
			return makeCells(extremeKernel(sign, types.Decimal.Cmp, decimalCodec))(s)
		case t.Layout() == types.LayoutBytes && t.Kind != types.BPChar:
			return makeCells(bytesExtreme(sign))(s)
		}
		return makeCells(vectorExtreme(sign, t))(s)
	}
}
