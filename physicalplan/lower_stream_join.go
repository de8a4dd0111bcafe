package physicalplan

import (
	"math"
	"slices"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
)

// The ends of a JoinRange that is open. Either may be negated.
const (
	noLow  = -math.MaxInt64
	noHigh = math.MaxInt64
)

// zoneSlack is by how much a bound with days may be stretched by changes of the clock, µs.
const zoneSlack = 3 * 3600e6

// Buckets of a join's state: a row's partners lie in few of them, and there are not many at a time.
const (
	joinBuckets = 4      // that the range of one row's partners spans
	joinSpanMin = 10e6   // µs
	joinSpanMax = 3600e6 // µs
	joinSpanEq  = 60e6   // µs, for equal times
)

// joinInput is a lowered side of a join.
type joinInput struct {
	Node
	keepsLate bool
	reject    *Rejects
}

// streamJoin lowers a join of two streams whose sides are lowered.
func (l *lowering) streamJoin(n *logicalplan.Join, sides [2]joinInput) (Node, flow, error) {
	if l.view.Mode == catalog.Complete {
		return nil, whole, unsupported(n.Pos, "a join of two streams outside append and update mode")
	}
	b := logicalplan.JoinBoundOf(n)
	j := &StreamJoin{Output: outputOf(n), Kind: n.Kind, State: l.table(), Lag: -1, Span: joinSpanMax}
	if j.Kind == logicalplan.CrossJoin {
		j.Kind = logicalplan.InnerJoin
	}
	if b.OK {
		j.Lag = b.Lag()
	}
	slack := l.slack(&b)
	keys := [2][]expr.Expr{n.L, n.R}
	for i, in := range sides {
		s := JoinSide{Input: in.Node, Keys: keys[i], Keep: keepsSide(n.Kind, i), Time: -1, KeepLate: in.keepsLate, Reject: in.reject}
		props := logicalplan.Derive(n.Inputs()[i])
		s.Marked = len(props.Marks) > 0
		s.timed(n.Inputs()[i], &b, props, i)
		if after, ok := b.Waits(i); ok {
			s.Frees, s.FreeAfter = true, after+slack
		} else {
			s.TTL = n.TTL
		}
		j.Sides[i] = s
	}
	if j.Lag >= 0 {
		j.Lag += slack
	}
	if slack > 0 {
		b.Exact = nil // the range says less than they do
	}
	j.conditions(n, &b)
	j.ranged(&b, slack)
	j.Reject = l.rejects(appends)
	l.made()
	return j, appends, nil
}

// slack is what a bound in days needs where a day may have another length than 24 hours.
func (l *lowering) slack(b *logicalplan.JoinBound) int64 {
	if b.Days && !slices.Contains([]string{"", "UTC", "GMT", "Etc/UTC"}, l.view.TimeZone) {
		return zoneSlack
	}
	return 0
}

// timed finds the column by which the side's rows are late: the one the condition ties, else any event time.
func (s *JoinSide) timed(in logicalplan.Node, b *logicalplan.JoinBound, props *logicalplan.Props, side int) {
	if id := b.Time[side]; id != 0 {
		s.Time, s.LateAfter = ordinal(s.Input, id), b.Late(side)
		return
	}
	for i, c := range in.Columns() {
		if m, ok := props.Marks[c.ID]; ok && m.Kind == logicalplan.MarkTime {
			s.Time = i
			return
		}
	}
}

// keepsSide reports whether rows of a side that find no partner are put out.
func keepsSide(k logicalplan.JoinKind, side int) bool {
	switch k {
	case logicalplan.FullJoin:
		return true
	case logicalplan.LeftJoin, logicalplan.AntiJoin:
		return side == 0
	case logicalplan.RightJoin:
		return side == 1
	}
	return false
}

// conditions parts the rest of the condition by the side it reads; what the range says exactly is left out.
func (n *StreamJoin) conditions(j *logicalplan.Join, b *logicalplan.JoinBound) {
	left, right := logicalplan.ColumnSet(j.Left), logicalplan.ColumnSet(j.Right)
	for i, c := range j.On {
		reads := [2]bool{}
		expr.Columns(c, func(c *expr.Column) {
			reads[0] = reads[0] || left[c.ID]
			reads[1] = reads[1] || right[c.ID]
		})
		switch {
		case slices.Contains(b.Exact, i):
		case reads[0] && !reads[1]:
			n.Sides[0].Conds = append(n.Sides[0].Conds, c)
		case reads[1] && !reads[0]:
			n.Sides[1].Conds = append(n.Sides[1].Conds, c)
		default:
			n.On = append(n.On, c)
		}
	}
}

// ranged makes the range and the span of the buckets.
func (n *StreamJoin) ranged(b *logicalplan.JoinBound, slack int64) {
	switch {
	case b.Time[0] == 0:
		return
	case b.Equal:
		n.Range, n.Span = &JoinRange{}, joinSpanEq
		if w := b.Mark[0].Window; w != nil {
			n.Span = max(joinSpanEq, logicalplan.Micros(w.Slide))
		}
		return
	}
	n.Range = &JoinRange{Lo: noLow, Hi: noHigh}
	if b.HasLo {
		n.Range.Lo = b.Lo - slack
		if b.LoStrict {
			n.Range.Lo++
		}
	}
	if b.HasHi {
		n.Range.Hi = b.Hi + slack
		if b.HiStrict {
			n.Range.Hi--
		}
	}
	if b.OK {
		n.Span = min(joinSpanMax, max(joinSpanMin, (n.Range.Hi-n.Range.Lo)/joinBuckets))
	}
}
