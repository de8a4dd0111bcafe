package exec

import (
	"context"
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// markGroup is the watermarks of a query. One holds for all its operators: the oldest, or by the policy the newest. So an
// operator may not evict before every stream of the query has been read to its end for the epoch: the first watermark
// that is through has the others read ahead. A stream that was idle for longer than its idle_timeout holds the oldest back no
// more; what held once holds, when it speaks again and over a restart.
type markGroup struct {
	newest bool
	ops    []*watermark
	marks  []*mark

	epoch  int64 // that begin was last called for
	loaded bool
	held   Bounds // of several watermarks
}

// allMarks is the state table of what several watermarks come to: operators' tables begin with 1.
const allMarks = 0

// add takes an operator into the group.
func (g *markGroup) add(w *watermark) {
	g.ops = append(g.ops, w)
	if !slices.Contains(g.marks, w.mark) {
		g.marks = append(g.marks, w.mark)
	}
}

// begin readies all marks for an epoch; the first watermark that calls it does the work.
func (g *markGroup) begin(r state.Reader, e *Epoch) error {
	if len(g.marks) == 1 {
		return g.marks[0].begin(r, e) // its copies are other workers'
	}
	if g.epoch == e.ID {
		return nil
	}
	for _, m := range g.marks {
		if err := m.begin(r, e); err != nil {
			return err
		}
	}
	if !g.loaded {
		if err := g.load(r, e.Query); err != nil {
			return err
		}
		g.loaded = true
	}
	g.epoch, g.held.LateUpTo = e.ID, g.held.EvictUpTo
	return nil
}

// load reads what held after the last epoch.
func (g *markGroup) load(r state.Reader, query uint32) error {
	g.held.EvictUpTo = types.MinTime
	v, err := r.Get(state.Operator, query, tableKey(allMarks))
	if err != nil || v == nil {
		return err
	}
	d := decoder{data: v}
	if d.byte() != markVersion {
		return damaged("watermark")
	}
	g.held.EvictUpTo = types.MicroTime(d.varint())
	return d.err
}

// bounds is what holds for the whole query: valid once one of the watermarks is through.
func (g *markGroup) bounds() Bounds {
	switch len(g.marks) {
	case 0:
		return Bounds{types.MinTime, types.MinTime}
	case 1:
		return g.marks[0].bound()
	}
	return g.held
}

// wake is when an epoch is due for streams that fall idle.
func (g *markGroup) wake() types.MicroTime {
	out := types.Infinity
	for _, m := range g.marks {
		if m.epoch > 0 {
			out = min(out, m.wake(g.ops[0].epoch.Now, len(g.marks) == 1))
		}
	}
	return out
}

// combined is the oldest, or the newest, of where the marks stand. If all are idle, nothing moves.
func (g *markGroup) combined() types.MicroTime {
	low, high := types.Infinity, types.MinTime
	active := false
	for _, m := range g.marks {
		t := m.bound().EvictUpTo
		high = max(high, t)
		if !m.idle {
			low, active = min(low, t), true
		}
	}
	switch {
	case g.newest:
		return high
	case !active:
		return types.MinTime
	}
	return low
}

// settle reads the streams of the other watermarks to their end; then the watermark of all moves, and is stored.
func (g *markGroup) settle(ctx context.Context, e *Epoch) error {
	if len(g.marks) == 1 {
		return nil
	}
	for _, w := range g.ops {
		if err := w.readAhead(ctx); err != nil {
			return err
		}
	}
	g.held.EvictUpTo = max(g.held.EvictUpTo, g.combined())
	e.Txn.Put(state.Operator, e.Query, tableKey(allMarks), binary.AppendVarint([]byte{markVersion}, int64(g.held.EvictUpTo)))
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
				if w.mark.node.Carried {
					w.seen.carried = w.scan.carried
				}
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
