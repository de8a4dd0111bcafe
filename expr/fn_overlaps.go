package expr

import "wmsql/column"

// overlapsFunctions are OVERLAPS: whether two spans of time, each from its start up to but not including its end, have an instant in common.
// A span's ends may stand in either order; one without length is its one instant.
func overlapsFunctions() []*Function {
	var out []*Function
	for _, t := range []string{"time", "timetz", "timestamp", "timestamptz"} {
		out = append(out, def("overlaps("+t+","+t+","+t+","+t+") bool", overlapRows, called))
	}
	return out
}

func overlapRows(s *site) body {
	out := output[bool]{t: s.ret}
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		var ends [4]func(int) int64
		for k := range ends {
			ends[k] = reader[int64](in[k])
		}
		side := func(k, i int) (span, bool) {
			return spanOf(ends[k](i), ends[k+1](i), in[k].IsNull(i), in[k+1].IsNull(i))
		}
		return out.fill(nil, n, func(i int) (bool, error) {
			a, okA := side(0, i)
			b, okB := side(2, i)
			if !okA || !okB {
				return false, errNull
			}
			return a.overlaps(b)
		})
	}
}

// span is a span of time; open says that its end is not known.
type span struct {
	start, end int64
	open       bool
}

// spanOf orders the ends; ok is false when neither is known.
func spanOf(start, end int64, noStart, noEnd bool) (s span, ok bool) {
	switch {
	case noStart && noEnd:
		return s, false
	case noStart:
		return span{start: end, open: true}, true
	case noEnd:
		return span{start: start, open: true}, true
	}
	return span{start: min(start, end), end: max(start, end)}, true
}

// overlaps is NULL where it depends on an end that is not known.
func (a span) overlaps(b span) (bool, error) {
	if a.start > b.start {
		a, b = b, a
	}
	switch {
	case a.open, a.start == b.start && b.open:
		return false, errNull
	case a.start == b.start || b.start < a.end:
		return true, nil
	case b.open:
		return false, errNull
	}
	return false, nil
}
