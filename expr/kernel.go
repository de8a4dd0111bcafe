package expr

import (
	"errors"

	"wmsql/column"
	"wmsql/types"
)

// errNull is what a row function returns to say that its result is NULL.
var errNull = errors.New("expr: NULL result")

// isNull compares first: errNull is nearly always bare, and this runs for a row.
func isNull(err error) bool { return errors.Is(err, errNull) }

// list is one array value: elems[lo:hi].
type list struct {
	elems  column.Vector
	lo, hi int
	shape  *types.ArrayShape // nil: one dimension from 1, or none
}

func (l list) len() int { return l.hi - l.lo }

// reader returns a function that reads row i of v as an A: the value itself for fixed-width vectors, []byte
// for byte strings, list for arrays, any for a datum of whatever type.
func reader[A any](v column.Vector) func(i int) A {
	var f any
	switch v := v.(type) {
	case *column.Of[A]:
		vals := v.Values
		return func(i int) A { return vals[i] }
	case *column.Bytes:
		f = v.Value
	case *column.List:
		f = func(i int) list { return list{v.Elems, int(v.Offsets[i]), int(v.Offsets[i+1]), v.Shape(i)} }
	}
	if g, ok := f.(func(int) A); ok {
		return g
	}
	f = func(i int) any { return column.Get(v, i) }
	return f.(func(int) A)
}

// nullFlags copies nulls so that more may be set; it is n long even when nulls is nil.
func nullFlags(nulls []bool, n int) []bool {
	out := make([]bool, n)
	copy(out, nulls)
	return out
}

// output makes result vectors of a fixed-width type, reusing memory.
type output[R any] struct {
	t   types.Type
	buf []R
}

// room returns n values to be set; all of them must be.
func (o *output[R]) room(n int) []R {
	if cap(o.buf) < n {
		o.buf = make([]R, n)
	}
	return o.buf[:n]
}

// fill makes the vector whose row i is row(i).
func (o *output[R]) fill(nulls []bool, n int, row func(i int) (R, error)) (column.Vector, error) {
	out := o.room(n)
	var zero R
	own := false // nulls is ours to change
	for i := range out {
		if nulls != nil && nulls[i] {
			out[i] = zero
			continue
		}
		r, err := row(i)
		if err != nil {
			if !isNull(err) {
				return nil, err
			}
			if !own {
				nulls, own = nullFlags(nulls, n), true
			}
			nulls[i], r = true, zero
		}
		out[i] = r
	}
	return &column.Of[R]{T: o.t, Values: out, Nulls: nulls}, nil
}

// bytesOutput makes result vectors of byte strings, reusing memory.
type bytesOutput struct {
	t       types.Type
	data    []byte
	offsets []int32
}

// fill makes the vector whose row i is what row appends to dst.
func (o *bytesOutput) fill(nulls []bool, n int, row func(dst []byte, i int) ([]byte, error)) (column.Vector, error) {
	data, offsets := o.data[:0], o.offsets[:0]
	offsets = append(offsets, 0)
	own := false
	for i := range n {
		if nulls == nil || !nulls[i] {
			more, err := row(data, i)
			switch {
			case err == nil:
				data = more
			case !isNull(err):
				return nil, err
			default:
				if !own {
					nulls, own = nullFlags(nulls, n), true
				}
				nulls[i] = true
			}
		}
		if len(data) > maxVectorBytes {
			return nil, errTooLarge()
		}
		offsets = append(offsets, int32(len(data)))
	}
	o.data, o.offsets = data, offsets
	return &column.Bytes{T: o.t, Data: data, Offsets: offsets, Nulls: nulls}, nil
}

// fillAny makes a vector of any layout whose row i is the datum row(i).
func fillAny(t types.Type, nulls []bool, n int, row func(i int) (any, error)) (column.Vector, error) {
	b := column.NewBuilder(t, n)
	for i := range n {
		if nulls != nil && nulls[i] {
			b.AppendNull()
			continue
		}
		d, err := row(i)
		if err != nil && !isNull(err) {
			return nil, err
		}
		if err != nil || d == nil {
			b.AppendNull()
		} else {
			b.AppendDatum(d)
		}
	}
	return b.Build(), nil
}
