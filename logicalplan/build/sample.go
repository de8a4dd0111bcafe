package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// sample binds TABLESAMPLE: a Filter over the rows of a stored relation. SYSTEM chooses single rows as BERNOULLI does, for the store has no
// pages to choose.
func (b *binder) sample(it *item, t *sql.Table, outer *scope) (*item, error) {
	s := t.Sample
	switch {
	case it.rels[0].rowKey == nil:
		return nil, b.errorf(t.Pos, sqlerr.WrongObjectType, "TABLESAMPLE clause can only be applied to tables and materialized views")
	case b.env.Continuous:
		return nil, b.unsupported(s.Pos, "TABLESAMPLE in a continuous query")
	case s.Method.Name != "bernoulli" && s.Method.Name != "system":
		return nil, b.errorf(s.Method.Pos, sqlerr.UndefinedObject, "tablesample method %s does not exist", s.Method.Name)
	}
	c := &exprCtx{b: b, scope: outer, clause: "TABLESAMPLE"}
	float := types.Of(types.Float8)
	bind := func(x sql.Expr) (expr.Expr, error) {
		e, err := c.bind(x)
		if err != nil {
			return nil, err
		}
		return b.cast(e, float, expr.Assignment, start(x))
	}
	percent, err := bind(s.Percent)
	if err != nil {
		return nil, err
	}
	var seed expr.Expr = &expr.Const{T: float}
	if s.Seed != nil {
		if seed, err = bind(s.Seed); err != nil {
			return nil, err
		}
		if k, ok := expr.Fold(seed).(*expr.Const); ok && k.Value == nil {
			return nil, b.errorf(s.Seed.At(), "2202G", "TABLESAMPLE REPEATABLE parameter cannot be null")
		}
	}
	key := it.rels[0].rowKey()
	cond, err := b.fn("tablesample", []expr.Expr{use(key), percent, seed}, s.Pos)
	if err != nil {
		return nil, err
	}
	it.node = &logicalplan.Filter{Input: it.node, Conds: []expr.Expr{cond}, Pos: b.pos(s.Pos)}
	return it, nil
}
