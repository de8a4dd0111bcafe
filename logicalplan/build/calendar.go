package build

import (
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// windowZone reads time_zone => 'Europe/Berlin': "" for UTC.
func (c *exprCtx) windowZone(e sql.Expr) (string, error) {
	x, err := c.bind(e)
	if err != nil {
		return "", err
	}
	v, err := c.b.constant(x, e.At())
	if err != nil {
		return "", err
	}
	name, ok := v.(string)
	if !ok {
		return "", c.b.errorf(e.At(), sqlerr.InvalidParameterValue, "time_zone of a window must be the name of a time zone")
	}
	if _, name, err = types.LoadZone(name); err != nil {
		return "", c.b.fail(err, e.At())
	}
	if name == "UTC" {
		name = ""
	}
	return name, nil
}

// checkCalendar refuses windows that mix months with other units: where they lie would not be clear.
func (c *exprCtx) checkCalendar(w *windowSpecOf, offset types.IntervalValue) error {
	months := w.size.Months != 0 || w.slide.Months != 0
	switch {
	case offset.Months != 0:
		return c.b.unsupported(w.pos, "an offset of months of a window")
	case !months:
		return nil
	case w.kind == logicalplan.Cumulate:
		return c.b.unsupported(w.pos, "a CUMULATE window of months")
	case !onlyMonths(w.size) || !onlyMonths(w.slide):
		return c.b.unsupported(w.pos, "a window that mixes months with days or hours")
	}
	return nil
}

func onlyMonths(v types.IntervalValue) bool { return v.Months != 0 && v.Days == 0 && v.Micros == 0 }
