package exec

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/types"
)

func (b *builder) values(n *physicalplan.Values) (Operator, error) {
	v := &values{node: n}
	for _, r := range n.Rows {
		x, err := b.exprs(r, nil)
		if err != nil {
			return nil, err
		}
		v.rows = append(v.rows, x)
	}
	return v, nil
}

func (b *builder) join(n *physicalplan.HashJoin) (Operator, error) {
	j := &join{node: n, limit: b.env.Memory, shared: &joinBuild{}}
	var err error
	if j.left, err = b.build(n.Left); err != nil {
		return nil, err
	}
	if j.right, err = b.joinRight(j); err != nil {
		return nil, err
	}
	j.split, j.pairs = b.splitter(n.Reject), b.splitter(n.Reject.OfResults())
	j.spill = &joinSpill{join: j, spill: b.q.spill}
	return j, b.joinKeys(j)
}

// mergeJoin builds both sides as they are: their order is what it goes by.
func (b *builder) mergeJoin(n *physicalplan.MergeJoin) (Operator, error) {
	m := &mergeJoin{join: join{node: &n.HashJoin}, keys: n.Keys, once: n.Once}
	var err error
	if m.left, err = b.build(n.Left); err != nil {
		return nil, err
	}
	if m.right, err = b.build(n.Right); err != nil {
		return nil, err
	}
	m.split, m.pairs = b.splitter(n.Reject), b.splitter(n.Reject.OfResults())
	return m, b.joinKeys(&m.join)
}

// joinKeys compiles the condition of j.
func (b *builder) joinKeys(j *join) error {
	n := j.node
	var err error
	if j.lkeys, err = b.exprs(n.L, n.Left.Layout()); err != nil {
		return err
	}
	if j.rkeys, err = b.exprs(n.R, n.Right.Layout()); err != nil {
		return err
	}
	var ts []types.Type
	for _, e := range n.L {
		ts = append(ts, e.Type())
	}
	j.layout = newKeyLayout(ts)
	if len(n.On) > 0 {
		both := append(append([]expr.ColumnID{}, n.Left.Layout()...), n.Right.Layout()...)
		j.on, err = b.cond(n.On, both)
	}
	return err
}

// joinRight builds the right side, for the first of the copies that share it.
func (b *builder) joinRight(j *join) (Operator, error) {
	s := b.sharing
	if s != nil {
		if first := s.joins[j.node]; first != nil {
			j.shared = first
			return nothing{}, nil
		}
		s.joins[j.node] = j.shared
	}
	j.shared.by = j
	b.sharing = nil
	right, err := b.build(j.node.Right)
	b.sharing = s
	return right, err
}

func (b *builder) setOp(n *physicalplan.SetOp) (Operator, error) {
	var ins []Operator
	for _, c := range n.In {
		in, err := b.build(c)
		if err != nil {
			return nil, err
		}
		ins = append(ins, in)
	}
	if n.Kind != logicalplan.Union {
		out := ins[0]
		for _, right := range ins[1:] {
			out = newSetOp(out, right, n, n.Kind == logicalplan.Except, b.env.Memory, b.q.spill)
		}
		return out, nil
	}
	u := &union{ins: ins, node: n}
	b.unions[n] = u
	if n.All {
		return u, nil
	}
	d := &physicalplan.Distinct{Output: n.Output, Input: n}
	for i := range n.Schem.Fields {
		d.On = append(d.On, i)
	}
	return newDistinct(u, d, b.env.Memory, b.q.spill), nil
}

func (b *builder) sort(n *physicalplan.Sort, top *limit) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	s := &sorter{in: in, top: top, rows: rowSorter{
		node: n, schema: n.Schem, order: keyOrders(n.Keys), limit: b.env.Memory, spill: b.q.spill,
	}}
	var es []expr.Expr
	for _, k := range n.Keys {
		es = append(es, k.X)
	}
	s.rows.keys, err = b.exprs(es, n.Input.Layout())
	return s, err
}

func (b *builder) limit(n *physicalplan.Limit) (Operator, error) {
	if n.Ties != nil {
		return b.limitTies(n)
	}
	l := &limit{node: n, env: b.env, outer: b.outer}
	var err error
	if s, ok := n.Input.(*physicalplan.Sort); ok && s.Top == n {
		l.in, err = b.sort(s, l)
	} else {
		l.in, err = b.build(n.Input)
	}
	if n.State != 0 {
		b.q.stats = append(b.q.stats, l.operatorStats)
	}
	return l, err
}

// apply builds the subplan with the input's row in sight.
func (b *builder) apply(n *physicalplan.Apply) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	around := b.outer
	row := &outerRow{layout: n.Input.Layout(), outer: around}
	b.outer = row
	sub, err := b.build(n.Subplan)
	if err != nil {
		return nil, err
	}
	a := &apply{in: in, sub: sub, node: n, row: row, layout: freeLayout(n), limit: b.env.Memory, split: b.splitter(n.Reject)}
	if n.Test != nil {
		a.test, err = expr.Compile(n.Test, n.Subplan.Layout(), b.env.Expr, row)
	}
	b.outer = around
	return a, err
}
