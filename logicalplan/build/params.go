package build

import (
	"wmsql/expr"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// maxParams is Postgres's limit: a Bind message counts them in 16 bits.
const maxParams = 65535

// param binds $n: of its known type, or unknown until its surroundings give it one.
func (b *binder) param(p *sql.Param) (expr.Expr, error) {
	if p.N < 1 || p.N > maxParams || b.env.Params == nil {
		return nil, b.errorf(p.Pos, sqlerr.UndefinedParameter, "there is no parameter $%d", p.N)
	}
	known := *b.env.Params
	for len(known) < p.N {
		known = append(known, types.Of(types.Unknown))
	}
	*b.env.Params = known
	return &expr.Param{N: p.N, T: known[p.N-1]}, nil
}

// learn notes the types that resolution gave to parameters: the first use of each decides.
func (b *binder) learn(e expr.Expr) expr.Expr {
	if b.env.Params == nil || len(*b.env.Params) == 0 {
		return e
	}
	note := func(x expr.Expr) {
		p, ok := x.(*expr.Param)
		if known := *b.env.Params; ok && !isUnknown(p.T) && isUnknown(known[p.N-1]) {
			known[p.N-1] = types.Type{Kind: p.T.Kind, Array: p.T.Array, Mod: types.NoMod}
		}
	}
	note(e)
	for _, c := range e.Children() {
		note(c)
	}
	return e
}

// settleParams makes text of the parameters that nothing typed.
func (b *binder) settleParams() {
	if b.env.Params == nil {
		return
	}
	for i, t := range *b.env.Params {
		if isUnknown(t) {
			(*b.env.Params)[i] = textType
		}
	}
}
