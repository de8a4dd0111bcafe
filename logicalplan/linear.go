package logicalplan

import (
	"wmsql/expr"
	"wmsql/types"
)

// linear is a sum of columns and intervals: each column with its factor, and from lo to hi µs, which differ where an interval has
// months, for those have 28 to 31 days.
type linear struct {
	cols   map[expr.ColumnID]int
	lo, hi int64
	days   bool // an interval has days, whose length depends on the time zone
	far    bool // lo or hi is beyond Longest, and neither is known
}

// linearOf reads e as such a sum: times and intervals added and subtracted, in any arrangement.
func linearOf(e expr.Expr) (linear, bool) {
	switch e := e.(type) {
	case *expr.Column:
		return linear{cols: map[expr.ColumnID]int{e.ID: 1}}, instant(e.T)
	case *expr.Const:
		iv, ok := e.Value.(types.IntervalValue)
		return constant(iv), ok && !TooLong(iv)
	case *expr.Call:
		return linearCall(e)
	}
	return linear{}, false
}

func linearCall(e *expr.Call) (linear, bool) {
	if e.Func.Name != "+" && e.Func.Name != "-" || !instant(e.T) && e.T.Kind != types.Interval {
		return linear{}, false
	}
	out, ok := linearOf(e.Args[0])
	if len(e.Args) == 1 {
		return linear{cols: map[expr.ColumnID]int{}}.minus(out), ok && e.Func.Name == "-"
	}
	y, ok2 := linearOf(e.Args[1])
	if e.Func.Name == "+" {
		y = linear{}.minus(y)
	}
	return out.minus(y), ok && ok2
}

// minus returns l - m.
func (l linear) minus(m linear) linear {
	out := linear{cols: map[expr.ColumnID]int{}, lo: l.lo - m.hi, hi: l.hi - m.lo, days: l.days || m.days, far: l.far || m.far}
	if out.far || out.lo < -Longest || out.hi > Longest {
		out.lo, out.hi, out.far = 0, 0, true
	}
	for id, n := range l.cols {
		out.cols[id] += n
	}
	for id, n := range m.cols {
		if out.cols[id] -= n; out.cols[id] == 0 {
			delete(out.cols, id)
		}
	}
	return out
}

// constant is an interval; a day has 24 hours.
func constant(v types.IntervalValue) linear {
	fixed := int64(v.Days)*MicrosPerDay + v.Micros
	a, b := fixed+int64(v.Months)*28*MicrosPerDay, fixed+int64(v.Months)*daysPerMonth*MicrosPerDay
	return linear{lo: min(a, b), hi: max(a, b), days: v.Days != 0 || v.Months != 0}
}

// instant reports whether t is a point in time with microseconds.
func instant(t types.Type) bool {
	return !t.Array && (t.Kind == types.Timestamp || t.Kind == types.TimestampTZ)
}
