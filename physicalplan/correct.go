package physicalplan

import (
	"fmt"
	"math"
	"strings"

	"wmsql/catalog"
)

// weekMicros is how long rows of a stream, and closed windows over it, are kept unless retention says otherwise.
const weekMicros = 7 * DaySkew

// retentionOf is the retention of a stream in µs; for ever is the largest number.
func retentionOf(s *catalog.Stream) int64 {
	switch v := s.Options["retention"]; {
	case strings.EqualFold(v, "off"):
		return math.MaxInt64
	case v != "":
		if n, err := micros("retention", v); err == nil && n > 0 {
			return n
		}
	}
	return weekMicros
}

// keptBelow finds the aggregate that keeps its closed windows below row-wise operators, nil if there is none.
func keptBelow(n Node) *StreamAggregate {
	for {
		switch m := n.(type) {
		case *Materialize:
			n = m.Input
		case *Project:
			n = m.Input
		case *Filter:
			n = m.Input
		case *StreamAggregate:
			if m.KeepFor != 0 {
				return m
			}
			return nil
		default:
			return nil
		}
	}
}

// DropsLate is Correctable's answer where only the stream's late_rows is in the way.
const DropsLate = "The stream does not keep late rows."

// Correctable says why late rows cannot be added to the result of a plan afterwards, "" if they can: one aggregate by window must be
// the only operator with state, with nothing but filters and projections above it.
func Correctable(p *Plan) string {
	var stateful []Node
	keeps := false
	walk(p.Root, func(n Node) {
		switch m := n.(type) {
		case *Watermark:
		case *LateFilter:
			keeps = keeps || m.Keep
		case *Window:
			keeps = keeps || m.Keep
		default:
			if n.Table() != 0 {
				stateful = append(stateful, n)
			}
		}
	})
	a := keptBelow(p.Root)
	switch {
	case len(stateful) == 0:
		return "The query keeps no state: no row of it is ever late."
	case len(stateful) > 1:
		return fmt.Sprintf("The query has %d operators with state: what one corrects, those above it have counted already.", len(stateful))
	case a == nil || !keeps:
		return why(stateful[0], keeps)
	}
	return ""
}

// why says what keeps the one stateful operator of a query from being corrected.
func why(n Node, keeps bool) string {
	switch n := n.(type) {
	case *SessionAggregate:
		return "A late row may join sessions that were put out as two: their rows cannot be told from others any more."
	case *StreamJoin:
		return "The rows that a late row would have met are not kept."
	case *Dedup:
		return "The keys that a late row would have been compared with are not kept."
	case *StreamAggregate:
		switch {
		case n.Expires < 0:
			return "No group is ever final, so that no row is late."
		case !n.ByWindow:
			return "Groups by the event time itself are not kept when they are final."
		case n.Retracts, n.Changes, n.TTL > 0:
			return "The groups of the query may change in other ways, too."
		case !keeps:
			return DropsLate
		}
		return "There are other operators than filters and projections above the aggregate."
	}
	return "There is no aggregate by window in it."
}

func walk(n Node, f func(Node)) {
	f(n)
	for _, in := range n.Inputs() {
		walk(in, f)
	}
}
