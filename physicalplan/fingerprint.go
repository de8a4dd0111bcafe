package physicalplan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"wmsql/logicalplan"
)

// fingerprint is a hash over what gives stored state its meaning: for every operator with a state table its
// keys, aggregates and types, and the windows below. The delay of a watermark, the output mode and everything stateless are not in
// it: they may change from one start to the next, and the state goes on.
func fingerprint(root Node) string {
	var b strings.Builder
	describe(&b, root)
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:16])
}

func describe(b *strings.Builder, n Node) {
	for _, c := range n.Inputs() {
		describe(b, c)
	}
	switch n := n.(type) {
	case *StreamScan:
		fmt.Fprintf(b, "stream %d\n", n.Stream.ID)
	case *Watermark:
		if n.Carried {
			fmt.Fprintf(b, "watermark %d carried\n", n.State)
			return
		}
		fmt.Fprintf(b, "watermark %d %s split=%v\n", n.State, n.Schem.Fields[n.Column].Name, n.BySplit)
	case *Window:
		w := n.Window
		fmt.Fprintf(b, "window %d size %v slide %v offset %d zone %q\n", w.Kind, w.Size, w.Slide, w.Offset, w.Zone)
	case *Dedup:
		fmt.Fprintf(b, "dedup %d keys", n.State)
		for _, o := range n.On {
			f := n.Input.Schema().Fields[o]
			fmt.Fprintf(b, " %s=%s", f.Type, f.Name)
		}
		fmt.Fprintf(b, " expires %v in key %v by %v %v%s\n", n.Expires >= 0, n.InKey, n.By >= 0, n.Desc, mortal(n.TTL))
	case *SessionSpans:
		fmt.Fprintf(b, "session gap %s\n", logicalplan.GapText(n.Window))
	case *SessionAggregate:
		describeSessions(b, n)
	case *StreamAggregate:
		fmt.Fprintf(b, "aggregate %d keys", n.State)
		for i, f := range n.Schem.Fields {
			fmt.Fprintf(b, " %s", f.Type)
			if i < len(n.Keys) {
				fmt.Fprintf(b, "=%s", keySource(n, i))
			}
		}
		fmt.Fprintf(b, " aggs%s expires %v panes %v%s", aggsTitle(n.Aggs), n.Expires >= 0, n.Panes != nil, mortal(n.TTL))
		if n.Retracts { // what one that takes rows back keeps has another form
			b.WriteString(" retracts")
		}
		b.WriteByte('\n')
	case *StreamJoin:
		fmt.Fprintf(b, "join %d %s", n.State, joinKindName(n.Kind))
		for i := range n.Sides {
			s := &n.Sides[i]
			fmt.Fprintf(b, " side keys %s time %d free %v %d span %d:", joined(s.Keys, ","), s.Time, s.Frees, s.FreeAfter, n.Span)
			b.WriteString(mortal(s.TTL))
			for _, f := range s.Input.Schema().Fields {
				fmt.Fprintf(b, " %s=%s", f.Type, f.Name)
			}
		}
		fmt.Fprintf(b, "\n")
	case *TopN:
		describeTopN(b, n)
	case *OverTime:
		describeOver(b, n)
	case *AsOfJoin:
		fmt.Fprintf(b, "as of %d keys %s span %d%s:", n.State, joined(n.R, ","), n.Span, mortal(n.TTL))
		for _, in := range n.Inputs() {
			for _, f := range in.Schema().Fields {
				fmt.Fprintf(b, " %s=%s", f.Type, f.Name)
			}
		}
		b.WriteByte('\n')
	case *Process:
		n.describe(b)
	case *EventOrder:
		n.describe(b)
	case *Limit:
		if n.State != 0 {
			fmt.Fprintf(b, "limit %d\n", n.State)
		}
	}
}

// mortal tells state with a TTL, whose stored form has the time of every change in it, from state without one. How long the TTL
// is may change.
func mortal(ttl int64) string {
	if ttl > 0 {
		return " ttl"
	}
	return ""
}

// keySource is the name of key i's column in the input.
func keySource(n *StreamAggregate, i int) string { return n.Input.Schema().Fields[n.Keys[i]].Name }
