package exec

import (
	"context"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
)

// tableFunc joins each row of its input with the rows that a set-returning function gives for it; without an input the
// function runs once. A row for which it gives none is left out.
type tableFunc struct {
	in    Operator // nil
	node  *physicalplan.TableFunc
	args  *exprs
	env   *Env
	split splitter

	done bool
	out  chunks
}

func (b *builder) tableFunc(n *physicalplan.TableFunc) (Operator, error) {
	t := &tableFunc{node: n, env: b.env, split: b.splitter(n.Reject)}
	var layout []expr.ColumnID
	var err error
	if n.Input != nil {
		if t.in, err = b.build(n.Input); err != nil {
			return nil, err
		}
		layout = n.Input.Layout()
	}
	t.args, err = b.exprs(n.Func.Args, layout)
	return t, err
}

// Begin lets the function run again.
func (t *tableFunc) Begin(ctx context.Context, e *Epoch) error {
	t.done, t.out = false, chunks{}
	if err := t.args.begin(); err != nil || t.in == nil {
		return err
	}
	return t.in.Begin(ctx, e)
}

// Next returns the next rows.
func (t *tableFunc) Next(ctx context.Context) (*column.Batch, error) {
	for {
		if b := t.out.next(); b != nil {
			return b, nil
		}
		b := oneRow
		if t.in == nil {
			if t.done {
				return nil, nil
			}
			t.done = true
		} else {
			var err error
			if b, err = t.in.Next(ctx); b == nil || err != nil {
				return nil, err
			}
		}
		out, err := t.split.expand(b, t.expand)
		if err != nil {
			return nil, err
		}
		t.out = chunks{b: out}
	}
}

// expand runs the function for every row of b.
func (t *tableFunc) expand(b *column.Batch) (*column.Batch, error) {
	args, err := t.args.eval(nil, b)
	if err != nil {
		return nil, err
	}
	var rows []int32
	bs := column.NewBuilders(t.node.Schem, b.Rows)[len(b.Cols):]
	funcCols := len(bs)
	if t.node.Ordinality {
		funcCols--
	}
	for i := range b.Rows {
		got, err := t.node.Func.Rows(datums(args, i), t.env.Expr)
		if err != nil {
			return nil, err
		}
		for c := range funcCols {
			bs[c].AppendVector(got.Cols[c])
		}
		for k := range got.Rows {
			rows = append(rows, int32(i))
			if t.node.Ordinality {
				bs[funcCols].AppendDatum(int64(k + 1))
			}
		}
	}
	out := &column.Batch{Schema: t.node.Schem, Rows: len(rows)}
	for _, v := range b.Cols {
		out.Cols = append(out.Cols, v.Take(rows))
	}
	for _, c := range bs {
		out.Cols = append(out.Cols, c.Build())
	}
	return out, nil
}

// datums is row i of vectors.
func datums(vs []column.Vector, i int) []any {
	out := make([]any, len(vs))
	for k, v := range vs {
		out[k] = column.Get(v, i)
	}
	return out
}

// Bounds is the input's, or that of a table.
func (t *tableFunc) Bounds() Bounds {
	if t.in == nil {
		return tableBounds
	}
	return t.in.Bounds()
}

// Close closes the input.
func (t *tableFunc) Close() error {
	if t.in == nil {
		return nil
	}
	return t.in.Close()
}
