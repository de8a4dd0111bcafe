package logicalplan

import (
	"maps"

	"wmsql/catalog"
	"wmsql/expr"
)

// ResultScan follows the result of another continuous query: the rows that are there, then what changes, epoch by epoch.
type ResultScan struct {
	View  *catalog.MaterializedView
	Cols  []Column // parallel to Ords
	Ords  []int    // ordinals of the view's columns that are read
	Below *Below
	Alias string
	Pos   int
}

// Below is what is known of the query whose result is followed, in terms of the columns that the scan gives the view's.
type Below struct {
	// Changes says that its rows may be replaced and taken away: it is in update mode, over groups that change.
	Changes bool
	// Whole says that its result is replaced as a whole with every epoch: it is in complete mode, and cannot be followed.
	Whole bool
	Marks map[expr.ColumnID]Mark // the watermark that its rows are under is carried on
	Lost  map[expr.ColumnID]Loss
	Key   []expr.ColumnID
}

// BelowOf derives what a scan with the columns cols knows of a view, whose query is root.
func BelowOf(root Node, v *catalog.MaterializedView, cols []Column, changes, whole bool) *Below {
	p := Derive(root)
	b := &Below{Changes: changes, Whole: whole, Marks: map[expr.ColumnID]Mark{}, Lost: map[expr.ColumnID]Loss{}}
	for i, c := range root.Columns() {
		if i == len(cols) {
			break
		}
		if m, ok := p.Marks[c.ID]; ok {
			b.Marks[cols[i].ID] = m
		}
		if l, ok := p.Lost[c.ID]; ok {
			l.Pos = 0 // a place in another statement
			b.Lost[cols[i].ID] = l
		}
	}
	if v.Mode != catalog.Append {
		for _, k := range v.Key {
			if k >= len(cols) { // a hidden column: what can be read has no key
				b.Key = nil
				break
			}
			b.Key = append(b.Key, cols[k].ID)
		}
	}
	return b
}

func deriveResult(n *ResultScan) *Props {
	return &Props{Stream: true, Updating: n.Below.Changes, Marks: maps.Clone(n.Below.Marks), Lost: maps.Clone(n.Below.Lost), Key: keepKey(n.Below.Key, n.Cols)}
}

// Carried lists the EventTimeWatermark nodes that speak for the scan's rows, those of the queries below.
func (n *ResultScan) Carried() []*EventTimeWatermark {
	var out []*EventTimeWatermark
	seen := map[*EventTimeWatermark]bool{}
	for _, c := range n.Cols {
		for _, s := range n.Below.Marks[c.ID].Sources {
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// Title is the view, how its rows come, and the watermark that comes with them.
func (n *ResultScan) Title() string {
	how := "append"
	if n.Below.Changes {
		how = "changes"
	}
	s := "ResultScan " + named(n.View.Name, n.Alias) + " (" + how
	if w := n.Carried(); len(w) > 0 {
		of := make([]string, len(w))
		for i, m := range w {
			of[i] = columnName(m, m.Column)
		}
		s += ", carries " + watermarkOf(of, 0)
	}
	return s + ")"
}

// Inputs returns nil: a leaf.
func (n *ResultScan) Inputs() []Node { return nil }

// WithInputs returns the leaf itself.
func (n *ResultScan) WithInputs(in []Node) Node { _ = in[:0]; return n }

// Columns returns the node's columns.
func (n *ResultScan) Columns() []Column { return n.Cols }

// At is the place of the view's name.
func (n *ResultScan) At() int { return n.Pos }

func (*ResultScan) sealed() {}
