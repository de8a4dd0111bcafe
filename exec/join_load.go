package exec

import (
	"encoding/binary"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// readIndex finds out what is stored: how far was freed, and of every bucket how many rows it has. The rows themselves are read
// when they are needed, those of a bucket that is partly freed at once, to be counted.
func (j *streamJoin) readIndex(query uint32) error {
	j.past = types.MinTime
	key := tableKey(j.node.State)
	v, err := j.env.Reader.Get(state.Operator, query, key)
	if err != nil || v == nil {
		return err
	}
	d := decoder{data: v}
	if d.byte() != joinHeaderVersion {
		return damaged("join header")
	}
	if j.past = types.MicroTime(d.varint()); d.err != nil {
		return d.err
	}
	var bad error
	err = j.env.Reader.Scan(state.Operator, query, append(key, 0), successor(key), func(key, value []byte) bool {
		bad = j.indexChunk(key, value)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	j.stats.RowsTotal = 0
	for _, s := range j.sides {
		for _, b := range s.buckets {
			if err == nil && s.node.Frees && b.begins() <= j.past {
				err = s.load(b)
			}
			j.stats.RowsTotal += int64(b.live)
		}
	}
	return err
}

// indexChunk notes one chunk.
func (j *streamJoin) indexChunk(key, value []byte) error {
	if len(key) < joinKeyLen || key[4] > 1 {
		return damaged("join key")
	}
	s := j.sides[key[4]]
	end := timeOf(binary.BigEndian.Uint64(key[5:]))
	b := s.buckets[end]
	if b == nil {
		b = &joinBucket{side: s, end: end}
		s.buckets[end] = b
	}
	d := decoder{data: value}
	if d.byte() != joinChunkVersion {
		return damaged("join chunk")
	}
	b.live = int(d.uvarint())
	n := int(d.uvarint())
	b.total, b.stored = b.total+n, b.stored+n
	b.chunks++
	return d.err
}

// load reads the rows of a cold bucket. Those that earlier epochs freed are dead.
func (s *joinSide) load(b *joinBucket) error {
	s.j.stats.ReadBack++
	b.joinRows = newJoinRows(s)
	b.total, b.chunks = 0, 0
	lo := s.bucketKey(b.end)
	var bad error
	err := s.j.env.Reader.Scan(state.Operator, s.j.query(), lo, successor(lo), func(_, value []byte) bool {
		bad = b.decode(value)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	if err != nil {
		return err
	}
	b.stored = b.total
	if s.node.Frees && s.j.past != types.MinTime {
		_, gone := b.expired(s.j.past, nil, nil)
		for _, r := range gone {
			b.dead.set(r)
		}
	}
	b.live = b.total - b.dead.count()
	if err := s.reindex(b); err != nil {
		return err
	}
	b.size = b.bytes()
	return nil
}

// query is the object id of the continuous query.
func (j *streamJoin) query() uint32 { return j.epoch.Query }

// decode reads one chunk.
func (b *joinBucket) decode(value []byte) error {
	d := decoder{data: value}
	if d.byte() != joinChunkVersion {
		return damaged("join chunk")
	}
	d.uvarint() // live rows
	once := b.side.j.once(b.side.at)
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		flags, r := d.byte(), int32(b.total)
		if flags&joinMatched != 0 {
			b.matched.set(r)
		}
		b.total++
		if flags&joinDead != 0 {
			b.dead.set(r)
			for _, c := range b.cols {
				c.AppendNull()
			}
			continue
		}
		rest, err := column.DecodeRow(b.cols, d.data)
		if err != nil {
			return err
		}
		d.data = rest
	}
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		r := int32(d.uvarint())
		b.matched.set(r)
		if once {
			b.dead.set(r)
		}
	}
	b.chunks++
	return d.err
}

// reindex finds the keys of the rows anew.
func (s *joinSide) reindex(b *joinBucket) error {
	all := &column.Batch{Schema: s.node.Input.Schema(), Cols: b.rows(), Rows: b.total}
	cols, err := s.keys.eval(nil, all)
	if err != nil {
		return err
	}
	var set keySet
	s.layout.encode(&set, cols, b.total)
	b.links = make([]int32, b.total)
	for i := range b.total {
		b.links[i] = -1
		if !anyNull(cols, i) && !b.dead.has(int32(i)) {
			b.links[i] = b.index(&set, i, int32(i))
		}
	}
	return nil
}
