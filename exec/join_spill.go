package exec

import (
	"context"

	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/types"
)

// joinSpill joins sides of which the right one does not fit in memory. Both are divided by the hash of their keys, and each pair of parts
// is joined by itself; a right part that does not fit either is divided again. What cannot be divided (there are no keys, or nearly all
// rows have one) is joined in blocks: as many right rows as fit, and all left rows past them, and again.
type joinSpill struct {
	join  *join
	spill *spill

	queue []joinPart
	now   joinPart
	right *runReader // blocks of the present part that are still to come
	hits  []bool     // which left rows had a match with an earlier block; nil: there is one block
	at    int        // of hits: where the present left batch begins
}

// joinPart is rows of both sides that match no others.
type joinPart struct {
	left, right *spillRun
	depth       int // how often it was divided
}

func (s *joinSpill) begin() error {
	s.queue, s.now, s.right, s.hits, s.at = nil, joinPart{}, nil, nil, 0
	return nil
}

// divide writes both sides to parts: the right rows of c, and all that come yet.
func (s *joinSpill) divide(ctx context.Context, c *collector) error {
	j := s.join
	if !s.spill.able() {
		return overBudget(j.limit)
	}
	f, err := s.spill.create(j.node)
	if err != nil {
		return err
	}
	b := c.take()
	c.bs = nil
	right, err := s.side(ctx, f, &chained{first: &chunks{b: b}, then: j.right}, j.rkeys, j.node.Right, 0)
	if err != nil {
		return err
	}
	left, err := s.side(ctx, f, j.left, j.lkeys, j.node.Left, 0)
	if err != nil {
		return err
	}
	return s.enqueue(left, right, 1)
}

// side writes one side to runs: one for each part, or a single one if there are no keys.
func (s *joinSpill) side(ctx context.Context, f *spillFile, in rows, keys *exprs, n shaped, depth int) ([]*spillRun, error) {
	if len(s.join.layout.types) == 0 {
		run := f.run(n.Schema())
		return []*spillRun{run}, each(ctx, in, run.write)
	}
	p := newDivision(f, n.Schema(), depth, s.join.limit)
	split := &s.join.split
	if keys == s.join.rkeys {
		split = &s.join.pairs
	}
	var set keySet
	err := each(ctx, in, func(b *column.Batch) error {
		cols, b, err := split.evals(nil, keys, b)
		if err != nil {
			return err
		}
		s.join.layout.encode(&set, cols, b.Rows)
		return p.add(b, set.hashes, nil)
	})
	if err != nil {
		return nil, err
	}
	return p.runs[:], p.finish()
}

// enqueue notes parts of which some row may come out.
func (s *joinSpill) enqueue(left, right []*spillRun, depth int) error {
	for i, l := range left {
		p := joinPart{l, right[i], depth}
		if !s.matters(p) {
			if err := p.done(); err != nil {
				return err
			}
			continue
		}
		s.queue = append(s.queue, p)
	}
	return nil
}

func (s *joinSpill) matters(p joinPart) bool {
	switch s.join.node.Kind {
	case logicalplan.InnerJoin, logicalplan.SemiJoin:
		return p.left.rows > 0 && p.right.rows > 0
	case logicalplan.FullJoin:
		return p.left.rows > 0 || p.right.rows > 0
	}
	return p.left.rows > 0
}

func (p joinPart) done() error {
	if err := p.left.done(); err != nil {
		return err
	}
	return p.right.done()
}

// turn readies the next block, or the next part; false when all is joined.
func (s *joinSpill) turn(ctx context.Context) (bool, error) {
	if s.right != nil && s.right.more() {
		return true, s.block(ctx)
	}
	if s.right != nil {
		s.right, s.hits = nil, nil
		if err := s.now.done(); err != nil {
			return false, err
		}
	}
	if len(s.queue) == 0 {
		return false, nil
	}
	s.now = s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	if s.dividable(s.now) {
		return true, s.again(ctx, s.now)
	}
	s.right = s.now.right.reader()
	return true, s.block(ctx)
}

// dividable reports whether a part is too large, and another division may help.
func (s *joinSpill) dividable(p joinPart) bool {
	return p.right.memory > s.join.limit && p.depth < partDepth && len(s.join.layout.types) > 0
}

// again divides a part. When all its right rows go to one part again, they have one key as far as hashes tell.
func (s *joinSpill) again(ctx context.Context, p joinPart) error {
	j := s.join
	f, err := s.spill.create(j.node)
	if err != nil {
		return err
	}
	right, err := s.side(ctx, f, p.right.reader(), j.rkeys, j.node.Right, p.depth)
	if err != nil {
		return err
	}
	left, err := s.side(ctx, f, p.left.reader(), j.lkeys, j.node.Left, p.depth)
	if err != nil {
		return err
	}
	depth := p.depth + 1
	for _, r := range right {
		if r.rows == p.right.rows {
			depth = partDepth
		}
	}
	if err := p.done(); err != nil {
		return err
	}
	return s.enqueue(left, right, depth)
}

// block readies the next right rows that fit, and all left rows of the part.
func (s *joinSpill) block(ctx context.Context) error {
	c := newCollector(s.join.node.Right.Schema(), 0)
	for s.right.more() && c.bytes() < s.join.limit {
		b, err := s.right.Next(ctx)
		if err != nil {
			return err
		}
		if err := c.add(b); err != nil {
			return err
		}
	}
	if s.right.more() && s.hits == nil {
		s.hits = make([]bool, s.now.left.rows)
	}
	s.at = 0
	s.join.source = s.now.left.reader()
	return s.join.index(c.take())
}

// seen takes which rows of the present left batch had a match, and reports whether that is known for good: with the last block. hit is of
// all blocks then.
func (s *joinSpill) seen(hit []bool) (last bool, err error) {
	if s.hits == nil {
		return true, nil
	}
	all := s.hits[s.at : s.at+len(hit)]
	s.at += len(hit)
	for i := range hit {
		if hit[i] && all[i] && s.join.node.Kind == logicalplan.SingleJoin {
			return false, errTwoRows()
		}
		hit[i] = hit[i] || all[i]
		all[i] = hit[i]
	}
	return !s.right.more(), nil
}

// shaped is what has rows of a schema.
type shaped interface{ Schema() *types.Schema }

// each calls f for all batches of in.
func each(ctx context.Context, in rows, f func(*column.Batch) error) error {
	for {
		b, err := in.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		if b.Rows == 0 {
			continue
		}
		if err := f(b); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// chained is the rows of one after those of another.
type chained struct {
	first, then rows
	turned      bool
}

// Next returns the next rows of the present one.
func (c *chained) Next(ctx context.Context) (*column.Batch, error) {
	if !c.turned {
		b, err := c.first.Next(ctx)
		if b != nil || err != nil {
			return b, err
		}
		c.turned = true
	}
	return c.then.Next(ctx)
}
