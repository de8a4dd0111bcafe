package exec

import (
	"context"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
)

// windowFunc computes functions OVER one partitioning and order. It drains its input, sorts it by partition and order, and adds a
// column for each function; rows come out in that order.
type windowFunc struct {
	in    Operator
	node  *physicalplan.WindowFunc
	env   *Env
	parts *exprs // PARTITION BY
	keys  *exprs // ORDER BY
	calls []*windowCall

	out     chunks
	drained bool
}

func (b *builder) windowFunc(n *physicalplan.WindowFunc) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	w := &windowFunc{in: in, node: n, env: b.env}
	layout := n.Input.Layout()
	if w.parts, err = b.exprs(n.PartitionBy, layout); err != nil {
		return nil, err
	}
	var keys []expr.Expr
	for _, k := range n.OrderBy {
		keys = append(keys, k.X)
	}
	if w.keys, err = b.exprs(keys, layout); err != nil {
		return nil, err
	}
	for i := range n.Funcs {
		c, err := b.windowCall(n, &n.Funcs[i], layout)
		if err != nil {
			return nil, err
		}
		w.calls = append(w.calls, c)
	}
	return w, nil
}

// Begin forgets the rows.
func (w *windowFunc) Begin(ctx context.Context, e *Epoch) error {
	w.out, w.drained = chunks{}, false
	return w.in.Begin(ctx, e)
}

// Next drains the input when first called, and returns the next rows.
func (w *windowFunc) Next(ctx context.Context) (*column.Batch, error) {
	if !w.drained {
		b, err := collect(ctx, w.in, w.node.Input.Schema(), w.env.Memory)
		if err != nil {
			return nil, err
		}
		w.drained = true
		if b.Rows > 0 {
			if w.out.b, err = w.compute(b); err != nil {
				return nil, err
			}
		}
	}
	return w.out.next(), nil
}

// compute sorts b and adds the functions' columns.
func (w *windowFunc) compute(b *column.Batch) (*column.Batch, error) {
	s, err := w.sorted(b)
	if err != nil {
		return nil, err
	}
	out := &column.Batch{Schema: w.node.Schem, Cols: append([]column.Vector{}, s.rows.Cols...), Rows: b.Rows}
	for _, c := range w.calls {
		v, err := c.compute(s)
		if err != nil {
			return nil, err
		}
		out.Cols = append(out.Cols, v)
	}
	return out, nil
}

// sortedRows is a windowFunc's input in order. Row i is of partition [from[i], to[i]) and has equal keys with the rows of
// [peers[i].start, peers[i].end).
type sortedRows struct {
	rows   *column.Batch
	keys   []column.Vector // of ORDER BY
	from   []int32
	to     []int32
	peers  []peerGroup
	groups []int32 // first row of each group of peers, over all partitions, and the number of rows at the end
}

// peerGroup is rows with equal keys; number counts the groups of the partition from 0.
type peerGroup struct{ start, end, number, at int32 }

func (w *windowFunc) sorted(b *column.Batch) (*sortedRows, error) {
	parts, err := w.parts.eval(nil, b)
	if err != nil {
		return nil, err
	}
	keys, err := w.keys.eval(nil, b)
	if err != nil {
		return nil, err
	}
	var os []ordering
	for _, v := range parts {
		os = append(os, ordering{v: v})
	}
	os = append(os, orderings(w.node.OrderBy, keys)...)
	idx := upTo(nil, b.Rows)
	sortRows(idx, os)
	s := &sortedRows{rows: b.Take(idx)}
	for _, v := range keys {
		s.keys = append(s.keys, v.Take(idx))
	}
	s.mark(idx, os, len(parts))
	return s, nil
}

// mark finds partitions and peers: rows idx[i] in order, the first parts orderings are the partition's.
func (s *sortedRows) mark(idx []int32, os []ordering, parts int) {
	n := int32(len(idx))
	s.from, s.to, s.peers = make([]int32, n), make([]int32, n), make([]peerGroup, n)
	start, peer, number := int32(0), int32(0), int32(0)
	s.groups = append(s.groups, 0)
	for i := int32(1); i <= n; i++ {
		newPart := i == n || compareRows(os[:parts], idx[i-1], idx[i]) != 0
		if newPart || compareRows(os[parts:], idx[i-1], idx[i]) != 0 {
			for k := peer; k < i; k++ {
				s.peers[k] = peerGroup{peer, i, number, int32(len(s.groups) - 1)}
			}
			s.groups = append(s.groups, i)
			peer, number = i, number+1
		}
		if newPart {
			for k := start; k < i; k++ {
				s.from[k], s.to[k] = start, i
			}
			start, number = i, 0
		}
	}
}

// Bounds is that of tables: there are no streams below.
func (w *windowFunc) Bounds() Bounds { return tableBounds }

// Close closes the input.
func (w *windowFunc) Close() error {
	w.out = chunks{}
	return w.in.Close()
}
