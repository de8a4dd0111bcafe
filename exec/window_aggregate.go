package exec

import (
	"wmsql/column"
	"wmsql/expr"
)

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
	last := int32(-1) // the row that r is of
	for i := range int32(s.rows.Rows) {
		if !s.wants(int(i)) {
			continue
		}
		lo, hi := bounds.lo[i], max(bounds.lo[i], bounds.hi[i])
		if bounds.excludes() {
			rows = bounds.rows(rows[:0], s, i)
			err = r.anew(rows)
		} else if last >= 0 && lo == r.lo && hi == r.hi && s.from[i] == s.from[last] {
			which[i], last = which[last], i
			continue
		} else {
			err = r.move(lo, hi)
		}
		if err == nil {
			which[i], last = int32(values.Len()), i
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
