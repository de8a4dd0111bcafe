package server

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/exec"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// measured is the lateness of the rows that a continuous query has read of a stream.
type measured struct {
	view   *catalog.MaterializedView
	stream *catalog.Stream
	column string
	delay  types.IntervalValue
	late   *exec.Lateness
}

// kept is the share of rows that a recommended delay keeps.
const kept = 0.999

// recommended is the shortest usual delay that keeps 99.9 % of the rows.
func (m *measured) recommended() types.IntervalValue {
	return types.IntervalValue{Micros: usual(m.late.Quantile(kept))}
}

// usual rounds a delay up to one that people write, at least a second, µs.
func usual(us int64) int64 {
	d := time.Duration(max(us, 1)) * time.Microsecond
	step := 24 * time.Hour
	for _, s := range []struct{ below, step time.Duration }{
		{10 * time.Second, time.Second}, {time.Minute, 5 * time.Second}, {10 * time.Minute, 30 * time.Second},
		{time.Hour, time.Minute}, {6 * time.Hour, 5 * time.Minute}, {24 * time.Hour, 15 * time.Minute}, {10 * 24 * time.Hour, time.Hour},
	} {
		if d <= s.below {
			step = s.step
			break
		}
	}
	return ((d + step - 1) / step * step).Microseconds()
}

// measuredOf lists what the queries have measured of a stream, of all streams if it is nil.
func (s *Session) measuredOf(st *catalog.Stream) ([]measured, error) {
	var out []measured
	snap := s.srv.store.Snapshot()
	defer func() { _ = snap.Close() }() // only read from
	for _, c := range s.srv.queries.list() {
		if c.plan == nil || c.plan.plan == nil {
			continue
		}
		for _, w := range physicalplan.Watermarks(c.plan.plan.Root) {
			if w.Carried || w.Stream == nil || st != nil && w.Stream.ID != st.ID {
				continue
			}
			late, err := exec.ReadLateness(snap, uint32(c.view.ID), w.State)
			if err != nil {
				return nil, err
			}
			if late.Rows() > 0 {
				out = append(out, measured{c.view, w.Stream, w.Schem.Fields[w.Column].Name, w.Delay, late})
			}
		}
	}
	return out, nil
}

// mostMeasured is what the query has measured that has read most rows of a stream; nil if none has read any.
func (s *Session) mostMeasured(st *catalog.Stream) (*measured, error) {
	all, err := s.measuredOf(st)
	var most *measured
	for i := range all {
		if most == nil || all[i].late.Rows() > most.late.Rows() {
			most = &all[i]
		}
	}
	return most, err
}

// latenessColumns are those of a measurement, but for what it is of.
const latenessColumns = `rows int8, p50 interval, p90 interval, p99 interval, "p99.9" interval, max interval, delay interval, beyond_delay float8, recommended_delay interval`

func (m *measured) values() []any {
	q := func(q float64) types.IntervalValue { return types.IntervalValue{Micros: m.late.Quantile(q)} }
	return []any{m.late.Rows(), q(.5), q(.9), q(.99), q(.999), types.IntervalValue{Micros: m.late.Longest()}, m.delay, m.beyond(m.delay), m.recommended()}
}

// beyond is the share of the rows that came later than a delay.
func (m *measured) beyond(delay types.IntervalValue) float64 {
	return float64(m.late.Beyond(logicalplan.Micros(delay))) / float64(m.late.Rows())
}

func wmLateness(_ context.Context, s *Session, out *rowSet) error {
	all, err := s.measuredOf(nil)
	for _, m := range all {
		out.add(append([]any{m.view.Name, m.stream.Name, m.column}, m.values()...)...)
	}
	return err
}

// showLateness runs SHOW LATENESS FOR stream.
func (s *Session) showLateness(n *sql.Show) (plan, error) {
	e, err := s.snapshot().Lookup(n.Name.Parts, s.path())
	if err != nil {
		return nil, sqlerr.From(err).At(int(n.Name.Pos))
	}
	st, ok := e.(*catalog.Stream)
	switch {
	case !ok:
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a stream", e.Head().Name).At(int(n.Name.Pos))
	case st.Watermark == nil:
		return nil, sqlerr.Newf(sqlerr.ObjectNotReady, "stream %q has no watermark, by which rows could be late", st.Name).At(int(n.Name.Pos))
	}
	return &listingPlan{tag: "SHOW", fields: &types.Schema{Fields: fields("view name, " + latenessColumns)}, rows: func(_ context.Context, _ []column.Vector, out *rowSet) error {
		m, err := s.mostMeasured(st)
		if err != nil {
			return err
		}
		if m == nil {
			s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "no continuous query has read a row of stream %q yet: lateness is measured as rows are read", st.Name)
			return nil
		}
		out.add(append([]any{m.view.Name}, m.values()...)...)
		s.notice(s.advice(m))
		return nil
	}}, nil
}

// advice proposes another delay where the present one loses more than a thousandth of the rows, or is more than twice as long as need be.
func (s *Session) advice(m *measured) *sqlerr.Error {
	delay, better := logicalplan.FormatInterval(m.delay), m.recommended()
	var e *sqlerr.Error
	switch beyond := m.beyond(m.delay); {
	case beyond > 1-kept:
		e = sqlerr.Newf(sqlerr.SuccessfulCompletion, "%s of the rows came later than the delay of stream %q, %s", percent(beyond), m.stream.Name, delay)
	case logicalplan.Micros(m.delay) > 2*better.Micros:
		e = sqlerr.Newf(sqlerr.SuccessfulCompletion, "the delay of stream %q, %s, is longer than %s of the rows need", m.stream.Name, delay, percent(kept)).
			WithDetail("Windows would close %s sooner.", logicalplan.FormatMicros(logicalplan.Micros(m.delay)-better.Micros))
	default:
		return nil
	}
	e.Severity = sqlerr.SevNotice
	name := catalog.QuoteIdent(m.column)
	return e.WithHint("ALTER STREAM %s ALTER WATERMARK FOR %s AS %s - INTERVAL %s;", s.snapshot().QuotedName(m.stream, s.path()), name, name,
		literal(logicalplan.FormatInterval(better)))
}

// percent writes a share with three digits.
func percent(share float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(share*100, 'g', 3, 64), 64) // it was written as a number
	return strconv.FormatFloat(rounded, 'f', -1, 64) + " %"
}

// whatIf says for the streams of a query how many rows another delay would have kept.
func (s *Session) whatIf(root logicalplan.Node, delay types.IntervalValue) ([]string, error) {
	var out []string
	for _, st := range streamsOf(root) {
		if st.Watermark == nil {
			continue
		}
		m, err := s.mostMeasured(st)
		if err != nil {
			return nil, err
		}
		if m == nil {
			out = append(out, logicalplan.Wrap("What if: ", "no continuous query has measured how late the rows of stream "+catalog.QuoteIdent(st.Name)+" come.")...)
			continue
		}
		out = append(out, logicalplan.Wrap("What if: ", fmt.Sprintf("with a delay of %s, %d of %d rows of stream %s would have come too late (%s); with %s it is %d (%s).",
			logicalplan.FormatInterval(delay), m.late.Beyond(logicalplan.Micros(delay)), m.late.Rows(), catalog.QuoteIdent(st.Name), percent(m.beyond(delay)),
			logicalplan.FormatInterval(st.Watermark.Delay), m.late.Beyond(logicalplan.Micros(st.Watermark.Delay)), percent(m.beyond(st.Watermark.Delay))))...)
	}
	return out, nil
}
