package server

import (
	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/types"
)

// template is the plan of a text in which parameters stand for the constants that columns are compared with, or set to:
//
//	SELECT n FROM t WHERE k = 17 AND v > 1.5 LIMIT 10
//	SELECT n FROM t WHERE k = $1 AND v > $2  LIMIT 10
//
// Planning sees no value of theirs, so what it makes holds for all of their types. It serves the texts that differ in these constants alone.
type template struct {
	resolved
	stmt   sql.Stmt
	places []int // where the tokens of the text began
	holes  []sql.Hole
	casts  []paramCast // compute the parameters behind those of the holes
	last   []bool      // by parameter: whether the plan reads it
}

// paramCast is the parameter that is another one, cast: as a constant in its place would have been by the planner.
type paramCast struct {
	call *expr.Call
	of   int // the other, from 0
}

// newTemplate plans the text of s.tokens; nil if its constants may be more than values to compare with, or if it is wrong.
func (s *Session) newTemplate() *template {
	list, err := s.tokens.Parse()
	if err != nil || len(list) != 1 {
		return nil
	}
	t := &template{stmt: list[0].Stmt}
	var ok bool
	if t.holes, ok = s.tokens.Dig(t.stmt); !ok {
		return nil
	}
	t.under = s.conditions()
	t.params = make([]types.Type, 0, len(t.holes))
	for _, h := range t.holes {
		typ, ok := holeType(s.tokens.Fill(h))
		if !ok {
			return nil
		}
		t.params = append(t.params, typ)
	}
	said := len(s.notices)
	root, err := t.resolve(s)
	if len(s.notices) > said {
		s.notices = s.notices[:said] // they are told of each text
		return nil
	}
	if err != nil || !t.comparesOnly(root) {
		return nil
	}
	t.places = s.tokens.Places()
	return t
}

// resolve makes the plan and returns the one of its rows.
func (t *template) resolve(s *Session) (logicalplan.Node, error) {
	var err error
	switch n := t.stmt.(type) {
	case *sql.Update:
		t.plan, err = s.planUpdate(n, &t.params)
	case *sql.Delete:
		t.plan, err = s.planDelete(n, &t.params)
	case *sql.SelectStmt:
		lq, err := build.Query(n.Query, s.env(&t.params))
		if err != nil {
			return nil, err
		}
		lq.Root = t.castBeforehand(lq.Root)
		t.plan, err = s.optimize(n.Query, lq)
		return lq.Root, err
	}
	if err != nil {
		return nil, err
	}
	return t.plan.(*changePlan).source.query.Root, nil
}

// holeType is the type of a constant as it is written.
func holeType(l sql.Literal) (types.Type, bool) {
	if l.Kind == sql.String {
		return types.Of(types.Unknown), true
	}
	x, err := build.Number(&l)
	if err != nil {
		return types.Type{}, false
	}
	return x.Type(), true
}

// castBeforehand makes parameters of the immutable casts of parameters, as constants in their place would have been cast by the planner:
// what finds rows by their keys looks for the bare value.
func (t *template) castBeforehand(n logicalplan.Node) logicalplan.Node {
	fold := func(e expr.Expr) expr.Expr {
		call, ok := e.(*expr.Call)
		if !ok || call.Func.Name != "cast" || call.Func.Volatility != expr.Immutable || len(call.Args) != 1 {
			return e
		}
		p, ok := call.Args[0].(*expr.Param)
		if !ok {
			return e
		}
		t.casts = append(t.casts, paramCast{call, p.N - 1})
		return &expr.Param{N: len(t.holes) + len(t.casts), T: call.T}
	}
	out, _ := logicalplan.Rewrite(n, func(n logicalplan.Node) (logicalplan.Node, bool) {
		before := len(t.casts)
		m := logicalplan.MapExprs(n, func(e expr.Expr) expr.Expr { return expr.Rewrite(e, fold) })
		if len(t.casts) == before {
			return n, false
		}
		return m, true
	})
	return out
}

// comparesOnly reports that no parameter has come anywhere but into conditions on the rows of tables, or into what a row is changed to, and notes
// those that have. All else, where a plan for one value may be a better one, is planned for each.
func (t *template) comparesOnly(root logicalplan.Node) bool {
	t.last = make([]bool, len(t.holes)+len(t.casts))
	only := true
	_, query := t.stmt.(*sql.SelectStmt)
	logicalplan.Walk(root, func(n logicalplan.Node) bool {
		onRows := n == root && !query
		if f, ok := n.(*logicalplan.Filter); ok {
			_, onRows = f.Input.(*logicalplan.TableScan)
		}
		for _, e := range logicalplan.Exprs(n) {
			expr.Walk(e, func(x expr.Expr) bool {
				if p, ok := x.(*expr.Param); ok {
					t.last[p.N-1] = true
					only = only && onRows
				}
				return true
			})
		}
		return only
	})
	return only
}

// values are the parameters for a text of the shape; ok is false if one of its constants is of another type after all, or has another value
// in each statement, as '2026-01-01' has where a time zone matters, or is wrong: then the text is planned as it is.
func (t *template) values(text *sql.Tokens) (_ []column.Vector, ok bool) {
	consts := make([]*expr.Const, len(t.last))
	for i, h := range t.holes {
		if consts[i] = t.value(text.Fill(h), t.params[i]); consts[i] == nil {
			return nil, false
		}
	}
	for i, c := range t.casts {
		v := cast(consts[c.of], c.call)
		if v == nil {
			return nil, false
		}
		consts[len(t.holes)+i] = v
	}
	out := make([]column.Vector, len(consts))
	for i, c := range consts {
		if t.last[i] {
			out[i] = column.Const(c.T, c.Value, 1)
		}
	}
	return out, true
}

// value is the constant as the planner would have read it where type typ is wanted; nil if it is no value of that.
func (t *template) value(l sql.Literal, typ types.Type) *expr.Const {
	var x expr.Expr
	var err error
	if l.Kind == sql.String {
		x, err = expr.NewCast(&expr.Const{Value: l.Text, T: types.Of(types.Unknown)}, typ, expr.Implicit)
	} else {
		x, err = build.Number(&l)
	}
	c, ok := x.(*expr.Const)
	if err != nil || !ok || c.T != typ {
		return nil
	}
	return c
}

// cast is a constant cast as the planner casts it, nil if it cannot.
func cast(c *expr.Const, call *expr.Call) *expr.Const {
	if c.T == types.Of(types.Int4) && call.T == types.Of(types.Int8) {
		return &expr.Const{Value: c.Value, T: call.T} // the common case: the value is the same
	}
	out, _ := expr.Fold(call.WithChildren([]expr.Expr{c})).(*expr.Const)
	return out
}
