package exec

import (
	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
)

// splitter parts the rows of a stream that can be evaluated from those that cannot: one bad row does not stop a query.
type splitter struct {
	to    *catalog.Stream // nil: a row that cannot be evaluated fails the query
	aside *aside
	scan  *streamScan
}

// good returns the rows of b for which try succeeds, after try failed for the whole with cause. The others are rejected.
func (s *splitter) good(b *column.Batch, cause error, try func(*column.Batch) error) (*column.Batch, error) {
	if s.to == nil {
		return nil, cause
	}
	var keep []int32
	split := 0
	if s.scan != nil && s.scan.cur != nil {
		split = s.scan.cur.Split
	}
	for i := range b.Rows {
		if err := try(b.Slice(i, i+1)); err != nil {
			s.aside.reject(s.to, split, b, i, sqlerr.From(err).Msg)
			s.aside.unevaluated()
			continue
		}
		keep = append(keep, int32(i))
	}
	return b.Take(keep), nil
}
