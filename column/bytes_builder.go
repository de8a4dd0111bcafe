package column

import (
	"math"
	"unsafe"

	"wmsql/types"
)

// MaxBytes is the largest size of a *Bytes vector's data: its offsets are int32.
const MaxBytes = math.MaxInt32

// BytesBuilder builds a *Bytes.
type BytesBuilder struct {
	t       types.Type
	data    []byte
	offsets []int32
	nulls   nullMask
}

// NewBytesBuilder returns a builder for a type of LayoutBytes.
func NewBytesBuilder(t types.Type, capacity int) *BytesBuilder {
	b := &BytesBuilder{t: t, data: make([]byte, 0, 8*capacity), offsets: make([]int32, 1, capacity+1)}
	return b
}

// Type returns the type of the column.
func (b *BytesBuilder) Type() types.Type { return b.t }

// Len returns the number of rows.
func (b *BytesBuilder) Len() int { return len(b.offsets) - 1 }

// Size returns the bytes of all values.
func (b *BytesBuilder) Size() int { return len(b.data) }

// Append appends a copy of x.
func (b *BytesBuilder) Append(x []byte) {
	b.data = append(b.data, x...)
	b.endRow(false)
}

// AppendString appends s.
func (b *BytesBuilder) AppendString(s string) {
	b.data = append(b.data, s...)
	b.endRow(false)
}

// Buffer returns the data so far, for appending one value's bytes to it; EndValue then ends the row.
func (b *BytesBuilder) Buffer() []byte { return b.data }

// EndValue takes back what Buffer gave, with the bytes of one more value at its end.
func (b *BytesBuilder) EndValue(data []byte) {
	b.data = data
	b.endRow(false)
}

// endRow closes the row whose bytes are already in data.
func (b *BytesBuilder) endRow(null bool) {
	if len(b.data) > MaxBytes {
		panic("column: a text column is larger than 2 GiB")
	}
	b.nulls.push(len(b.offsets)-1, null)
	b.offsets = append(b.offsets, int32(len(b.data)))
}

// AppendNull appends a NULL.
func (b *BytesBuilder) AppendNull() { b.endRow(true) }

// AppendFrom appends row i of v.
func (b *BytesBuilder) AppendFrom(v Vector, i int) {
	src := v.(*Bytes)
	b.data = append(b.data, src.Value(i)...)
	b.endRow(src.Nulls != nil && src.Nulls[i])
}

// AppendVector appends all rows of v.
func (b *BytesBuilder) AppendVector(v Vector) {
	src := v.(*Bytes)
	n := src.Len()
	shift := int32(len(b.data)) - src.Offsets[0]
	b.data = append(b.data, src.Data[src.Offsets[0]:src.Offsets[n]]...)
	if len(b.data) > MaxBytes {
		panic("column: a text column is larger than 2 GiB")
	}
	b.nulls.pushAll(b.Len(), n, src.Nulls)
	for _, o := range src.Offsets[1:] {
		b.offsets = append(b.offsets, o+shift)
	}
}

// AppendDatum appends a string, or NULL for nil.
func (b *BytesBuilder) AppendDatum(d any) {
	if d == nil {
		b.AppendNull()
		return
	}
	b.AppendString(d.(string))
}

// AppendText parses text by the column's type.
func (b *BytesBuilder) AppendText(text []byte, f *types.Format) error {
	data, err := types.AppendParsedBytes(b.data, str(text), b.t)
	if err != nil {
		return err
	}
	b.data = data
	b.endRow(false)
	return nil
}

// Truncate drops all rows from n on.
func (b *BytesBuilder) Truncate(n int) {
	b.offsets = b.offsets[:n+1]
	b.data = b.data[:b.offsets[n]]
	b.nulls.truncate(n)
}

// Build returns the rows and empties the builder.
func (b *BytesBuilder) Build() Vector {
	out := &Bytes{T: b.t, Data: b.data, Offsets: b.offsets, Nulls: b.nulls.build()}
	b.data = make([]byte, 0, len(b.data))
	b.offsets = make([]int32, 1, len(b.offsets))
	return out
}

// View returns the rows until the builder changes.
func (b *BytesBuilder) View() Vector {
	return &Bytes{T: b.t, Data: b.data, Offsets: b.offsets, Nulls: b.nulls.view()}
}

// Reset empties the builder.
func (b *BytesBuilder) Reset() {
	b.data, b.offsets = b.data[:0], b.offsets[:1]
	b.nulls.reset()
}

// str is b as a string without a copy: for parsers, which keep nothing of it.
func str(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
