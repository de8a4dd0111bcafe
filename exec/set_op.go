package exec

import (
	"context"
	"errors"

	"wmsql/column"
	"wmsql/physicalplan"
)

// setOp is INTERSECT and EXCEPT of two inputs, with ALL by multiplicity: a row that the left side has m times and the right n times
// comes min(m, n) or max(m - n, 0) times; without ALL at most once. When it may remember no more keys, it goes on with those it knows,
// and the rows of both sides with other keys wait in parts on disk.
type setOp struct {
	left, right Operator
	node        *physicalplan.SetOp
	except      bool
	layout      *keyLayout
	budget      budget
	spill       *spill

	now   setPart
	lrest *division // nil while all keys are remembered
	rrest *division
	queue []setPart
	built bool
	ended bool

	seen   groupTable
	counts []int64 // of the right side's rows, by key; used up as left rows come
	done   []bool  // without ALL: the key was put out or is not to be
	set    keySet
	keep   []int32
	wait   []int32
}

// setPart is rows of both sides whose keys are in no other part.
type setPart struct {
	left, right rows
	depth       int
	runs        []*spillRun // that left and right read
}

func newSetOp(left, right Operator, n *physicalplan.SetOp, except bool, limit int64, s *spill) *setOp {
	return &setOp{left: left, right: right, node: n, except: except, layout: newKeyLayout(schemaTypes(n.Schem)),
		budget: budget{limit: limit}, spill: s}
}

// Begin forgets the right side.
func (s *setOp) Begin(ctx context.Context, e *Epoch) error {
	s.forget()
	s.now, s.queue, s.ended = setPart{left: s.left, right: s.right}, nil, false
	s.lrest, s.rrest = nil, nil
	if err := s.left.Begin(ctx, e); err != nil {
		return err
	}
	return s.right.Begin(ctx, e)
}

func (s *setOp) forget() {
	s.seen = groupTable{}
	s.counts, s.done, s.built = nil, nil, false
}

// Next reads the right side when first called, and passes left rows.
func (s *setOp) Next(ctx context.Context) (*column.Batch, error) {
	for !s.ended {
		if !s.built {
			if err := s.build(ctx); err != nil {
				return nil, err
			}
			s.built = true
		}
		b, err := s.now.left.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			if err := s.turn(); err != nil {
				return nil, err
			}
			continue
		}
		if err := s.choose(b); err != nil {
			return nil, err
		}
		if len(s.keep) > 0 {
			out := b.Take(s.keep)
			out.Schema = s.node.Schem
			return out, nil
		}
	}
	return nil, nil
}

// build counts the rows of the right side by key.
func (s *setOp) build(ctx context.Context) error {
	for {
		b, err := s.now.right.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		s.layout.encode(&s.set, b.Cols, b.Rows)
		s.wait = s.wait[:0]
		for i := range b.Rows {
			g := s.number(i, s.rrest == nil)
			if g < 0 {
				s.wait = append(s.wait, int32(i))
				continue
			}
			s.counts[g]++
		}
		if len(s.wait) > 0 {
			if err := s.rrest.add(b, s.set.hashes, s.wait); err != nil {
				return err
			}
		}
		if err := s.bound(); err != nil {
			return err
		}
	}
}

// number is the key of row i of set; with add it is remembered if it is new, else -1.
func (s *setOp) number(i int, add bool) int32 {
	g := s.seen.lookup(&s.set, i)
	if g >= 0 || !add {
		return g
	}
	if 4*(s.seen.len()+1) > 3*len(s.seen.index) {
		s.seen.grow()
	}
	g = s.seen.slot(&s.set, i)
	s.seen.added = s.seen.added[:0]
	s.counts, s.done = append(s.counts, 0), append(s.done, false)
	return g
}

// bound makes parts for the rows of further keys once too many are remembered.
func (s *setOp) bound() error {
	err := s.budget.check(s.seen.bytes() + 9*int64(cap(s.counts)))
	if err == nil || s.lrest != nil {
		return nil
	}
	if !s.spill.able() || s.now.depth == partDepth {
		return err
	}
	f, err := s.spill.create(s.node)
	if err != nil {
		return err
	}
	s.lrest = newDivision(f, s.node.Schem, s.now.depth, s.budget.limit/2)
	s.rrest = newDivision(f, s.node.Schem, s.now.depth, s.budget.limit/2)
	return nil
}

// choose fills keep with the left rows of b that pass.
func (s *setOp) choose(b *column.Batch) error {
	s.layout.encode(&s.set, b.Cols, b.Rows)
	s.keep, s.wait = s.keep[:0], s.wait[:0]
	once := s.except && !s.node.All // each new key is to be remembered
	for i := range b.Rows {
		switch g := s.number(i, once && s.lrest == nil); {
		case g >= 0:
			if s.passes(g) {
				s.keep = append(s.keep, int32(i))
			}
		case s.lrest != nil:
			s.wait = append(s.wait, int32(i))
		case s.except:
			s.keep = append(s.keep, int32(i))
		}
	}
	if len(s.wait) > 0 {
		if err := s.lrest.add(b, s.set.hashes, s.wait); err != nil {
			return err
		}
	}
	return s.bound()
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

// turn goes on with the next part.
func (s *setOp) turn() error {
	for _, r := range s.now.runs {
		if err := r.done(); err != nil {
			return err
		}
	}
	if s.lrest != nil {
		if err := errors.Join(s.lrest.finish(), s.rrest.finish()); err != nil {
			return err
		}
		for i, l := range s.lrest.runs {
			r := s.rrest.runs[i]
			s.queue = append(s.queue, setPart{l.reader(), r.reader(), s.now.depth + 1, []*spillRun{l, r}})
		}
	}
	s.lrest, s.rrest = nil, nil
	if s.ended = len(s.queue) == 0; s.ended {
		return nil
	}
	s.now = s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	s.forget()
	return nil
}

// Bounds is that of tables: there are no streams below.
func (s *setOp) Bounds() Bounds { return tableBounds }

// Close closes both sides.
func (s *setOp) Close() error { return closeAll([]Operator{s.left, s.right}) }
