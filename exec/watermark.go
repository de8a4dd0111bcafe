package exec

import (
	"context"
	"time"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// watermark is EventTimeWatermark: it notes the newest event time of every row that passes, before any filter, and
// lets the rows through. Infinity is no point in time: it never moves the watermark and counts as no event time, whatever max_future_skew is. A row from too far ahead
// of its arrival is rejected, for it would make every honest row after it late.
type watermark struct {
	in    Operator
	mark  *mark
	scan  *streamScan // whose present input the rows are of; nil if other operators stand between
	aside *aside
	env   *Env
	group *markGroup

	epoch *Epoch
	begun begun
	seen  seen
	done  bool   // the input is drained
	busy  bool   // in a call of the input
	ahead chunks // read before it was asked for
	keep  []int32
}

// Begin takes over the watermark that the epoch before left.
func (w *watermark) Begin(ctx context.Context, e *Epoch) error {
	w.epoch, w.done, w.ahead = e, false, chunks{}
	w.seen.reset()
	if err := w.group.begin(w.env.Reader, e); err != nil {
		return err
	}
	w.mark.newestSeen(&w.begun)
	return w.in.Begin(ctx, e)
}

// Next passes the next batch.
func (w *watermark) Next(ctx context.Context) (*column.Batch, error) {
	if w.done {
		return w.ahead.next(), nil
	}
	w.busy = true
	b, err := w.pull(ctx)
	w.busy = false
	if b != nil || err != nil {
		return b, err
	}
	return nil, w.group.settle(ctx, w.epoch)
}

// observe notes the event times of b and returns the rows that go on, nil if none does.
func (w *watermark) observe(b *column.Batch) (*column.Batch, error) {
	if w.mark.node.Carried {
		return w.timed(b), nil
	}
	v := b.Cols[w.mark.node.Column].(*column.Of[int64])
	split := 0
	limit, arrivals := w.skewLimit(b.Rows)
	if w.scan != nil {
		split = w.scan.cur.Split
	}
	r := scanTimes(v.Values, v.Nulls)
	if r.odd == 0 && (r.hi <= limit || arrivals == nil && limit == int64(types.Infinity)) {
		if b.Rows > 0 {
			w.seen.late.measure(v.Values, w.newestBefore(split))
			w.seen.note(split, types.MicroTime(r.lo), types.MicroTime(r.hi), r.sum, int64(b.Rows))
		}
		return b, nil
	}
	return w.sift(b, v, split, limit, arrivals)
}

// timed returns the rows of a view below that have an event time, nil if none has, where the operators above need one.
func (w *watermark) timed(b *column.Batch) *column.Batch {
	n := w.mark.node
	if !n.Timed || len(n.Times) == 0 {
		return b
	}
	w.keep = w.keep[:0]
	for i := range b.Rows {
		for _, o := range n.Times {
			v := b.Cols[o].(*column.Of[int64])
			if t := types.MicroTime(v.Values[i]); !v.IsNull(i) && t != types.Infinity && t != types.NegInfinity {
				w.keep = append(w.keep, int32(i))
				break
			}
		}
	}
	w.seen.nulls += int64(b.Rows - len(w.keep))
	switch len(w.keep) {
	case 0:
		return nil
	case b.Rows:
		return b
	}
	return b.Take(w.keep)
}

// skewLimit returns the newest event time that no row of the batch can be too far ahead with, and the arrivals if each row has
// a limit of its own.
func (w *watermark) skewLimit(rows int) (limit int64, arrivals []int64) {
	skew := w.mark.node.MaxSkew
	if skew < 0 {
		return int64(types.Infinity), nil
	}
	arrival := w.epoch.Now
	if w.scan != nil {
		in := w.scan.cur
		if len(in.Arrivals) == rows && rows > 0 { // nothing was dropped below: they are parallel
			lo := in.Arrivals[0]
			for _, a := range in.Arrivals {
				lo = min(lo, a)
			}
			return lo + skew, in.Arrivals
		}
		if in.Arrival != 0 {
			arrival = in.Arrival
		}
	}
	return int64(arrival) + skew, nil
}

// times is a summary of a batch's event times: odd counts the rows without one.
type times struct {
	lo, hi int64
	sum    float64
	odd    int
}

// scanTimes summarizes event times; NULL and the infinities are odd.
func scanTimes(v []int64, nulls []bool) times {
	r := times{lo: int64(types.Infinity), hi: int64(types.MinTime)}
	for i, t := range v {
		if t == int64(types.Infinity) || t == int64(types.NegInfinity) || nulls != nil && nulls[i] {
			r.odd++
			continue
		}
		r.lo, r.hi = min(r.lo, t), max(r.hi, t)
		r.sum += float64(t)
	}
	return r
}

// sift goes through a batch row by row: the slow path, for batches with rows that have no event time or may lie too far ahead.
func (w *watermark) sift(b *column.Batch, v *column.Of[int64], split int, limit int64, arrivals []int64) (*column.Batch, error) {
	n := w.mark.node
	w.keep = w.keep[:0]
	for i, t := range v.Values {
		null := v.IsNull(i)
		if null || t == int64(types.NegInfinity) || t == int64(types.Infinity) {
			if null && n.NullTimes == "fail" {
				return nil, sqlerr.Newf(sqlerr.NullNotAllowed, "null event time in column %q", n.Schem.Fields[n.Column].Name).
					WithDetail("The stream has null_event_time = 'fail'.")
			}
			if n.Timed {
				w.seen.nulls++
			}
			if !n.Timed || n.NullTimes == "skip_watermark" {
				w.keep = append(w.keep, int32(i))
			}
			continue
		}
		if arrivals != nil {
			limit = arrivals[i] + n.MaxSkew
		}
		if n.MaxSkew >= 0 && t > limit {
			w.reject(b, i, split, limit-n.MaxSkew)
			continue
		}
		w.seen.late.measure(v.Values[i:i+1], w.newestBefore(split))
		w.seen.note(split, types.MicroTime(t), types.MicroTime(t), float64(t), 1)
		w.keep = append(w.keep, int32(i))
	}
	switch len(w.keep) {
	case 0:
		return nil, nil
	case b.Rows:
		return b, nil
	}
	return b.Take(w.keep), nil
}

// reject sends row i away: its event time is too far ahead of arrival (µs).
func (w *watermark) reject(b *column.Batch, i, split int, arrival int64) {
	n := w.mark.node
	w.seen.skewed++
	stream := n.Stream
	if stream == nil && w.scan != nil {
		stream = w.scan.feed.Scan.Stream
	}
	if stream == nil {
		return
	}
	text := column.AppendText(nil, b.Cols[n.Column], i, types.UTC)
	w.aside.reject(stream, split, b, i, "event time "+string(text)+" is more than max_future_skew ahead of its arrival at "+
		types.MicroTime(arrival).Time().Format(time.RFC3339))
}

// Bounds is the query's watermark before and after the epoch.
func (w *watermark) Bounds() Bounds { return w.group.bounds() }

// Close closes the input.
func (w *watermark) Close() error { return w.in.Close() }
