package build

import (
	"slices"
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// windowSpecOf is a time window as any spelling gives it.
type windowSpecOf struct {
	kind     logicalplan.WindowKind
	spelling string // for EXPLAIN: "TUMBLE", "window", ...
	size     types.IntervalValue
	slide    types.IntervalValue
	offset   int64
	zone     string      // of the clock that windows lie on; "" is UTC
	gap      expr.Expr   // of a session, where it is not constant
	parts    []expr.Expr // PARTITION BY of a session
	pos      sql.Pos
}

// windowArgs names the arguments after the time column, in order: what each spelling takes by position or by name.
func windowArgs(name string) (kind logicalplan.WindowKind, args []string, ok bool) {
	switch name {
	case "tumble":
		return logicalplan.Tumble, []string{"size", "offset"}, true
	case "hop":
		return logicalplan.Hop, []string{"slide", "size", "offset"}, true
	case "cumulate":
		return logicalplan.Cumulate, []string{"step", "size", "offset"}, true
	case "session":
		return logicalplan.Session, []string{"gap"}, true
	case "window":
		return logicalplan.Tumble, []string{"size", "slide", "offset"}, true
	case "session_window":
		return logicalplan.Session, []string{"gap"}, true
	}
	return 0, nil, false
}

// windowSpec reads the arguments after the time column.
func (c *exprCtx) windowSpec(name string, args []sql.Arg, p sql.Pos) (*windowSpecOf, error) {
	kind, names, ok := windowArgs(name)
	if !ok {
		panic("build: not a window function: " + name)
	}
	w := &windowSpecOf{kind: kind, spelling: strings.ToUpper(name), pos: p}
	if strings.HasSuffix(name, "window") {
		w.spelling = name
	}
	if kind == logicalplan.Session {
		return c.sessionSpec(w, name, args)
	}
	given := map[string]types.IntervalValue{}
	for i, a := range args {
		key := a.Name
		switch {
		case key == "" && i < len(names):
			key = names[i]
		case key == "time_zone" && (kind == logicalplan.Tumble || kind == logicalplan.Hop):
			zone, err := c.windowZone(a.Value)
			if err != nil {
				return nil, err
			}
			w.zone = zone
			continue
		case !slices.Contains(names, key):
			return nil, c.windowUsage(name, names, p)
		}
		v, err := c.length(a.Value, "the "+key+" of a window")
		if err != nil {
			return nil, err
		}
		given[key] = v
	}
	return c.checkWindow(w, name, names, given)
}

// windowsMax is of how many windows a row may be.
const windowsMax = 1_000_000

// checkWindow fills the spec in and refuses what cannot be a window.
func (c *exprCtx) checkWindow(w *windowSpecOf, name string, names []string, given map[string]types.IntervalValue) (*windowSpecOf, error) {
	size, ok := given["size"]
	if !ok {
		return nil, c.windowUsage(name, names, w.pos)
	}
	w.size, w.slide = size, size
	for _, key := range []string{"slide", "step"} {
		if v, ok := given[key]; ok {
			w.slide = v
		} else if slices.Contains(names, key) && name != "window" {
			return nil, c.windowUsage(name, names, w.pos)
		}
	}
	if _, ok := given["slide"]; ok && name == "window" && w.slide != w.size {
		w.kind = logicalplan.Hop
	}
	w.offset = logicalplan.Micros(given["offset"])
	if err := c.checkCalendar(w, given["offset"]); err != nil {
		return nil, err
	}
	sizeUS, slideUS := logicalplan.Micros(w.size), logicalplan.Micros(w.slide)
	switch {
	case sizeUS <= 0:
		return nil, c.b.errorf(w.pos, sqlerr.InvalidParameterValue, "the size of a window must be positive, not %s", logicalplan.FormatInterval(w.size))
	case slideUS <= 0:
		return nil, c.b.errorf(w.pos, sqlerr.InvalidParameterValue, "the slide of a window must be positive, not %s", logicalplan.FormatInterval(w.slide))
	case slideUS > sizeUS:
		return nil, c.b.errorf(w.pos, sqlerr.FeatureNotSupported, "a window whose slide is larger than its size is not supported").
			WithDetail("The slide is %s and the size %s: rows between two windows would belong to none.",
				logicalplan.FormatInterval(w.slide), logicalplan.FormatInterval(w.size)).
			WithHint("%s takes the slide first, then the size.", strings.ToUpper(name))
	case sizeUS/slideUS > windowsMax:
		return nil, c.b.errorf(w.pos, sqlerr.ProgramLimitExceeded, "each row would belong to %d windows, more than %d", sizeUS/slideUS, windowsMax)
	case w.kind == logicalplan.Cumulate && sizeUS%slideUS != 0:
		return nil, c.b.errorf(w.pos, sqlerr.InvalidParameterValue, "the size of a CUMULATE window must be a multiple of its step")
	}
	return w, nil
}

func (c *exprCtx) windowUsage(name string, names []string, p sql.Pos) error {
	return c.b.errorf(p, sqlerr.UndefinedFunction, "wrong arguments for %s", strings.ToUpper(name)).
		WithHint("%s takes the time column, then %s.", strings.ToUpper(name), strings.Join(names, ", "))
}

// length is constInterval for what names a length of time: one that is too long to add to a time is refused.
func (c *exprCtx) length(e sql.Expr, what string) (types.IntervalValue, error) {
	v, err := c.constInterval(e)
	if err == nil {
		err = c.b.checkLength(v, what, e.At())
	}
	return v, err
}

func (b *binder) checkLength(v types.IntervalValue, what string, p sql.Pos) error {
	if !logicalplan.TooLong(v) {
		return nil
	}
	return b.errorf(p, sqlerr.DatetimeOverflow, "%s is too long: %s", what, logicalplan.FormatInterval(v)).
		WithDetail("It may have at most %d years.", logicalplan.Longest/(12*31*logicalplan.MicrosPerDay))
}

// constInterval computes an interval that is known at plan time; a bare string is read as one.
func (c *exprCtx) constInterval(e sql.Expr) (types.IntervalValue, error) {
	x, err := c.bind(e)
	if err != nil {
		return types.IntervalValue{}, err
	}
	if x, err = c.b.cast(x, intervalType, expr.Implicit, e.At()); err != nil {
		return types.IntervalValue{}, err
	}
	v, err := c.b.constant(x, e.At())
	if err != nil {
		return types.IntervalValue{}, err
	}
	iv, ok := v.(types.IntervalValue)
	if !ok {
		return iv, c.b.errorf(e.At(), sqlerr.InvalidParameterValue, "the interval must not be NULL")
	}
	return iv, nil
}

// constant computes an expression that reads no column.
func (b *binder) constant(x expr.Expr, p sql.Pos) (any, error) {
	if k, ok := x.(*expr.Const); ok {
		return k.Value, nil
	}
	if !expr.IsConst(x) {
		return nil, b.errorf(p, sqlerr.FeatureNotSupported, "this argument must be a constant")
	}
	v, err := expr.Eval(x, b.context())
	if err != nil {
		return nil, b.fail(err, p)
	}
	return v, nil
}

// window puts a Window node over n. time is bound over n; what is not a plain column is computed below.
func (b *binder) window(n logicalplan.Node, time expr.Expr, w *windowSpecOf) (*logicalplan.Window, error) {
	t := time.Type()
	if t.Array || t.Kind != types.Timestamp && t.Kind != types.TimestampTZ {
		return nil, b.notTime(time, w)
	}
	if w.zone != "" && t.Kind == types.Timestamp {
		return nil, b.errorf(w.pos, sqlerr.DatatypeMismatch, "time_zone needs a timestamp with time zone, but %s has none", time)
	}
	out := &logicalplan.Window{
		Input: n, Kind: w.kind, Size: w.size, Slide: w.slide, Offset: w.offset, Zone: w.zone, Spelling: w.spelling, Pos: b.pos(w.pos),
		Gap: w.gap, Partition: w.parts,
		Start:      b.column("window_start", t),
		End:        b.column("window_end", t),
		WindowTime: b.column("window_time", t),
	}
	if c, ok := time.(*expr.Column); ok {
		out.Time = c.ID
		return out, nil
	}
	col := b.column("window_of", t)
	out.Time, out.TimeExpr = col.ID, time
	out.Input = &logicalplan.Project{Input: n, Exprs: append(pass(n.Columns()), logicalplan.Named{Out: col, Expr: time}), Pos: out.Pos}
	return out, nil
}

func (b *binder) notTime(time expr.Expr, w *windowSpecOf) error {
	err := b.errorf(w.pos, sqlerr.DatatypeMismatch, "%s needs a timestamp, but %s is of type %s", w.spelling, time, time.Type())
	if c, ok := time.(*expr.Column); ok && time.Type().Kind == types.Text {
		return err.WithHint("Make the column a timestamp where the stream is declared: %s TIMESTAMPTZ, or "+
			"event_time TIMESTAMPTZ GENERATED ALWAYS AS (to_timestamp(%s, 'YYYY-MM-DD HH24:MI:SS')) STORED", c.Name, c.Name)
	}
	return err
}
