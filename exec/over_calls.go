package exec

import (
	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
	"wmsql/types"
)

// overCalls computes functions over rows that are there as a whole.
type overCalls struct {
	node  *physicalplan.Over
	parts *exprs // PARTITION BY
	keys  *exprs // ORDER BY
	calls []*windowCall
}

func (b *builder) overCalls(n *physicalplan.Over, layout []expr.ColumnID) (*overCalls, error) {
	o := &overCalls{node: n}
	var err error
	if o.parts, err = b.exprs(n.PartitionBy, layout); err != nil {
		return nil, err
	}
	var keys []expr.Expr
	for _, k := range n.OrderBy {
		keys = append(keys, k.X)
	}
	if o.keys, err = b.exprs(keys, layout); err != nil {
		return nil, err
	}
	for i := range n.Funcs {
		c, err := b.windowCall(n, &n.Funcs[i], layout)
		if err != nil {
			return nil, err
		}
		o.calls = append(o.calls, c)
	}
	return o, nil
}

// compute adds the functions' columns to the rows; schema is that of the result.
func (o *overCalls) compute(s *sortedRows, schema *types.Schema) (*column.Batch, error) {
	out := &column.Batch{Schema: schema, Cols: append([]column.Vector{}, s.rows.Cols...), Rows: s.rows.Rows}
	for _, c := range o.calls {
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
	idx    []int32 // number of the row before it was sorted
	want   []bool  // rows whose values are asked for; nil: all
	groups []int32 // first row of each group of peers, over all partitions, and the number of rows at the end
}

// wants reports whether the values of row i are asked for.
func (s *sortedRows) wants(i int) bool { return s.want == nil || s.want[i] }

// peerGroup is rows with equal keys; number counts the groups of the partition from 0.
type peerGroup struct{ start, end, number, at int32 }

// sorted sorts b by partition and order.
func (o *overCalls) sorted(b *column.Batch) (*sortedRows, error) {
	parts, err := o.parts.eval(nil, b)
	if err != nil {
		return nil, err
	}
	keys, err := o.keys.eval(nil, b)
	if err != nil {
		return nil, err
	}
	var os []ordering
	for _, v := range parts {
		os = append(os, ordering{v: v})
	}
	os = append(os, orderings(keyOrders(o.node.OrderBy), keys)...)
	idx := upTo(nil, b.Rows)
	sortRows(idx, os)
	s := &sortedRows{rows: b.Take(idx), idx: idx}
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
