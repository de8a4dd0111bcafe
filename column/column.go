// Package column holds rows in columns: a Vector is one column, a Batch is a set of equally
// long vectors under one schema. It also holds what turns rows into bytes: the order-preserving
// key codec, the row codec, and the text of values.
package column

import "wmsql/types"

// MaxRows is the usual number of rows in a batch: large enough that the cost of a virtual call
// per batch vanishes, small enough that a few columns stay in the L2 cache.
const MaxRows = 4096

// Vector is one column of values. The concrete types are *Of[T] for fixed-width values, *Bytes
// for text and bytes, *List for arrays and *Record for rows; types.Layout says which type uses
// which. Nothing outside this package implements it. A vector is read only once it is in a batch.
type Vector interface {
	Type() types.Type
	Len() int
	// IsNull reports whether row i is NULL. The value slot of a NULL row is the zero value.
	IsNull(i int) bool
	// NullMask is nil when no row is NULL, else as long as the vector.
	NullMask() []bool
	// Take returns a new vector with the rows at idx, in that order.
	Take(idx []int32) Vector
	// Slice returns rows [lo, hi) without copying.
	Slice(lo, hi int) Vector
	// WithType returns the same values under another type of the same layout, without copying.
	WithType(t types.Type) Vector

	sealed()
}

// Of is a vector of fixed-width values.
type Of[T any] struct {
	T      types.Type
	Values []T
	Nulls  []bool // nil when no row is NULL; else as long as Values
}

// Bytes is a vector of byte strings: row i is Data[Offsets[i]:Offsets[i+1]].
type Bytes struct {
	T       types.Type
	Data    []byte
	Offsets []int32 // one more than rows; Offsets[0] need not be 0
	Nulls   []bool
}

// Value returns the bytes of row i; they must not be changed.
func (v *Bytes) Value(i int) []byte { return v.Data[v.Offsets[i]:v.Offsets[i+1]] }

// List is a vector of arrays: row i is Elems[Offsets[i]:Offsets[i+1]].
type List struct {
	T       types.Type
	Offsets []int32
	Elems   Vector // of T.Elem(); of int2 or oid for int2vector and oidvector
	Nulls   []bool
	// Shapes are the dimensions of those rows that have others than one from 1; nil when no row has, else as long as the vector.
	Shapes []*types.ArrayShape
}

// Shape returns the dimensions of row i, nil for one dimension from 1.
func (v *List) Shape(i int) *types.ArrayShape {
	if v.Shapes == nil {
		return nil
	}
	return v.Shapes[i]
}

// Record is a vector of rows.
type Record struct {
	T      types.Type
	Fields []Vector
	Rows   int
	Nulls  []bool
}

// Op says what a row of a changelog does to the result. A batch without ops is all Insert.
type Op uint8

// Removes reports whether a row takes one out of the result.
func (o Op) Removes() bool { return o == Delete || o == UpdateBefore }

// The ops.
const (
	Insert Op = iota
	Delete
	UpdateBefore
	UpdateAfter
)

// Batch is a set of vectors of equal length.
type Batch struct {
	Schema *types.Schema
	Cols   []Vector
	Rows   int
	Ops    []Op // nil: all rows are inserts
}

// Take returns a batch with the rows at idx, in that order.
func (b *Batch) Take(idx []int32) *Batch {
	out := &Batch{Schema: b.Schema, Cols: make([]Vector, len(b.Cols)), Rows: len(idx)}
	for c, v := range b.Cols {
		out.Cols[c] = v.Take(idx)
	}
	if b.Ops != nil {
		out.Ops = take(b.Ops, idx)
	}
	return out
}

// Slice returns rows [lo, hi) of b without copying.
func (b *Batch) Slice(lo, hi int) *Batch {
	out := &Batch{Schema: b.Schema, Cols: make([]Vector, len(b.Cols)), Rows: hi - lo}
	for c, v := range b.Cols {
		out.Cols[c] = v.Slice(lo, hi)
	}
	if b.Ops != nil {
		out.Ops = b.Ops[lo:hi]
	}
	return out
}

func take[T any](src []T, idx []int32) []T {
	out := make([]T, len(idx))
	for k, i := range idx {
		out[k] = src[i]
	}
	return out
}

// Type returns the vector's type.
func (v *Of[T]) Type() types.Type { return v.T }

// Len returns the number of rows.
func (v *Of[T]) Len() int { return len(v.Values) }

// IsNull reports whether row i is NULL.
func (v *Of[T]) IsNull(i int) bool { return v.Nulls != nil && v.Nulls[i] }

// NullMask returns the null flags, nil if none is set.
func (v *Of[T]) NullMask() []bool { return v.Nulls }

// Take returns the rows at idx.
func (v *Of[T]) Take(idx []int32) Vector {
	out := &Of[T]{T: v.T, Values: take(v.Values, idx)}
	if v.Nulls != nil {
		out.Nulls = take(v.Nulls, idx)
	}
	return out
}

// Slice returns rows [lo, hi).
func (v *Of[T]) Slice(lo, hi int) Vector {
	return &Of[T]{T: v.T, Values: v.Values[lo:hi], Nulls: sliceNulls(v.Nulls, lo, hi)}
}

// WithType returns the values under type t.
func (v *Of[T]) WithType(t types.Type) Vector { c := *v; c.T = t; return &c }
func (v *Of[T]) sealed()                      {}

// Type returns the vector's type.
func (v *Bytes) Type() types.Type { return v.T }

// Len returns the number of rows.
func (v *Bytes) Len() int { return len(v.Offsets) - 1 }

// IsNull reports whether row i is NULL.
func (v *Bytes) IsNull(i int) bool { return v.Nulls != nil && v.Nulls[i] }

// NullMask returns the null flags, nil if none is set.
func (v *Bytes) NullMask() []bool { return v.Nulls }

// Take returns the rows at idx.
func (v *Bytes) Take(idx []int32) Vector {
	size := 0
	for _, i := range idx {
		size += int(v.Offsets[i+1] - v.Offsets[i])
	}
	out := &Bytes{T: v.T, Data: make([]byte, 0, size), Offsets: make([]int32, 1, len(idx)+1)}
	for _, i := range idx {
		out.Data = append(out.Data, v.Data[v.Offsets[i]:v.Offsets[i+1]]...)
		out.Offsets = append(out.Offsets, int32(len(out.Data)))
	}
	if v.Nulls != nil {
		out.Nulls = take(v.Nulls, idx)
	}
	return out
}

// Slice returns rows [lo, hi).
func (v *Bytes) Slice(lo, hi int) Vector {
	return &Bytes{T: v.T, Data: v.Data, Offsets: v.Offsets[lo : hi+1], Nulls: sliceNulls(v.Nulls, lo, hi)}
}

// WithType returns the values under type t.
func (v *Bytes) WithType(t types.Type) Vector { c := *v; c.T = t; return &c }
func (v *Bytes) sealed()                      {}

// Type returns the vector's type.
func (v *List) Type() types.Type { return v.T }

// Len returns the number of rows.
func (v *List) Len() int { return len(v.Offsets) - 1 }

// IsNull reports whether row i is NULL.
func (v *List) IsNull(i int) bool { return v.Nulls != nil && v.Nulls[i] }

// NullMask returns the null flags, nil if none is set.
func (v *List) NullMask() []bool { return v.Nulls }

// Take returns the rows at idx.
func (v *List) Take(idx []int32) Vector {
	out := &List{T: v.T, Offsets: make([]int32, 1, len(idx)+1)}
	var elems []int32
	for _, i := range idx {
		for e := v.Offsets[i]; e < v.Offsets[i+1]; e++ {
			elems = append(elems, e)
		}
		out.Offsets = append(out.Offsets, int32(len(elems)))
	}
	out.Elems = v.Elems.Take(elems)
	if v.Nulls != nil {
		out.Nulls = take(v.Nulls, idx)
	}
	if v.Shapes != nil {
		out.Shapes = take(v.Shapes, idx)
	}
	return out
}

// Slice returns rows [lo, hi).
func (v *List) Slice(lo, hi int) Vector {
	out := &List{T: v.T, Offsets: v.Offsets[lo : hi+1], Elems: v.Elems, Nulls: sliceNulls(v.Nulls, lo, hi)}
	if v.Shapes != nil {
		out.Shapes = v.Shapes[lo:hi]
	}
	return out
}

// WithType returns the values under type t.
func (v *List) WithType(t types.Type) Vector { c := *v; c.T = t; return &c }
func (v *List) sealed()                      {}

// Type returns the vector's type.
func (v *Record) Type() types.Type { return v.T }

// Len returns the number of rows.
func (v *Record) Len() int { return v.Rows }

// IsNull reports whether row i is NULL.
func (v *Record) IsNull(i int) bool { return v.Nulls != nil && v.Nulls[i] }

// NullMask returns the null flags, nil if none is set.
func (v *Record) NullMask() []bool { return v.Nulls }

// Take returns the rows at idx.
func (v *Record) Take(idx []int32) Vector {
	out := &Record{T: v.T, Rows: len(idx), Fields: make([]Vector, len(v.Fields))}
	for f, c := range v.Fields {
		out.Fields[f] = c.Take(idx)
	}
	if v.Nulls != nil {
		out.Nulls = take(v.Nulls, idx)
	}
	return out
}

// Slice returns rows [lo, hi).
func (v *Record) Slice(lo, hi int) Vector {
	out := &Record{T: v.T, Rows: hi - lo, Fields: make([]Vector, len(v.Fields)), Nulls: sliceNulls(v.Nulls, lo, hi)}
	for f, c := range v.Fields {
		out.Fields[f] = c.Slice(lo, hi)
	}
	return out
}

// WithType returns the values under type t.
func (v *Record) WithType(t types.Type) Vector { c := *v; c.T = t; return &c }
func (v *Record) sealed()                      {}

func sliceNulls(nulls []bool, lo, hi int) []bool {
	if nulls == nil {
		return nil
	}
	return nulls[lo:hi]
}
