package build

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// grouping collects the keys and aggregates of one GROUP BY.
type grouping struct {
	b     *binder
	below *exprCtx // where keys and arguments are bound
	node  logicalplan.Node
	keys  []groupKey
	aggs  []logicalplan.AggNamed
	pos   int
	// bySubquery are the keys that hold a subquery, by their text: bound a second time, a subquery is another one.
	bySubquery map[string]logicalplan.Column
}

// groupKey is a key with the expression that stands for it above the Aggregate.
type groupKey struct {
	logicalplan.Named
	match expr.Expr
}

// addKey adds a key once. A plain column keeps its ID.
func (g *grouping) addKey(e expr.Expr, name string) {
	for _, k := range g.keys {
		if logicalplan.Equal(k.match, e) {
			return
		}
	}
	out := logicalplan.Column{Name: name, Type: e.Type()}
	if c, ok := e.(*expr.Column); ok {
		out.ID, out.Name = c.ID, bareName(c.Name)
	} else {
		out = g.b.column(name, e.Type())
	}
	g.keys = append(g.keys, groupKey{Named: logicalplan.Named{Out: out, Expr: e}, match: e})
}

// noteSubquery makes the newest key, which is x, known by its text.
func (g *grouping) noteSubquery(x sql.Expr) {
	if g.bySubquery == nil {
		g.bySubquery = map[string]logicalplan.Column{}
	}
	g.bySubquery[sql.Format(x)] = g.keys[len(g.keys)-1].Out
}

// subqueryKey is the key with the text of x.
func (g *grouping) subqueryKey(x sql.Expr) (out logicalplan.Column, ok bool) {
	if g == nil || len(g.bySubquery) == 0 {
		return out, false
	}
	out, ok = g.bySubquery[sql.Format(x)]
	return out, ok
}

// bareName drops the relation from a column's name.
func bareName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// hasKey reports whether a plain column is a key.
func (g *grouping) hasKey(id expr.ColumnID) bool {
	for _, k := range g.keys {
		if k.Out.ID == id {
			return true
		}
	}
	return false
}

// plan makes the Aggregate node.
func (g *grouping) plan() *logicalplan.Aggregate {
	a := &logicalplan.Aggregate{Input: g.node, Aggs: g.aggs, Pos: g.pos}
	for _, k := range g.keys {
		a.Keys = append(a.Keys, k.Named)
	}
	if a.Pos == 0 && len(g.aggs) > 0 {
		a.Pos = g.aggs[0].Pos
	}
	return a
}

// above rewrites an expression that was bound over FROM to one over the Aggregate's output, or fails with 42803.
func (g *grouping) above(e expr.Expr) (expr.Expr, error) {
	for _, k := range g.keys {
		if logicalplan.Equal(k.match, e) {
			return use(k.Out), nil
		}
	}
	if c, ok := e.(*expr.Column); ok {
		return g.aboveColumn(c)
	}
	old := e.Children()
	fresh := make([]expr.Expr, len(old))
	changed := false
	for i, x := range old {
		var err error
		if fresh[i], err = g.above(x); err != nil {
			return nil, err
		}
		changed = changed || fresh[i] != x
	}
	if !changed {
		return e, nil
	}
	return e.WithChildren(fresh), nil
}

func (g *grouping) aboveColumn(c *expr.Column) (expr.Expr, error) {
	if !g.below.scope.owns(c.ID) { // an aggregate, a subquery's result, an enclosing query's column
		return c, nil
	}
	if rl := g.dependent(c.ID); rl != nil {
		g.addKey(c, c.Name)
		return c, nil
	}
	r := g.b.refs[c]
	if r.name == "" {
		r.name = c.Name
	}
	return nil, sqlerr.Newf(sqlerr.GroupingError,
		"column \"%s\" must appear in the GROUP BY clause or be used in an aggregate function", r.name).At(r.pos)
}

// dependent finds the relation of a column whose whole primary key is grouped by: the column is then the same in a group.
func (g *grouping) dependent(id expr.ColumnID) *rel {
	for _, rl := range g.below.scope.rels {
		if len(rl.pk) == 0 {
			continue
		}
		owns, all := false, true
		for _, c := range rl.cols {
			owns = owns || c.ID == id
		}
		for _, k := range rl.pk {
			all = all && g.hasKey(k)
		}
		if owns && all {
			return rl
		}
	}
	return nil
}

// aboveApply checks that a subplan above the Aggregate reads only what is grouped.
func (g *grouping) aboveApply(a *logicalplan.Apply) error {
	for id := range logicalplan.Free(a.Subplan) {
		if g.below.scope.owns(id) && !g.hasKey(id) && g.dependent(id) == nil {
			col := logicalplan.Column{ID: id, Name: "?"}
			for _, c := range g.below.scope.cols {
				if c.ID == id {
					col = c
				}
			}
			return sqlerr.Newf(sqlerr.GroupingError, "subquery uses ungrouped column \"%s\" from outer query",
				g.below.scope.display(col)).At(a.Pos)
		}
		if rl := g.dependent(id); rl != nil && !g.hasKey(id) {
			for _, c := range rl.cols {
				if c.ID == id {
					g.addKey(use(c), c.Name)
				}
			}
		}
	}
	return nil
}

func groupingSetName(kind string) string {
	switch kind {
	case "rollup":
		return "ROLLUP"
	case "cube":
		return "CUBE"
	}
	return "GROUPING SETS"
}

// hasAggregate reports whether e calls an aggregate of its own query.
func hasAggregate(e sql.Expr) bool {
	found := false
	walkExpr(e, func(x sql.Expr) bool {
		if f, ok := x.(*sql.Func); ok && f.Over == nil && expr.IsAggregate(f.Name.Parts[len(f.Name.Parts)-1]) {
			found = true
		}
		return !found
	})
	return found
}
