package exec

import (
	"bytes"
	"encoding/binary"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// What an epoch changed in a view's result lies in the Changes space under the view, as long as a query that follows it has not read it:
//
//	epoch, 0         version, watermark that the result is under after the epoch, rows and bytes of the parts, time of the epoch
//	epoch, 1 ...     a batch of the view's columns with ops
//
// It is written in the epoch's own transaction. Every epoch has its entry while somebody follows, so that a gap shows.
const changesVersion = 2

// ChangesHeader tells of one epoch's changes. Version 1 had no Bytes and At.
type ChangesHeader struct {
	Epoch int64
	Mark  types.MicroTime // the watermark that the result was under after the epoch
	Rows  int64
	Bytes int64           // of the parts in the store
	At    types.MicroTime // when the epoch ran
}

// changesKey is the key of a part of an epoch; 0 is its header.
func changesKey(epoch int64, part uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, uint64(epoch)), part)
}

// TrimChanges deletes what a view's epochs up to one have left for those who follow it.
func TrimChanges(txn state.Txn, view catalog.ID, upTo int64) {
	txn.DeleteRange(state.Changes, uint32(view), nil, changesKey(upTo+1, 0))
}

// changeLog writes the changes of one view's result.
type changeLog struct {
	view   uint32
	schema *types.Schema
	epoch  *Epoch
	r      state.Reader
	part   uint32
	rows   int64
	bytes  int64

	was map[string][]byte // rows that the epoch has replaced, as they stand now; nil: gone
	// seen are the keys written, where an epoch writes the whole result: what stands under others is gone. nil otherwise.
	seen map[string]struct{}
	bs   []column.Builder
	ops  []column.Op
}

func newChangeLog(view uint32, s *types.Schema, r state.Reader, e *Epoch) *changeLog {
	return &changeLog{view: view, schema: s, epoch: e, r: r, was: map[string][]byte{}, bs: column.NewBuilders(s, 0)}
}

// exact takes changes as they are.
func (l *changeLog) exact(cols []column.Vector, rows int, ops []column.Op) {
	l.put(&column.Batch{Schema: l.schema, Cols: cols, Rows: rows, Ops: ops})
}

// replace takes the row that now stands under a key, nil if none does, and finds out what stood there before.
func (l *changeLog) replace(key, row []byte) error {
	if l.seen != nil && row != nil {
		l.seen[string(key)] = struct{}{}
	}
	old, known := l.was[string(key)]
	if !known {
		v, err := l.r.Get(state.Result, l.view, key)
		if err != nil {
			return err
		}
		old = v
	}
	if (old == nil) == (row == nil) && bytes.HasPrefix(old, row) { // behind a stored row may stand when it was written
		return nil
	}
	before, after := column.UpdateBefore, column.UpdateAfter
	if row == nil {
		before = column.Delete
	}
	if old == nil {
		after = column.Insert
	}
	if err := l.add(before, old); err != nil {
		return err
	}
	if err := l.add(after, row); err != nil {
		return err
	}
	l.was[string(key)] = append([]byte(nil), row...)
	if row == nil {
		l.was[string(key)] = nil
	}
	if len(l.ops)+1 >= column.MaxRows {
		l.flush()
	}
	return nil
}

func (l *changeLog) add(op column.Op, row []byte) error {
	if row == nil {
		return nil
	}
	if _, err := column.DecodeRow(l.bs, row); err != nil {
		return err
	}
	l.ops = append(l.ops, op)
	return nil
}

func (l *changeLog) flush() {
	if len(l.ops) == 0 {
		return
	}
	b := column.BuildBatch(l.schema, l.bs)
	b.Rows, b.Ops = len(l.ops), l.ops
	l.put(b)
	l.ops = l.ops[:0]
}

func (l *changeLog) put(b *column.Batch) {
	if b.Rows == 0 {
		return
	}
	l.part++
	l.rows += int64(b.Rows)
	v := column.AppendBatch(nil, b)
	l.bytes += int64(len(v))
	l.epoch.Txn.Put(state.Changes, l.view, changesKey(l.epoch.ID, l.part), v)
}

// unseen takes back the rows that a whole result does not have any more.
func (l *changeLog) unseen() error {
	if l.seen == nil {
		return nil
	}
	it, err := l.r.Iter(state.Result, l.view, firstRow, afterRows, false)
	if err != nil {
		return err
	}
	for err == nil && it.Next() {
		if _, ok := l.seen[string(it.Key())]; !ok {
			err = l.replace(it.Key(), nil)
		}
	}
	if err2 := it.Close(); err == nil {
		err = err2
	}
	return err
}

// finish writes the epoch's header; mark is the watermark that the result is under.
func (l *changeLog) finish(mark types.MicroTime) error {
	if err := l.unseen(); err != nil {
		return err
	}
	l.flush()
	h := ChangesHeader{Epoch: l.epoch.ID, Mark: mark, Rows: l.rows, Bytes: l.bytes, At: l.epoch.Now}
	l.epoch.Txn.Put(state.Changes, l.view, changesKey(h.Epoch, 0), h.encode())
	l.epoch.Logged = h
	return nil
}

func (h *ChangesHeader) encode() []byte {
	v := binary.AppendVarint([]byte{changesVersion}, int64(h.Mark))
	v = binary.AppendUvarint(v, uint64(h.Rows))
	v = binary.AppendUvarint(v, uint64(h.Bytes))
	return binary.AppendVarint(v, int64(h.At))
}

func decodeChangesHeader(epoch int64, v []byte) (ChangesHeader, error) {
	d := decoder{data: v}
	version := d.byte()
	h := ChangesHeader{Epoch: epoch, Mark: types.MicroTime(d.varint()), Rows: int64(d.uvarint())}
	switch version {
	case 1:
	case changesVersion:
		h.Bytes, h.At = int64(d.uvarint()), types.MicroTime(d.varint())
	default:
		return h, damaged("change of a result")
	}
	return h, d.err
}

// ReadChangesHeader tells of the changes of one epoch; the zero ChangesHeader if none are kept.
func ReadChangesHeader(r state.Reader, view catalog.ID, epoch int64) (ChangesHeader, error) {
	v, err := r.Get(state.Changes, uint32(view), changesKey(epoch, 0))
	if v == nil || err != nil {
		return ChangesHeader{}, err
	}
	return decodeChangesHeader(epoch, v)
}
