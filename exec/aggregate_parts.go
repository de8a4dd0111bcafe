package exec

import (
	"context"
	"encoding/binary"
	"sync"

	"wmsql/column"
)

// aggSpill keeps on disk the groups that a hashAggregate may not hold. Each time too many are in memory all of them are written, as blocks
// of the part that their keys' hashes say. A part's blocks, merged in the order in which they were written, are its groups; if these are too
// many again, they are divided further.
type aggSpill struct {
	agg   *hashAggregate
	spill *spill

	mu    sync.Mutex  // workers write at the same time
	runs  []*spillRun // of the groups that are divided now; nil: none was written
	queue []aggPart
	buf   []byte
	slots [partCount][]int32
}

// aggPart is blocks of groups whose keys are in no other part.
type aggPart struct {
	run   *spillRun
	depth int
}

func (s *aggSpill) begin() { s.runs, s.queue = nil, nil }

// bound writes groups when they are too many, and returns those to go on with; depth is how often they were divided before, workers how
// many share the memory.
func (s *aggSpill) bound(g *groups, depth, workers int) (*groups, error) {
	a := s.agg
	err := a.budget.check(g.bytes() * int64(workers))
	if err == nil {
		return g, nil
	}
	if !s.spill.able() || !a.divides() || depth == partDepth {
		return g, err
	}
	return a.g.newGroups(), s.write(g, depth)
}

// finish readies the groups in memory to come out, or those of the parts if some were written.
func (s *aggSpill) finish(depth int) error {
	if s.runs == nil {
		return nil
	}
	if err := s.write(s.agg.groups, depth); err != nil {
		return err
	}
	s.agg.groups = s.agg.g.newGroups()
	for _, r := range s.runs {
		if len(r.blocks) > 0 {
			s.queue = append(s.queue, aggPart{r, depth + 1})
			continue
		}
		if err := r.done(); err != nil {
			return err
		}
	}
	s.runs = nil
	return nil
}

// turn merges the next part; false when there is none.
func (s *aggSpill) turn(ctx context.Context) (bool, error) {
	if len(s.queue) == 0 {
		return false, nil
	}
	p := s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	s.agg.groups = s.agg.g.newGroups()
	in := p.run.reader()
	for in.more() {
		data, err := in.block(ctx)
		if err != nil {
			return false, err
		}
		if err := s.merge(data); err != nil {
			return false, err
		}
		if s.agg.groups, err = s.bound(s.agg.groups, p.depth, 1); err != nil {
			return false, err
		}
	}
	if err := s.finish(p.depth); err != nil {
		return false, err
	}
	return true, p.run.done()
}

// write writes groups to the parts.
func (s *aggSpill) write(g *groups, depth int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.agg
	if s.runs == nil {
		f, err := s.spill.create(a.node)
		if err != nil {
			return err
		}
		for range partCount {
			s.runs = append(s.runs, f.run(nil))
		}
	}
	for i := range s.slots {
		s.slots[i] = s.slots[i][:0]
	}
	for slot, h := range g.table.keys.hashes {
		at := partOf(h, depth)
		s.slots[at] = append(s.slots[at], int32(slot))
	}
	for _, acc := range g.accs {
		acc.Resize(g.table.len())
	}
	shown := a.g.shownOf(g)
	for at, slots := range s.slots {
		for len(slots) > 0 {
			n := s.encode(g, shown, slots)
			if err := s.runs[at].writeBlock(s.buf); err != nil {
				return err
			}
			slots = slots[n:]
		}
	}
	return nil
}

// encode fills buf with a block of the first groups at slots, and returns how many: their number, then the groups.
func (s *aggSpill) encode(g *groups, shown []column.Vector, slots []int32) int {
	s.buf = append(s.buf[:0], 0, 0, 0, 0)
	n := 0
	for ; n < len(slots) && len(s.buf) < chunkBytes; n++ {
		s.buf = s.agg.g.appendKey(s.buf, g, shown, slots[n])
		for _, acc := range g.accs {
			s.buf = acc.Encode(s.buf, slots[n])
		}
	}
	binary.LittleEndian.PutUint32(s.buf, uint32(n))
	return n
}

// merge adds the groups of a block to those in memory.
func (s *aggSpill) merge(data []byte) error {
	g := s.agg.g
	part := g.newGroups()
	n := binary.LittleEndian.Uint32(data)
	d := &decoder{data: data[4:]}
	shown := g.shownBuilders()
	for range n {
		slot, err := g.readKey(d, part, shown)
		if err != nil {
			return err
		}
		for _, acc := range part.accs {
			acc.Resize(part.table.len())
			if d.data, err = acc.Decode(slot, d.data); err != nil {
				return err
			}
		}
	}
	if d.err != nil {
		return d.err
	}
	_, err := g.merge(s.agg.groups, part, upTo(nil, part.table.len()))
	return err
}
