package exec

import (
	"cmp"
	"context"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// sessions gives the rows of a whole relation the bounds of their sessions: of one partition, spans that overlap or touch are one.
type sessions struct {
	in     Operator
	node   *physicalplan.Sessions
	memory int64

	drained bool
	rows    chunks
}

// Begin forgets the rows.
func (s *sessions) Begin(ctx context.Context, e *Epoch) error {
	s.drained, s.rows = false, chunks{}
	return s.in.Begin(ctx, e)
}

// Next drains the input when first called.
func (s *sessions) Next(ctx context.Context) (*column.Batch, error) {
	if !s.drained {
		b, err := collect(ctx, s.in, s.node.Schem, s.memory)
		if err != nil {
			return nil, err
		}
		s.join(b)
		s.rows, s.drained = chunks{b: b}, true
	}
	return s.rows.next(), nil
}

// join replaces the spans of b's rows.
func (s *sessions) join(b *column.Batch) {
	var ts []types.Type
	var cols []column.Vector
	for _, c := range s.node.Partition {
		ts, cols = append(ts, s.node.Schem.Fields[c].Type), append(cols, b.Cols[c])
	}
	parts := make([]int32, b.Rows)
	if len(cols) > 0 {
		var set keySet
		newKeyLayout(ts).encode(&set, cols, b.Rows)
		parts = new(groupTable).find(parts[:0], &set, nil, b.Rows)
	}
	from := b.Cols[s.node.Start].(*column.Of[int64])
	to := b.Cols[s.node.End].(*column.Of[int64])
	order := upTo(nil, b.Rows)
	slices.SortFunc(order, func(x, y int32) int {
		return cmp.Or(cmp.Compare(parts[x], parts[y]), cmp.Compare(from.Values[x], from.Values[y]))
	})
	starts, ends, times := make([]int64, b.Rows), make([]int64, b.Rows), make([]int64, b.Rows)
	for i := 0; i < len(order); {
		first := order[i]
		all := span{from.Values[first], to.Values[first]}
		k := i + 1
		for ; k < len(order) && parts[order[k]] == parts[first] && from.Values[order[k]] <= all.end; k++ {
			all.end = max(all.end, to.Values[order[k]])
		}
		for ; i < k; i++ {
			starts[order[i]], ends[order[i]], times[order[i]] = all.start, all.end, all.end-1
		}
	}
	for k, v := range [...][]int64{starts, ends, times} {
		c := s.node.Start + k
		b.Cols[c] = &column.Of[int64]{T: s.node.Schem.Fields[c].Type, Values: v}
	}
}

// Bounds is the input's.
func (s *sessions) Bounds() Bounds { return s.in.Bounds() }

// Close closes the input.
func (s *sessions) Close() error {
	s.rows = chunks{}
	return s.in.Close()
}
