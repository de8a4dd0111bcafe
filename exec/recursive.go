package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
)

// round is the rows that the step of a recursive query reads: those that the round before gave.
type round struct{ rows *column.Batch }

// recursive is WITH RECURSIVE: the base's rows, then those of the step over the round before, until a round gives
// none. Without ALL a row that came already does not come again.
type recursive struct {
	base, step Operator
	node       *physicalplan.Recursive
	round      *round
	limit      int64 // bytes of one round

	epoch *Epoch
	seen  *distinct // nil with ALL
	rows  int       // rows so far
	out   chunks
	state uint8 // 0 before the base, 1 in the rounds, 2 at the end
}

// recursiveMax bounds the rows of a recursive query: one that never ends would fill the memory.
const recursiveMax = 50_000_000

func (b *builder) recursive(n *physicalplan.Recursive) (Operator, error) {
	r := &recursive{node: n, round: &round{}, limit: b.env.Memory}
	var err error
	if r.base, err = b.build(n.Base); err != nil {
		return nil, err
	}
	b.rounds[n.ID] = r.round
	if r.step, err = b.build(n.Step); err != nil {
		return nil, err
	}
	if !n.All {
		d := &physicalplan.Distinct{Output: n.Output, Input: n}
		for i := range n.Schem.Fields {
			d.On = append(d.On, i)
		}
		r.seen = newDistinct(nil, d, b.env.Memory, nil)
	}
	return r, nil
}

// Begin starts over.
func (r *recursive) Begin(ctx context.Context, e *Epoch) error {
	r.epoch, r.state, r.out, r.rows = e, 0, chunks{}, 0
	if r.seen != nil {
		r.seen.seen.reset()
	}
	return r.base.Begin(ctx, e)
}

// Next returns the next rows of the present round, and runs the next one when they are through.
func (r *recursive) Next(ctx context.Context) (*column.Batch, error) {
	for {
		if b := r.out.next(); b != nil {
			return b, nil
		}
		in := r.step
		switch r.state {
		case 0:
			in, r.state = r.base, 1
		case 2:
			return nil, nil
		default:
			if err := r.step.Begin(ctx, r.epoch); err != nil {
				return nil, err
			}
		}
		rows, err := r.fresh(ctx, in)
		if err != nil {
			return nil, err
		}
		if r.rows += rows.Rows; r.rows > recursiveMax {
			return nil, sqlerr.Newf(sqlerr.StatementTooComplex, "a recursive query gives more than %d rows", recursiveMax).
				WithHint("Add a condition to its recursive part that ends it.")
		}
		if rows.Rows == 0 {
			r.state = 2
			return nil, nil
		}
		r.round.rows, r.out = rows, chunks{b: rows}
	}
}

// fresh drains in and returns the rows that did not come before.
func (r *recursive) fresh(ctx context.Context, in Operator) (*column.Batch, error) {
	if r.seen == nil {
		return collect(ctx, in, r.node.Schem, r.limit)
	}
	r.seen.source = in
	return collect(ctx, r.seen, r.node.Schem, r.limit)
}

// Bounds is that of tables.
func (r *recursive) Bounds() Bounds { return tableBounds }

// Close closes base and step.
func (r *recursive) Close() error {
	r.out, r.round.rows = chunks{}, nil
	return closeAll([]Operator{r.base, r.step})
}

// recursiveScan reads the last round.
type recursiveScan struct {
	node  *physicalplan.RecursiveScan
	round *round
	out   chunks
}

// Begin takes the present round.
func (s *recursiveScan) Begin(context.Context, *Epoch) error {
	s.out = chunks{}
	if b := s.round.rows; b != nil {
		s.out.b = &column.Batch{Schema: s.node.Schem, Cols: b.Cols, Rows: b.Rows}
	}
	return nil
}

// Next returns the next rows.
func (s *recursiveScan) Next(context.Context) (*column.Batch, error) { return s.out.next(), nil }

// Bounds is that of tables.
func (s *recursiveScan) Bounds() Bounds { return tableBounds }

// Close does nothing.
func (s *recursiveScan) Close() error { return nil }
