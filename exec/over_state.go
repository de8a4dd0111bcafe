package exec

import (
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// The stored form of an overTime's rows.
//
//	key    table
//	value  version, the watermark up to which rows have come out, rows that are reached by number
//
//	key    table, 0, bucket end, epoch, part
//	value  version, number of rows, the rows: those that came to a bucket in an epoch and were not freed in it
//
//	key    table, 1, when the partition ends, the partition
//	value  version, time of the epoch, number of rows, the last rows of the partition by time
//
// A bucket is freed by one range deletion, and so are the partitions that have ended. Rows freed before their bucket is are known by their
// time when they are read again.
const (
	overVersion  = 1
	overInTime   = 0
	overByNumber = 1
)

// store writes the rows that are new, and how far rows have come out.
func (o *overTime) store() error {
	o.stats.RowsTotal, o.stats.StateBytes = o.rows.live(), o.rows.bytes()
	header := binary.AppendVarint([]byte{overVersion}, int64(o.past))
	if o.last != nil {
		if err := o.last.sweep(o.epoch); err != nil {
			return err
		}
		header = binary.AppendVarint(header, o.last.rows)
		o.stats.RowsTotal += o.last.rows
	}
	o.epoch.Txn.Put(state.Operator, o.epoch.Query, tableKey(o.node.State), header)
	for _, b := range o.rows.buckets {
		o.write(b)
	}
	return nil
}

// write stores what is new in a bucket.
func (o *overTime) write(b *overBucket) {
	fresh := b.rows[len(b.rows)-b.fresh:]
	for part := uint32(0); len(fresh) > 0; part++ {
		var body []byte
		n := 0
		for ; n < len(fresh) && len(body) < chunkBytes; n++ {
			body = column.AppendRow(body, o.rows.view(), int(fresh[n]))
		}
		fresh = fresh[n:]
		key := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(o.bucketKey(b.end), uint64(o.epoch.ID)), part)
		value := binary.AppendUvarint([]byte{overVersion}, uint64(n))
		o.epoch.Txn.Put(state.Operator, o.epoch.Query, key, append(value, body...))
		b.chunks++
	}
	b.fresh = 0
}

// bucketKey is the first part of the keys of a bucket's chunks.
func (o *overTime) bucketKey(end types.MicroTime) []byte {
	return binary.BigEndian.AppendUint64(append(tableKey(o.node.State), overInTime), orderedTime(end))
}

// drop frees a bucket in the store.
func (o *overTime) drop(b *overBucket) {
	if b.chunks > 0 {
		lo := o.bucketKey(b.end)
		o.epoch.Txn.DeleteRange(state.Operator, o.epoch.Query, lo, successor(lo))
	}
}

// load reads what is stored.
func (o *overTime) load() error {
	key := tableKey(o.node.State)
	v, err := o.env.Reader.Get(state.Operator, o.epoch.Query, key)
	if err != nil || v == nil {
		return err
	}
	d := decoder{data: v}
	if d.byte() != overVersion {
		return damaged("rows header")
	}
	o.past = types.MicroTime(d.varint())
	if o.last != nil {
		o.last.rows = d.varint()
	}
	if d.err != nil {
		return d.err
	}
	lo := append(slices.Clone(key), overInTime)
	var bad error
	err = o.env.Reader.Scan(state.Operator, o.epoch.Query, lo, successor(lo), func(key, value []byte) bool {
		bad = o.loadChunk(key, value)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	o.stats.RowsTotal, o.stats.StateBytes = o.rows.live(), o.rows.bytes()
	if o.last != nil {
		o.stats.RowsTotal += o.last.rows
	}
	return err
}

// loadChunk reads the rows of a chunk that are not freed yet.
func (o *overTime) loadChunk(key, value []byte) error {
	if len(key) < 4+1+8 {
		return damaged("rows key")
	}
	end := timeOf(binary.BigEndian.Uint64(key[5:]))
	d := decoder{data: value}
	if d.byte() != overVersion {
		return damaged("rows")
	}
	n := int(d.uvarint())
	bs := column.NewBuilders(o.node.Input.Schema(), 0)
	for range n {
		rest, err := column.DecodeRow(bs, d.data)
		if err != nil {
			return err
		}
		d.data = rest
	}
	b := column.BuildBatch(o.node.Input.Schema(), bs)
	b.Rows = n
	if d.err != nil {
		return d.err
	}
	bucket := o.rows.buckets[end]
	if bucket == nil {
		bucket = &overBucket{end: end}
		o.rows.buckets[end] = bucket
	}
	bucket.chunks++
	var keep []int32
	for i := range n {
		if o.rows.untilOf(b, i) > int64(o.past) {
			keep = append(keep, int32(i))
		}
	}
	return o.add(b.Take(keep), bucket)
}
