package function

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// rewrite makes calls of everything whose cost is not that of one step:
//
//	x + y    =>  ·+(x, y)          x.join(y)  =>  ·call(x, "join", y)
//	x += y   =>  x = ·+=(x, y)     x[1:2]     =>  ·slice(x, 1, 2, None)
//	(x, y)   =>  ·tuple(x, y)      [], {}     =>  ·made([]), ·made({})
//
// No text can name what begins with a dot in the middle, so none can go around them.
func rewrite(f *syntax.File) error {
	r := &rewriter{}
	r.stmts(f.Stmts)
	return r.err
}

type rewriter struct {
	err   error
	depth int // of def
}

func (r *rewriter) refuse(pos syntax.Position, format string, args ...any) {
	if r.err == nil {
		r.err = syntax.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
	}
}

func (r *rewriter) stmts(list []syntax.Stmt) {
	for i, s := range list {
		list[i] = r.stmt(s)
	}
}

func (r *rewriter) stmt(s syntax.Stmt) syntax.Stmt {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return r.assign(s)
	case *syntax.ExprStmt:
		s.X = r.expr(s.X)
	case *syntax.DefStmt:
		if r.depth > 0 {
			r.refuse(s.Def, "a function cannot be defined in another")
		}
		r.depth++
		r.params(s.Params)
		r.stmts(s.Body)
		r.depth--
	case *syntax.ForStmt:
		r.target(s.Vars)
		s.X = r.expr(s.X)
		r.stmts(s.Body)
	case *syntax.WhileStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.Body)
	case *syntax.IfStmt:
		s.Cond = r.expr(s.Cond)
		r.stmts(s.True)
		r.stmts(s.False)
	case *syntax.ReturnStmt:
		s.Result = r.maybe(s.Result)
	case *syntax.LoadStmt:
		r.refuse(s.Load, "load is not allowed")
	}
	return s
}

// assign makes an assignment of an operator's assignment.
func (r *rewriter) assign(s *syntax.AssignStmt) syntax.Stmt {
	s.RHS = r.expr(s.RHS)
	if s.Op == syntax.EQ {
		r.target(s.LHS)
		return s
	}
	op := guard(s.Op.String(), s.OpPos)
	switch lhs := unparen(s.LHS).(type) {
	case *syntax.Ident:
		s.RHS = call(op, s.OpPos, &syntax.Ident{NamePos: lhs.NamePos, Name: lhs.Name}, s.RHS)
		s.Op = syntax.EQ
		return s
	case *syntax.IndexExpr:
		op = guard("[]"+s.Op.String(), s.OpPos)
		return &syntax.ExprStmt{X: call(op, s.OpPos, r.expr(lhs.X), r.expr(lhs.Y), s.RHS)}
	}
	r.refuse(s.OpPos, "only a name or an element can be assigned to with %s", s.Op)
	return s
}

// target goes through what is assigned to.
func (r *rewriter) target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		r.target(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			r.target(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			r.target(x)
		}
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	case *syntax.DotExpr:
		r.refuse(e.Dot, "an attribute cannot be assigned to")
	}
}

// params goes through the parameters of a function, of which a fixed number is allowed.
func (r *rewriter) params(list []syntax.Expr) {
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.BinaryExpr:
			p.Y = r.expr(p.Y)
		case *syntax.UnaryExpr:
			r.refuse(p.OpPos, "*args and **kwargs are not allowed")
		}
	}
}

func (r *rewriter) maybe(e syntax.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	return r.expr(e)
}

func (r *rewriter) exprs(list []syntax.Expr) {
	for i, e := range list {
		list[i] = r.expr(e)
	}
}

func (r *rewriter) expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		e.X = r.expr(e.X)
	case *syntax.BinaryExpr:
		return r.binary(e)
	case *syntax.CallExpr:
		return r.call(e)
	case *syntax.Comprehension:
		return r.comprehension(e)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = r.expr(e.Cond), r.expr(e.True), r.expr(e.False)
	case *syntax.DictExpr:
		for _, x := range e.List {
			d := x.(*syntax.DictEntry)
			d.Key, d.Value = r.expr(d.Key), r.expr(d.Value)
		}
		return call(guard("made", e.Lbrace), e.Lbrace, e)
	case *syntax.ListExpr:
		r.exprs(e.List)
		return call(guard("made", e.Lbrack), e.Lbrack, e)
	case *syntax.DotExpr:
		e.X = r.expr(e.X)
		if methods()[e.Name.Name] {
			return call(guard("attr", e.Dot), e.Dot, e.X, text(e.Name.Name, e.NamePos))
		}
	case *syntax.IndexExpr:
		e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	case *syntax.SliceExpr:
		return r.slice(e)
	case *syntax.LambdaExpr:
		r.params(e.Params)
		e.Body = r.expr(e.Body)
		return call(guard("made", e.Lambda), e.Lambda, e)
	case *syntax.TupleExpr:
		r.exprs(e.List)
		return call(guard("tuple", syntax.Start(e)), syntax.Start(e), e.List...)
	case *syntax.UnaryExpr:
		e.X = r.maybe(e.X)
	}
	return e
}

// binary leaves alone what costs one step whatever the operands are.
func (r *rewriter) binary(e *syntax.BinaryExpr) syntax.Expr {
	e.X, e.Y = r.expr(e.X), r.expr(e.Y)
	switch e.Op {
	case syntax.AND, syntax.OR, syntax.SLASH, syntax.SLASHSLASH:
		return e
	case syntax.PLUS, syntax.MINUS, syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		if number(e.X) || number(e.Y) {
			return e
		}
	}
	return call(guard(e.Op.String(), e.OpPos), e.OpPos, e.X, e.Y)
}

func number(e syntax.Expr) bool {
	l, ok := e.(*syntax.Literal)
	return ok && (l.Token == syntax.INT || l.Token == syntax.FLOAT)
}

// call makes a method's call one of ·call, unless no value of the language has a method of that name.
func (r *rewriter) call(e *syntax.CallExpr) syntax.Expr {
	for i, a := range e.Args {
		if b, ok := a.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			b.Y = r.expr(b.Y)
			continue
		}
		if u, ok := a.(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
			r.refuse(u.OpPos, "*args and **kwargs are not allowed")
			continue
		}
		e.Args[i] = r.expr(a)
	}
	d, ok := unparen(e.Fn).(*syntax.DotExpr)
	if !ok {
		e.Fn = r.expr(e.Fn)
		return e
	}
	d.X = r.expr(d.X)
	if !methods()[d.Name.Name] {
		return e
	}
	args := append([]syntax.Expr{d.X, text(d.Name.Name, d.NamePos)}, e.Args...)
	return &syntax.CallExpr{Fn: guard("call", d.NamePos), Lparen: e.Lparen, Args: args, Rparen: e.Rparen}
}

func (r *rewriter) comprehension(e *syntax.Comprehension) syntax.Expr {
	for _, c := range e.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			r.target(c.Vars)
			c.X = r.expr(c.X)
		case *syntax.IfClause:
			c.Cond = r.expr(c.Cond)
		}
	}
	if d, ok := e.Body.(*syntax.DictEntry); ok {
		d.Key, d.Value = r.expr(d.Key), r.expr(d.Value)
	} else {
		e.Body = r.expr(e.Body)
	}
	return call(guard("made", e.Lbrack), e.Lbrack, e)
}

func (r *rewriter) slice(e *syntax.SliceExpr) syntax.Expr {
	args := []syntax.Expr{r.expr(e.X)}
	for _, x := range []syntax.Expr{e.Lo, e.Hi, e.Step} {
		if x == nil {
			x = &syntax.Ident{NamePos: e.Lbrack, Name: "None"}
		}
		args = append(args, r.expr(x))
	}
	return call(guard("slice", e.Lbrack), e.Lbrack, args...)
}

// guardMark begins the names of this package's own functions.
const guardMark = "·"

func guard(name string, pos syntax.Position) *syntax.Ident {
	return &syntax.Ident{NamePos: pos, Name: guardMark + name}
}

func call(fn *syntax.Ident, pos syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: fn, Lparen: pos, Args: args, Rparen: pos}
}

func text(s string, pos syntax.Position) *syntax.Literal {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Raw: fmt.Sprintf("%q", s), Value: s}
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// declarationsOnly refuses everything at the module level but functions and constants: it runs once, outside of any call.
func declarationsOnly(stmts []syntax.Stmt) error {
	for _, s := range stmts {
		pos, _ := s.Span()
		switch s := s.(type) {
		case *syntax.DefStmt:
			continue
		case *syntax.ExprStmt:
			if l, ok := s.X.(*syntax.Literal); ok && l.Token == syntax.STRING {
				continue // a comment
			}
		case *syntax.AssignStmt:
			if _, ok := s.LHS.(*syntax.Ident); ok && s.Op == syntax.EQ && constant(s.RHS) {
				continue
			}
		}
		return syntax.Error{Pos: pos, Msg: "outside of functions there may be only constants, the states, and def"}
	}
	return nil
}

// constant reports whether e is made of literals and of calls of the built-in functions that declare something.
func constant(e syntax.Expr) bool {
	ok := true
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Literal, *syntax.ParenExpr, *syntax.ListExpr, *syntax.DictExpr, *syntax.DictEntry, *syntax.TupleExpr, *syntax.UnaryExpr, nil:
		case *syntax.CallExpr:
			f, named := n.Fn.(*syntax.Ident)
			ok = ok && named && declaring(f.Name)
			for _, a := range n.Args {
				if b, keyword := a.(*syntax.BinaryExpr); keyword && b.Op == syntax.EQ {
					a = b.Y
				}
				ok = ok && constant(a)
			}
			return false
		case *syntax.Ident:
			ok = ok && (n.Name == "True" || n.Name == "False" || n.Name == "None")
		default:
			ok = false
		}
		return ok
	})
	return ok
}

func declaring(name string) bool {
	switch name {
	case "value_state", "list_state", "map_state", "duration", "timestamp", "set":
		return true
	}
	return false
}

// methods are the names of all methods that values of the language have.
func methods() map[string]bool { return methodNames }

// methodNames is made once and never changed.
var methodNames = func() map[string]bool {
	out := map[string]bool{}
	for _, v := range []starlark.HasAttrs{starlark.String(""), starlark.Bytes(""), starlark.NewList(nil), starlark.NewDict(0), starlark.NewSet(0)} {
		for _, n := range v.AttrNames() {
			out[n] = true
		}
	}
	return out
}()
