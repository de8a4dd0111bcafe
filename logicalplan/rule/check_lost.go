package rule

import (
	"regexp"
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// watermarkLost is WM006: the key or the window's time was the event time once, and something on the way made another value of it.
var watermarkLost = aggregateCheck("WatermarkLost", sqlerr.WatermarkLost, func(d *diagnosis, t *Target) *sqlerr.Error {
	pos := d.loss.Pos
	if pos == 0 {
		pos = place(d.agg, d.window)
	}
	return sqlerr.Newf(sqlerr.WatermarkLost, "WM006: the watermark on %q is lost on the way to %q", d.loss.Name, d.key).At(pos).
		WithDetail("It dies at %s: %s. No group of %s is then ever final: %s.", d.loss.Node.Title(), d.loss.Why, d.agg.Title(), t.consequence()).
		WithHint("%s", d.restore(t))
})

// restore is the SQL that keeps the mark.
func (d *diagnosis) restore(t *Target) string {
	switch n := d.loss.Node.(type) {
	case *logicalplan.SetOp:
		if h, ok := d.markBranch(n); ok {
			return h
		}
	case *logicalplan.Project:
		if e := exprOf(n.Exprs, d); e != nil {
			if h, ok := generatedHint(n.Input, e, d.key, delayOf(d.marks)); ok && timestamp(e.Type()) {
				return h
			}
		}
	case *logicalplan.Process:
		var cols []string
		for _, c := range n.Func.Returns {
			cols = append(cols, ident(c.Name)+" "+c.Type.String())
		}
		return "RETURNS TABLE (" + strings.Join(cols, ", ") + ", WATERMARK FOR " + ident(d.key) + ")"
	case *logicalplan.Join:
		return joinRestore(n)
	case *logicalplan.Expand:
		if h := d.boundsInAll(n); h != "" {
			return h
		}
	case *logicalplan.Aggregate:
		if h := d.byBounds(); h != "" {
			return h
		}
		if h := byDay(t.Text, d.loss.Name); h != "" {
			return h
		}
		if h, ok := windowed(n, t, "1 day"); ok {
			return h
		}
	}
	return "TUMBLE(TABLE (SELECT *, " + ident(d.loss.Name) + " ...), DESCRIPTOR(" + ident(d.loss.Name) + "), INTERVAL '5 minutes')"
}

// byDay is the statement with the day of a column, where that is written as its date, as a window; "" if it is not. Both go by the TimeZone
// of the session.
func byDay(text, column string) string {
	name := `((?:"?\w+"?\.)?"?` + regexp.QuoteMeta(column) + `"?)`
	date := regexp.MustCompile(`(?i)` + name + `\s*::\s*date\b|\bcast\s*\(\s*` + name + `\s+as\s+date\s*\)`)
	if !date.MatchString(text) {
		return ""
	}
	return date.ReplaceAllString(text, "date_trunc('day', ${1}${2})")
}

func timestamp(t types.Type) bool {
	return !t.Array && (t.Kind == types.TimestampTZ || t.Kind == types.Timestamp)
}

// exprOf is the expression of the Project that lost the mark.
func exprOf(es []logicalplan.Named, d *diagnosis) expr.Expr {
	for _, e := range es {
		if _, plain := e.Expr.(*expr.Column); plain {
			continue
		}
		reads := false
		expr.Columns(e.Expr, func(c *expr.Column) { reads = reads || c.ID == d.loss.Column })
		if reads {
			return e.Expr
		}
	}
	return nil
}

// markBranch is the stream of the branch without a watermark, with one.
func (d *diagnosis) markBranch(n *logicalplan.SetOp) (string, bool) {
	for i, c := range n.Cols {
		for _, in := range n.In {
			p := logicalplan.Derive(in)
			col := in.Columns()[i]
			if _, marked := p.Marks[col.ID]; marked || !p.Stream || !d.concerns(n, c.ID) {
				continue
			}
			if s, name, ok := origin(in, col.ID); ok && timestamp(col.Type) {
				return fixStream(s, streamFix{watermark: name, delay: delayOf(d.marks)}), true
			}
		}
	}
	return "", false
}

// concerns reports whether the lost column of the set operation is the one that the aggregate goes by.
func (d *diagnosis) concerns(n *logicalplan.SetOp, id expr.ColumnID) bool {
	_, lost := logicalplan.Derive(n).Lost[id]
	return lost
}
