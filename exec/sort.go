package exec

import (
	"cmp"
	"context"
	"slices"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
)

// sorter orders its input. Rows that are equal keep their order. With a limit right above it keeps no more rows than
// that passes.
type sorter struct {
	in    Operator
	node  *physicalplan.Sort
	keys  *exprs
	top   *limit // nil: all rows
	limit int64  // bytes of the rows

	out     chunks
	drained bool
}

// Begin forgets the rows.
func (s *sorter) Begin(ctx context.Context, e *Epoch) error {
	s.out, s.drained = chunks{}, false
	if err := s.keys.begin(); err != nil {
		return err
	}
	return s.in.Begin(ctx, e)
}

// Next drains the input when first called, and returns the next rows in order.
func (s *sorter) Next(ctx context.Context) (*column.Batch, error) {
	if !s.drained {
		b, err := s.drain(ctx)
		if err != nil {
			return nil, err
		}
		s.out, s.drained = chunks{b: b}, true
	}
	return s.out.next(), nil
}

// topSlack is how many rows beyond the wanted ones a top-N collects before it sorts them away.
const topSlack = 4 * column.MaxRows

func (s *sorter) drain(ctx context.Context) (*column.Batch, error) {
	c := newCollector(s.node.Schem, s.limit)
	keep := -1
	if s.top != nil && s.top.count >= 0 {
		keep = int(min(s.top.offset+s.top.count, 1<<40))
	}
	for {
		b, err := s.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return s.ordered(c.take(), keep)
		}
		if err := c.add(b); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if keep >= 0 && c.rows > 2*keep+topSlack {
			best, err := s.ordered(c.take(), keep)
			if err != nil {
				return nil, err
			}
			if err := c.add(best); err != nil {
				return nil, err
			}
		}
	}
}

// ordered returns the first keep rows of b in order, all with -1.
func (s *sorter) ordered(b *column.Batch, keep int) (*column.Batch, error) {
	if b.Rows == 0 {
		return b, nil
	}
	cols, err := s.keys.eval(nil, b)
	if err != nil {
		return nil, err
	}
	idx := upTo(nil, b.Rows)
	sortRows(idx, orderings(s.node.Keys, cols))
	if keep >= 0 && keep < len(idx) {
		idx = idx[:keep]
	}
	return b.Take(idx), nil
}

// ordering compares rows by one key.
type ordering struct {
	v     column.Vector
	ints  []int64 // of v when it has no NULL and lies in whole numbers: the common case needs no call
	desc  bool
	first bool // NULLs first
}

func orderings(keys []expr.SortKey, cols []column.Vector) []ordering {
	out := make([]ordering, len(keys))
	for i, k := range keys {
		out[i] = ordering{v: cols[i], desc: k.Desc, first: k.NullsFirst}
		if v, ok := cols[i].(*column.Of[int64]); ok && v.Nulls == nil {
			out[i].ints = v.Values
		}
	}
	return out
}

// compare orders row i against row j.
func (o *ordering) compare(i, j int32) int {
	c := 0
	if o.ints != nil {
		c = cmp.Compare(o.ints[i], o.ints[j])
	} else {
		in, jn := o.v.IsNull(int(i)), o.v.IsNull(int(j))
		switch {
		case in && jn:
			return 0
		case in != jn:
			if in == o.first {
				return -1
			}
			return 1
		}
		c = column.Compare(o.v, int(i), o.v, int(j))
	}
	if o.desc {
		return -c
	}
	return c
}

// compareRows orders row i against row j by all keys.
func compareRows(os []ordering, i, j int32) int {
	for k := range os {
		if c := os[k].compare(i, j); c != 0 {
			return c
		}
	}
	return 0
}

// sortRows orders row numbers; equal rows keep their order.
func sortRows(idx []int32, os []ordering) {
	slices.SortFunc(idx, func(i, j int32) int {
		return cmp.Or(compareRows(os, i, j), cmp.Compare(i, j))
	})
}

// Bounds is the input's.
func (s *sorter) Bounds() Bounds { return s.in.Bounds() }

// Close closes the input.
func (s *sorter) Close() error {
	s.out = chunks{}
	return s.in.Close()
}
