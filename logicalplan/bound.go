package logicalplan

import "wmsql/expr"

// Bound is what bounds the state of a stateful node, and what frees it.
type Bound struct {
	// Column is of the node's input, or a key: when its value is at or before the watermark the state is freed. 0 when nothing
	// frees it by time: one row for ever, or the TTL.
	Column expr.ColumnID
	Kind   MarkKind // MarkTime: freed at the value; MarkWindowEnd: the value is the window's end
	OK     bool     // false: unbounded
	Why    string   // one clause: "window_end <= watermark", "no watermark below"
	// Delay is how long the state outlives the column's value, µs: of DISTINCT ON ... WITHIN WATERMARK.
	Delay int64
}

// AggregateBound says what bounds the groups of a. Keys are named by their output IDs. The end of a
// window is preferred to its other columns, and a window to a bare event time.
func AggregateBound(a *Aggregate) Bound {
	if len(a.Keys) == 0 {
		return Bound{OK: true, Why: "one group"}
	}
	in := Derive(a.Input)
	if !in.Stream {
		return Bound{OK: true, Why: "the input ends"}
	}
	best := Bound{Why: "no key is tied to a watermark"}
	for _, k := range a.Keys {
		c, ok := k.Expr.(*expr.Column)
		if !ok {
			continue
		}
		m, ok := in.Marks[c.ID]
		if !ok || m.Kind == MarkWindowStart {
			continue
		}
		if !best.OK || rank(m.Kind) > rank(best.Kind) {
			best = Bound{Column: k.Out.ID, Kind: m.Kind, OK: true, Why: k.Out.Name + " <= watermark"}
		}
	}
	if a.TTL > 0 {
		return Bound{OK: true, Why: "unchanged for " + FormatMicros(a.TTL)}
	}
	return best
}

func rank(k MarkKind) int {
	return [...]int{MarkTime: 1, MarkWindowStart: 0, MarkWindowEnd: 3, MarkWindowTime: 2}[k]
}
