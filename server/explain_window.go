package server

import (
	"context"
	"fmt"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/exec"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/stream"
	"wmsql/types"
)

// planExplainWindow resolves EXPLAIN WINDOW view AT time.
func (s *Session) planExplainWindow(n *sql.ExplainWindow, params *[]types.Type) (plan, error) {
	e, err := s.snapshot().Lookup(n.View.Parts, s.path())
	if err != nil {
		return nil, sqlerr.From(err).At(int(n.View.Pos))
	}
	mv, ok := e.(*catalog.MaterializedView)
	if !ok {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a materialized view", e.Head().Name).At(int(n.View.Pos))
	}
	c := s.srv.queries.get(mv.ID)
	if c == nil || c.plan == nil {
		return nil, sqlerr.Newf(sqlerr.ObjectNotReady, "the query of materialized view %q is not running", mv.Name).At(int(n.View.Pos))
	}
	windows := logicalplan.ClosingWindows(c.plan.query.Root)
	if len(windows) == 0 {
		return nil, s.noWindows(mv).At(int(n.View.Pos))
	}
	when, err := build.Scalar(typeUntyped(n.When, windows[0].Window.Start.Type), nil, s.env(params))
	if err != nil {
		return nil, err
	}
	return &listingPlan{tag: "EXPLAIN", fields: textSchema("QUERY PLAN"), rows: func(_ context.Context, args []column.Vector, out *rowSet) error {
		for _, w := range windows {
			x := &windowReport{s: s, mv: mv, c: c, Closing: w, typ: w.Window.Start.Type}
			if err := x.tell(when, args); err != nil {
				return err
			}
			for _, line := range x.lines {
				out.add(line)
			}
		}
		return nil
	}}, nil
}

// noWindows says that nothing of a view waits for the end of a window, and where else to ask.
func (s *Session) noWindows(mv *catalog.MaterializedView) *sqlerr.Error {
	e := sqlerr.Newf(sqlerr.WrongObjectType, "no aggregate of materialized view %q is over windows that a watermark closes", mv.Name).
		WithHint("EXPLAIN (STATE) of its query says what its state waits for.")
	for _, id := range mv.Depends {
		if below, ok := s.snapshot().ByID(id).(*catalog.MaterializedView); ok {
			e.Hint = "Its rows come from " + s.snapshot().QuotedName(below, s.path()) + ": EXPLAIN WINDOW says it of that."
		}
	}
	return e
}

// windowReport says of the windows that hold a time whether they are closed, and else what they wait for.
type windowReport struct {
	logicalplan.Closing
	s     *Session
	mv    *catalog.MaterializedView // as it is now
	c     *continuing
	typ   types.Type // of the windows' bounds
	last  stream.Progress
	lines []string
}

func (x *windowReport) tell(when expr.Expr, args []column.Vector) error {
	cast, err := expr.NewCast(when, x.typ, expr.Assignment)
	if err != nil {
		return err
	}
	at, err := expr.Eval(cast, x.s.context(args))
	if err != nil {
		return err
	}
	t, ok := at.(int64)
	if !ok || t == int64(types.Infinity) || t == int64(types.NegInfinity) {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "no window holds that time")
	}
	windows, err := exec.WindowsAt(x.Window, types.MicroTime(t))
	if err != nil {
		return err
	}
	if x.c.query != nil {
		x.last = x.c.query.Last()
	}
	var open *exec.TimeSpan
	for _, w := range windows {
		if x.window(w) {
			open = &w
		}
	}
	if open != nil {
		x.open(*open)
	}
	if len(windows) == 0 {
		x.say("", "The gap of these sessions is each row's own: one closes when the watermark reaches the end that its rows give it.")
	}
	return nil
}

// say adds a line, broken at blanks.
func (x *windowReport) say(indent, format string, args ...any) {
	x.lines = append(x.lines, logicalplan.Wrap(indent, fmt.Sprintf(format, args...))...)
}

// window tells of one window, and reports whether it is open.
func (x *windowReport) window(w exec.TimeSpan) bool {
	what := fmt.Sprintf("Window [%s, %s)", x.time(w.Start), x.time(w.End))
	if x.Window.Kind == logicalplan.Session {
		what = fmt.Sprintf("Session of a row at %s, if no other comes", x.time(w.Start))
	}
	mark, due := holding(x.last.Watermarks), plus(w.End, x.Lag)
	switch {
	case x.mv.Mode == catalog.Complete:
		x.say("", "%s: never closes", what)
		x.say("  ", "In complete mode every window is kept, and rows count however late they come.")
		return false
	case mark >= due:
		x.say("", "%s: closed", what)
		x.say("  ", "The watermark is at %s, %s. Rows that still come for it are late: they are counted%s.", x.time(mark), past(mark-due), x.kept())
		return false
	}
	lag := ""
	if x.Lag > 0 {
		lag = fmt.Sprintf(" (its end + %s, by which the join below may hold rows back)", logicalplan.FormatMicros(x.Lag))
	}
	x.say("", "%s: open", what)
	x.say("  ", "It closes when the watermark reaches %s%s.", x.time(due), lag)
	return true
}

// kept says what else becomes of late rows.
func (x *windowReport) kept() string {
	for _, m := range logicalplan.Derive(x.Groups.Input).Marks {
		for _, src := range m.Sources {
			if src.Stream != nil && src.Stream.Options["late_rows"] == "keep" {
				return ", and kept: REFRESH MATERIALIZED VIEW " + x.s.snapshot().QuotedName(x.mv, x.s.path()) + " WITH LATE ROWS adds them to it"
			}
		}
	}
	return ""
}

// open says what the open window that ends last waits for.
func (x *windowReport) open(w exec.TimeSpan) {
	mark, due := holding(x.last.Watermarks), plus(w.End, x.Lag)
	then := "Its rows come out when it closes."
	if x.mv.Mode == catalog.Update {
		then = "Its rows are in the result, and change until it closes."
	}
	if mark == types.MinTime {
		x.say("  ", "There is no watermark yet: %s. %s", x.nothing(), then)
	} else {
		x.say("  ", "The watermark is at %s: %s to go. %s", x.time(mark), logicalplan.FormatMicros(int64(due-mark)), then)
	}
	x.standing()
	for _, m := range x.last.Watermarks {
		x.stream(m, due, mark)
	}
}

// nothing says why there is no watermark.
func (x *windowReport) nothing() string {
	if len(x.last.Watermarks) == 0 {
		return "the query has not run yet"
	}
	for _, w := range x.last.Watermarks {
		if w.MaxSeen == types.MinTime {
			return "no row with an event time has come from " + x.from(w)
		}
	}
	return "it is before all times"
}

// standing says what else keeps the query from going on.
func (x *windowReport) standing() {
	name := x.s.snapshot().QuotedName(x.mv, x.s.path())
	switch st := x.s.srv.queries.standing(x.c); st.State {
	case stream.Paused:
		x.say("  ", "The query is paused: ALTER MATERIALIZED VIEW %s RESUME lets it go on.", name)
	case stream.Failed, stream.Stalled:
		x.say("  ", "The query does not go on: %s.", errorText(st.Err))
	default:
		if x.c.query == nil {
			return
		}
		waiting := int64(0)
		for _, splits := range x.c.query.Splits() {
			for _, sp := range splits {
				waiting += max(sp.Lag, 0)
			}
		}
		if waiting > 0 {
			x.say("  ", "%d rows wait to be read.", waiting)
		}
	}
}

// from is what the rows of a watermark come from.
func (x *windowReport) from(w exec.WatermarkStats) string {
	kind := "stream "
	if w.Carried {
		kind = "materialized view "
	}
	return kind + catalog.QuoteIdent(w.Stream)
}

// stream tells of one of the query's watermarks: where it comes from, and what it needs.
func (x *windowReport) stream(w exec.WatermarkStats, due, mark types.MicroTime) {
	from := x.from(w)
	several := len(x.last.Watermarks) > 1
	holds := w.Watermark == mark && !w.Idle
	switch {
	case w.Watermark >= due:
		x.say("  ", "%s: its watermark is at %s, past that.", from, x.time(w.Watermark))
		return
	case several && w.Idle:
		x.say("  ", "%s: idle; it holds the others back no more.", from)
		return
	case w.Carried:
		x.say("  ", "It comes with the rows of %s:", from)
		x.lines = append(x.lines, "    EXPLAIN WINDOW "+catalog.QuoteIdent(w.Stream)+" AT "+literal(x.time(due))+";")
		return
	case w.MaxSeen == types.MinTime:
		x.say("  ", "%s: no row with an event time has come.", from)
		x.unwatched(w, several)
		return
	}
	text := fmt.Sprintf("%s, column %s: newest %s, delay %s", from, catalog.QuoteIdent(w.Column), x.time(w.MaxSeen), logicalplan.FormatInterval(w.Delay))
	if several && holds {
		text += "; it holds the watermark"
	}
	x.say("  ", "%s.", text)
	need := plus(due, logicalplan.Micros(w.Delay))
	switch {
	case w.BySplit && len(w.Splits) > 1:
		x.splits(w, need)
	case types.TimestampInRange(int64(need)):
		x.say("    ", "It takes a row of %s or later, %s newer.", x.time(need), logicalplan.FormatMicros(int64(need-w.MaxSeen)))
	}
	x.unwatched(w, several && holds)
}

// splits names the splits that are too far behind in a stream that follows the one furthest behind, and those that hold it.
func (x *windowReport) splits(w exec.WatermarkStats, need types.MicroTime) {
	names := x.c.query.Splits()[w.Stream]
	for i, t := range w.Splits {
		if t == types.MinTime || t >= need {
			continue
		}
		name, holds := fmt.Sprint(i), ""
		if i < len(names) {
			name = names[i].Split
		}
		if plus(t, -logicalplan.Micros(w.Delay)) == w.Watermark {
			holds = "; it holds the watermark"
		}
		x.say("    ", "split %s: newest %s%s.", name, x.time(t), holds)
	}
	x.say("    ", "It takes a row of %s or later in each of these.", x.time(need))
}

// unwatched proposes idle_timeout for a stream that holds others back and has none.
func (x *windowReport) unwatched(w exec.WatermarkStats, holds bool) {
	if !holds {
		return
	}
	for _, read := range streamsOf(x.c.plan.query.Root) {
		st, ok := x.s.snapshot().ByID(read.ID).(*catalog.Stream)
		if ok && st.Name == w.Stream && st.Options["idle_timeout"] == "" {
			x.say("    ", "Should no window wait for it while it is quiet:")
			x.lines = append(x.lines, "      ALTER STREAM "+x.s.snapshot().QuotedName(st, x.s.path())+" SET (idle_timeout = '1 minute');")
		}
	}
}

// time writes a point of event time as the windows' bounds are.
func (x *windowReport) time(t types.MicroTime) string {
	if x.typ.Kind == types.Timestamp {
		return string(types.AppendTimestamp(nil, int64(t)))
	}
	return string(types.AppendTimestampTZ(nil, int64(t), x.s.vars.format))
}

// past says where the watermark is beyond the end of a window.
func past(d types.MicroTime) string {
	if d == 0 {
		return "its end"
	}
	return logicalplan.FormatMicros(int64(d)) + " past its end"
}

// plus moves a time, which stays where it is if it is at infinity.
func plus(t types.MicroTime, us int64) types.MicroTime {
	if t == types.Infinity || t == types.MinTime {
		return t
	}
	return t + types.MicroTime(us)
}
