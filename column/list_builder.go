package column

import "wmsql/types"

// ListBuilder builds a *List: append the elements of a row to Elems, then call EndRow.
type ListBuilder struct {
	t       types.Type
	offsets []int32
	elems   Builder
	nulls   nullMask
	shapes  []*types.ArrayShape // nil until a row has one, else as long as the rows
}

// ElemType returns the type of the elements of t, an array type, int2vector or oidvector.
func ElemType(t types.Type) types.Type {
	switch {
	case t.Array:
		return t.Elem()
	case t.Kind == types.Int2Vector:
		return types.Of(types.Int2)
	}
	return types.Of(types.OID)
}

// NewListBuilder returns a builder for a type of LayoutList.
func NewListBuilder(t types.Type, capacity int) *ListBuilder {
	return &ListBuilder{t: t, offsets: make([]int32, 1, capacity+1), elems: NewBuilder(ElemType(t), capacity)}
}

// Elems is the builder of the elements.
func (b *ListBuilder) Elems() Builder { return b.elems }

// EndRow makes the elements appended since the last row a row.
func (b *ListBuilder) EndRow() { b.endRow(false) }

// EndShaped makes the elements appended since the last row a row of a shape, nil for one dimension from 1.
func (b *ListBuilder) EndShaped(s *types.ArrayShape) {
	b.endRow(false)
	b.shape(s)
}

func (b *ListBuilder) endRow(null bool) {
	b.nulls.push(len(b.offsets)-1, null)
	b.offsets = append(b.offsets, int32(b.elems.Len()))
	if b.shapes != nil {
		b.shapes = append(b.shapes, nil)
	}
}

// shape gives the last row its shape.
func (b *ListBuilder) shape(s *types.ArrayShape) {
	if s == nil {
		return
	}
	if b.shapes == nil {
		b.shapes = make([]*types.ArrayShape, b.Len(), cap(b.offsets))
	}
	b.shapes[b.Len()-1] = s
}

// Type returns the type of the column.
func (b *ListBuilder) Type() types.Type { return b.t }

// Len returns the number of rows.
func (b *ListBuilder) Len() int { return len(b.offsets) - 1 }

// AppendNull appends a NULL.
func (b *ListBuilder) AppendNull() { b.endRow(true) }

// AppendFrom appends row i of v.
func (b *ListBuilder) AppendFrom(v Vector, i int) {
	src := v.(*List)
	for e := src.Offsets[i]; e < src.Offsets[i+1]; e++ {
		b.elems.AppendFrom(src.Elems, int(e))
	}
	b.endRow(src.IsNull(i))
	b.shape(src.Shape(i))
}

// AppendVector appends all rows of v.
func (b *ListBuilder) AppendVector(v Vector) {
	src := v.(*List)
	n := src.Len()
	shift := int32(b.elems.Len()) - src.Offsets[0]
	b.elems.AppendVector(src.Elems.Slice(int(src.Offsets[0]), int(src.Offsets[n])))
	b.nulls.pushAll(b.Len(), n, src.Nulls)
	was := b.Len()
	for _, o := range src.Offsets[1:] {
		b.offsets = append(b.offsets, o+shift)
	}
	if src.Shapes == nil && b.shapes == nil {
		return
	}
	if b.shapes == nil {
		b.shapes = make([]*types.ArrayShape, was, cap(b.offsets))
	}
	b.shapes = append(b.shapes, make([]*types.ArrayShape, n)...)
	copy(b.shapes[was:], src.Shapes)
}

// AppendDatum appends an []any of element datums, or NULL for nil.
func (b *ListBuilder) AppendDatum(d any) {
	if d == nil {
		b.AppendNull()
		return
	}
	elems, shape := Elements(d)
	for _, e := range elems {
		b.elems.AppendDatum(e)
	}
	b.EndShaped(shape)
}

// AppendText parses an array's text form.
func (b *ListBuilder) AppendText(text []byte, f *types.Format) error {
	before := b.elems.Len()
	shape, err := types.SplitArray(str(text), b.t, func(elem []byte, null bool) error {
		if null {
			b.elems.AppendNull()
			return nil
		}
		return b.elems.AppendText(elem, f)
	})
	if err != nil {
		b.elems.Truncate(before)
		return err
	}
	b.EndShaped(shape)
	return nil
}

// Truncate drops all rows from n on.
func (b *ListBuilder) Truncate(n int) {
	b.offsets = b.offsets[:n+1]
	b.elems.Truncate(int(b.offsets[n]))
	b.nulls.truncate(n)
	if b.shapes != nil {
		b.shapes = b.shapes[:n]
	}
}

// Build returns the rows and empties the builder.
func (b *ListBuilder) Build() Vector {
	out := &List{T: b.t, Offsets: b.offsets, Elems: b.elems.Build(), Nulls: b.nulls.build(), Shapes: b.shapes}
	b.shapes = nil
	b.offsets = make([]int32, 1, len(b.offsets))
	return out
}

// View returns the rows until the builder changes.
func (b *ListBuilder) View() Vector {
	return &List{T: b.t, Offsets: b.offsets, Elems: b.elems.View(), Nulls: b.nulls.view(), Shapes: b.shapes}
}

// Reset empties the builder.
func (b *ListBuilder) Reset() {
	b.offsets = b.offsets[:1]
	b.elems.Reset()
	b.nulls.reset()
	b.shapes = nil
}
