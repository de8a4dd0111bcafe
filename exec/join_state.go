package exec

import (
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// The stored form of a join's rows: chunks, each what came to one bucket in one epoch.
//
//	key    table, side, bucket end, epoch, part
//	value  version, live rows of the bucket after this chunk, rows: flags and the row, numbers of older rows that had a match
//
// Rows are numbered in the order of the chunks. A bucket that expired is one range deletion; rows freed before that stay in their
// chunks and are known by their expiry when they are read again. A bucket of many chunks is written anew as a whole when it has
// doubled since.
const (
	joinChunkVersion  = 1
	joinHeaderVersion = 1
	joinChunksMax     = 64
)

// The flags of a stored row.
const (
	joinMatched byte = 1 << iota
	joinDead         // freed: the row itself is left out
)

// finish writes what changed, and takes cold rows out of memory.
func (j *streamJoin) finish() error {
	j.past = max(j.past, j.evict.upTo)
	var total, memory int64
	for b := range j.buckets {
		if !b.cold() && b.epoch == j.epoch.ID {
			b.side.write(b)
			b.size = b.bytes()
		}
		total += int64(b.live)
		memory += b.size
	}
	v := binary.AppendVarint([]byte{joinHeaderVersion}, int64(j.past))
	j.epoch.Txn.Put(state.Operator, j.epoch.Query, tableKey(j.node.State), v)
	j.stats.RowsTotal, j.stats.StateBytes = total, chill(j.env, memory, j.buckets)
	return nil
}

// buckets yields those of both sides.
func (j *streamJoin) buckets(yield func(*joinBucket) bool) {
	for _, s := range j.sides {
		for _, b := range s.buckets {
			if !yield(b) {
				return
			}
		}
	}
}

// bucketKey is the first part of the keys of a bucket's chunks.
func (s *joinSide) bucketKey(end types.MicroTime) []byte {
	return binary.BigEndian.AppendUint64(append(tableKey(s.j.node.State), byte(s.at)), orderedTime(end))
}

// joinKeyLen is the length of what bucketKey returns.
const joinKeyLen = 4 + 1 + 8

// drop frees a bucket as a whole.
func (s *joinSide) drop(b *joinBucket) {
	if b.chunks > 0 {
		lo := s.bucketKey(b.end)
		s.j.epoch.Txn.DeleteRange(state.Operator, s.j.epoch.Query, lo, successor(lo))
	}
	delete(s.buckets, b.end)
}

// write stores what is new in b.
func (s *joinSide) write(b *joinBucket) {
	from := b.stored
	if from == b.total && len(b.flagged) == 0 {
		return
	}
	lo := s.bucketKey(b.end)
	if b.chunks >= joinChunksMax && b.total >= 2*b.base {
		s.j.epoch.Txn.DeleteRange(state.Operator, s.j.epoch.Query, lo, successor(lo))
		from, b.chunks, b.base, b.flagged = 0, 0, b.total, b.flagged[:0]
	}
	for part := uint32(0); from < b.total || len(b.flagged) > 0; part++ {
		v := binary.AppendUvarint([]byte{joinChunkVersion}, uint64(b.live))
		v, from = b.encode(v, from)
		key := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(slices.Clone(lo), uint64(s.j.epoch.ID)), part)
		s.j.epoch.Txn.Put(state.Operator, s.j.epoch.Query, key, v)
		b.chunks++
	}
	b.stored = b.total
}

// encode appends rows from one on until the chunk is large enough, and returns the row after them. The numbers of older rows go
// with the first chunk.
func (b *joinBucket) encode(v []byte, from int) (chunk []byte, next int) {
	var body []byte
	rows := b.rows()
	n := from
	for ; n < b.total && len(body) < chunkBytes; n++ {
		r := int32(n)
		var flags byte
		if b.matched.has(r) {
			flags |= joinMatched
		}
		if b.dead.has(r) {
			body = append(body, flags|joinDead)
			continue
		}
		body = column.AppendRow(append(body, flags), rows, n)
	}
	v = binary.AppendUvarint(v, uint64(n-from))
	v = append(v, body...)
	v = binary.AppendUvarint(v, uint64(len(b.flagged)))
	for _, r := range b.flagged {
		v = binary.AppendUvarint(v, uint64(r))
	}
	b.flagged = b.flagged[:0]
	return v, n
}
