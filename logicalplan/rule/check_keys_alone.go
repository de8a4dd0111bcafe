package rule

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// keysAlone is WM007: no key has to do with event time, so the watermark has no effect.
var keysAlone = aggregateCheck("KeysAlone", sqlerr.KeysAlone, func(d *diagnosis, t *Target) *sqlerr.Error {
	effect := "There is no watermark, and none would help"
	if len(d.marks) > 0 {
		effect = d.marks[0].Title() + " has no effect"
	}
	return sqlerr.Newf(sqlerr.KeysAlone, "WM007: the groups by %s are never final", keyNames(d.agg)).At(d.agg.Pos).
		WithDetail("%s: a row of any of these groups may come at any time, and no key says when the last one has come: %s.",
			effect, t.consequence()).
		WithHint("%s", d.byWindow(t))
})

// byWindow is the query by window, or as it is with a TTL.
func (d *diagnosis) byWindow(t *Target) string {
	if h := d.byBounds(); h != "" {
		return h
	}
	if h, ok := windowed(d.agg, t, "5 minutes"); ok {
		return h
	}
	return t.mortal(d.agg.Input)
}

func keyNames(a *logicalplan.Aggregate) string {
	e, _ := a.Input.(*logicalplan.Expand)
	var names []string
	for _, k := range a.Keys {
		if e == nil || k.Out.ID != e.Set.ID {
			names = append(names, k.Out.Name)
		}
	}
	return strings.Join(names, ", ")
}

// windowed is the aggregate's query counted by window, if it is simple enough to be written anew. A key that is the event time in
// another form gives way to the window.
func windowed(a *logicalplan.Aggregate, t *Target, size string) (string, bool) {
	rows := a.Input
	e, expanded := rows.(*logicalplan.Expand)
	if expanded {
		rows = e.Input
	}
	s := onlyStream(rows)
	if s == nil {
		return "", false
	}
	column, before := "", ""
	if s.Watermark != nil {
		column = s.Columns[s.Watermark.Column].Name
	} else if _, c, ok := timeColumn(rows); ok && c != "" {
		column, before = c, fixStream(s, streamFix{watermark: c, delay: tenMinutes})+"\n"
	}
	where, simple := conditions(rows)
	if !simple || column == "" {
		return "", false
	}
	lost := logicalplan.Derive(a).Lost
	items, keys := []string{"window_start", "window_end"}, []string{"window_start", "window_end"}
	for _, k := range a.Keys {
		if _, gone := lost[k.Out.ID]; gone || expanded && k.Out.ID == e.Set.ID {
			continue
		}
		if x, ok := keyOf(e, k.Out.ID); ok {
			items = append(items, as(x, k.Out.Name))
			continue
		}
		keys = append(keys, sqlText(k.Expr))
		items = append(items, as(k.Expr, k.Out.Name))
	}
	if expanded {
		keys = append(keys, setsText(e))
	}
	for _, g := range a.Aggs {
		items = append(items, logicalplan.MapAggregate(g.Agg, quoted).String()+" AS "+ident(g.Out.Name))
	}
	return before + t.statement("SELECT "+strings.Join(items, ", ")+
		"\nFROM TUMBLE(TABLE "+ident(s.Name)+", DESCRIPTOR("+ident(column)+"), INTERVAL '"+size+"')"+
		whereClause(where)+"\nGROUP BY "+strings.Join(keys, ", ")), true
}

// conditions collects the filters over a stream; simple is false if anything else stands between.
func conditions(n logicalplan.Node) (where []string, simple bool) {
	simple = true
	logicalplan.Walk(n, func(n logicalplan.Node) bool {
		switch n := n.(type) {
		case *logicalplan.Filter:
			for _, c := range n.Conds {
				where = append(where, sqlText(c))
			}
			return true
		case *logicalplan.EventTimeWatermark, *logicalplan.StreamScan:
			return false
		}
		simple = false
		return false
	})
	return where, simple
}

func whereClause(conds []string) string {
	if len(conds) == 0 {
		return ""
	}
	return "\nWHERE " + strings.Join(conds, " AND ")
}

func as(e expr.Expr, name string) string {
	if c, ok := e.(*expr.Column); ok && c.Name == name {
		return ident(name)
	}
	return sqlText(e) + " AS " + ident(name)
}
