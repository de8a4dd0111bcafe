package expr

import "wmsql/types"

// NewRetracting returns an empty accumulator for a whose Retract undoes Add exactly: the value is that of the rows that are left,
// bit by bit and digit by digit, however they came. Functions that can do so by themselves keep what they always keep; the others
// (min, max, sums of floats, string_agg and its like) keep the rows, and show them in the order of their values where the call has no ORDER BY.
func NewRetracting(a *Aggregate, ctx *Context) Accumulator {
	s := &aggSite{args: typesOf(a.Args), ret: a.T, ctx: ctx}
	switch {
	case !RetractsByItself(a):
		return newKeptAccumulator(a, ctx)
	case numericArgs(a) && !a.Distinct:
		return makeCells(scaledSumKernel(a.Func.Name))(s)
	}
	return NewAccumulator(a, ctx)
}

// RetractsByItself reports whether a retracting accumulator for a does without keeping the rows.
func RetractsByItself(a *Aggregate) bool {
	if !a.Func.Retractable {
		return false
	}
	if !numericArgs(a) {
		return true
	}
	// A numeric is shown with the digits of the values that it came from, so these have to be known.
	return a.Func.Name == "count" || !a.Distinct && (a.Func.Name == "sum" || a.Func.Name == "avg")
}

// OrderOfArrival reports whether a's result depends on the order in which rows came, and cannot be told of rows that change.
func OrderOfArrival(a *Aggregate) bool {
	switch name := a.Func.Name; name {
	case "first", "last", "first" + ignoreNulls, "last" + ignoreNulls:
		return len(a.OrderBy) == 0
	}
	return false
}

func numericArgs(a *Aggregate) bool {
	for _, x := range a.Args {
		if t := x.Type(); t.Kind == types.Numeric && !t.Array && a.Func.Name != "count" {
			return true
		}
	}
	return false
}
