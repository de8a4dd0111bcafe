package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// union passes its inputs one after the other.
type union struct {
	ins  []Operator
	node *physicalplan.SetOp
	at   int
	out  column.Batch
}

// Begin begins all inputs.
func (u *union) Begin(ctx context.Context, e *Epoch) error {
	u.at = 0
	for _, in := range u.ins {
		if err := in.Begin(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// Next returns the next batch of the present input.
func (u *union) Next(ctx context.Context) (*column.Batch, error) {
	for ; u.at < len(u.ins); u.at++ {
		b, err := u.ins[u.at].Next(ctx)
		if err != nil {
			return nil, err
		}
		if b != nil {
			u.out = *b
			u.out.Schema = u.node.Schem
			return &u.out, nil
		}
	}
	return nil, nil
}

// Bounds is the older of the inputs': a row of any may be that old. Which of several watermarks holds is the query's matter.
func (u *union) Bounds() Bounds {
	out := u.ins[0].Bounds()
	for _, in := range u.ins[1:] {
		b := in.Bounds()
		out = Bounds{min(out.LateUpTo, b.LateUpTo), min(out.EvictUpTo, b.EvictUpTo)}
	}
	return out
}

// Close closes all inputs.
func (u *union) Close() error { return closeAll(u.ins) }

func closeAll(ins []Operator) error {
	errs := make([]error, len(ins))
	for i, in := range ins {
		errs[i] = in.Close()
	}
	return firstError(errs)
}

// setOp is INTERSECT and EXCEPT of two inputs, with ALL by multiplicity: a row that the left side has m times and the right n times
// comes min(m, n) or max(m - n, 0) times; without ALL at most once.
type setOp struct {
	left, right Operator
	node        *physicalplan.SetOp
	except      bool
	layout      *keyLayout

	seen   groupTable
	counts []int64 // of the right side's rows, by key; used up as left rows come
	done   []bool  // without ALL: the key was put out or is not to be
	built  bool
	set    keySet
	slots  []int32
	keep   []int32
}

func newSetOp(left, right Operator, n *physicalplan.SetOp, except bool) *setOp {
	return &setOp{left: left, right: right, node: n, except: except, layout: newKeyLayout(schemaTypes(n.Schem))}
}

// Begin forgets the right side.
func (s *setOp) Begin(ctx context.Context, e *Epoch) error {
	s.seen.reset()
	s.counts, s.done, s.built = s.counts[:0], s.done[:0], false
	if err := s.left.Begin(ctx, e); err != nil {
		return err
	}
	return s.right.Begin(ctx, e)
}

// Next reads the right side when first called, and passes left rows.
func (s *setOp) Next(ctx context.Context) (*column.Batch, error) {
	if !s.built {
		if err := s.build(ctx); err != nil {
			return nil, err
		}
		s.built = true
	}
	for {
		b, err := s.left.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		s.find(b)
		s.keep = s.keep[:0]
		for i, g := range s.slots {
			if s.passes(g) {
				s.keep = append(s.keep, int32(i))
			}
		}
		if len(s.keep) > 0 {
			out := b.Take(s.keep)
			out.Schema = s.node.Schem
			return out, nil
		}
	}
}

func (s *setOp) build(ctx context.Context) error {
	for {
		b, err := s.right.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		s.find(b)
		for _, g := range s.slots {
			s.counts[g]++
		}
	}
}

// find numbers the keys of b.
func (s *setOp) find(b *column.Batch) {
	s.layout.encode(&s.set, b.Cols, b.Rows)
	s.slots = s.seen.find(s.slots[:0], &s.set, nil, b.Rows)
	for len(s.counts) < s.seen.len() {
		s.counts = append(s.counts, 0)
		s.done = append(s.done, false)
	}
}

// passes decides about one left row with key g.
func (s *setOp) passes(g int32) bool {
	inRight := s.counts[g] > 0
	if s.node.All {
		if inRight {
			s.counts[g]--
		}
		return inRight != s.except
	}
	if s.done[g] {
		return false
	}
	s.done[g] = true
	return inRight != s.except
}

// Bounds is that of tables: there are no streams below.
func (s *setOp) Bounds() Bounds { return tableBounds }

// Close closes both sides.
func (s *setOp) Close() error { return closeAll([]Operator{s.left, s.right}) }
