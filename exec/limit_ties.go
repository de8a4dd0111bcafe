package exec

import (
	"bytes"
	"context"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
)

// limitTies is a limit WITH TIES: it passes on the rows behind the last one too that are equal to it by the order they come in.
type limitTies struct {
	limit
	keys *exprs
	last []byte // the key of the last row counted; nil before it has come
}

func (b *builder) limitTies(n *physicalplan.Limit) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	var keys []expr.Expr
	for _, k := range n.Ties {
		keys = append(keys, k.X)
	}
	l := &limitTies{limit: limit{in: in, node: n, env: b.env, outer: b.outer}}
	l.keys, err = b.exprs(keys, n.Input.Layout())
	return l, err
}

// Begin computes the counts.
func (l *limitTies) Begin(ctx context.Context, e *Epoch) error {
	l.last = nil
	if err := l.keys.begin(); err != nil {
		return err
	}
	return l.limit.Begin(ctx, e)
}

// Next returns the next batch of which a row is passed.
func (l *limitTies) Next(ctx context.Context) (*column.Batch, error) {
	if l.count <= 0 { // no bound, or no row
		return l.limit.Next(ctx)
	}
	end := l.offset + l.count
	for {
		b, err := l.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		keys, err := l.keys.eval(nil, b)
		if err != nil {
			return nil, err
		}
		lo, hi := max(0, l.offset-l.passed), int64(b.Rows)
		if first := end - l.passed; first <= hi {
			hi = l.tied(keys, max(first, 0), hi)
		}
		l.passed += hi
		if lo < hi {
			return b.Slice(int(lo), int(hi)), nil
		}
		if hi < int64(b.Rows) {
			return nil, nil
		}
	}
}

// tied returns the end of the rows from number first on that are equal to the last one counted, which is the one before first if it
// is in this batch.
func (l *limitTies) tied(keys []column.Vector, first, rows int64) int64 {
	if first > 0 {
		l.last = rowKey(keys, int(first-1))
	}
	for first < rows && bytes.Equal(rowKey(keys, int(first)), l.last) {
		first++
	}
	return first
}

// rowKey is the bytes by which rows of equal order are equal.
func rowKey(keys []column.Vector, i int) []byte {
	var key []byte
	for _, k := range keys {
		key = column.AppendKey(key, k, i, false)
	}
	return key
}
