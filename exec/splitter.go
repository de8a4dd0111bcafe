package exec

import (
	"errors"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
)

// splitter parts the rows of a continuous query that can be evaluated from those that cannot: one bad row does not stop a query.
type splitter struct {
	to    *physicalplan.Rejects // nil: a row that cannot be evaluated fails the query
	aside *aside
	scan  *streamScan
	from  map[*physicalplan.SetOp]*union // of the unions below
	keep  []int32                        // rows of the last batch that was parted
	bad   []int32                        // its others
}

func (b *builder) splitter(to *physicalplan.Rejects) splitter {
	return splitter{to: to, aside: b.q.aside, scan: b.scan, from: b.unions}
}

// dest is where a row of the present batch goes; nil: it fails the query.
func (s *splitter) dest() *physicalplan.Rejects {
	to := s.to
	for to != nil && to.Union != nil {
		u := s.from[to.Union]
		if u == nil || u.at == len(u.ins) {
			break
		}
		to = to.Union.From[u.at]
	}
	return to
}

// try runs f over b. If f fails, the rows for which it fails are rejected, and it is run over the others, which are returned.
func (s *splitter) try(b *column.Batch, f func(*column.Batch) error) (*column.Batch, error) {
	err := f(b)
	if err == nil {
		return b, nil
	}
	if s.dest() == nil || !ofRow(err) {
		return nil, err
	}
	s.keep, s.bad = s.keep[:0], s.bad[:0]
	if err := s.halve(b, 0, b.Rows, err, f); err != nil {
		return nil, err
	}
	good := b.Take(s.keep)
	if good.Rows == 0 {
		return good, nil
	}
	return good, f(good)
}

// halve sorts out rows [lo, hi), for which f failed with cause: bad rows are few, so whole halves are mostly good.
func (s *splitter) halve(b *column.Batch, lo, hi int, cause error, f func(*column.Batch) error) error {
	if hi-lo == 1 {
		s.bad = append(s.bad, int32(lo))
		s.reject(b, lo, cause)
		return nil
	}
	mid := (lo + hi) / 2
	for _, part := range [...][2]int{{lo, mid}, {mid, hi}} {
		err := f(b.Slice(part[0], part[1]))
		if err == nil {
			for i := part[0]; i < part[1]; i++ {
				s.keep = append(s.keep, int32(i))
			}
			continue
		}
		if !ofRow(err) {
			return err
		}
		if err := s.halve(b, part[0], part[1], err, f); err != nil {
			return err
		}
	}
	return nil
}

// refuse rejects row i of b, for which there is no result, or returns the error that the query fails with.
func (s *splitter) refuse(b *column.Batch, i int, cause error) error {
	if s.dest() == nil {
		return cause
	}
	s.reject(b, i, cause)
	return nil
}

// refuseGroups rejects the rows of b that are groups which failed, or returns the error that the query fails with.
func (s *splitter) refuseGroups(b *column.Batch, failed []failedGroup) error {
	for _, f := range failed {
		if s.dest() == nil {
			e := *sqlerr.From(f.why)
			e.Msg += ", in the group " + string(appendRowJSON(nil, b, int(f.at), nil))
			e.Hint = "With on_error = 'reject', a stream's default, the group is left out of the result and told of in wm_catalog.rejected_rows."
			return &e
		}
		s.reject(b, int(f.at), f.why)
	}
	return nil
}

// reject tells of row i of b. A row that is taken back was told of when it came.
func (s *splitter) reject(b *column.Batch, i int, cause error) {
	if b.Ops != nil && b.Ops[i].Removes() {
		return
	}
	split := 0
	if s.scan != nil && s.scan.cur != nil {
		split = s.scan.cur.Split
	}
	to := s.dest()
	s.aside.reject(to.Stream, split, b, i, sqlerr.From(cause).Msg)
	if !to.Results {
		s.aside.unevaluated()
	}
}

// selects appends to dst the rows of b that pass c. Those for which that cannot be said are rejected, and do not pass.
func (s *splitter) selects(dst []int32, c *cond, b *column.Batch) ([]int32, error) {
	from := len(dst)
	good, err := s.try(b, func(b *column.Batch) (err error) {
		dst, err = c.f.Select(dst[:from], b)
		return err
	})
	switch {
	case err != nil || good == b:
		return dst, err
	case good.Rows == 0:
		return dst[:from], nil
	}
	for k, i := range dst[from:] {
		dst[from+k] = s.keep[i]
	}
	return dst, nil
}

// evals computes x for b, and returns the rows for which it could be computed.
func (s *splitter) evals(dst []column.Vector, x *exprs, b *column.Batch) ([]column.Vector, *column.Batch, error) {
	good, err := s.try(b, func(b *column.Batch) (err error) {
		dst, err = x.eval(dst[:0], b)
		return err
	})
	if err == nil && good.Rows == 0 && b.Rows > 0 {
		dst = dst[:0]
		for _, e := range x.src {
			dst = append(dst, column.Const(e.Type(), nil, 0))
		}
	}
	return dst, good, err
}

// expand returns what f makes of the rows of b for which it makes something; nil if there are none.
func (s *splitter) expand(b *column.Batch, f func(*column.Batch) (*column.Batch, error)) (out *column.Batch, err error) {
	good, err := s.try(b, func(b *column.Batch) (err error) {
		out, err = f(b)
		return err
	})
	if err != nil || good.Rows == 0 && b.Rows > 0 {
		return nil, err
	}
	return out, nil
}

// ofRow reports whether an error tells of what was evaluated and not of the server: of its memory, its disk, or a query that is to end.
func ofRow(err error) bool {
	var e *sqlerr.Error
	if !errors.As(err, &e) || len(e.Code) < 2 {
		return false
	}
	switch e.Code[:2] {
	case "53", "57", "58", "XX":
		return false
	}
	return true
}
