package exec

import (
	"encoding/binary"

	"wmsql/state"
	"wmsql/types"
)

// readIndex finds out how many keys every bucket has; the keys themselves are read when they are needed.
func (d *dedup) readIndex() error {
	d.buckets = map[bucketID]*keyBucket{}
	lo := append(tableKey(d.node.State), 0)
	var bad error
	err := d.env.Reader.Scan(state.Operator, d.epoch.Query, lo, successor(lo[:4]), func(key, value []byte) bool {
		if len(key) < bucketKeyLen {
			bad = damaged("deduplication key")
			return false
		}
		id := bucketID{timeOf(binary.BigEndian.Uint64(key[4:])), key[12]}
		k := d.buckets[id]
		if k == nil {
			k = newKeyBucket(id)
			d.add(k)
		}
		r := decoder{data: value}
		if r.byte() != dedupChunkVersion {
			bad = damaged("deduplication chunk")
			return false
		}
		k.live = int(r.uvarint())
		k.first = min(k.first, r.varint())
		k.rows += int(r.uvarint())
		k.chunks++
		bad = r.err
		return bad == nil
	})
	if bad != nil {
		return bad
	}
	return err
}

// load reads the keys of a cold bucket, without those that have expired.
func (d *dedup) load(k *keyBucket) error {
	d.stats.ReadBack++
	k.table, k.first, k.chunks, k.dead = &groupTable{}, int64(types.Infinity), 0, 0
	k.rows = 0
	lo := d.bucketKey(k.id)
	var bad error
	err := d.env.Reader.Scan(state.Operator, d.epoch.Query, lo, successor(lo), func(_, value []byte) bool {
		bad = d.readChunk(k, value)
		return bad == nil
	})
	if bad != nil {
		err = bad
	}
	k.stored, k.live = k.table.len(), k.table.len()
	k.expire(d.past)
	k.size = k.bytes()
	return err
}

// knows reports whether a stored key needs no place in memory: it has expired. One that an older chunk has as alive expires here.
func (k *keyBucket) knows(key []byte, expires, past int64) bool {
	if expires > past {
		return false
	}
	if s := k.table.has(key); s >= 0 && k.expires[s] > past {
		k.expires[s], k.first = expires, min(k.first, expires)
	}
	return true
}

func (d *dedup) readChunk(k *keyBucket, value []byte) error {
	r := decoder{data: value}
	if r.byte() != dedupChunkVersion {
		return damaged("deduplication chunk")
	}
	r.uvarint() // keys in the bucket
	r.varint()  // the earliest expiry
	timed := d.expires() && !d.node.ByWindow
	n := r.uvarint()
	k.rows += int(n)
	for ; n > 0 && r.err == nil; n-- {
		key := r.bytes(r.uvarint())
		expires := int64(k.id.end) - int64(r.uvarint())
		best := int64(0)
		if d.node.By >= 0 {
			best = r.varint()
		}
		if r.err != nil || timed && k.knows(key, expires, int64(d.past)) {
			continue
		}
		s := k.table.one(key)
		if d.node.By >= 0 {
			k.best = put(k.best, s, best)
		}
		if timed {
			k.expires = put(k.expires, s, expires)
			k.first = min(k.first, expires)
		}
	}
	k.chunks++
	return r.err
}
