package server

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// explainOptions are what EXPLAIN was asked to show.
type explainOptions struct {
	analyze, watermark, state, physical, rules, json bool
	untimed                                          bool // SUMMARY off
	whatIf                                           *types.IntervalValue
}

// explainNames are the options of EXPLAIN, Postgres's own among them: those have nothing to show here.
var explainNames = []string{
	"analyze", "verbose", "costs", "settings", "buffers", "wal", "timing", "summary", "format",
	"watermark", "state", "physical", "rules",
}

func readExplainOptions(n *sql.Explain) (explainOptions, error) {
	o := explainOptions{analyze: n.Analyze}
	for _, opt := range n.Options {
		on, ok := parseBool(opt.Value)
		on = on || opt.Value == ""
		switch name := strings.ToLower(opt.Name); {
		case name == "format":
			switch strings.ToLower(opt.Value) {
			case "json":
				o.json = true
			case "text":
			default:
				return o, sqlerr.Newf(sqlerr.InvalidParameterValue, "unrecognized value for EXPLAIN option \"format\": %q", opt.Value).
					WithHint("Use TEXT or JSON.").At(int(opt.Pos))
			}
		case name == "whatif":
			delay, err := types.ParseInterval(opt.Value, types.NoMod)
			if err != nil || logicalplan.Micros(delay) < 0 || logicalplan.TooLong(delay) {
				return o, sqlerr.Newf(sqlerr.InvalidParameterValue, "whatif takes a delay such as '2 minutes', not %q", opt.Value).At(int(opt.Pos))
			}
			o.whatIf = &delay
		case !slices.Contains(explainNames, name):
			return o, sqlerr.Newf(sqlerr.SyntaxError, "unrecognized EXPLAIN option %q", opt.Name).
				WithHint("The options of wmsql are WATERMARK, STATE, PHYSICAL, RULES, WHATIF, ANALYZE and FORMAT.").At(int(opt.Pos))
		case !ok && opt.Value != "":
			return o, sqlerr.Newf(sqlerr.SyntaxError, "%s requires a Boolean value", name).At(int(opt.Pos))
		case name == "summary":
			o.untimed = !on
		case name == "watermark":
			o.watermark = on
		case name == "state":
			o.state = on
		case name == "physical":
			o.physical = on
		case name == "rules":
			o.rules = on
		}
	}
	return o, nil
}

func (s *Session) planExplain(ctx context.Context, n *sql.Explain, text string, params *[]types.Type) (plan, error) {
	o, err := readExplainOptions(n)
	if err != nil {
		return nil, err
	}
	draw, err := s.explainer(ctx, n.Stmt, text, o, params)
	if err != nil {
		return nil, err
	}
	kind := types.Text
	if o.json {
		kind = types.JSON
	}
	out := &types.Schema{Fields: []types.Field{{Name: "QUERY PLAN", Type: types.Of(kind)}}}
	return &listingPlan{tag: "EXPLAIN", fields: out, rows: func(ctx context.Context, args []column.Vector, out *rowSet) error {
		e, err := draw(ctx, args)
		if err != nil {
			return err
		}
		if o.json {
			out.add(e.json())
			return nil
		}
		for _, line := range e.text() {
			out.add(line)
		}
		return nil
	}}, nil
}

// explainer resolves the statement to be explained; the function it returns explains it.
func (s *Session) explainer(ctx context.Context, stmt sql.Stmt, text string, o explainOptions, params *[]types.Type) (func(context.Context, []column.Vector) (*explanation, error), error) {
	switch n := stmt.(type) {
	case *sql.SelectStmt:
		return s.explainSelect(n.Query, o, params)
	case *sql.DeclareCursor:
		return s.explainSelect(n.Query, o, params)
	case *sql.CreateView:
		return s.explainSelect(n.Query, o, params)
	case *sql.CreateMaterializedView:
		return s.explainMaterializedView(n, text, o)
	case *sql.Alter:
		return s.explainAlter(n)
	case *sql.CreateTable:
		if n.Query != nil {
			return s.explainSelect(n.Query, o, params)
		}
	case *sql.CreateStream:
		if n.Query != nil {
			return s.explainSelect(n.Query, o, params)
		}
	case *sql.Insert, *sql.Update, *sql.Delete, *sql.Merge:
		return s.explainWrite(ctx, n, text, o, params)
	case *sql.Execute:
		return s.explainExecute(ctx, n, o)
	}
	return nil, sqlerr.Unsupported("EXPLAIN of this statement").At(int(stmt.At()))
}

// explainWrite shows a change of a table's rows over the query that finds them.
func (s *Session) explainWrite(ctx context.Context, stmt sql.Stmt, text string, o explainOptions, params *[]types.Type) (func(context.Context, []column.Vector) (*explanation, error), error) {
	p, err := s.plan(ctx, stmt, text, params)
	if err != nil {
		return nil, err
	}
	var what string
	var t *target
	var source *selectPlan
	switch p := p.(type) {
	case *insertPlan:
		what, t, source = "Insert", p.t, p.source
	case *changePlan:
		what, t, source = p.what[:1]+strings.ToLower(p.what[1:]), p.t, p.source
	case *mergePlan:
		what, t, source = "Merge", p.t, p.source
	}
	if o.analyze {
		return nil, sqlerr.Unsupported("EXPLAIN ANALYZE %s", strings.ToUpper(what)).At(int(stmt.At()))
	}
	return func(context.Context, []column.Vector) (*explanation, error) {
		e := &explanation{options: o, root: &logicalplan.Explained{Type: what, Title: what + " " + t.entry.Head().Name}}
		if source != nil {
			e.root.Plans = []*logicalplan.Explained{explainTree(source.query.Root, nil, o)}
		}
		return e, nil
	}, nil
}

func (s *Session) explainSelect(q *sql.Select, o explainOptions, params *[]types.Type) (func(context.Context, []column.Vector) (*explanation, error), error) {
	p, err := s.planSelect(q, params)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, args []column.Vector) (*explanation, error) {
		e := &explanation{options: o, fired: p.fired}
		if len(streamsOf(p.query.Root)) > 0 {
			s.explainAsView(e, q)
		}
		if e.root == nil {
			e.root = explainTree(p.query.Root, nil, o)
		}
		if o.physical {
			e.physical = physicalplan.Format(p.plan)
		}
		if err := s.noteWhatIf(e, p.query.Root); err != nil {
			return nil, err
		}
		if o.analyze {
			return e, s.analyze(ctx, e, p, args, o.untimed)
		}
		return e, nil
	}, nil
}

// explainAsView tells of a SELECT over streams what a materialized view of it would be: its state and the
// gate's verdict.
func (s *Session) explainAsView(e *explanation, q *sql.Select) {
	env, _ := s.definitionEnv()
	mv := &catalog.MaterializedView{Object: catalog.Object{Name: "explained"}, Policy: s.value("wmsql.multiple_watermark_policy")}
	c, err := planContinuous(mv, q, env, "", s.value("wmsql.unbounded_state"))
	if err != nil {
		e.notes = append(e.notes, "As a materialized view: refused, "+sqlerr.From(err).Msg)
		return
	}
	e.root = explainTree(c.query.Root, mv, e.options)
	e.gate = c.faults
	e.verdict = "Gate, for a materialized view with EMIT ON UPDATE: "
}

func (s *Session) explainMaterializedView(n *sql.CreateMaterializedView, text string, o explainOptions) (func(context.Context, []column.Vector) (*explanation, error), error) {
	c, err := s.defineMaterializedView(n, catalog.Object{Name: n.Name.Parts[len(n.Name.Parts)-1]}, text)
	if err != nil {
		return nil, err
	}
	return func(context.Context, []column.Vector) (*explanation, error) {
		e := &explanation{options: o, root: explainTree(c.query.Root, c.view, o), gate: c.faults, fired: c.fired, verdict: "Gate: "}
		e.planErr, e.notes = c.planErr, s.explainReplace(n, c)
		if note := retentionNote(c); note != "" {
			e.notes = append(e.notes, note)
		}
		if err := s.noteWhatIf(e, c.query.Root); err != nil {
			return nil, err
		}
		if c.plan != nil && o.physical {
			e.physical = physicalplan.Format(c.plan)
		}
		if o.analyze {
			if found, err := s.snapshot().Lookup(n.Name.Parts, s.path()); err == nil {
				e.live = s.live(found)
			}
		}
		return e, nil
	}, nil
}

func (s *Session) noteWhatIf(e *explanation, root logicalplan.Node) error {
	if e.options.whatIf == nil {
		return nil
	}
	lines, err := s.whatIf(root, *e.options.whatIf)
	e.notes = append(e.notes, lines...)
	return err
}

// retentionNote says when rows leave the result; "" if they stay.
func retentionNote(c *continuous) string {
	keep := c.view.Options["result_retention"]
	if keep == "" {
		return ""
	}
	if t, ok := logicalplan.ResultTime(c.query.Root, len(c.view.Columns)); ok {
		return "Result: a row is removed when " + t.Name + " + " + keep + " <= watermark"
	}
	return "Result: a row is removed when it was last written " + keep + " ago"
}

// analyze runs the query, and adds what the continuous queries behind the results that it reads are doing.
func (s *Session) analyze(ctx context.Context, e *explanation, p *selectPlan, args []column.Vector, untimed bool) error {
	start := time.Now()
	r, err := p.begin(ctx, args)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // only read from
	rows := 0
	for {
		b, err := r.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		rows += b.Rows
	}
	for _, sc := range r.query.Scanned() {
		e.notes = append(e.notes, fmt.Sprintf("Read: %d rows of %s (%s)", sc.Rows, sc.Relation, sc.How))
	}
	for _, sp := range r.query.Spilled() {
		e.notes = append(e.notes, fmt.Sprintf("Spilled: %d bytes in %d files by %s", sp.Bytes, sp.Files, sp.Title))
	}
	e.notes = append(e.notes, fmt.Sprintf("Rows: %d", rows))
	if !untimed {
		e.notes = append(e.notes, fmt.Sprintf("Execution Time: %.3f ms", float64(time.Since(start).Microseconds())/1000))
	}
	logicalplan.Walk(p.query.Root, func(n logicalplan.Node) bool {
		if t, ok := n.(*logicalplan.TableScan); ok {
			if mv := s.snapshot().ByID(t.Object.ID); mv != nil {
				e.live = append(e.live, s.live(mv)...)
			}
		}
		return true
	})
	return nil
}

// explanation is what EXPLAIN shows.
type explanation struct {
	options  explainOptions
	root     *logicalplan.Explained
	fired    []string
	physical string
	verdict  string // what the gate's word is about; "" if it has none
	gate     []*sqlerr.Error
	planErr  error
	notes    []string
	live     []string
}

// gateText is the verdict in lines.
func (e *explanation) gateText() []string {
	if e.verdict == "" {
		return nil
	}
	if len(e.gate) == 0 && e.planErr == nil {
		return []string{e.verdict + "accepted"}
	}
	out := []string{e.verdict + "accepted, with warnings"}
	if e.refused() {
		out[0] = e.verdict + "refused"
	}
	for _, f := range e.gate {
		severity := "ERROR"
		if f.Severity != sqlerr.SevError {
			severity = "WARNING"
		}
		out = append(out, logicalplan.Wrap("  "+severity+":  ", f.Msg)...)
		if f.Detail != "" {
			out = append(out, logicalplan.Wrap("  DETAIL:  ", f.Detail)...)
		}
		out = append(out, indented("  HINT:  ", f.Hint)...)
	}
	if e.planErr != nil {
		f := sqlerr.From(e.planErr)
		out = append(out, "  ERROR:  "+f.Msg)
		out = append(out, indented("  HINT:  ", f.Hint)...)
	}
	return out
}

func (e *explanation) refused() bool {
	return e.planErr != nil || len(e.gate) > 0 && e.gate[0].Severity == sqlerr.SevError
}

func indented(label, text string) []string {
	if text == "" {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrapped(line, 100-len(label))...)
	}
	for i := range lines {
		if i == 0 {
			lines[i] = label + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", len(label)) + lines[i]
		}
	}
	return lines
}

// wrapped breaks a line at blanks so that its parts have at most width bytes, but for words that are longer. A line that is
// indented is SQL, and is left alone.
func wrapped(line string, width int) []string {
	var out []string
	for len(line) > width && !strings.HasPrefix(line, " ") {
		at := strings.LastIndexByte(line[:width+1], ' ')
		if at <= 0 {
			break
		}
		out = append(out, line[:at])
		line = line[at+1:]
	}
	return append(out, line)
}

// rulesText names the rewrites that fired, each once.
func (e *explanation) rulesText() []string {
	if !e.options.rules {
		return nil
	}
	if len(e.fired) == 0 {
		return []string{"Rules: none"}
	}
	var names []string
	for _, f := range e.fired {
		if !slices.Contains(names, f) {
			names = append(names, f)
		}
	}
	return []string{"Rules: " + strings.Join(names, ", ")}
}
