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
	keep  []int32
}

// good returns the rows of b for which try succeeds, after try failed for the whole with cause. The others are rejected.
func (s *splitter) good(b *column.Batch, cause error, try func(*column.Batch) error) (*column.Batch, error) {
	if s.to == nil {
		return nil, cause
	}
	split := 0
	if s.scan != nil && s.scan.cur != nil {
		split = s.scan.cur.Split
	}
	s.keep = s.keep[:0]
	s.halve(b, 0, b.Rows, split, cause, try)
	return b.Take(s.keep), nil
}

// halve sorts out rows [lo, hi), for which try failed with cause: bad rows are few, so whole halves are mostly good.
func (s *splitter) halve(b *column.Batch, lo, hi, split int, cause error, try func(*column.Batch) error) {
	if hi-lo == 1 {
		s.aside.reject(s.to, split, b, lo, sqlerr.From(cause).Msg)
		s.aside.unevaluated()
		return
	}
	mid := (lo + hi) / 2
	for _, part := range [...][2]int{{lo, mid}, {mid, hi}} {
		if err := try(b.Slice(part[0], part[1])); err != nil {
			s.halve(b, part[0], part[1], split, err, try)
			continue
		}
		for i := part[0]; i < part[1]; i++ {
			s.keep = append(s.keep, int32(i))
		}
	}
}
