package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// output is a bound query: the visible columns, then hidden ones that only its ORDER BY reads.
type output struct {
	node   logicalplan.Node
	cols   []logicalplan.Column // visible
	names  []string             // as the client sees them
	hidden int
}

// unknowns says what becomes of output columns that nothing has typed.
type unknowns bool

const (
	resolveUnknown unknowns = true  // they become text
	keepUnknown    unknowns = false // a UNION or an INSERT will type them
)

// subselect binds a query whose hidden columns nobody above may see.
func (b *binder) subselect(s *sql.Select, outer *scope) (*output, error) {
	out, err := b.selectStmt(s, outer, resolveUnknown)
	if err != nil {
		return nil, err
	}
	return out.visible(), nil
}

// visible drops the hidden columns.
func (o *output) visible() *output {
	if o.hidden == 0 {
		return o
	}
	return &output{
		node:  &logicalplan.Project{Input: o.node, Exprs: pass(o.cols), Pos: o.node.At()},
		cols:  o.cols,
		names: o.names,
	}
}

// selectStmt binds WITH, the body, ORDER BY and LIMIT.
func (b *binder) selectStmt(s *sql.Select, outer *scope, u unknowns) (*output, error) {
	old := b.ctes
	defer func() { b.ctes = old }()
	if err := b.with(s, outer); err != nil {
		return nil, err
	}
	out, err := b.body(s, outer, u)
	if err != nil {
		return nil, err
	}
	if err := b.locking(s); err != nil {
		return nil, err
	}
	return out, b.limit(out, s, outer)
}

func (b *binder) body(s *sql.Select, outer *scope, u unknowns) (*output, error) {
	switch body := s.Body.(type) {
	case *sql.Query:
		return b.query(body, s.OrderBy, outer, u)
	case *sql.SetOp:
		out, err := b.setOp(body, outer, u)
		if err != nil {
			return nil, err
		}
		return out, b.orderOutput(out, s.OrderBy, "UNION/INTERSECT/EXCEPT")
	case *sql.Values:
		out, err := b.values(body, outer, u)
		if err != nil {
			return nil, err
		}
		return out, b.orderOutput(out, s.OrderBy, "VALUES")
	}
	panic("build: unknown query body")
}

// limit adds LIMIT and OFFSET.
func (b *binder) limit(out *output, s *sql.Select, outer *scope) error {
	if s.Limit == nil && s.Offset == nil {
		return nil
	}
	n := &logicalplan.Limit{Input: out.node, Pos: b.pos(s.Pos)}
	var err error
	if n.Count, err = b.limitExpr(s.Limit, "LIMIT", outer); err != nil {
		return err
	}
	if n.Offset, err = b.limitExpr(s.Offset, "OFFSET", outer); err != nil {
		return err
	}
	if n.Count != nil {
		n.Pos = b.pos(s.Limit.At())
	} else if n.Offset != nil {
		n.Pos = b.pos(s.Offset.At())
	}
	if n.Count == nil && n.Offset == nil {
		return nil
	}
	if s.WithTies {
		n.Ties = sortedBy(out.node)
	}
	if s.WithTies && n.Count != nil && n.Ties == nil {
		return b.unsupported(s.Pos, "WITH TIES here")
	}
	out.node = n
	return nil
}

// sortedBy is the order that n's rows come in, nil if its last step is no sort.
func sortedBy(n logicalplan.Node) []expr.SortKey {
	switch n := n.(type) {
	case *logicalplan.Sort:
		return n.Keys
	case *logicalplan.Distinct:
		if len(n.On) > 0 {
			return sortedBy(n.Input)
		}
	}
	return nil
}

// negativeCount is the SQLSTATE of a negative LIMIT or OFFSET.
func negativeCount(what string) sqlerr.Code {
	if what == "LIMIT" {
		return "2201W"
	}
	return "2201X"
}

func (b *binder) limitExpr(e sql.Expr, what string, outer *scope) (expr.Expr, error) {
	if e == nil {
		return nil, nil
	}
	c := &exprCtx{b: b, scope: outer, clause: what}
	x, err := c.bind(e)
	if err != nil {
		return nil, err
	}
	if x, err = b.cast(x, int8Type, expr.Assignment, start(e)); err != nil {
		return nil, err
	}
	own := false
	expr.Columns(x, func(*expr.Column) { own = true })
	if own {
		return nil, b.errorf(e.At(), sqlerr.InvalidColumnReference, "argument of %s must not contain variables", what)
	}
	k, ok := expr.Fold(x).(*expr.Const)
	switch {
	case !ok:
	case k.Value == nil:
		return nil, nil
	case k.Value.(int64) < 0:
		return nil, sqlerr.Newf(negativeCount(what), "%s must not be negative", what)
	}
	return x, nil
}

// orderOutput sorts by output columns alone: their names or ordinals.
func (b *binder) orderOutput(out *output, items []sql.OrderItem, what string) error {
	var keys []expr.SortKey
	for _, o := range items {
		i, err := b.outputOrdinal(o.X, len(out.cols), "ORDER BY")
		if err != nil {
			return err
		}
		if r, ok := o.X.(*sql.ColumnRef); ok && i < 0 && len(r.Parts) == 1 {
			for k, name := range out.names {
				if name == r.Parts[0] && i < 0 {
					i = k
				}
			}
			if i < 0 {
				return b.errorf(r.Pos, sqlerr.UndefinedColumn, "column \"%s\" does not exist", r.Parts[0])
			}
		}
		if i < 0 {
			return b.errorf(start(o.X), sqlerr.FeatureNotSupported, "invalid %s ORDER BY clause", what).
				WithDetail("Only result column names can be used, not expressions or functions.").
				WithHint("Add the expression/function to every SELECT, or move the UNION into a FROM clause.")
		}
		keys = append(keys, sortKey(expr.SortValue(use(out.cols[i])), o))
	}
	if keys != nil {
		out.node = &logicalplan.Sort{Input: out.node, Keys: keys, Pos: b.pos(items[0].X.At())}
	}
	return nil
}

// outputOrdinal reads ORDER BY 2; -1 if e is no ordinal.
func (b *binder) outputOrdinal(e sql.Expr, n int, what string) (int, error) {
	lit, ok := e.(*sql.Literal)
	if !ok {
		return -1, nil
	}
	if lit.Kind != sql.Integer {
		return 0, b.errorf(lit.Pos, sqlerr.SyntaxError, "non-integer constant in %s", what)
	}
	k := 0
	for _, d := range lit.Text {
		if k = k*10 + int(d-'0'); k > n {
			break
		}
	}
	if k < 1 || k > n {
		return 0, b.errorf(lit.Pos, sqlerr.InvalidColumnReference, "%s position %s is not in select list", what, lit.Text)
	}
	return k - 1, nil
}

// castColumns casts the columns of n to want. A Project at the top takes the casts in, so that literals are read as what they become.
func (b *binder) castColumns(n logicalplan.Node, cols []logicalplan.Column, want []types.Type, ctx expr.CastContext) (logicalplan.Node, []logicalplan.Column, error) {
	same := len(n.Columns()) == len(cols)
	for i, c := range cols {
		same = same && c.Type == want[i]
	}
	if same {
		return n, append([]logicalplan.Column{}, cols...), nil
	}
	if v, ok := n.(*logicalplan.Values); ok {
		return b.castValues(v, want, ctx)
	}
	exprs := pass(cols)
	input := n
	if p, ok := n.(*logicalplan.Project); ok {
		input = p.Input
		for i, c := range cols {
			for _, e := range p.Exprs {
				if e.Out.ID == c.ID {
					exprs[i].Expr = e.Expr
				}
			}
		}
	}
	out := make([]logicalplan.Column, len(cols))
	for i, e := range exprs {
		x, err := expr.NewCast(e.Expr, want[i], ctx)
		if err != nil {
			return nil, nil, b.failAt(err, e.Expr)
		}
		b.learn(x)
		out[i] = cols[i]
		if x != e.Expr {
			out[i] = b.column(cols[i].Name, want[i])
		}
		exprs[i] = logicalplan.Named{Out: out[i], Expr: x}
	}
	return &logicalplan.Project{Input: input, Exprs: exprs, Pos: n.At()}, out, nil
}

// castValues casts the cells of VALUES in place.
func (b *binder) castValues(v *logicalplan.Values, want []types.Type, ctx expr.CastContext) (logicalplan.Node, []logicalplan.Column, error) {
	out := &logicalplan.Values{Rows: make([][]expr.Expr, len(v.Rows)), Pos: v.Pos}
	for i, c := range v.Cols {
		out.Cols = append(out.Cols, b.column(c.Name, want[i]))
	}
	for r, row := range v.Rows {
		out.Rows[r] = make([]expr.Expr, len(row))
		for i, e := range row {
			x, err := expr.NewCast(e, want[i], ctx)
			if err != nil {
				return nil, nil, b.failAt(err, e)
			}
			out.Rows[r][i] = b.learn(x)
		}
	}
	return out, out.Cols, nil
}

// failAt sets the place of an error about e: its literal, column or call.
func (b *binder) failAt(err error, e expr.Expr) error {
	if k, ok := e.(*expr.Const); ok && b.literals[k] > 0 {
		return at(err, b.literals[k])
	}
	return at(err, b.exprPos(e))
}

// exprPos is the place of the first column or call in e.
func (b *binder) exprPos(e expr.Expr) int {
	pos := 0
	expr.Walk(e, func(x expr.Expr) bool {
		switch x := x.(type) {
		case *expr.Column:
			pos = max(pos, b.refs[x].pos)
		case *expr.Call:
			pos = max(pos, x.Pos)
		}
		return pos == 0
	})
	return pos
}
