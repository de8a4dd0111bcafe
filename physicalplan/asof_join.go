package physicalplan

import (
	"fmt"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
)

// AsOfJoin joins each row of Left with the newest row of Right that has its key and lies at or before it. Without State the right side
// is whole and is held in memory; with State both sides come epoch by epoch, left rows wait until the watermark has passed them, and of
// the right side the newest row up to the watermark of each key is kept, with all rows after it.
type AsOfJoin struct {
	Output
	Left, Right         Node
	Outer               bool        // left rows without a partner are put out
	L, R                []expr.Expr // equal pairs; none: all rows have the same key
	LeftTime, RightTime expr.Expr   // of one type; with State the columns that rows are late by
	Strict              bool        // a row at the same time does not match
	State               uint32
	TTL                 int64 // µs after which the right rows of a key are forgotten when no other came; 0: never
	Span                int64 // of the event time for which waiting rows share a bucket, µs
	Reject              *Rejects
}

// Inputs returns both sides.
func (n *AsOfJoin) Inputs() []Node { return []Node{n.Left, n.Right} }

// Table is the table of the rows of both sides, 0 if nothing is kept.
func (n *AsOfJoin) Table() uint32 { return n.State }

// Title is the operator's line.
func (n *AsOfJoin) Title() string {
	s := "AsOfJoin"
	if n.Outer {
		s += " Left"
	}
	for i := range n.L {
		s += map[bool]string{true: " ", false: " AND "}[i == 0] + n.L[i].String() + " = " + n.R[i].String()
	}
	s += " newest " + n.RightTime.String() + map[bool]string{true: " < ", false: " <= "}[n.Strict] + n.LeftTime.String()
	if n.State > 0 {
		s += fmt.Sprintf(" table=%d", n.State) + ttlTitle(n.TTL)
	}
	return s
}

// asOfJoin lowers an ASOF join: of two streams with state, else with a whole right side, read anew by every epoch.
func (l *lowering) asOfJoin(n *logicalplan.Join) (Node, flow, error) {
	streams := l.view != nil && logicalplan.Derive(n.Right).Stream
	j := &AsOfJoin{Output: outputOf(n), Outer: n.Kind == logicalplan.AsOfLeftJoin, L: n.L, R: n.R, TTL: n.TTL}
	j.LeftTime, j.RightTime, j.Strict = n.AsOfTimes()
	if streams {
		l.timed++
		defer func() { l.timed-- }()
		if why := n.AsOfSides(); why != "" {
			return nil, whole, unsupported(n.Pos, "an ASOF join of streams by other times than their event times: %s", why)
		}
		j.State, j.Span = l.table(), joinSpanMin
	}
	var flows [2]flow
	for i, in := range n.Inputs() {
		side, f, err := l.lower(in)
		if err != nil {
			return nil, f, err
		}
		if streams && f == appends {
			t := []expr.Expr{j.LeftTime, j.RightTime}[i]
			c, _ := plain(t)
			side = l.lateTest(side, ordinal(side, c.ID), logicalplan.Bound{}, nil, j.State)
		}
		flows[i] = f
		*[]*Node{&j.Left, &j.Right}[i] = side
	}
	switch {
	case flows[0].alters() || flows[1].alters():
		return nil, whole, unsupported(n.Pos, "an ASOF join of rows that may change")
	case streams && (flows[0] != appends || flows[1] != appends || l.view.Mode == catalog.Complete):
		return nil, whole, unsupported(n.Pos, "an ASOF join of streams outside append and update mode")
	}
	j.Reject = l.rejects(flows[0])
	if streams {
		l.made()
	}
	return j, flows[0], nil
}
