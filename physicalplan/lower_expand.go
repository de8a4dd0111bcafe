package physicalplan

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// expand makes the keys columns of its input.
func (l *lowering) expand(n *logicalplan.Expand) (Node, flow, error) {
	in, f, err := l.lower(n.Input)
	if err != nil {
		return nil, f, err
	}
	if f == upserts {
		return nil, f, unsupported(n.Pos, "GROUPING SETS over rows that replace others")
	}
	var more []expr.Expr
	e := &Expand{Sets: n.Sets}
	for _, k := range n.Keys {
		if c, ok := plain(k.Expr); ok {
			e.Keys = append(e.Keys, ordinal(in, c.ID))
			continue
		}
		e.Keys = append(e.Keys, len(in.Layout())+len(more))
		more = append(more, k.Expr)
	}
	if more != nil {
		in = l.extend(in, more, f)
	}
	var own []logicalplan.Column
	for _, k := range n.Keys {
		own = append(own, k.Out)
	}
	e.Output = output(append(own, n.Set))
	return e.over(in), f, nil
}

// over is the operator over another input whose first columns are those of the one it has.
func (n *Expand) over(in Node) *Expand {
	e := *n
	own := columnsOf(n)[:len(n.Keys)+1]
	e.Input, e.Output = in, output(append(own, columnsOf(in)...))
	return &e
}

// underExpand applies f to in, or to what is below in if that is an Expand: what reads the rows themselves has them once there, and f may
// add columns at the end.
func underExpand(in Node, f func(Node) Node) Node {
	if e, ok := in.(*Expand); ok {
		return e.over(f(e.Input))
	}
	return f(in)
}
