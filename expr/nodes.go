package expr

import (
	"fmt"

	"wmsql/types"
)

var boolType = types.Of(types.Bool)

// Type returns the column's type.
func (e *Column) Type() types.Type { return e.T }

// Children returns nil.
func (e *Column) Children() []Expr { return nil }

// WithChildren returns e.
func (e *Column) WithChildren(c []Expr) Expr { need(len(c) == 0, e); return e }

func (e *Column) sealed() {}

// Type returns the constant's type.
func (e *Const) Type() types.Type { return e.T }

// Children returns nil.
func (e *Const) Children() []Expr { return nil }

// WithChildren returns e.
func (e *Const) WithChildren(c []Expr) Expr { need(len(c) == 0, e); return e }

func (e *Const) sealed() {}

// Type returns the parameter's type.
func (e *Param) Type() types.Type { return e.T }

// Children returns nil.
func (e *Param) Children() []Expr { return nil }

// WithChildren returns e.
func (e *Param) WithChildren(c []Expr) Expr { need(len(c) == 0, e); return e }

func (e *Param) sealed() {}

// Type returns the call's result type.
func (e *Call) Type() types.Type { return e.T }

// Children returns the arguments.
func (e *Call) Children() []Expr { return e.Args }

// WithChildren returns the call over other arguments.
func (e *Call) WithChildren(c []Expr) Expr {
	need(len(c) == len(e.Args), e)
	n := *e
	n.Args = c
	return &n
}

func (e *Call) sealed() {}

// Type returns boolean.
func (e *And) Type() types.Type { return boolType }

// Children returns the operands.
func (e *And) Children() []Expr { return e.Args }

// WithChildren returns the conjunction of c.
func (e *And) WithChildren(c []Expr) Expr { need(len(c) == len(e.Args), e); return &And{Args: c} }

func (e *And) sealed() {}

// Type returns boolean.
func (e *Or) Type() types.Type { return boolType }

// Children returns the operands.
func (e *Or) Children() []Expr { return e.Args }

// WithChildren returns the disjunction of c.
func (e *Or) WithChildren(c []Expr) Expr { need(len(c) == len(e.Args), e); return &Or{Args: c} }

func (e *Or) sealed() {}

// Type returns boolean.
func (e *Not) Type() types.Type { return boolType }

// Children returns the operand.
func (e *Not) Children() []Expr { return []Expr{e.X} }

// WithChildren returns NOT c[0].
func (e *Not) WithChildren(c []Expr) Expr { need(len(c) == 1, e); return &Not{X: c[0]} }

func (e *Not) sealed() {}

// Type returns boolean.
func (e *IsNull) Type() types.Type { return boolType }

// Children returns the operand.
func (e *IsNull) Children() []Expr { return []Expr{e.X} }

// WithChildren returns the test of c[0].
func (e *IsNull) WithChildren(c []Expr) Expr {
	need(len(c) == 1, e)
	return &IsNull{X: c[0], Not: e.Not}
}

func (e *IsNull) sealed() {}

// Type returns the common type of the arms.
func (e *Case) Type() types.Type { return e.T }

// Children returns condition and result of each arm in turn, then ELSE.
func (e *Case) Children() []Expr {
	out := make([]Expr, 0, 2*len(e.Whens)+1)
	for _, w := range e.Whens {
		out = append(out, w.Cond, w.Then)
	}
	return append(out, e.Else)
}

// WithChildren takes operands in the order of Children.
func (e *Case) WithChildren(c []Expr) Expr {
	need(len(c) == 2*len(e.Whens)+1, e)
	n := &Case{Whens: make([]When, len(e.Whens)), Else: c[len(c)-1], T: e.T}
	for i := range n.Whens {
		n.Whens[i] = When{Cond: c[2*i], Then: c[2*i+1]}
	}
	return n
}

func (e *Case) sealed() {}

// Type returns the common type of the operands.
func (e *Coalesce) Type() types.Type { return e.T }

// Children returns the operands.
func (e *Coalesce) Children() []Expr { return e.Args }

// WithChildren returns COALESCE of c.
func (e *Coalesce) WithChildren(c []Expr) Expr {
	need(len(c) == len(e.Args), e)
	return &Coalesce{Args: c, T: e.T}
}

func (e *Coalesce) sealed() {}

// Type returns boolean.
func (e *InList) Type() types.Type { return boolType }

// Children returns the left side; the list is constant.
func (e *InList) Children() []Expr { return []Expr{e.X} }

// WithChildren returns the test of c[0].
func (e *InList) WithChildren(c []Expr) Expr {
	need(len(c) == 1, e)
	return &InList{X: c[0], List: e.List, Not: e.Not}
}

func (e *InList) sealed() {}

// Type returns boolean.
func (e *AnyAll) Type() types.Type { return boolType }

// Children returns the left side and the array.
func (e *AnyAll) Children() []Expr { return []Expr{e.X, e.Array} }

// WithChildren takes the left side and the array.
func (e *AnyAll) WithChildren(c []Expr) Expr {
	need(len(c) == 2, e)
	return &AnyAll{Op: e.Op, X: c[0], Array: c[1], All: e.All}
}

func (e *AnyAll) sealed() {}

// Type returns the array type.
func (e *Array) Type() types.Type { return e.T }

// Children returns the items.
func (e *Array) Children() []Expr { return e.Items }

// WithChildren returns the array of c.
func (e *Array) WithChildren(c []Expr) Expr {
	need(len(c) == len(e.Items), e)
	return &Array{Items: c, T: e.T}
}

func (e *Array) sealed() {}

// Type returns record.
func (e *Row) Type() types.Type { return types.Of(types.Record) }

// Children returns the items.
func (e *Row) Children() []Expr { return e.Items }

// WithChildren returns the row of c.
func (e *Row) WithChildren(c []Expr) Expr { need(len(c) == len(e.Items), e); return &Row{Items: c} }

func (e *Row) sealed() {}

// Type returns the field's type.
func (e *Field) Type() types.Type { return e.T }

// Children returns the record.
func (e *Field) Children() []Expr { return []Expr{e.X} }

// WithChildren returns the field of c[0].
func (e *Field) WithChildren(c []Expr) Expr {
	need(len(c) == 1, e)
	return &Field{X: c[0], N: e.N, T: e.T}
}

func (e *Field) sealed() {}

// need panics when a rewrite hands a node the wrong number of operands.
func need(ok bool, e Expr) {
	if !ok {
		panic(fmt.Sprintf("expr: %T got a different number of operands", e))
	}
}
