package exec

import (
	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
)

// windowCall is one function of a windowFunc.
type windowCall struct {
	call   *logicalplan.WindowCall
	args   *exprs
	filter *exprs // of an aggregate, nil if none
	frame  *frame
	ctx    *expr.Context
}

func (b *builder) windowCall(n *physicalplan.Over, call *logicalplan.WindowCall, layout []expr.ColumnID) (*windowCall, error) {
	c := &windowCall{call: call, ctx: b.env.Expr}
	args := call.Args
	var err error
	if call.Agg != nil {
		args = call.Agg.Args
		for _, k := range call.Agg.OrderBy {
			args = append(args[:len(args):len(args)], k.X)
		}
		if call.Agg.Filter != nil {
			if c.filter, err = b.exprs([]expr.Expr{call.Agg.Filter}, layout); err != nil {
				return nil, err
			}
		}
	}
	if c.args, err = b.exprs(args, layout); err != nil {
		return nil, err
	}
	c.frame, err = b.frame(n, call.Frame, layout)
	return c, err
}

// compute returns the function's value for every row.
func (c *windowCall) compute(s *sortedRows) (column.Vector, error) {
	args, err := c.args.eval(nil, s.rows)
	if err != nil {
		return nil, err
	}
	if c.call.Agg != nil {
		return c.aggregate(s, args)
	}
	switch c.call.Name {
	case "row_number", "rank", "dense_rank":
		return c.rank(s), nil
	case "percent_rank", "cume_dist":
		return c.share(s), nil
	case "ntile":
		return c.ntile(s, args[0].(*column.Of[int64]))
	case "lag", "lead":
		return c.shift(s, args), nil
	case "first_value", "last_value", "nth_value":
		return c.pick(s, args)
	}
	return nil, sqlerr.Unsupported("the window function %s", c.call.Name)
}
