package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// projectSet is a select list with set-returning functions: each row of the input gives as many rows as its longest
// function, shorter ones are filled up with NULLs; where all give none the row is left out.
type projectSet struct {
	in    Operator
	node  *physicalplan.ProjectSet
	exprs *exprs
	args  []*exprs
	env   *Env
	split splitter

	out chunks
}

func (b *builder) projectSet(n *physicalplan.ProjectSet) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	p := &projectSet{in: in, node: n, env: b.env, split: b.splitter(n.Reject)}
	if p.exprs, err = b.exprs(n.Exprs, n.Input.Layout()); err != nil {
		return nil, err
	}
	for _, f := range n.Funcs {
		x, err := b.exprs(f.Args, n.Input.Layout())
		if err != nil {
			return nil, err
		}
		p.args = append(p.args, x)
	}
	return p, nil
}

// Begin readies the expressions.
func (p *projectSet) Begin(ctx context.Context, e *Epoch) error {
	p.out = chunks{}
	for _, x := range append([]*exprs{p.exprs}, p.args...) {
		if err := x.begin(); err != nil {
			return err
		}
	}
	return p.in.Begin(ctx, e)
}

// Next returns the next rows.
func (p *projectSet) Next(ctx context.Context) (*column.Batch, error) {
	for {
		if b := p.out.next(); b != nil {
			return b, nil
		}
		b, err := p.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		out, err := p.split.expand(b, p.expand)
		if err != nil {
			return nil, err
		}
		p.out = chunks{b: out}
	}
}

func (p *projectSet) expand(b *column.Batch) (*column.Batch, error) {
	plain, err := p.exprs.eval(nil, b)
	if err != nil {
		return nil, err
	}
	args := make([][]column.Vector, len(p.args))
	for k, x := range p.args {
		if args[k], err = x.eval(nil, b); err != nil {
			return nil, err
		}
	}
	bs := column.NewBuilders(p.node.Schem, b.Rows)[len(plain):]
	sets := make([]*column.Batch, len(args))
	var rows []int32
	for i := range b.Rows {
		n := 0
		for k, f := range p.node.Funcs {
			if sets[k], err = f.Rows(datums(args[k], i), p.env.Expr); err != nil {
				return nil, err
			}
			n = max(n, sets[k].Rows)
		}
		for k, s := range sets {
			appendSet(bs[k], s)
			for range n - s.Rows {
				bs[k].AppendNull()
			}
		}
		for range n {
			rows = append(rows, int32(i))
		}
	}
	out := &column.Batch{Schema: p.node.Schem, Rows: len(rows)}
	for _, v := range plain {
		out.Cols = append(out.Cols, v.Take(rows))
	}
	for _, c := range bs {
		out.Cols = append(out.Cols, c.Build())
	}
	return out, nil
}

// appendSet appends the values of a set: its column, or its columns as a record.
func appendSet(dst column.Builder, s *column.Batch) {
	if len(s.Cols) == 1 {
		dst.AppendVector(s.Cols[0])
		return
	}
	for i := range s.Rows {
		dst.AppendDatum(datums(s.Cols, i))
	}
}

// Bounds is the input's.
func (p *projectSet) Bounds() Bounds { return p.in.Bounds() }

// Close closes the input.
func (p *projectSet) Close() error { return p.in.Close() }
