package exec

import (
	"bytes"
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// retention removes from a view's result the rows that are older than its result_retention: by a column that carries a watermark, where
// the result has one, once the watermark of the epoch before is so far past it; else by when the row was last written, by
// the clock. A row that is written in the same epoch counts as it is written.
//
// The result is walked through from time to time, some rows an epoch, so a row may outstay the retention by a sixteenth of it. Without
// an event time the time of the last change stands behind each row in the store; rows from before the view had a retention are taken to
// have changed when they are first met.
type retention struct {
	node *physicalplan.Materialize
	rel  *relation

	next  types.MicroTime // a walk begins when the bound is here
	from  []byte          // where the walk goes on; nil: none is under way
	found bool            // rows that will go some day are there, as far as is known
	bound types.MicroTime
	now   types.MicroTime
}

const (
	retentionParts = 16      // of the retention, after which the result is walked through again
	retentionRows  = 1 << 16 // that one epoch looks at
	retentionLeast = 1e6     // µs between walks
)

func newRetention(n *physicalplan.Materialize, rel *relation) *retention {
	return &retention{node: n, rel: rel, next: types.MinTime, found: true}
}

// stamps reports whether rows carry the time of their last change.
func (r *retention) stamps() bool { return r.node.Time < 0 }

// stamp appends the time of the epoch to a row, if rows carry it.
func (r *retention) stamp(row []byte, e *Epoch) []byte {
	r.found = true
	if !r.stamps() {
		return row
	}
	return binary.BigEndian.AppendUint64(row, uint64(e.Now))
}

// sweep removes what is too old, before the epoch writes. late is the watermark that the epoch began with.
func (r *retention) sweep(e *Epoch, from state.Reader, late types.MicroTime) error {
	if r.bound, r.now = late, e.Now; r.stamps() {
		r.bound = e.Now
	}
	if r.from == nil {
		if r.bound == types.MinTime || r.bound < r.next {
			return nil
		}
		r.from, r.found = firstRow, false
	}
	last := plusMicros(int64(r.bound), -r.node.Retention) // the newest time that is too old
	it, err := from.Iter(state.Result, e.Query, r.from, afterRows, false)
	if err != nil {
		return err
	}
	err = r.walk(it, e, last)
	if err2 := it.Close(); err == nil {
		err = err2
	}
	return err
}

// walk looks at some of the rows, and notes where to go on.
func (r *retention) walk(it state.Iterator, e *Epoch, last int64) error {
	bs := make([]column.Builder, len(r.rel.Types))
	for i, t := range r.rel.Types {
		bs[i] = column.NewBuilder(t, 1)
	}
	for range retentionRows {
		if !it.Next() {
			r.from, r.next = nil, types.MicroTime(plusMicros(int64(r.bound), max(r.node.Retention/retentionParts, retentionLeast)))
			return nil
		}
		for _, b := range bs {
			b.Reset()
		}
		rest, err := column.DecodeRow(bs, it.Value())
		if err != nil {
			return err
		}
		t, known := r.timeOf(bs, rest)
		switch {
		case !known && r.stamps():
			row := binary.BigEndian.AppendUint64(slices.Clone(it.Value()), uint64(e.Now))
			e.Txn.Put(state.Result, e.Query, bytes.Clone(it.Key()), row)
			r.found = true
		case known && t <= last:
			e.Txn.Delete(state.Result, e.Query, bytes.Clone(it.Key()))
		case known:
			r.found = true
		}
		r.from = append(bytes.Clone(it.Key()), 0)
	}
	return nil
}

// timeOf is the time by which a row ages; rows without an event time are kept.
func (r *retention) timeOf(bs []column.Builder, rest []byte) (t int64, known bool) {
	if r.stamps() {
		if len(rest) != 8 {
			return 0, false
		}
		return int64(binary.BigEndian.Uint64(rest)), true
	}
	v := bs[r.node.Time].View().(*column.Of[int64])
	return v.Values[0], !v.IsNull(0)
}

// wake is when an epoch is due for rows that are too old.
func (r *retention) wake() types.MicroTime {
	switch {
	case r.from != nil:
		return r.now
	case r.stamps() && r.found:
		return r.next
	}
	return types.Infinity
}
