package logicalplan

import "wmsql/catalog"

// WithTTL returns n with a time to live (state_ttl, µs) on the state that no watermark frees: of aggregates by keys, of DISTINCT, of
// the first rows of partitions, of OVER by numbers of rows and of joins of two streams. What a watermark frees keeps to it, as windows and joins by a range do in Flink. A group is not
// final when it is freed, so that append mode, which waits for final groups, gains nothing: such groups stay as they are, and the
// gate refuses them.
func WithTTL(n Node, ttl int64, mode catalog.OutputMode) Node {
	if ttl <= 0 {
		return n
	}
	out, _ := Rewrite(n, func(n Node) (Node, bool) {
		switch n := n.(type) {
		case *Aggregate:
			if mode == catalog.Append || !livesByKeys(n, mode) {
				return n, false
			}
			c := *n
			c.TTL = ttl
			return &c, true
		case *Distinct:
			if !Derive(n.Input).Stream || DistinctBound(n).OK || n.WithinWatermark || n.On == nil && mode == catalog.Append {
				return n, false
			}
			c := *n
			c.TTL = ttl
			return &c, true
		case *TopN:
			if TopNBound(n).OK {
				return n, false
			}
			c := *n
			c.TTL = ttl
			return &c, true
		case *WindowFunc:
			o, bad := OverOf(n)
			if bad != "" || o.Why == "" || !OverStream(n) {
				return n, false
			}
			c := *n
			c.TTL = ttl
			return &c, true
		case *Join:
			if !Derive(n.Left).Stream || !Derive(n.Right).Stream || !n.AsOf() && JoinBoundOf(n).OK {
				return n, false
			}
			c := *n
			c.TTL = ttl
			return &c, true
		}
		return n, false
	})
	return out
}

// livesByKeys reports whether nothing frees the groups of a but a TTL. In complete mode no watermark does.
func livesByKeys(a *Aggregate, mode catalog.OutputMode) bool {
	if len(a.Keys) == 0 || !Derive(a.Input).Stream || SessionsOf(a) != nil {
		return false
	}
	return mode == catalog.Complete || !AggregateBound(a).OK
}
