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
		if after, ok := b.Waits(side); ok {
			key := columnName(in, b.Time[side])
			if after != 0 {
				key += " + " + formatMicros(after)
			}
			if after < 0 {
				key = columnName(in, b.Time[side]) + " - " + formatMicros(-after)
			}
			mark := "watermark(" + strings.Join(markNames(j), ", ") + ")"
			s.Bound, s.Frees = "rows whose "+key+" is after the "+mark, "when "+key+" <= "+mark
		}
		f.Sides = append(f.Sides, s)
	}
	return f
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
