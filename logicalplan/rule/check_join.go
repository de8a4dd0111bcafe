package rule

import (
	"fmt"
	"slices"
	"strings"

	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// joinUnbounded is WM008: a join of two streams keeps the rows of both sides until no partner can come any more, which takes a
// watermark on both and a condition that ties their event times; and a table cannot be the side that an outer join keeps, for
// its rows never know that no partner will come.
var joinUnbounded = Check{
	Name: "JoinUnbounded",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		var out []*sqlerr.Error
		logicalplan.Walk(n, func(x logicalplan.Node) bool {
			if j, ok := x.(*logicalplan.Join); ok {
				if err := judgeJoin(j, t); err != nil {
					out = append(out, err)
				}
			}
			return true
		})
		return out
	},
}

func judgeJoin(j *logicalplan.Join, t *Target) *sqlerr.Error {
	l, r := logicalplan.Derive(j.Left), logicalplan.Derive(j.Right)
	switch {
	case !l.Stream && !r.Stream:
		return nil
	case j.AsOf():
		return judgeAsOf(j, l, r, t)
	case l.Stream != r.Stream:
		return judgeTableJoin(j, l.Stream)
	case j.TTL > 0:
		return nil
	}
	var why string
	switch {
	case len(l.Marks) == 0 && len(r.Marks) == 0:
		why = "neither side has a watermark"
	case len(l.Marks) == 0:
		why = "the left side has no watermark"
	case len(r.Marks) == 0:
		why = "the right side has no watermark"
	default:
		b := logicalplan.JoinBoundOf(j)
		if b.OK {
			return nil
		}
		why = b.Why
	}
	return joinFault(j, why, l, r)
}

func joinFault(j *logicalplan.Join, why string, l, r *logicalplan.Props) *sqlerr.Error {
	err := sqlerr.Newf(sqlerr.JoinUnbounded, "WM008: the join of two streams keeps its rows for ever: %s", why).At(j.Pos).
		WithDetail("A row of one side may find a partner at any time, so none of %s may be dropped.", j.Title())
	if j.Kind == logicalplan.InnerJoin || j.Kind == logicalplan.CrossJoin {
		err.Where = innerJoin
	}
	if fix := markSides(j, l, r); fix != "" {
		return err.WithHint("%s", fix)
	}
	return err.WithHint("%s", betweenHint(j, l, r))
}

// markSides gives the streams of the sides that have no watermark one; "" if there is none that could have one.
func markSides(j *logicalplan.Join, l, r *logicalplan.Props) string {
	var fixes []string
	for i, p := range []*logicalplan.Props{l, r} {
		if len(p.Marks) > 0 {
			continue
		}
		if s, col, ok := timeColumn(j.Inputs()[i]); ok {
			if fix := fixStream(s, streamFix{watermark: col, delay: tenMinutes}); !slices.Contains(fixes, fix) {
				fixes = append(fixes, fix)
			}
		}
	}
	return strings.Join(fixes, "\n")
}

// betweenHint is the condition with a range of the event times.
func betweenHint(j *logicalplan.Join, l, r *logicalplan.Props) string {
	left, right := eventTime(j.Left, l), eventTime(j.Right, r)
	conds := ""
	for i := range j.L {
		conds += sqlText(j.L[i]) + " = " + sqlText(j.R[i]) + " AND "
	}
	return fmt.Sprintf("ON %s%s BETWEEN %s AND %s + INTERVAL '1 hour'", conds, right, left, left)
}

// joinRestore is what keeps the watermark over a join: a range of the event times, or the time by which the join waits.
func joinRestore(j *logicalplan.Join) string {
	b := logicalplan.JoinBoundOf(j)
	if !b.OK {
		return betweenHint(j, logicalplan.Derive(j.Left), logicalplan.Derive(j.Right))
	}
	if b.Mark[0].Kind == logicalplan.MarkTime {
		return "DESCRIPTOR(" + ident(nameOf(j.Left, b.Time[0])) + ")"
	}
	return "DESCRIPTOR(window_time)"
}

// eventTime is the marked column of a side, with what the query calls the stream.
func eventTime(n logicalplan.Node, p *logicalplan.Props) string {
	for _, c := range n.Columns() {
		if m, ok := p.Marks[c.ID]; ok && m.Kind == logicalplan.MarkTime {
			if name := calledInQuery(n); name != "" {
				return ident(name) + "." + ident(c.Name)
			}
			return ident(c.Name)
		}
	}
	return "event_time"
}

// calledInQuery is the name by which the query calls the only stream below n.
func calledInQuery(n logicalplan.Node) string {
	s := onlyStream(n)
	if s == nil {
		return ""
	}
	name := s.Name
	logicalplan.Walk(n, func(x logicalplan.Node) bool {
		if scan, ok := x.(*logicalplan.StreamScan); ok && scan.Alias != "" {
			name = scan.Alias
		}
		return true
	})
	return name
}

// judgeTableJoin refuses the outer joins whose kept side is the table.
func judgeTableJoin(j *logicalplan.Join, streamLeft bool) *sqlerr.Error {
	keepsTable := j.Kind == logicalplan.FullJoin ||
		streamLeft && j.Kind == logicalplan.RightJoin ||
		!streamLeft && (j.Kind == logicalplan.LeftJoin || j.Kind == logicalplan.SemiJoin || j.Kind == logicalplan.AntiJoin)
	if !keepsTable {
		return nil
	}
	return sqlerr.Newf(sqlerr.JoinUnbounded, "WM008: the join would keep rows of the table that no row of the stream matches").At(j.Pos).
		WithDetail("The stream never ends, so it is never known that a row of the table has no partner.").
		WithHint("FROM %s LEFT JOIN ...: the stream on the side that is kept.", streamName(j))
}

func streamName(j *logicalplan.Join) string {
	if s := onlyStream(j); s != nil {
		return ident(s.Name)
	}
	return "the stream"
}
