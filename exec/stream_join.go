package exec

import (
	"context"

	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/types"
)

// streamJoin joins two streams. A row that comes is joined with what the other side has kept, then kept itself, as long as a
// partner may come: until its expiry is at or before the watermark. So every pair comes once, at once, whatever the order of
// its rows. What the kind of join puts out for a row without a partner comes when the row is freed, and never changes.
//
// A side that no range bounds may have a TTL: its rows go so long after they came, in processing time, before the epoch's rows are joined.
//
// Rows that are late by the watermark of the epoch before are dropped and counted. NULL keys match nothing.
type streamJoin struct {
	node  *physicalplan.StreamJoin
	env   *Env
	aside *aside
	sides [2]*joinSide
	on    *cond    // nil: no rest of the condition
	split splitter // of rows and pairs for which a condition cannot be told

	epoch  *Epoch
	loaded bool
	past   types.MicroTime // what expires at or before it was freed by the epochs before
	turn   int             // the side to be pulled next
	probe  joinProbe
	queue  []*column.Batch // to be returned before anything else
	evict  joinEviction
	phase  joinPhase
	stats  OperatorStats
}

type joinPhase uint8

const (
	expiring joinPhase = iota // by the TTL
	joining
	evicting
	ended
)

// Begin reads at the first epoch what is kept.
func (j *streamJoin) Begin(ctx context.Context, e *Epoch) error {
	j.epoch, j.phase, j.turn, j.queue = e, expiring, 0, nil
	j.probe.batch = nil
	j.stats = OperatorStats{RowsTotal: j.stats.RowsTotal, StateBytes: j.stats.StateBytes}
	if !j.loaded {
		if err := j.readIndex(e.Query); err != nil {
			return err
		}
		j.loaded = true
	}
	if j.on != nil {
		if err := j.on.begin(); err != nil {
			return err
		}
	}
	for _, s := range j.sides {
		if err := s.begin(ctx, e); err != nil {
			return err
		}
	}
	j.evict.planTTL(j)
	late := j.input().LateUpTo
	for _, s := range j.sides {
		s.lateUpTo = late
	}
	return nil
}

// Next joins what comes, side by side, then puts out what was freed without a partner.
func (j *streamJoin) Next(ctx context.Context) (*column.Batch, error) {
	for j.phase != ended {
		b, err := j.step(ctx)
		if err != nil {
			return nil, err
		}
		if b != nil && b.Rows > 0 {
			j.stats.RowsOut += int64(b.Rows)
			return b, nil
		}
	}
	return nil, nil
}

func (j *streamJoin) step(ctx context.Context) (*column.Batch, error) {
	switch {
	case len(j.queue) > 0:
		b := j.queue[0]
		j.queue = j.queue[1:]
		return b, nil
	case j.phase == expiring:
		b, err := j.evict.next(j)
		if b == nil && err == nil {
			j.phase = joining
		}
		return b, err
	case j.phase == evicting:
		b, err := j.evict.next(j)
		if b == nil && err == nil {
			j.phase = ended
			err = j.finish()
		}
		return b, err
	case j.probe.batch != nil:
		return j.probe.next(j)
	}
	return nil, j.pull(ctx)
}

// pull takes the next batch, of the sides in turn so that neither has to be read ahead.
func (j *streamJoin) pull(ctx context.Context) error {
	s := j.sides[j.turn]
	if s.drained {
		s = j.sides[1-j.turn]
	}
	if s.drained {
		j.phase = evicting
		j.evict.plan(j)
		return nil
	}
	j.turn = 1 - s.at
	b, err := s.next(ctx)
	if b == nil || err != nil {
		return err
	}
	return j.probe.open(j, s, b)
}

// tests reports whether only rows of the left side come out.
func (j *streamJoin) tests() bool { return j.node.Tests() }

// once reports whether a row of a side is done for with its first match.
func (j *streamJoin) once(side int) bool { return side == 0 && j.tests() }

// input is the watermark that both sides are under.
func (j *streamJoin) input() Bounds {
	out := Bounds{types.MinTime, types.MinTime}
	first := true
	for _, s := range j.sides {
		if !s.node.Marked {
			continue
		}
		b := s.in.Bounds()
		if first {
			out, first = b, false
		}
		out = Bounds{min(out.LateUpTo, b.LateUpTo), min(out.EvictUpTo, b.EvictUpTo)}
	}
	return out
}

// Bounds is the input's less the time for which a row may wait for its partner.
func (j *streamJoin) Bounds() Bounds {
	in := j.input()
	return Bounds{j.behind(in.LateUpTo), j.behind(in.EvictUpTo)}
}

func (j *streamJoin) behind(t types.MicroTime) types.MicroTime {
	if j.node.Lag < 0 {
		return types.MinTime
	}
	return types.MicroTime(expiredBy(t, j.node.Lag))
}

// lonely makes output rows of rows of one side, with NULLs for the other.
func (j *streamJoin) lonely(side int, cols []column.Vector, rows int) *column.Batch {
	out := &column.Batch{Schema: j.node.Schem, Rows: rows}
	if j.node.Kind == logicalplan.AntiJoin || j.node.Kind == logicalplan.SemiJoin {
		out.Cols = cols
		return out
	}
	for i, s := range j.sides {
		if i == side {
			out.Cols = append(out.Cols, cols...)
			continue
		}
		for _, f := range s.node.Input.Schema().Fields {
			out.Cols = append(out.Cols, column.Const(f.Type, nil, rows))
		}
	}
	return out
}

// Close closes both sides.
func (j *streamJoin) Close() error {
	return closeAll([]Operator{j.sides[0].in, j.sides[1].in})
}

func (j *streamJoin) operatorStats() OperatorStats {
	s := j.stats
	s.Name, s.Title, s.Table = "symmetricHashJoin", j.node.Title(), j.node.State
	s.Bounds = j.input()
	return s
}

// streamJoin builds the operator.
func (b *builder) streamJoin(n *physicalplan.StreamJoin) (Operator, error) {
	j := &streamJoin{node: n, env: b.env, aside: b.q.aside, split: b.splitter(n.Reject.OfResults())}
	var both []types.Type
	for i := range n.Sides {
		node := &n.Sides[i]
		in, err := b.build(node.Input)
		if err != nil {
			return nil, err
		}
		s := &joinSide{j: j, at: i, node: node, in: in, split: b.splitter(node.Reject), buckets: map[types.MicroTime]*joinBucket{}}
		if s.keys, err = b.exprs(node.Keys, node.Input.Layout()); err != nil {
			return nil, err
		}
		if len(node.Conds) > 0 {
			if s.conds, err = b.cond(node.Conds, node.Input.Layout()); err != nil {
				return nil, err
			}
		}
		if i == 0 {
			for _, e := range node.Keys {
				both = append(both, e.Type())
			}
		}
		s.layout = newKeyLayout(both)
		j.sides[i] = s
	}
	if len(n.On) > 0 {
		layout := append(append(n.Sides[0].Input.Layout()[:0:0], n.Sides[0].Input.Layout()...), n.Sides[1].Input.Layout()...)
		var err error
		if j.on, err = b.cond(n.On, layout); err != nil {
			return nil, err
		}
	}
	b.q.stats = append(b.q.stats, j.operatorStats)
	b.q.wakes = append(b.q.wakes, j.sides[0].wake, j.sides[1].wake)
	return j, nil
}
