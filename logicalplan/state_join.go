package logicalplan

import (
	"strings"

	"wmsql/expr"
)

// SideState is what EXPLAIN says of one side of a join.
type SideState struct{ Name, Key, Bound, Frees string }

// joinFacts tells of a join of two streams, side by side.
func joinFacts(j *Join) State {
	b := JoinBoundOf(j)
	f := State{Emits: joinEmits(j), First: "the first pair"}
	if j.Kind == AntiJoin {
		f.First = "the first row whose partners cannot come any more"
	}
	keys := [2][]expr.Expr{j.L, j.R}
	for side, name := range [...]string{"left", "right"} {
		in := j.Inputs()[side]
		s := SideState{Name: name, Key: "(none)", Bound: "NONE: " + b.Why, Frees: "never"}
		if len(keys[side]) > 0 {
			s.Key = exprs(keys[side])
		}
		if after, ok := b.Waits(side); !ok && j.TTL > 0 {
			s.Bound, s.Frees = "time since a row came", "when it came "+FormatMicros(j.TTL)+" ago"
		} else if ok {
			s.waits(columnName(in, b.Time[side]), after, b.inclusive(side), watermarkOf(markNames(j), inputLag(j)))
		}
		f.Sides = append(f.Sides, s)
	}
	return f
}

// waits says what frees a row after µs past the column key. An inclusive bound frees 1 µs later than it says.
func (s *SideState) waits(key string, after int64, inclusive bool, mark string) {
	is, when := " is after the ", " <= "
	if inclusive {
		after--
		is, when = " is at or after the ", " < "
	}
	switch {
	case after > 0:
		key += " + " + FormatMicros(after)
	case after < 0:
		key += " - " + FormatMicros(-after)
	}
	s.Bound, s.Frees = "rows whose "+key+is+mark, "when "+key+when+mark
}

// inclusive reports whether the bound that frees the rows of a side is one that still matches.
func (b *JoinBound) inclusive(side int) bool {
	return !b.Equal && (side == 0 && !b.HiStrict || side == 1 && !b.LoStrict)
}

// watermarkOf names the watermark of the columns, lag µs behind.
func watermarkOf(columns []string, lag int64) string {
	s := "watermark(" + strings.Join(columns, ", ") + ")"
	if lag > 0 {
		s += " - " + FormatMicros(lag)
	}
	return s
}

// inputLag is how far the joins below n put its input behind the watermark, µs.
func inputLag(n Node) int64 {
	lag := int64(0)
	for _, in := range n.Inputs() {
		own := inputLag(in)
		if j, ok := in.(*Join); ok && !j.AsOf() && Derive(j.Left).Stream && Derive(j.Right).Stream {
			b := JoinBoundOf(j)
			own += b.Lag()
		}
		lag = max(lag, own)
	}
	return lag
}

// markNames are the columns that the watermark of both sides is made of.
func markNames(j *Join) []string {
	var out []string
	Walk(j, func(n Node) bool {
		if w, ok := n.(*EventTimeWatermark); ok {
			out = append(out, columnName(w, w.Column))
		}
		return true
	})
	return out
}

func joinEmits(j *Join) string {
	unmatched := map[JoinKind]string{LeftJoin: "a left row", RightJoin: "a right row", FullJoin: "a row of either side"}
	switch j.Kind {
	case SemiJoin:
		return "each left row once, at its first match (append)"
	case AntiJoin:
		return "each left row without a match, when it is freed (append)"
	case LeftJoin, RightJoin, FullJoin:
		return "each pair at once, " + unmatched[j.Kind] + " without a match when it is freed (append)"
	}
	return "each pair at once (append)"
}
