package logicalplan

// Closing is a window by whose end the watermark frees the groups of an aggregate.
type Closing struct {
	Window *Window
	Groups *Aggregate
	Lag    int64 // µs that joins below put the aggregate behind the watermark
}

// ClosingWindows lists the windows that close in the query under n, those of lower aggregates first. Two aggregates over the same windows
// close them at once: they count as one.
func ClosingWindows(n Node) []Closing {
	var out []Closing
	for _, in := range n.Inputs() {
		out = append(out, ClosingWindows(in)...)
	}
	a, ok := n.(*Aggregate)
	if !ok || a.TTL > 0 {
		return out
	}
	w := Derive(a).Marks[AggregateBound(a).Column].Window
	if w == nil {
		return out
	}
	for _, c := range out {
		if c.Window == w {
			return out
		}
	}
	return append(out, Closing{Window: w, Groups: a, Lag: inputLag(a)})
}
