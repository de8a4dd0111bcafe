package physicalplan

// Watermarks lists the EventTimeWatermark nodes of a plan.
func Watermarks(n Node) []*Watermark {
	var out []*Watermark
	if w, ok := n.(*Watermark); ok {
		out = append(out, w)
	}
	for _, in := range n.Inputs() {
		out = append(out, Watermarks(in)...)
	}
	return out
}
