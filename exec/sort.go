package exec

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"wmsql/column"
	"wmsql/expr"
)

// sorter orders its input. Rows that are equal keep their order. With a limit right above it keeps no more rows than
// that passes.
type sorter struct {
	in   Operator
	rows rowSorter
	top  *limit // nil: all rows

	out rows // nil: not drained yet
}

// Begin forgets the rows.
func (s *sorter) Begin(ctx context.Context, e *Epoch) error {
	s.out = nil
	if err := s.rows.keys.begin(); err != nil {
		return err
	}
	if err := s.rows.begin(); err != nil {
		return err
	}
	return s.in.Begin(ctx, e)
}

// Next drains the input when first called, and returns the next rows in order.
func (s *sorter) Next(ctx context.Context) (*column.Batch, error) {
	if s.out == nil {
		s.rows.keep = -1
		if s.top != nil && s.top.count >= 0 {
			s.rows.keep = int(min(s.top.offset+s.top.count, 1<<40))
		}
		var err error
		if s.out, err = s.rows.drain(ctx, s.in); err != nil {
			return nil, err
		}
	}
	return s.out.Next(ctx)
}

// keyOrders is how the keys of an ORDER BY order.
func keyOrders(keys []expr.SortKey) []keyOrder {
	var out []keyOrder
	for _, k := range keys {
		out = append(out, keyOrder{k.Desc, k.NullsFirst})
	}
	return out
}

// ordering compares rows by one key.
type ordering struct {
	keyOrder
	v    column.Vector
	ints []int64 // of v when it has no NULL and lies in whole numbers: the common case needs no call
}

func orderings(keys []keyOrder, cols []column.Vector) []ordering {
	out := make([]ordering, len(keys))
	for i, k := range keys {
		out[i] = ordering{keyOrder: k, v: cols[i]}
		if v, ok := cols[i].(*column.Of[int64]); ok && v.Nulls == nil {
			out[i].ints = v.Values
		}
	}
	return out
}

// compare orders row i against row j.
func (o *ordering) compare(i, j int32) int {
	if o.ints == nil {
		return o.keyOrder.compare(o.v, int(i), o.v, int(j))
	}
	if o.desc {
		return cmp.Compare(o.ints[j], o.ints[i])
	}
	return cmp.Compare(o.ints[i], o.ints[j])
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
	s.out = nil
	return errors.Join(s.in.Close(), s.rows.close())
}
