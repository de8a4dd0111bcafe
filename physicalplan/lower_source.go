package physicalplan

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// streamScan reads a stream; a SELECT reads what is there now, as a whole.
func (l *lowering) streamScan(n *logicalplan.StreamScan) (Node, flow, error) {
	o := outputOf(n)
	s := &StreamScan{Stream: n.Stream, Ords: n.Ords, IDs: o.IDs, Schem: o.Schem}
	l.scans = append(l.scans, s)
	if l.view == nil {
		return s, whole, nil
	}
	l.stream, l.results, l.union = n.Stream, false, nil
	return s, appends, nil
}

// resultScan follows a view's result. The watermark that its rows are under comes with them.
func (l *lowering) resultScan(n *logicalplan.ResultScan) (Node, flow, error) {
	o := outputOf(n)
	v := n.View
	s := &StreamScan{Stream: &catalog.Stream{Object: v.Object, Columns: v.Columns}, View: v, Ords: n.Ords, IDs: o.IDs, Schem: o.Schem}
	l.scans = append(l.scans, s)
	l.stream, l.results, l.union = s.Stream, false, nil
	f := appends
	if n.Below.Changes {
		f = changes
	}
	if len(n.Below.Marks) == 0 {
		return s, f, nil
	}
	w := &Watermark{Output: o, Input: s, Column: -1, Stream: s.Stream, State: l.table(), NullTimes: "skip_watermark", MaxSkew: -1, Carried: true,
		Timed: l.timed > 0}
	for i, c := range n.Cols {
		if m, ok := n.Below.Marks[c.ID]; ok && m.Kind == logicalplan.MarkTime {
			w.Times = append(w.Times, i)
		}
	}
	return w, f, nil
}

// DaySkew is how far ahead of its arrival a row may be unless max_future_skew says otherwise: 1 day in µs.
const DaySkew = int64(24 * time.Hour / time.Microsecond)

// watermark lowers an EventTimeWatermark with the options of its stream. A SELECT has no watermark.
func (l *lowering) watermark(n *logicalplan.EventTimeWatermark) (Node, flow, error) {
	in, f, err := l.lower(n.Input)
	if err != nil || l.view == nil {
		return in, f, err
	}
	if f.alters() {
		return nil, f, unsupported(n.Pos, "a watermark over rows that may change")
	}
	l.union = nil // rows may be read ahead
	w := &Watermark{Output: same(in), Input: in, Column: ordinal(in, n.Column), Delay: n.Delay, Stream: n.Stream,
		State: l.table(), NullTimes: "drop", Timed: l.timed > 0, MaxSkew: DaySkew}
	if w.Column < 0 {
		panic(fmt.Sprintf("physicalplan: the watermark's column %d is not in its input", n.Column))
	}
	if n.Stream != nil {
		if err := w.options(n.Stream.Options); err != nil {
			return nil, f, err
		}
	}
	return w, f, nil
}

// options applies the options of a stream.
func (w *Watermark) options(o map[string]string) error {
	if v := o["null_event_time"]; v != "" {
		w.NullTimes = v
	}
	w.BySplit = o["watermark_scope"] == "partition"
	var err error
	if v := o["max_future_skew"]; strings.EqualFold(v, "off") {
		w.MaxSkew = -1
	} else if v != "" {
		w.MaxSkew, err = micros("max_future_skew", v)
	}
	if v := o["idle_timeout"]; err == nil && v != "" && !strings.EqualFold(v, "off") {
		w.IdleTimeout, err = micros("idle_timeout", v)
	}
	w.WallClock = o["idle_advance"] == "wall_clock"
	return err
}

// micros reads an interval option; a month has 31 days.
func micros(name, text string) (int64, error) {
	iv, err := types.ParseInterval(text, types.NoMod)
	if err != nil {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for option %s: %s", name, strconv.Quote(text))
	}
	return Micros(iv), nil
}

// Micros is the length of a delay or a size in µs, with months of 31 days as Spark counts them.
func Micros(v types.IntervalValue) int64 {
	return (int64(v.Months)*31+int64(v.Days))*DaySkew + v.Micros
}

// keepsLate reports whether late rows of the stream below are to be kept.
func (l *lowering) keepsLate() bool {
	return l.stream != nil && !l.results && l.stream.Options["late_rows"] == "keep"
}

// Rejects says where rows go that cannot be evaluated: to the rejected rows of Stream. A nil one says that the query fails.
type Rejects struct {
	Stream *catalog.Stream
	// Results says that they are no rows of the stream but of an operator over it: the sum of the rows read does not know them.
	Results bool
	// Union is the UNION ALL below from whose present input the rows come, which says better; nil if there is none.
	Union *SetOp
}

// OfResults is the same for what an operator makes of the rows.
func (r *Rejects) OfResults() *Rejects {
	if r == nil {
		return nil
	}
	return &Rejects{Stream: r.Stream, Results: true}
}

// rejects returns where rows go that cannot be evaluated: nowhere in a SELECT, over tables, or with on_error = 'fail'.
func (l *lowering) rejects(f flow) *Rejects {
	if l.stream == nil || l.stream.Options["on_error"] == "fail" || !f.stateful() && !l.results {
		return nil
	}
	return &Rejects{l.stream, l.results, l.union}
}

// made notes that the rows above are made by the operator in hand.
func (l *lowering) made() { l.results, l.union = true, nil }

// plain returns the column that e is, if it is nothing else.
func plain(e expr.Expr) (*expr.Column, bool) {
	c, ok := e.(*expr.Column)
	return c, ok
}
