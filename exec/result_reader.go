package exec

import (
	"wmsql/catalog"
	"wmsql/column"
	"wmsql/state"
)

// ResultReader reads the stored rows of a view or table.
type ResultReader struct {
	it   state.Iterator
	rel  *relation
	bs   []column.Builder
	read []int
}

// ReadResult opens the rows of a relation, of which the columns at the ordinals read are wanted.
func ReadResult(r state.Reader, id catalog.ID, read []int) (*ResultReader, error) {
	rel, err := readRelation(r, uint32(id))
	if rel == nil || err != nil {
		return &ResultReader{}, err
	}
	out := &ResultReader{read: read}
	for _, t := range rel.Types {
		out.bs = append(out.bs, column.NewBuilder(t, 256))
	}
	out.rel = rel
	out.it, err = r.Iter(state.Result, uint32(id), rel.rows(), successor(rel.rows()), false)
	return out, err
}

// Next returns the next rows, nil at the end.
func (r *ResultReader) Next() (*column.Batch, error) {
	if r.it == nil {
		return nil, nil
	}
	n := 0
	for n < column.MaxRows && r.it.Next() {
		if err := r.rel.Decode(r.bs, r.it.Value()); err != nil {
			return nil, err
		}
		n++
	}
	if n == 0 {
		return nil, r.Close()
	}
	out := &column.Batch{Rows: n}
	cols := make([]column.Vector, len(r.bs))
	for i, b := range r.bs {
		cols[i] = b.Build()
	}
	for _, o := range r.read {
		out.Cols = append(out.Cols, cols[o])
	}
	return out, nil
}

// Close ends the reading.
func (r *ResultReader) Close() error {
	it := r.it
	if r.it = nil; it == nil {
		return nil
	}
	return it.Close()
}
