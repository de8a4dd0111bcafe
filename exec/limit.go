package exec

import (
	"context"
	"encoding/binary"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
	"wmsql/state"
)

// limit passes count rows after skipping offset. Over a stream the rows count from the query's first epoch on, and the input is
// drained all the same: its watermark moves.
type limit struct {
	in   Operator
	node *physicalplan.Limit
	env  *Env

	outer         expr.Outer
	offset, count int64 // count is -1 for all rows
	passed        int64 // rows seen: skipped and passed
	loaded        bool
	epoch         *Epoch
}

// Begin computes the counts.
func (l *limit) Begin(ctx context.Context, e *Epoch) error {
	l.epoch = e
	var err error
	if l.offset, err = l.number(l.node.Offset, "OFFSET", 0); err != nil {
		return err
	}
	if l.count, err = l.number(l.node.Count, "LIMIT", -1); err != nil {
		return err
	}
	if l.node.State == 0 {
		l.passed = 0
	} else if !l.loaded {
		if err := l.load(e.Query); err != nil {
			return err
		}
		l.loaded = true
	}
	return l.in.Begin(ctx, e)
}

// number computes LIMIT or OFFSET; NULL is as if it was not there.
func (l *limit) number(e expr.Expr, what string, none int64) (int64, error) {
	if e == nil {
		return none, nil
	}
	ev, err := expr.Compile(e, nil, l.env.Expr, l.outer)
	if err != nil {
		return 0, err
	}
	v, err := ev.Eval(oneRow)
	if err != nil || v.IsNull(0) {
		return none, err
	}
	n, ok := v.(*column.Of[int64])
	if !ok {
		panic("exec: " + what + " is not a whole number")
	}
	if n.Values[0] < 0 {
		code := sqlerr.Code("2201W")
		if what == "OFFSET" {
			code = "2201X"
		}
		return 0, sqlerr.Newf(code, "%s must not be negative", what)
	}
	return n.Values[0], nil
}

// Next returns the next batch of which a row is passed.
func (l *limit) Next(ctx context.Context) (*column.Batch, error) {
	for {
		if l.node.State == 0 && l.count >= 0 && (l.count == 0 || l.passed >= l.offset+l.count) {
			return nil, nil
		}
		b, err := l.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			l.store()
			return nil, nil
		}
		lo, hi := l.offset-l.passed, int64(b.Rows)
		if l.count >= 0 {
			hi = min(hi, l.offset+l.count-l.passed)
		}
		l.passed += int64(b.Rows)
		if lo = max(lo, 0); lo >= hi {
			continue
		}
		if lo == 0 && hi == int64(b.Rows) {
			return b, nil
		}
		return b.Slice(int(lo), int(hi)), nil
	}
}

const limitVersion = 1

func (l *limit) store() {
	if l.node.State != 0 {
		l.epoch.Txn.Put(state.Operator, l.epoch.Query, tableKey(l.node.State), binary.AppendUvarint([]byte{limitVersion}, uint64(l.passed)))
	}
}

func (l *limit) load(query uint32) error {
	v, err := l.env.Reader.Get(state.Operator, query, tableKey(l.node.State))
	if err != nil || v == nil {
		return err
	}
	d := decoder{data: v}
	if d.byte() != limitVersion {
		return damaged("row count")
	}
	l.passed = int64(d.uvarint())
	return d.err
}

// Bounds is the input's.
func (l *limit) Bounds() Bounds { return l.in.Bounds() }

// Close closes the input.
func (l *limit) Close() error { return l.in.Close() }

func (l *limit) operatorStats() OperatorStats {
	return OperatorStats{Name: "globalLimit", Title: l.node.Title(), Table: l.node.State, RowsTotal: 1, Bounds: l.in.Bounds()}
}
