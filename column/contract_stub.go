package column

import "wmsql/types"

// A datum is one value outside a loop: nil for NULL, else bool, int64 (every type of
// LayoutInt64), float64, types.Decimal, types.IntervalValue, string (LayoutBytes), []any (arrays
// and rows).

// Get returns row i of v as a datum.
func Get(v Vector, i int) any { panic("stub") }

// Const returns a vector of n rows that all hold the datum d.
func Const(t types.Type, d any, n int) Vector { panic("stub") }

// Builder collects rows of one column.
type Builder interface {
	Type() types.Type
	Len() int
	AppendNull()
	// AppendFrom appends row i of v, which has the builder's layout.
	AppendFrom(v Vector, i int)
	// AppendVector appends all rows of v.
	AppendVector(v Vector)
	// AppendDatum appends a datum of the builder's layout.
	AppendDatum(d any)
	// AppendText parses the Postgres text form of a value of the builder's type. The error is a *sqlerr.Error
	// with the SQLSTATE Postgres gives; nothing is appended then.
	AppendText(text []byte, f *types.Format) error
	// Truncate drops all rows from n on: a half-read record is taken back.
	Truncate(n int)
	// Build returns the rows as a vector and empties the builder. The vector does not share memory with later rows.
	Build() Vector
	// View returns the rows as a vector that is valid until the builder changes.
	View() Vector
	// Reset empties the builder and keeps its memory.
	Reset()
}

// NewBuilder returns a builder for type t with room for capacity rows.
func NewBuilder(t types.Type, capacity int) Builder { panic("stub") }

// AppendText appends the Postgres text form of row i of v, which is not NULL.
func AppendText(dst []byte, v Vector, i int, f *types.Format) []byte { panic("stub") }

// AppendBinary appends the Postgres binary form of row i of v, which is not NULL, without its length word.
func AppendBinary(dst []byte, v Vector, i int) []byte { panic("stub") }

// AppendFromBinary appends to b the value whose Postgres binary form is data.
func AppendFromBinary(b Builder, data []byte) error { panic("stub") }

// AppendKey appends row i of v in an encoding whose byte order is the order of values: NULL sorts after
// every value (Postgres's order), and the encoding of a row is never a prefix of another row's. With desc the order is reversed.
func AppendKey(dst []byte, v Vector, i int, desc bool) []byte { panic("stub") }

// DecodeKey reads one value of b's type from key, appends it and returns the rest of key.
func DecodeKey(b Builder, key []byte, desc bool) (rest []byte, err error) { panic("stub") }

// AppendRow appends the row codec's form of row i of cols: a null bitmap, then the values. It is
// shorter than the key form and keeps no order. Its first byte is the format version.
func AppendRow(dst []byte, cols []Vector, i int) []byte { panic("stub") }

// DecodeRow appends one row to the builders and returns the rest of data.
func DecodeRow(bs []Builder, data []byte) (rest []byte, err error) { panic("stub") }

// AppendBatch appends a columnar form of the whole batch (schema not included): versioned, with a checksum.
func AppendBatch(dst []byte, b *Batch) []byte { panic("stub") }

// DecodeBatch reads what AppendBatch wrote. want lists the ordinals to read, nil for all; columns that are not wanted are
// skipped and nil in the result.
func DecodeBatch(s *types.Schema, data []byte, want []int) (*Batch, error) { panic("stub") }

// Concat returns the batches as one.
func Concat(s *types.Schema, bs []*Batch) *Batch { panic("stub") }

// Compare orders row i of a against row j of b, of one type: NULL is larger than every value, as in Postgres.
func Compare(a Vector, i int, b Vector, j int) int { panic("stub") }
