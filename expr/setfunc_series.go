package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

func seriesFunctions() []*setFunction {
	out := []*setFunction{
		set("generate_series(numeric,numeric) numeric", numericSeries), set("generate_series(numeric,numeric,numeric) numeric", numericSeries),
		set("generate_series(timestamp,timestamp,interval) timestamp", timeSeries),
		set("generate_series(timestamptz,timestamptz,interval) timestamptz", timeSeries, stable),
	}
	for _, t := range []string{"int4", "int8"} {
		out = append(out, set("generate_series("+t+","+t+") "+t, intSeries), set("generate_series("+t+","+t+","+t+") "+t, intSeries))
	}
	return out
}

func errZeroStep() error {
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "step size cannot equal zero")
}

func intSeries(args []any, s *site) (*column.Batch, error) {
	at, last, step := args[0].(int64), args[1].(int64), int64(1)
	if len(args) == 3 {
		step = args[2].(int64)
	}
	if step == 0 {
		return nil, errZeroStep()
	}
	var vals []int64
	for step > 0 && at <= last || step < 0 && at >= last {
		if len(vals) == setRowsMax {
			return nil, errTooManyRows(s.fn.Name)
		}
		vals = append(vals, at)
		next, ok := addInt(at, step)
		if !ok {
			break
		}
		at = next
	}
	return one(&column.Of[int64]{T: s.ret, Values: vals})
}

func numericSeries(args []any, s *site) (*column.Batch, error) {
	step := types.DecimalFromInt64(1)
	if len(args) == 3 {
		step = args[2].(types.Decimal)
	}
	at, last := args[0].(types.Decimal), args[1].(types.Decimal)
	for i, name := range [...]string{"start value", "stop value", "step size"} {
		v := [...]types.Decimal{at, last, step}[i]
		switch {
		case v.IsNaN():
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "%s cannot be NaN", name)
		case !v.IsFinite():
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "%s cannot be infinity", name)
		}
	}
	if step.Sign() == 0 {
		return nil, errZeroStep()
	}
	var vals []types.Decimal
	for at.Cmp(last)*step.Sign() <= 0 {
		if len(vals) == setRowsMax {
			return nil, errTooManyRows(s.fn.Name)
		}
		vals = append(vals, at)
		at = at.Add(step)
	}
	return one(&column.Of[types.Decimal]{T: s.ret, Values: vals})
}

// timeSeries steps by an interval; instants step on the clock of the session's zone.
func timeSeries(args []any, s *site) (*column.Batch, error) {
	at, last, step := args[0].(int64), args[1].(int64), args[2].(types.IntervalValue)
	sign := step.Cmp(types.IntervalValue{})
	if sign == 0 {
		return nil, errZeroStep()
	}
	if isInfinite(at) {
		return nil, sqlerr.Unsupported("generate_series from infinity")
	}
	zone := s.format().Zone
	var vals []int64
	for sign > 0 && at <= last || sign < 0 && at >= last {
		if len(vals) == setRowsMax {
			return nil, errTooManyRows(s.fn.Name)
		}
		vals = append(vals, at)
		var err error
		if s.ret.Kind == types.TimestampTZ {
			at, err = types.AddIntervalTZ(at, step, zone)
		} else {
			at, err = types.AddInterval(at, step)
		}
		if err != nil {
			return nil, err
		}
	}
	return one(&column.Of[int64]{T: s.ret, Values: vals})
}
