package exec

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"wmsql/state"
	"wmsql/types"
)

// The stored form of a dedup's keys: chunks, each the keys that one epoch added to a bucket.
//
//	key    table, bucket end, shard, epoch, part
//	value  version, keys in the bucket after the epoch, the earliest expiry in the chunk, keys in the chunk, the keys
//
// A key is its length, its bytes, how long before the bucket's end it expires, and where the event time says which row is first, that
// row's. A key that comes again after it has expired is in
// a later chunk again, which counts. A bucket that is freed is one range deletion.
const dedupChunkVersion = 1

// finish frees what the watermark has passed, stores what the epoch added, and takes cold keys out of memory.
func (d *dedup) finish() error {
	w := d.freesUpTo()
	var total, memory int64
	for _, k := range d.buckets {
		if d.expires() && w != types.MinTime && k.id.end <= w {
			d.free(k)
			continue
		}
		if k.epoch == d.epoch.ID && !k.cold() {
			d.write(k)
			k.size = k.bytes()
		}
		if d.expires() && k.first <= int64(w) {
			if err := d.expire(k, w); err != nil {
				return err
			}
		}
		total += int64(k.live - k.dead)
		memory += k.size
	}
	d.stats.RowsTotal = total
	d.stats.StateBytes = chill(d.env, memory, maps.Values(d.buckets))
	return nil
}

// free drops a bucket.
func (d *dedup) free(k *keyBucket) {
	if k.cold() || k.epoch != d.epoch.ID {
		d.stats.RowsRemoved += int64(k.live - k.dead)
	} else {
		d.stats.RowsUpdated += int64(k.table.len() - k.stored + len(k.redone))
		d.stats.RowsRemoved += int64(k.table.len() - k.dead)
	}
	if k.chunks > 0 {
		lo := d.bucketKey(k.id)
		d.epoch.Txn.DeleteRange(state.Operator, d.epoch.Query, lo, successor(lo))
	}
	delete(d.buckets, k.id)
	d.order = slices.DeleteFunc(d.order, func(x *keyBucket) bool { return x == k })
}

// expire frees the keys of a bucket that the watermark has passed.
func (d *dedup) expire(k *keyBucket, w types.MicroTime) error {
	if k.cold() {
		if err := d.load(k); err != nil {
			return err
		}
	}
	d.stats.RowsRemoved += int64(k.expire(w))
	k.compact(w)
	k.size = k.bytes()
	return nil
}

// add makes a bucket known.
func (d *dedup) add(k *keyBucket) {
	d.buckets[k.id] = k
	if !d.roams() {
		return
	}
	at, _ := slices.BinarySearchFunc(d.order, k, func(x, y *keyBucket) int { return cmp.Compare(y.id.end, x.id.end) })
	d.order = slices.Insert(d.order, at, k)
}

// write stores what the epoch added to k or changed in it, or all of k when that frees old chunks.
func (d *dedup) write(k *keyBucket) {
	n := k.table.len()
	slices.Sort(k.redone)
	slots := slices.Compact(k.redone)
	for s := k.stored; s < n; s++ {
		slots = append(slots, int32(s))
	}
	d.stats.RowsUpdated += int64(len(slots))
	lo := d.bucketKey(k.id)
	if k.chunks >= chunksMax && k.rows+len(slots) > 2*n {
		d.epoch.Txn.DeleteRange(state.Operator, d.epoch.Query, lo, successor(lo))
		slots, k.chunks, k.rows = upTo(nil, n), 0, 0
	}
	k.rows += len(slots)
	for part := uint32(0); len(slots) > 0; part++ {
		var v []byte
		v, slots = encodeKeys(k, slots)
		key := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(slices.Clone(lo), uint64(d.epoch.ID)), part)
		d.epoch.Txn.Put(state.Operator, d.epoch.Query, key, v)
		k.chunks++
	}
	k.redone = k.redone[:0]
	k.stored, k.live = n, n
}

// encodeKeys encodes keys of k until the chunk is large enough, and returns the slots that are left.
func encodeKeys(k *keyBucket, slots []int32) (chunk []byte, rest []int32) {
	var body []byte
	first := int64(types.Infinity)
	n := 0
	for ; n < len(slots) && len(body) < chunkBytes; n++ {
		s := slots[n]
		key := k.table.keys.key(int(s))
		body = append(binary.AppendUvarint(body, uint64(len(key))), key...)
		before := uint64(0)
		if k.expires != nil {
			first = min(first, k.expires[s])
			before = uint64(int64(k.id.end) - k.expires[s])
		}
		body = binary.AppendUvarint(body, before)
		if k.best != nil {
			body = binary.AppendVarint(body, k.best[s])
		}
	}
	chunk = binary.AppendUvarint([]byte{dedupChunkVersion}, uint64(k.table.len()))
	chunk = binary.AppendVarint(chunk, first)
	chunk = binary.AppendUvarint(chunk, uint64(n))
	return append(chunk, body...), slots[n:]
}

// bucketKey is the first part of the keys of a bucket's chunks.
func (d *dedup) bucketKey(id bucketID) []byte {
	k := binary.BigEndian.AppendUint64(tableKey(d.node.State), orderedTime(id.end))
	return append(k, id.shard)
}
