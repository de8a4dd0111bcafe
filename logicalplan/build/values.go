package build

import (
	"maps"
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// values binds VALUES: each column takes the common type of its rows.
func (b *binder) values(v *sql.Values, outer *scope, u unknowns) (*output, error) {
	rows := make([][]expr.Expr, len(v.Rows))
	var applies []*logicalplan.Apply
	c := &exprCtx{b: b, scope: outer, clause: "VALUES",
		attach: func(a *logicalplan.Apply) { applies = append(applies, a) }}
	for i, r := range v.Rows {
		if len(r) != len(v.Rows[0]) {
			return nil, b.errorf(r[0].At(), sqlerr.SyntaxError, "VALUES lists must all be the same length")
		}
		var err error
		if rows[i], err = c.bindAll(r); err != nil {
			return nil, err
		}
	}
	n := &logicalplan.Values{Rows: rows, Pos: b.pos(v.Pos)}
	for k := range rows[0] {
		t, err := b.unifyColumn(rows, k, v.Rows, u)
		if err != nil {
			return nil, err
		}
		n.Cols = append(n.Cols, b.column("column"+itoa(k+1), t))
	}
	out := &output{node: n, cols: n.Cols, names: columnNames(n.Cols)}
	if len(applies) > 0 {
		out.node = b.computedValues(n, applies)
	}
	return out, nil
}

// unifyColumn types column k of the rows in place.
func (b *binder) unifyColumn(rows [][]expr.Expr, k int, written [][]sql.Expr, u unknowns) (types.Type, error) {
	col := make([]expr.Expr, len(rows))
	allUnknown := true
	for i := range rows {
		col[i] = rows[i][k]
		allUnknown = allUnknown && isUnknown(col[i].Type())
	}
	if allUnknown && u == keepUnknown {
		return types.Of(types.Unknown), nil
	}
	col, t, err := b.unify("VALUES", col, written[0][k].At())
	if err != nil {
		return t, err
	}
	for i := range rows {
		rows[i][k] = col[i]
	}
	return t, nil
}

// computedValues makes rows with subqueries: each a Project over the one empty row, put together by UNION ALL.
func (b *binder) computedValues(v *logicalplan.Values, applies []*logicalplan.Apply) logicalplan.Node {
	var branches []logicalplan.Node
	for _, row := range v.Rows {
		var n logicalplan.Node = &logicalplan.Values{}
		reads := map[expr.ColumnID]bool{}
		for _, e := range row {
			expr.Columns(e, func(c *expr.Column) { reads[c.ID] = true })
		}
		var own []*logicalplan.Apply
		for _, a := range slices.Backward(applies) { // one may read the answer of another before it
			if reads[a.Out.ID] {
				own = append(own, a)
				maps.Copy(reads, readBy(a))
			}
		}
		slices.Reverse(own)
		n = asked(n, own)
		p := &logicalplan.Project{Input: n, Pos: v.Pos}
		for k, e := range row {
			out := v.Cols[k]
			if len(v.Rows) > 1 {
				out = b.column(out.Name, out.Type)
			}
			p.Exprs = append(p.Exprs, logicalplan.Named{Out: out, Expr: e})
		}
		branches = append(branches, p)
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return &logicalplan.SetOp{Kind: logicalplan.Union, All: true, In: branches, Cols: v.Cols, Pos: v.Pos}
}
