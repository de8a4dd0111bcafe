package rule

import (
	"slices"

	"wmsql/catalog"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// checks are run in this order: the gate's own verdicts first, then what a continuous query cannot do at all, then warnings.
func checks() []Check {
	return []Check{
		watermarkAboveAggregate,
		noWatermark,
		windowOtherColumn,
		windowTimeComputed,
		watermarkLost,
		keysAlone,
		joinUnbounded,
		distinctUnbounded,
		overUnbounded,
		topNUnbounded,
		processUnbounded,
		completeUnbounded,
		unsupportedMode,
		unsupportedNode,
		suspicious,
	}
}

// Gate runs all checks and returns every fault, errors first. Faults that Allow covers come as warnings ("warn") or not at all ("allow").
func Gate(n logicalplan.Node, t *Target) []*sqlerr.Error {
	n = logicalplan.WithTTL(recognised(n, t.Mode), t.TTL, t.Mode)
	var out []*sqlerr.Error
	for _, c := range checks() {
		for _, f := range c.Verify(n, t) {
			if f = t.judge(f); f != nil {
				f.Where = ""
				out = append(out, f)
			}
		}
	}
	if slices.ContainsFunc(out, func(f *sqlerr.Error) bool { return f.Severity == sqlerr.SevError }) {
		// What would come of the query is no matter while it is refused.
		out = slices.DeleteFunc(out, func(f *sqlerr.Error) bool { return f.Code == sqlerr.WatermarkSuspicious })
	}
	slices.SortStableFunc(out, func(a, b *sqlerr.Error) int { return int(a.Severity) - int(b.Severity) })
	return out
}

// judge applies what the user allows: a query that can run and only grows. Append mode without a usable watermark
// would give nothing, and outer joins wrong rows: those are never allowed.
func (t *Target) judge(f *sqlerr.Error) *sqlerr.Error {
	if f.Severity != sqlerr.SevError || t.Allow == "" || t.Allow == "error" || !t.mayAllow(f) {
		return f
	}
	if t.Allow == "allow" {
		return nil
	}
	c := *f
	c.Severity = sqlerr.SevWarning
	return &c
}

func (t *Target) mayAllow(f *sqlerr.Error) bool {
	if f.Where == lastRows {
		return true
	}
	switch f.Code {
	case sqlerr.NoWatermark, sqlerr.WindowOtherColumn, sqlerr.WindowTimeComputed, sqlerr.WatermarkLost, sqlerr.KeysAlone:
		return t.Mode == catalog.Update || f.Where == functionStateWhere
	case sqlerr.DistinctUnbounded:
		return f.Where != selectDistinct || t.Mode == catalog.Update
	case sqlerr.CompleteUnbounded:
		return true
	case sqlerr.JoinUnbounded:
		return f.Where == innerJoin
	}
	return false
}

// innerJoin marks the WM008 of an inner join, which can run. Where is taken off before the client sees it.
const innerJoin = "inner join"

// streamAggregates calls f for every Aggregate over a stream, with the EventTimeWatermark that stands above it, nil if none does.
func streamAggregates(n logicalplan.Node, f func(a *logicalplan.Aggregate, above *logicalplan.EventTimeWatermark)) {
	var walk func(n logicalplan.Node, above *logicalplan.EventTimeWatermark)
	walk = func(n logicalplan.Node, above *logicalplan.EventTimeWatermark) {
		switch n := n.(type) {
		case *logicalplan.EventTimeWatermark:
			above = n
		case *logicalplan.Aggregate:
			if logicalplan.Derive(n.Input).Stream {
				f(n, above)
			}
		}
		for _, in := range n.Inputs() {
			walk(in, above)
		}
	}
	walk(n, nil)
}

// place is where a fault of n is shown: its own text, or that of its window.
func place(a *logicalplan.Aggregate, w *logicalplan.Window) int {
	if w != nil && w.Pos > 0 {
		return w.Pos
	}
	return a.Pos
}
