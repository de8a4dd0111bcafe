package exec

import (
	"context"
	"maps"
	"slices"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/sqlerr"
	"wmsql/types"
)

// asOfStream is an ASOF join of two streams. A left row waits until the watermark has reached it: no right row at or before it can come
// any more, and the newest of its key is its partner for good. So every left row comes out once, whatever the order in which rows of
// both sides come. Left rows with a NULL key, or without an event time, have no partner.
//
// Right rows that left rows to come may belong to are kept: of each key the newest up to the watermark, and all after it.
type asOfStream struct {
	*asOfJoin
	env   *Env
	count *lateCount

	late     []*lateFilter // of both sides
	epoch    *Epoch
	loaded   bool
	drained  [2]bool
	turn     int
	rows     *waiting
	versions *versions
	queue    []*column.Batch  // left rows to be joined
	todo     []*waitingBucket // whose rows come next
	closing  bool
	stored   bool
	built    []column.Builder
	stats    OperatorStats
}

func newAsOfStream(j *asOfJoin, b *builder) *asOfStream {
	s := &asOfStream{asOfJoin: j, env: b.env, count: b.lateCount(j.node.State)}
	s.versions = newVersions(s)
	s.rows = &waiting{j: s, buckets: map[types.MicroTime]*waitingBucket{}}
	s.rows.time = slices.Index(j.node.Left.Layout(), j.node.LeftTime.(*expr.Column).ID)
	s.built = column.NewBuilders(j.node.Right.Schema(), 0)
	for _, side := range []Operator{j.left, j.right} {
		if f, ok := side.(*lateFilter); ok {
			s.late = append(s.late, f)
		}
	}
	return s
}

// Begin reads at the first epoch what is kept, and forgets what has outlived its TTL. A row is late when it is behind the older watermark of
// both sides: before that, left rows are to come that it may belong to.
func (s *asOfStream) Begin(ctx context.Context, e *Epoch) error {
	s.epoch, s.drained, s.turn, s.queue, s.todo, s.closing, s.stored = e, [2]bool{}, 1, nil, nil, false, false
	s.stats = OperatorStats{RowsTotal: s.stats.RowsTotal, StateBytes: s.stats.StateBytes}
	if err := s.asOfJoin.Begin(ctx, e); err != nil {
		return err
	}
	for _, f := range s.late {
		f.lateUpTo = s.Bounds().LateUpTo
	}
	if !s.loaded {
		if err := s.versions.load(e.Query); err != nil {
			return err
		}
		if err := s.rows.readIndex(e.Query); err != nil {
			return err
		}
		s.loaded = true
	}
	s.versions.expire(e)
	return nil
}

// Next takes in both sides, then joins the left rows that the watermark has passed.
func (s *asOfStream) Next(ctx context.Context) (*column.Batch, error) {
	for !s.stored {
		if len(s.queue) > 0 {
			b := s.queue[0]
			s.queue = s.queue[1:]
			out, err := s.join(b)
			if err != nil {
				return nil, err
			}
			if out.Rows > 0 {
				s.stats.RowsOut += int64(out.Rows)
				return out, nil
			}
			continue
		}
		if err := s.step(ctx); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// step reads, or opens the next bucket, or ends the epoch.
func (s *asOfStream) step(ctx context.Context) error {
	switch {
	case !s.drained[0] || !s.drained[1]:
		return s.pull(ctx)
	case !s.closing:
		s.closing = true
		s.todo = s.rows.due(s.Bounds().EvictUpTo)
		return nil
	case len(s.todo) > 0:
		b, err := s.todo[0].take(s.Bounds().EvictUpTo)
		s.todo = s.todo[1:]
		for c := (chunks{b: b}); err == nil; {
			next := c.next()
			if next == nil {
				break
			}
			s.queue = append(s.queue, next)
		}
		return err
	}
	s.stored = true
	return s.finish()
}

// pull takes the next batch, of the sides in turn so that neither has to be read ahead.
func (s *asOfStream) pull(ctx context.Context) error {
	side := s.turn
	if s.drained[side] {
		side = 1 - side
	}
	s.turn = 1 - side
	b, err := []Operator{s.left, s.right}[side].Next(ctx)
	if err != nil {
		return err
	}
	if b == nil {
		s.drained[side] = true
		return nil
	}
	if side == 0 {
		return s.wait(b)
	}
	if s.cols, b, err = s.split.evals(s.cols[:0], s.rkeys, b); err != nil || b.Rows == 0 {
		return err
	}
	s.versions.add(b, s.cols, s.epoch)
	return nil
}

// wait keeps left rows until the watermark has passed them.
func (s *asOfStream) wait(b *column.Batch) error {
	times := b.Cols[s.rows.time].(*column.Of[int64])
	var timeless []int32
	for i, t := range times.Values {
		if times.IsNull(i) {
			timeless = append(timeless, int32(i))
			continue
		}
		if err := s.rows.add(b, i, t); err != nil {
			return err
		}
		s.stats.RowsUpdated++
	}
	if len(timeless) > 0 && s.node.Outer {
		s.queue = append(s.queue, b.Take(timeless))
	}
	return nil
}

// join joins left rows with the versions that hold at their times.
func (s *asOfStream) join(b *column.Batch) (*column.Batch, error) {
	var err error
	if s.cols, b, err = s.split.evals(s.cols[:0], s.lkeys, b); err != nil {
		return nil, err
	}
	last := len(s.cols) - 1
	if last > 0 {
		s.layout.encode(&s.set, s.cols[:last], b.Rows)
	}
	times := s.cols[last].(*column.Of[int64])
	for _, c := range s.built {
		c.Reset()
	}
	s.l = s.l[:0]
	for i := range b.Rows {
		var row, key []byte
		if last > 0 {
			key = s.set.key(i)
		}
		if !anyNull(s.cols, i) {
			row = s.versions.find(key, times.Values[i], s.node.Strict)
		}
		switch {
		case row != nil:
			if _, err := column.DecodeRow(s.built, row); err != nil {
				return nil, err
			}
		case s.node.Outer:
			for _, c := range s.built {
				c.AppendNull()
			}
		default:
			continue
		}
		s.l = append(s.l, int32(i))
	}
	out := &column.Batch{Schema: s.node.Schem, Rows: len(s.l)}
	out.Cols = append(out.Cols, takeAll(b.Cols, s.l)...)
	for _, c := range s.built {
		out.Cols = append(out.Cols, c.View())
	}
	return out, nil
}

// finish frees versions, stores what is new, and takes rows out of memory that wait for long.
func (s *asOfStream) finish() error {
	if upTo := s.Bounds().EvictUpTo; upTo != types.MinTime {
		s.versions.prune(upTo, s.epoch)
	}
	memory := int64(0)
	for _, b := range s.rows.buckets {
		if b.epoch == s.epoch.ID && !b.cold() {
			b.write()
		}
		memory += b.size
	}
	if s.env.Memory > 0 && s.versions.bytes > s.env.Memory {
		return sqlerr.Newf(sqlerr.OutOfMemory, "out of memory").
			WithDetail("An ASOF join keeps the newest right row of %d keys, which take more than %d MiB.", len(s.versions.of), s.env.Memory>>20).
			WithHint("Forget keys of which no row comes with state_ttl, or start the server with a larger --memory.")
	}
	s.stats.RowsTotal = int64(s.rows.rows + s.versions.live)
	s.stats.StateBytes = chill(s.env, memory, maps.Values(s.rows.buckets)) + s.versions.bytes
	return nil
}

// Bounds is the older of both sides': left rows come out as the watermark passes them.
func (s *asOfStream) Bounds() Bounds {
	l, r := s.left.Bounds(), s.right.Bounds()
	return Bounds{min(l.LateUpTo, r.LateUpTo), min(l.EvictUpTo, r.EvictUpTo)}
}

func (s *asOfStream) operatorStats() OperatorStats {
	out := s.stats
	out.Name, out.Title, out.Table = "asOfJoin", s.node.Title(), s.node.State
	out.RowsDropped = s.count.rows.Load()
	out.Bounds = s.Bounds()
	return out
}
