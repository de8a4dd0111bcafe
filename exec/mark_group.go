package exec

import (
	"context"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// markGroup is the watermarks of a query. One holds for all its operators: the oldest, or by the policy the newest. So an
// operator may not evict before every stream of the query has been read to its end for the epoch: the first watermark
// that is through has the others read ahead.
type markGroup struct {
	newest bool
	ops    []*watermark
	marks  []*mark
}

// add takes an operator into the group.
func (g *markGroup) add(w *watermark) {
	g.ops = append(g.ops, w)
	if !slices.Contains(g.marks, w.mark) {
		g.marks = append(g.marks, w.mark)
	}
}

// watermarks counts the watermarks of a plan.
func watermarks(n physicalplan.Node) int {
	count := 0
	if _, ok := n.(*physicalplan.Watermark); ok {
		count++
	}
	for _, in := range n.Inputs() {
		count += watermarks(in)
	}
	return count
}

// begin readies all marks for an epoch.
func (g *markGroup) begin(r state.Reader, e *Epoch) error {
	for _, m := range g.marks {
		if err := m.begin(r, e); err != nil {
			return err
		}
	}
	return nil
}

// bounds is what holds for the whole query: valid once one of the watermarks is through.
func (g *markGroup) bounds() Bounds {
	if len(g.marks) == 0 {
		return Bounds{types.MinTime, types.MinTime}
	}
	out := g.marks[0].bound()
	for _, m := range g.marks[1:] {
		b := m.bound()
		if g.newest {
			out = Bounds{max(out.LateUpTo, b.LateUpTo), max(out.EvictUpTo, b.EvictUpTo)}
		} else {
			out = Bounds{min(out.LateUpTo, b.LateUpTo), min(out.EvictUpTo, b.EvictUpTo)}
		}
	}
	return out
}

// settle reads the streams of the other watermarks to their end.
func (g *markGroup) settle(ctx context.Context) error {
	if len(g.marks) == 1 {
		return nil // its copies are other workers'
	}
	for _, w := range g.ops {
		if err := w.readAhead(ctx); err != nil {
			return err
		}
	}
	return nil
}

// readAhead takes in what is left of the epoch's rows, to be passed later. What is in the middle of a call is left alone.
func (w *watermark) readAhead(ctx context.Context) error {
	if w.done || w.busy {
		return nil
	}
	w.busy = true
	defer func() { w.busy = false }()
	c := newCollector(w.mark.node.Schem, 0)
	for {
		b, err := w.pull(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			w.ahead = chunks{b: c.take()}
			return nil
		}
		if err := c.add(b); err != nil {
			return err
		}
	}
}

// pull returns the next batch of the input with a row that goes on; at its end the mark moves.
func (w *watermark) pull(ctx context.Context) (*column.Batch, error) {
	for {
		b, err := w.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			if !w.done {
				w.done = true
				w.mark.end(&w.seen, w.epoch, w.aside)
			}
			return nil, nil
		}
		if b, err = w.observe(b); b != nil || err != nil {
			return b, err
		}
	}
}

// bound is where the mark itself stands.
func (m *mark) bound() Bounds {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bounds
}
