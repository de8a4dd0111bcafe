package exec

import (
	"encoding/binary"
	"slices"

	"wmsql/state"
	"wmsql/types"
)

// The stored form of a topN's rows.
//
//	key    table
//	value  version, rows in the store
//
//	key    table, 1, when the partition ends, the partition
//	value  version, time of the epoch, number of rows; of each row in order: length, bytes that order it, length, the row
const topVersion = 1

// key is where the rows of a partition lie.
func (t *topN) key(partition []byte, end types.MicroTime) []byte {
	return append(binary.BigEndian.AppendUint64(append(tableKey(t.node.State), 1), orderedTime(end)), partition...)
}

// read returns the stored rows of a partition, and whether their TTL has passed.
func (t *topN) read(key []byte) (rows []topRow, dead bool, err error) {
	v, err := t.env.Reader.Get(state.Operator, t.epoch.Query, key)
	if err != nil || v == nil {
		return nil, false, err
	}
	return t.decode(v)
}

func (t *topN) decode(v []byte) (rows []topRow, dead bool, err error) {
	d := decoder{data: v}
	if d.byte() != topVersion {
		return nil, false, damaged("first rows")
	}
	changed := d.varint()
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		order := slices.Clone(d.bytes(d.uvarint()))
		rows = append(rows, topRow{order, slices.Clone(d.bytes(d.uvarint()))})
	}
	return rows, t.node.TTL > 0 && plusMicros(changed, t.node.TTL) <= int64(t.epoch.Now), d.err
}

// write stores the rows of a partition that had so many.
func (t *topN) write(key []byte, rows []topRow, stored int) {
	t.rows += int64(len(rows) - stored)
	t.written[string(key)] = int64(len(rows))
	if len(rows) == 0 {
		t.epoch.Txn.Delete(state.Operator, t.epoch.Query, key)
		return
	}
	v := binary.AppendVarint([]byte{topVersion}, int64(t.epoch.Now))
	v = binary.AppendUvarint(v, uint64(len(rows)))
	for _, r := range rows {
		v = append(binary.AppendUvarint(v, uint64(len(r.order))), r.order...)
		v = append(binary.AppendUvarint(v, uint64(len(r.row))), r.row...)
	}
	t.epoch.Txn.Put(state.Operator, t.epoch.Query, key, v)
}

// free takes away the partitions that end at or before w.
func (t *topN) free(w types.MicroTime) error {
	if t.node.End < 0 || w == types.MinTime {
		return nil
	}
	lo, hi := t.key(nil, types.MinTime), successor(t.key(nil, w))
	before := t.rows
	var bad error
	err := t.env.Reader.Scan(state.Operator, t.epoch.Query, lo, hi, func(key, v []byte) bool {
		rows, _, err := t.decode(v)
		if _, ours := t.written[string(key)]; !ours {
			t.rows -= int64(len(rows))
		}
		bad = err
		return bad == nil
	})
	for slot, end := range t.ends {
		if end <= w {
			t.rows -= t.written[string(t.key(t.keys.keys.key(slot), end))]
		}
	}
	if before != t.rows {
		t.epoch.Txn.DeleteRange(state.Operator, t.epoch.Query, lo, hi)
		t.stats.RowsRemoved += before - t.rows
	}
	if err == nil {
		err = bad
	}
	return err
}

// wake is when an epoch is due for the TTL alone.
func (t *topN) wake() types.MicroTime {
	if t.node.TTL == 0 || t.rows == 0 {
		return types.Infinity
	}
	return types.MicroTime(plusMicros(int64(t.swept), max(1, t.node.TTL/ttlSlack)))
}

// sweep frees some of the partitions whose TTL has passed; their rows leave the result.
func (t *topN) sweep() error {
	if t.swept = t.epoch.Now; t.node.TTL == 0 || t.rows == 0 {
		return nil
	}
	lo := append(tableKey(t.node.State), 1)
	hi := successor(lo)
	if t.next == nil {
		t.next = lo
	}
	seen := 0
	var bad error
	var after []byte
	err := t.env.Reader.Scan(state.Operator, t.epoch.Query, t.next, hi, func(key, v []byte) bool {
		if seen++; seen > sweepMax {
			after = slices.Clone(key)
			return false
		}
		rows, dead, err := t.decode(v)
		if _, ours := t.written[string(key)]; err == nil && dead && !ours {
			t.rows -= int64(len(rows))
			t.stats.RowsRemoved += int64(len(rows))
			t.epoch.Txn.Delete(state.Operator, t.epoch.Query, slices.Clone(key))
			err = t.differ(rows, nil)
		}
		bad = err
		return bad == nil
	})
	t.next = after
	if err == nil {
		err = bad
	}
	return err
}

func (t *topN) storeHeader() {
	v := binary.AppendVarint([]byte{topVersion}, t.rows)
	t.epoch.Txn.Put(state.Operator, t.epoch.Query, tableKey(t.node.State), v)
}

// load reads how many rows are stored.
func (t *topN) load() error {
	v, err := t.env.Reader.Get(state.Operator, t.epoch.Query, tableKey(t.node.State))
	if err != nil || v == nil {
		return err
	}
	d := decoder{data: v}
	if d.byte() != topVersion {
		return damaged("first rows header")
	}
	t.rows = d.varint()
	return d.err
}
