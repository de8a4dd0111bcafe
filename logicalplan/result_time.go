package logicalplan

// ResultTime is the column among the first cols of root that says how old a row of the result is: the end of a window before an event
// time, and that before the start of a window; ok is false if none carries a watermark.
func ResultTime(root Node, cols int) (_ Column, ok bool) {
	marks := Derive(root).Marks
	var best Column
	for _, c := range root.Columns()[:cols] {
		m, marked := marks[c.ID]
		if marked && (best.ID == 0 || rank(m.Kind) > rank(marks[best.ID].Kind)) {
			best = c
		}
	}
	return best, best.ID != 0
}
