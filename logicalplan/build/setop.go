package build

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// setOp binds UNION, INTERSECT and EXCEPT; the names are those of the left query.
func (b *binder) setOp(s *sql.SetOp, outer *scope, u unknowns) (*output, error) {
	name := strings.ToUpper(s.Op)
	l, err := b.side(s.L, s.All && s.Op != "union", name, outer)
	if err != nil {
		return nil, err
	}
	r, err := b.side(s.R, s.All && s.Op != "union" || s.Op == "except", name, outer)
	if err != nil {
		return nil, err
	}
	if len(l.cols) != len(r.cols) {
		return nil, b.errorf(firstItem(s.R), sqlerr.SyntaxError, "each %s query must have the same number of columns", name)
	}
	kind := map[string]logicalplan.SetKind{"union": logicalplan.Union, "intersect": logicalplan.Intersect, "except": logicalplan.Except}[s.Op]
	want := make([]types.Type, len(l.cols))
	for i := range l.cols {
		both := []expr.Expr{branchExpr(l, i), branchExpr(r, i)}
		_, t, err := expr.Unify(name, both)
		if err != nil {
			return nil, b.failIn(err, both, itemPos(s.R, i))
		}
		want[i] = t
	}
	out := &logicalplan.SetOp{Kind: kind, All: s.All, Pos: b.pos(s.Pos)}
	for _, side := range []*output{l, r} {
		n, _, err := b.castColumns(side.node, side.cols, want, expr.Implicit)
		if err != nil {
			return nil, at(err, b.pos(s.R.Pos))
		}
		if in, ok := n.(*logicalplan.SetOp); ok && s.All && in.All && kind == logicalplan.Union && in.Kind == kind {
			out.In = append(out.In, in.In...)
			continue
		}
		out.In = append(out.In, n)
	}
	for i, c := range l.cols {
		out.Cols = append(out.Cols, b.column(c.Name, want[i]))
	}
	return &output{node: out, cols: out.Cols, names: l.names}, nil
}

// side is branch, of a side in which a recursive term may not name its item if it is closed.
func (b *binder) side(s *sql.Select, closed bool, op string, outer *scope) (out *output, err error) {
	if !closed {
		return b.branch(s, outer)
	}
	err = b.inside(op, func() error {
		out, err = b.branch(s, outer)
		return err
	})
	return out, err
}

// branch binds one side; its literals wait for the other side's types.
func (b *binder) branch(s *sql.Select, outer *scope) (*output, error) {
	out, err := b.selectStmt(s, outer, keepUnknown)
	if err != nil {
		return nil, err
	}
	return out.visible(), nil
}

// branchExpr is what an output column of a side is, for typing: its literal if it is one.
func branchExpr(o *output, i int) expr.Expr {
	if p, ok := o.node.(*logicalplan.Project); ok {
		for _, e := range p.Exprs {
			if e.Out.ID == o.cols[i].ID {
				return e.Expr
			}
		}
	}
	return use(o.cols[i])
}

// firstItem is the place of the first output column of a query.
func firstItem(s *sql.Select) sql.Pos { return itemPos(s, 0) }

// itemPos is the place of an output column of a query, or of the query if it is not one SELECT.
func itemPos(s *sql.Select, i int) sql.Pos {
	if q, ok := s.Body.(*sql.Query); ok && i < len(q.Items) {
		return q.Items[i].X.At()
	}
	return s.Pos
}
