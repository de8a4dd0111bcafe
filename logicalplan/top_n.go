package logicalplan

import (
	"fmt"

	"wmsql/expr"
)

// TopN numbers the rows of each partition in an order, from 1, and passes the first Count of them. Over a stream it is kept up to date: a
// row that comes moves those behind it down.
type TopN struct {
	Input       Node
	PartitionBy []expr.Expr
	OrderBy     []expr.SortKey
	Count       int64
	Out         Column // the row number
	Pos         int
	// TTL frees a partition that did not change for so long, µs, where no watermark does; 0 if none (state_ttl).
	TTL int64
}

// Inputs returns the input.
func (n *TopN) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *TopN) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Columns returns the input's columns and the row number.
func (n *TopN) Columns() []Column { return append(append([]Column{}, n.Input.Columns()...), n.Out) }

// At returns the node's place in the statement.
func (n *TopN) At() int { return n.Pos }
func (*TopN) sealed()   {}

// Title is the order and the partition.
func (n *TopN) Title() string {
	t := fmt.Sprintf("TopN %d by [%s]", n.Count, sortKeys(n.OrderBy))
	if len(n.PartitionBy) > 0 {
		t += " of every [" + exprs(n.PartitionBy) + "]"
	}
	return t
}

func deriveTopN(n *TopN) *Props {
	p := Derive(n.Input)
	p.Updating = p.Updating || p.Stream
	p.Key = plainColumns(n.PartitionBy)
	if p.Key != nil {
		p.Key = append(p.Key, n.Out.ID)
	}
	return p
}

// TopNBound says what bounds the partitions of n: a window that they are of. Column is its end, or with Delay 1 its last µs.
func TopNBound(n *TopN) Bound {
	in := Derive(n.Input)
	switch end, after := partitionEnd(n.PartitionBy, n.Input, in); {
	case end.ID != 0:
		return Bound{Column: end.ID, Kind: MarkWindowEnd, OK: true, Delay: after, Why: end.Name + " <= watermark"}
	case len(n.PartitionBy) == 0 && !in.Updating:
		return Bound{OK: true, Why: "one partition"}
	case n.TTL > 0:
		return Bound{OK: true, Why: "unchanged for " + FormatMicros(n.TTL)}
	}
	return Bound{Why: "a better row of any partition may come at any time"}
}

// topNFacts tells of the first rows of partitions.
func topNFacts(n *TopN) State {
	in := Derive(n.Input)
	kept := countOf(int(n.Count), "row")
	if in.Updating {
		kept = "all rows"
	}
	f := State{Key: []string{"(none)"}, Emits: "rows that come among the first " + fmt.Sprint(n.Count) + ", leave them or move, after every micro-batch (update)",
		First: "the first micro-batch"}
	if len(n.PartitionBy) > 0 {
		f.Key = nil
		for _, e := range n.PartitionBy {
			f.Key = append(f.Key, e.String())
		}
	}
	b := TopNBound(n)
	switch {
	case !b.OK:
		f.Bound, f.Frees = "NONE: "+b.Why, "never"
	case b.Column != 0:
		m := in.Marks[b.Column]
		var of []string
		for _, s := range m.Sources {
			of = append(of, columnName(s, s.Column))
		}
		mark := watermarkOf(of, inputLag(n))
		name := columnName(n.Input, b.Column)
		f.Bound, f.Frees = kept+" of every partition whose "+name+" is after the "+mark, "when "+name+" <= "+mark
	case n.TTL > 0:
		f.Bound, f.Frees = kept+" of every partition since its last change", "when a partition is "+b.Why
	default:
		f.Bound, f.Frees = kept, "never: there is one partition"
	}
	return f
}

// WithNumbers returns n with the columns that tell its rows apart and that no query can write: the number of a grouping set, the rank in a
// TopN. They are added at the end, where a result keeps them out of sight.
func WithNumbers(n Node) Node {
	numbers := map[expr.ColumnID]Column{}
	Walk(n, func(x Node) bool {
		switch x := x.(type) {
		case *Expand:
			numbers[x.Set.ID] = x.Set
		case *TopN:
			numbers[x.Out.ID] = x.Out
		}
		return true
	})
	if len(numbers) == 0 {
		return n
	}
	return expose(n, numbers)
}

func expose(n Node, numbers map[expr.ColumnID]Column) Node {
	switch x := n.(type) {
	case *Filter:
		c := *x
		c.Input = expose(x.Input, numbers)
		return &c
	case *Project:
		c := *x
		c.Input = expose(x.Input, numbers)
		have := ColumnSet(x)
		for _, id := range Derive(c.Input).Key {
			if col, ok := numbers[id]; ok && !have[id] {
				c.Exprs = append(append([]Named{}, c.Exprs...), Named{Out: col, Expr: &expr.Column{ID: id, Name: col.Name, T: col.Type}})
			}
		}
		return &c
	}
	return n
}
