package expr

// IsConst reports whether e reads no column and calls nothing volatile, so it has one value for a statement.
func IsConst(e Expr) bool {
	ok := true
	Walk(e, func(x Expr) bool {
		switch x := x.(type) {
		case *Column:
			ok = false
		case *Call:
			ok = ok && x.Func.Volatility != Volatile
		case *AnyAll:
			ok = ok && x.Op.Volatility != Volatile
		}
		return ok
	})
	return ok
}

// Fold evaluates every immutable part of e whose operands are constants. A fold that fails is left for run time.
func Fold(e Expr) Expr { return Rewrite(e, foldNode) }

// foldNode folds e, whose operands are folded already.
func foldNode(e Expr) Expr {
	switch x := e.(type) {
	case *Const, *Column, *Param:
		return e
	case *And:
		return foldConnective(x.Args, false, e)
	case *Or:
		return foldConnective(x.Args, true, e)
	case *Case:
		return foldCase(x)
	case *Coalesce:
		return foldCoalesce(x)
	case *Row:
		return e
	case *Call:
		if x.Func.Volatility != Immutable || x.Func.kernel == nil {
			return e
		}
		if x.Func.Strict && anyNullConst(x.Args) && !anyFailed(x.Args) {
			return &Const{T: x.T}
		}
	case *AnyAll:
		if x.Op.Volatility != Immutable {
			return e
		}
		if in := listOfAny(x); in != nil {
			return in
		}
	}
	if !allConst(e.Children()) {
		return e
	}
	if v, err := Eval(e, nil); err == nil {
		return &Const{Value: v, T: e.Type()}
	}
	return e
}

// listOfAny makes an InList of X = ANY (constant array), which is a look-up instead of a comparison an element.
func listOfAny(e *AnyAll) *InList {
	array, ok := e.Array.(*Const)
	if !ok || e.All || e.Op.cmp != cmpEQ || !array.T.Array || !array.T.Elem().Same(e.X.Type()) || !e.Op.Args[0].Same(e.X.Type()) {
		return nil
	}
	if _, constant := e.X.(*Const); constant {
		return nil
	}
	if array.Value == nil {
		return nil
	}
	items := elements(array.Value)
	if len(items) == 0 {
		return nil // false even for a NULL
	}
	out := &InList{X: e.X}
	for _, v := range items {
		out.List = append(out.List, &Const{Value: v, T: e.X.Type()})
	}
	return out
}

func anyNullConst(es []Expr) bool {
	for _, e := range es {
		if isNullConst(e) {
			return true
		}
	}
	return false
}

// anyFailed reports whether a constant within es, which are folded, could not be computed: it fails the query even beside a NULL.
func anyFailed(es []Expr) (failed bool) {
	for _, e := range es {
		Walk(e, func(x Expr) bool {
			c, ok := x.(*Call)
			failed = failed || ok && c.Func.Volatility == Immutable && c.Func.kernel != nil && len(c.Args) > 0 && allConst(c.Args)
			return !failed
		})
	}
	return failed
}

func allConst(es []Expr) bool {
	for _, e := range es {
		if _, ok := e.(*Const); !ok {
			return false
		}
	}
	return true
}

// foldConnective drops the operands that cannot change the outcome, and all if one decides it.
func foldConnective(args []Expr, decides bool, e Expr) Expr {
	var rest []Expr
	for _, a := range args {
		c, ok := a.(*Const)
		if !ok || c.Value == nil {
			rest = append(rest, a)
			continue
		}
		if c.Value == decides {
			return c
		}
	}
	switch {
	case len(rest) == 0:
		return &Const{Value: !decides, T: boolType}
	case len(rest) == 1:
		return rest[0]
	case len(rest) < len(args) && decides:
		return &Or{Args: rest}
	case len(rest) < len(args):
		return &And{Args: rest}
	}
	return e
}

// foldCase drops the arms that are never taken and ends at the first that always is.
func foldCase(e *Case) Expr {
	out := &Case{Else: e.Else, T: e.T}
	changed := false
	for _, w := range e.Whens {
		c, ok := w.Cond.(*Const)
		if !ok {
			out.Whens = append(out.Whens, w)
			continue
		}
		changed = true
		if c.Value == true {
			out.Else = w.Then
			break
		}
	}
	switch {
	case len(out.Whens) == 0:
		return out.Else
	case changed:
		return out
	}
	return e
}

// foldCoalesce drops NULL constants and ends at the first other constant.
func foldCoalesce(e *Coalesce) Expr {
	var rest []Expr
	for _, a := range e.Args {
		if isNullConst(a) {
			continue
		}
		rest = append(rest, a)
		if _, ok := a.(*Const); ok {
			break
		}
	}
	switch {
	case len(rest) == 0:
		return &Const{T: e.T}
	case len(rest) == 1:
		return rest[0]
	case len(rest) < len(e.Args):
		return &Coalesce{Args: rest, T: e.T}
	}
	return e
}
