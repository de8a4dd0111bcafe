package exec

import (
	"context"

	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/types"
)

// window assigns rows to windows: one row out for each window that holds the row's time, with the window's start, end
// and time (end - 1 µs) behind the input's columns. A row without a time, or at infinity, lies in no window. A row so near the ends of time
// that one of its windows has a bound that no timestamp can say is rejected.
//
// With node.Late it drops, of windows that overlap, those that were closed when the epoch began. A row that lost all its windows
// is late, a row that lost some is partly late.
type window struct {
	in    Operator
	node  *physicalplan.Window
	lie   windows
	fixed int64 // size in µs if the windows are equally long and do not overlap, else 0
	reach int64 // of panes: from the end of a pane to the end of the last window that covers it, µs
	count *lateCount
	split splitter  // of rows whose windows cannot be said
	kept  *lateRows // where late rows go and come back from; nil if they are not kept
	again *again    // of a refresh

	lateUpTo     types.MicroTime
	rows         []int32 // of the input, one for each row out
	starts, ends []int64
	times        []int64 // ends - 1 µs
	spans        []span
	out          column.Batch
	cols         []column.Vector
}

// span is a window [start, end) in µs.
type span struct{ start, end int64 }

// windows says which windows hold a time.
type windows interface {
	// hold appends the windows that hold t, earliest end first.
	hold(dst []span, t int64) []span
}

func newWindow(in Operator, n *physicalplan.Window) (*window, error) {
	lie, err := newWindows(n.Window)
	w := &window{in: in, node: n, lie: lie}
	if h, ok := lie.(hop); ok && n.Pane {
		w.lie, w.reach = h.slide, h.size-h.slide.size
	}
	if t, ok := w.lie.(tumble); ok {
		w.fixed = t.size
	}
	return w, err
}

// Begin notes the watermark.
func (w *window) Begin(ctx context.Context, e *Epoch) error {
	if w.node.Late {
		w.count.reset()
	}
	if err := w.in.Begin(ctx, e); err != nil {
		return err
	}
	w.lateUpTo = w.in.Bounds().LateUpTo
	var err error
	w.again, err = w.kept.open(e)
	return err
}

// Next assigns the next batch.
func (w *window) Next(ctx context.Context) (*column.Batch, error) {
	for b, marks := w.again.next(); b != nil; b, marks = w.again.next() {
		w.assignClosed(b, marks)
		if len(w.rows) > 0 {
			return w.emit(b.Take(w.rows)), nil
		}
	}
	for {
		b, err := w.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		w.rows, w.starts, w.ends = w.rows[:0], w.starts[:0], w.ends[:0]
		v := b.Cols[w.node.Time].(*column.Of[int64])
		if r := scanTimes(v.Values, v.Nulls); w.fixed > 0 && r.odd == 0 && !w.mayBeLate(r.lo) && w.sayable(span{r.lo - w.fixed, plusMicros(r.hi, w.fixed)}) {
			w.starts, w.ends = assignTumble(w.starts, w.ends, v.Values, w.lie.(tumble))
			return w.emit(b), nil
		}
		if err := w.assign(b, v); err != nil {
			return nil, err
		}
		if len(w.rows) > 0 {
			return w.emit(b.Take(w.rows)), nil
		}
	}
}

// mayBeLate reports whether a window of a row at time lo may be closed.
func (w *window) mayBeLate(lo int64) bool { return w.node.Late && lo <= int64(w.lateUpTo) }

// sayable reports whether all windows within s have bounds that a timestamp can say, those that cover panes included.
func (w *window) sayable(s span) bool {
	return types.TimestampInRange(plusMicros(s.start, -w.reach)) && types.TimestampInRange(plusMicros(s.end, w.reach))
}

// assignTumble appends the window of each time. Times near each other share one: the division is skipped then.
func assignTumble(starts, ends, times []int64, t tumble) (s, e []int64) {
	var cur span
	for _, at := range times {
		if at < cur.start || at >= cur.end {
			cur = t.window(at)
		}
		starts = append(starts, cur.start)
		ends = append(ends, cur.end)
	}
	return starts, ends
}

// assign fills rows, starts and ends row by row.
func (w *window) assign(b *column.Batch, v *column.Of[int64]) error {
	for i, t := range v.Values {
		if v.IsNull(i) || t == int64(types.Infinity) || t == int64(types.NegInfinity) {
			continue
		}
		w.spans = w.lie.hold(w.spans[:0], t)
		open := w.spans
		if !w.sayable(span{open[0].start, open[len(open)-1].end}) {
			if err := w.split.refuse(b, i, outOfRange(t, "window")); err != nil {
				return err
			}
			continue
		}
		if w.node.Late {
			open = w.stillOpen(b, i, t)
		}
		for _, s := range open {
			w.rows = append(w.rows, int32(i))
			w.starts = append(w.starts, s.start)
			w.ends = append(w.ends, s.end)
		}
	}
	return nil
}

// assignClosed fills rows, starts and ends with the windows that late rows lost: those that had ended by the watermark of their time,
// as far as they are kept.
func (w *window) assignClosed(b *column.Batch, marks []types.MicroTime) {
	w.rows, w.starts, w.ends = w.rows[:0], w.starts[:0], w.ends[:0]
	for i, t := range b.Cols[w.node.Time].(*column.Of[int64]).Values {
		w.spans = w.lie.hold(w.spans[:0], t)
		for _, s := range w.spans {
			if s.end <= int64(marks[i]) && s.end > int64(w.kept.from) {
				w.rows = append(w.rows, int32(i))
				w.starts = append(w.starts, s.start)
				w.ends = append(w.ends, s.end)
			}
		}
	}
}

// stillOpen returns the spans that end after lateUpTo and counts the row if it lost some.
func (w *window) stillOpen(b *column.Batch, i int, t int64) []span {
	if w.lateUpTo == types.MinTime {
		return w.spans
	}
	if w.node.Pane {
		return w.openPane(b, i, t)
	}
	closed := 0
	for closed < len(w.spans) && w.spans[closed].end <= int64(w.lateUpTo) {
		closed++
	}
	switch {
	case closed == 0:
	case closed < len(w.spans):
		w.count.partly.Add(1)
		w.keep(b, i, t, w.spans[closed-1].end, true)
	default:
		w.late(b, i, t)
	}
	return w.spans[closed:]
}

// openPane is stillOpen for a pane: it is wanted as long as one window that covers it is open.
func (w *window) openPane(b *column.Batch, i int, t int64) []span {
	switch end := w.spans[0].end; {
	case end+w.reach <= int64(w.lateUpTo):
		w.late(b, i, t)
		return nil
	case end <= int64(w.lateUpTo):
		w.count.partly.Add(1)
	}
	return w.spans
}

// late counts row i, and keeps it if asked to.
func (w *window) late(b *column.Batch, i int, t int64) {
	w.count.rows.Add(1)
	w.keep(b, i, t, w.spans[len(w.spans)-1].end, false)
}

// keep keeps a row that lost the windows up to the one that ends at last, if asked to.
func (w *window) keep(b *column.Batch, i int, t, last int64, partly bool) {
	if w.kept != nil {
		w.kept.put(b, i, nil, LateRow{EventTime: types.MicroTime(t), Watermark: w.lateUpTo, Expires: types.MicroTime(last), Partly: partly})
	}
}

// emit adds the window columns to b, which has one row a window.
func (w *window) emit(b *column.Batch) *column.Batch {
	n := len(b.Cols)
	fs := w.node.Schem.Fields
	w.times = w.times[:0]
	for _, e := range w.ends {
		w.times = append(w.times, e-1)
	}
	w.cols = append(w.cols[:0], b.Cols...)
	for k, vals := range [...][]int64{w.starts, w.ends, w.times} {
		w.cols = append(w.cols, &column.Of[int64]{T: fs[n+k].Type, Values: vals})
	}
	w.out = column.Batch{Schema: w.node.Schem, Cols: w.cols, Rows: len(w.ends), Ops: b.Ops}
	return &w.out
}

// Bounds is the input's.
func (w *window) Bounds() Bounds { return w.in.Bounds() }

// Close closes the input.
func (w *window) Close() error { return w.in.Close() }

// newWindows chooses how the windows of n lie.
func newWindows(n *logicalplan.Window) (windows, error) {
	if n.Zone != "" && n.Zone != "UTC" || n.Size.Months != 0 {
		return newCalendar(n)
	}
	size, slide := physicalplan.Micros(n.Size), physicalplan.Micros(n.Slide)
	switch n.Kind {
	case logicalplan.Hop:
		return hop{newTumble(slide, n.Offset), size}, nil
	case logicalplan.Cumulate:
		return cumulate{newTumble(size, n.Offset), slide}, nil
	}
	return newTumble(size, n.Offset), nil
}
