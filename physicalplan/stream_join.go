package physicalplan

import (
	"fmt"
	"strconv"
	"time"

	"wmsql/expr"
	"wmsql/logicalplan"
)

type (
	// StreamJoin joins two streams: it keeps the rows of both from epoch to epoch, as long as they may find a partner.
	StreamJoin struct {
		Output
		Kind  logicalplan.JoinKind // not cross: that is inner without keys
		Sides [2]JoinSide          // left, right
		On    []expr.Expr          // over the columns of both: what neither the keys nor the range say
		State uint32
		Range *JoinRange // nil: event times are not compared
		// Lag is how far the output is behind the input, µs; -1: the state is not bounded and the output has no watermark.
		Lag int64
		// Span is for how much of the expiry times rows share a bucket, µs.
		Span   int64
		Reject *Rejects // of pairs
	}
	// JoinSide is one side of a StreamJoin.
	JoinSide struct {
		Input Node
		Keys  []expr.Expr // equal to the other side's
		Conds []expr.Expr // conditions of the join that read this side only: a row that fails them has no partner
		Keep  bool        // rows without a partner are put out: the side that an outer join keeps, the left one of an anti join
		// Marked says that a watermark lies below, so that the side takes part in the join's own.
		Marked bool
		// Time is the ordinal of the event time, -1 if there is none. A row is late LateAfter µs after it, and freed
		// FreeAfter µs after it if Frees.
		Time                 int
		Frees                bool
		LateAfter, FreeAfter int64
		TTL                  int64 // a row is freed so many µs after it came, where Frees is not set; 0: never
		KeepLate             bool  // late rows are kept for wm_catalog.late_rows
		Reject               *Rejects
		Shown                []int // ordinals of the columns a kept row shows; nil: all
	}
	// JoinRange is the bounds of right time - left time, µs, both inclusive; -MaxInt64 and MaxInt64: none.
	JoinRange struct{ Lo, Hi int64 }
)

// Inputs returns both sides.
func (n *StreamJoin) Inputs() []Node { return []Node{n.Sides[0].Input, n.Sides[1].Input} }

// Table is the table of both sides' rows.
func (n *StreamJoin) Table() uint32 { return n.State }

// Tests reports whether left rows come out by themselves: semi and anti joins.
func (n *StreamJoin) Tests() bool {
	return n.Kind == logicalplan.SemiJoin || n.Kind == logicalplan.AntiJoin
}

// Title is the operator's line.
func (n *StreamJoin) Title() string {
	s := "StreamJoin " + joinKindName(n.Kind)
	for i, k := range n.Sides[0].Keys {
		s += map[bool]string{true: " ", false: " AND "}[i == 0] + k.String() + " = " + n.Sides[1].Keys[i].String()
	}
	for i, name := range [...]string{"left", "right"} {
		if c := n.Sides[i].Conds; len(c) > 0 {
			s += " " + name + " " + joined(c, " AND ")
		}
	}
	if r := n.Range; r != nil && *r != (JoinRange{}) {
		s += fmt.Sprintf(" range [%s, %s]", rangeEnd(r.Lo), rangeEnd(r.Hi))
	}
	if len(n.On) > 0 {
		s += " residual " + joined(n.On, " AND ")
	}
	s += fmt.Sprintf(" table=%d", n.State)
	for i, name := range [...]string{"left", "right"} {
		if side := &n.Sides[i]; side.Frees {
			s += " " + name + " expires=" + side.Input.Schema().Fields[side.Time].Name + rangeAfter(side.FreeAfter)
		} else if side.TTL > 0 {
			s += " " + name + ttlTitle(side.TTL)
		}
	}
	return s
}

func rangeEnd(us int64) string {
	switch us {
	case noLow:
		return "-infinity"
	case noHigh:
		return "infinity"
	}
	return duration(us)
}

func rangeAfter(us int64) string {
	switch {
	case us > 0:
		return "+" + duration(us)
	case us < 0:
		return duration(us)
	}
	return ""
}

func duration(us int64) string {
	if hours := us / 3_600_000_000; hours > 2_000_000 || hours < -2_000_000 { // a Duration has room for 292 years
		return strconv.FormatInt(hours, 10) + "h"
	}
	return (time.Duration(us) * time.Microsecond).String()
}

func joinKindName(k logicalplan.JoinKind) string {
	return [...]string{"Inner", "Left", "Right", "Full", "Semi", "Anti", "Cross", "AsOf", "AsOfLeft", "Mark", "Single"}[k]
}
