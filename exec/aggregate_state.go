package exec

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"wmsql/state"
	"wmsql/types"
)

// The stored form of an aggregate's groups: chunks, each the groups of one bucket that changed in one epoch.
//
//	key    table, bucket end, shard, epoch, part
//	value  version, groups in the bucket after this chunk, groups in the chunk, the keys that all of them share, the groups
//
// A later chunk of a bucket overrides earlier ones group by group. A bucket that is freed is one range deletion; groups freed one by
// one stay in their chunks and are known by their expiry when they are read again. When a bucket has many chunks it is written
// anew as a whole.
const chunkVersion = 1

// deltaVersion begins a chunk whose groups are merged with those of earlier chunks: what an epoch's rows brought to a bucket that was
// only in the store. The count of groups in the bucket is then an upper bound.
const deltaVersion = 2

// Limits of chunks.
const (
	chunkBytes = 256 << 10 // a value is not much larger
	chunksMax  = 16        // a bucket with more is written anew once most of what they hold is out of date
	deltasMax  = 256       // epochs that may add to a bucket without reading it
)

// finish frees what expired, writes what changed, and takes cold groups out of memory.
func (a *streamAggregate) finish() error {
	for _, b := range slices.Collect(maps.Values(a.buckets)) {
		if b.epoch == a.epoch.ID && !b.cold() {
			if err := a.store(b); err != nil {
				return err
			}
		}
	}
	var total, memory int64
	for _, b := range a.buckets {
		b.before = nil
		total += int64(b.live - b.dead)
		memory += b.size
	}
	a.past = a.now
	a.prune()
	a.writeHeader()
	a.stats.RowsTotal = total
	a.stats.StateBytes = chill(a.env, memory, maps.Values(a.buckets))
	return nil
}

// drop frees the groups of a task.
func (a *streamAggregate) drop(t task) error {
	b := t.b
	if b == nil {
		return nil
	}
	switch t.drop {
	case dropAll:
		if !b.reopened {
			a.stats.RowsRemoved += int64(b.live)
		}
		if a.kept != nil {
			return a.shut(b)
		}
		a.free(b)
	case dropSome:
		if b.cold() {
			if err := a.load(b); err != nil {
				return err
			}
		}
		gone, left := b.split(a.now, nil, nil)
		if len(gone) == 0 {
			return nil
		}
		a.stats.RowsRemoved += int64(len(gone))
		b.keep(left)
	}
	return nil
}

// write stores the groups of b that changed in the epoch, or all of them when that frees old chunks.
func (a *streamAggregate) write(b *bucket) error {
	slots := b.touched(a.emit.slots[:0])
	clear(b.dirty)
	if len(slots) == 0 {
		return nil
	}
	dead, err := a.emptied(b, slots)
	if err != nil {
		return err
	}
	a.stats.RowsRemoved += int64(len(dead))
	b.live = b.table.len() - len(dead)
	lo := a.bucketKey(b.id)
	if b.chunks >= chunksMax && b.rows+len(slots) > 2*b.live || b.deltas >= deltasMax {
		a.epoch.Txn.DeleteRange(state.Operator, a.epoch.Query, lo, successor(lo))
		slots, b.chunks, b.rows, b.deltas = upTo(slots[:0], b.table.len()), 0, 0, 0
	}
	a.emit.slots = slots
	a.writeChunks(b, b, slots, chunkVersion)
	if len(dead) > 0 {
		b.drop(dead)
	}
	return nil
}

// writeChunks stores groups of from at slots as chunks of b.
func (a *streamAggregate) writeChunks(b, from *bucket, slots []int32, version byte) {
	lo := a.bucketKey(b.id)
	b.rows += len(slots)
	for part := uint32(0); len(slots) > 0; part++ {
		var v []byte
		v, slots = a.encodeChunk(from, slots, version)
		key := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(slices.Clone(lo), uint64(a.epoch.ID)), part)
		a.epoch.Txn.Put(state.Operator, a.epoch.Query, key, v)
		b.chunks++
	}
}

// headerVersion begins the value of the aggregate's header: how far it has evicted.
const headerVersion = 1

func (a *streamAggregate) writeHeader() {
	v := binary.AppendVarint([]byte{headerVersion}, int64(a.past.expired))
	v = binary.AppendVarint(v, int64(a.past.unchanged))
	if a.kept != nil {
		v = binary.AppendVarint(v, int64(a.since))
	}
	a.epoch.Txn.Put(state.Operator, a.epoch.Query, tableKey(a.node.State), v)
}

// bucketKey is the first part of the keys of a bucket's chunks.
func (a *streamAggregate) bucketKey(id bucketID) []byte {
	k := binary.BigEndian.AppendUint64(tableKey(a.node.State), orderedTime(id.end))
	return append(k, id.shard)
}

// bucketKeyLen is the length of what bucketKey returns.
const bucketKeyLen = 4 + 8 + 1

// successor is the first key after all that begin with prefix; nil if there is none.
func successor(prefix []byte) []byte {
	out := slices.Clone(prefix)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i]++; out[i] != 0 {
			return out[:i+1]
		}
	}
	return nil
}

// readIndex finds out what is stored: the header, and of every bucket how many groups it has. The groups themselves are
// read when they are needed.
func (a *streamAggregate) readIndex(query uint32) error {
	a.buckets, a.divided = map[bucketID]*bucket{}, map[types.MicroTime]bool{}
	a.past, a.since = cut{types.MinTime, types.MinTime}, types.MinTime
	key := tableKey(a.node.State)
	v, err := a.env.Reader.Get(state.Operator, query, key)
	if err != nil || v == nil {
		return err
	}
	d := decoder{data: v}
	if d.byte() != headerVersion {
		return damaged("aggregate header")
	}
	a.past = cut{types.MicroTime(d.varint()), types.MicroTime(d.varint())}
	a.created = true
	a.since = a.past.expired
	if len(d.data) > 0 {
		a.since = types.MicroTime(d.varint())
	}
	if d.err != nil {
		return d.err
	}
	return a.readBuckets(query, append(key, 0), successor(key))
}

func (a *streamAggregate) readBuckets(query uint32, lo, hi []byte) error {
	var bad error
	err := a.env.Reader.Scan(state.Operator, query, lo, hi, func(key, value []byte) bool {
		if len(key) < bucketKeyLen {
			bad = damaged("aggregate key")
			return false
		}
		id := bucketID{timeOf(binary.BigEndian.Uint64(key[4:])), key[12]}
		b := a.buckets[id]
		if b == nil {
			b = &bucket{id: id, oldest: math.MinInt64}
			a.buckets[id] = b
			a.noteDivided(id)
		}
		d := decoder{data: value}
		switch d.byte() {
		case chunkVersion:
		case deltaVersion:
			b.deltas++
		default:
			bad = damaged("aggregate chunk")
			return false
		}
		b.live = int(d.uvarint())
		b.rows += int(d.uvarint())
		b.chunks++
		bad = d.err
		return bad == nil
	})
	if bad != nil {
		return bad
	}
	return err
}
