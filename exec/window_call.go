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

func (b *builder) windowCall(n *physicalplan.WindowFunc, call *logicalplan.WindowCall, layout []expr.ColumnID) (*windowCall, error) {
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

func (c *windowCall) rank(s *sortedRows) column.Vector {
	out := make([]int64, s.rows.Rows)
	for i := range out {
		p := s.peers[i]
		switch c.call.Name {
		case "row_number":
			out[i] = int64(int32(i)-s.from[i]) + 1
		case "rank":
			out[i] = int64(p.start-s.from[i]) + 1
		default:
			out[i] = int64(p.number) + 1
		}
	}
	return &column.Of[int64]{T: c.call.Out.Type, Values: out}
}

func (c *windowCall) share(s *sortedRows) column.Vector {
	out := make([]float64, s.rows.Rows)
	for i := range out {
		p, n := s.peers[i], s.to[i]-s.from[i]
		switch {
		case c.call.Name == "cume_dist":
			out[i] = float64(p.end-s.from[i]) / float64(n)
		case n > 1:
			out[i] = float64(p.start-s.from[i]) / float64(n-1)
		}
	}
	return &column.Of[float64]{T: c.call.Out.Type, Values: out}
}

// ntile cuts each partition into equal parts, the first ones larger by one row where it does not come out even. Their number is
// that of the partition's first row, as in Postgres.
func (c *windowCall) ntile(s *sortedRows, count *column.Of[int64]) (column.Vector, error) {
	b := column.NewFixedBuilder[int64](c.call.Out.Type, s.rows.Rows)
	for i := range int32(s.rows.Rows) {
		first := int(s.from[i])
		if count.IsNull(first) {
			b.AppendNull()
			continue
		}
		parts := count.Values[first]
		if parts <= 0 {
			return nil, sqlerr.Newf("22014", "argument of ntile must be greater than zero")
		}
		n, at := int64(s.to[i]-s.from[i]), int64(i-s.from[i])
		size, large := n/parts, n%parts
		if at < large*(size+1) {
			b.Append(at/(size+1) + 1)
		} else {
			b.Append(large + (at-large*(size+1))/size + 1)
		}
	}
	return b.Build(), nil
}

// shift is lag and lead: the value so many rows away in the partition, else the default.
func (c *windowCall) shift(s *sortedRows, args []column.Vector) column.Vector {
	b := column.NewBuilder(c.call.Out.Type, s.rows.Rows)
	sign := int64(-1)
	if c.call.Name == "lead" {
		sign = 1
	}
	for i := range s.rows.Rows {
		by := int64(1)
		if len(args) > 1 {
			if args[1].IsNull(i) {
				b.AppendNull()
				continue
			}
			by = args[1].(*column.Of[int64]).Values[i]
		}
		at := int64(i) + sign*by
		switch {
		case at >= int64(s.from[i]) && at < int64(s.to[i]):
			b.AppendFrom(args[0], int(at))
		case len(args) > 2:
			b.AppendFrom(args[2], i)
		default:
			b.AppendNull()
		}
	}
	return b.Build()
}

// pick is first_value, last_value and nth_value.
func (c *windowCall) pick(s *sortedRows, args []column.Vector) (column.Vector, error) {
	bounds, err := c.frame.bounds(s)
	if err != nil {
		return nil, err
	}
	b := column.NewBuilder(c.call.Out.Type, s.rows.Rows)
	var rows []int32
	for i := range s.rows.Rows {
		rows = bounds.rows(rows[:0], s, int32(i))
		at := 0
		switch c.call.Name {
		case "last_value":
			at = len(rows) - 1
		case "nth_value":
			n := args[1].(*column.Of[int64])
			if n.IsNull(i) {
				b.AppendNull()
				continue
			}
			if n.Values[i] <= 0 {
				return nil, sqlerr.Newf("22016", "argument of nth_value must be greater than zero")
			}
			at = int(min(n.Values[i]-1, int64(len(rows))))
		}
		if at < 0 || at >= len(rows) {
			b.AppendNull()
			continue
		}
		b.AppendFrom(args[0], int(rows[at]))
	}
	return b.Build(), nil
}

// aggregate computes an aggregate over every row's frame. A frame that only grows at its end is added to, one that also leaves rows
// behind retracts them where the function can, else it is computed anew. Equal frames share a value.
func (c *windowCall) aggregate(s *sortedRows, args []column.Vector) (column.Vector, error) {
	bounds, err := c.frame.bounds(s)
	if err != nil {
		return nil, err
	}
	r := &running{acc: expr.NewAccumulator(c.call.Agg, c.ctx), args: args,
		retract: c.call.Agg.Func.Retractable && !c.call.Agg.Distinct && len(c.call.Agg.OrderBy) == 0}
	r.acc.Resize(1)
	if c.filter != nil {
		v, err := c.filter.eval(nil, s.rows)
		if err != nil {
			return nil, err
		}
		r.filter = v[0].(*column.Of[bool])
	}
	values := column.NewBuilder(c.call.Out.Type, 0)
	which := make([]int32, s.rows.Rows)
	var rows []int32
	for i := range int32(s.rows.Rows) {
		lo, hi := bounds.lo[i], max(bounds.lo[i], bounds.hi[i])
		if bounds.excludes() {
			rows = bounds.rows(rows[:0], s, i)
			err = r.anew(rows)
		} else if i > 0 && lo == r.lo && hi == r.hi && s.from[i] == s.from[i-1] {
			which[i] = which[i-1]
			continue
		} else {
			err = r.move(lo, hi)
		}
		if err == nil {
			which[i] = int32(values.Len())
			err = r.acc.Result(values, zeroSlot)
		}
		if err != nil {
			return nil, err
		}
	}
	return values.Build().Take(which), nil
}

var zeroSlot = []int32{0}

// running is an aggregate over rows [lo, hi).
type running struct {
	acc     expr.Accumulator
	args    []column.Vector
	filter  *column.Of[bool]
	retract bool
	lo, hi  int32
	rows    []int32
	slots   []int32
}

// move makes the rows [lo, hi).
func (r *running) move(lo, hi int32) error {
	keeps := lo < r.hi && hi >= r.hi && (lo == r.lo || lo > r.lo && r.retract)
	if !keeps {
		r.acc.Reset(0)
		r.lo, r.hi = lo, lo
	}
	if gone := r.span(r.lo, lo); len(gone) > 0 {
		if err := r.acc.Retract(r.zeros(len(gone)), gone, r.args); err != nil {
			return err
		}
	}
	if more := r.span(r.hi, hi); len(more) > 0 {
		if err := r.acc.Add(r.zeros(len(more)), more, r.args); err != nil {
			return err
		}
	}
	r.lo, r.hi = lo, hi
	return nil
}

// anew makes the rows those listed.
func (r *running) anew(rows []int32) error {
	r.acc.Reset(0)
	if r.filter != nil {
		kept := rows[:0]
		for _, i := range rows {
			if r.filter.Values[i] && !r.filter.IsNull(int(i)) {
				kept = append(kept, i)
			}
		}
		rows = kept
	}
	if len(rows) == 0 {
		return nil
	}
	return r.acc.Add(r.zeros(len(rows)), rows, r.args)
}

// span lists the rows of [from, to) that the filter lets through.
func (r *running) span(from, to int32) []int32 {
	r.rows = r.rows[:0]
	for i := from; i < to; i++ {
		if r.filter == nil || r.filter.Values[i] && !r.filter.IsNull(int(i)) {
			r.rows = append(r.rows, i)
		}
	}
	return r.rows
}

func (r *running) zeros(n int) []int32 {
	for len(r.slots) < n {
		r.slots = append(r.slots, 0)
	}
	return r.slots[:n]
}
