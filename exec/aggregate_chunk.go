package exec

import (
	"encoding/binary"

	"wmsql/column"
	"wmsql/state"
)

// encodeChunk encodes groups of b until the chunk is large enough, and returns the slots that are left.
func (a *streamAggregate) encodeChunk(b *bucket, slots []int32, version byte) (chunk []byte, rest []int32) {
	var body []byte
	shown := a.merger.shownOf(b.groups)
	n := 0
	for ; n < len(slots) && len(body) < chunkBytes; n++ {
		s := slots[n]
		body = a.merger.appendKey(body, b.groups, shown, s)
		if b.expires != nil {
			body = binary.AppendVarint(body, b.expires[s])
		}
		if b.changed != nil {
			body = binary.AppendVarint(body, b.changed[s])
		}
		for _, acc := range b.accs {
			body = acc.Encode(body, s)
		}
	}
	chunk = binary.AppendUvarint([]byte{version}, uint64(b.live))
	chunk = binary.AppendUvarint(chunk, uint64(n))
	chunk = binary.AppendUvarint(chunk, uint64(len(b.fixed)))
	for _, f := range b.fixed {
		null := byte(0)
		if f.null {
			null = 1
		}
		chunk = binary.AppendVarint(append(chunk, null), f.value)
	}
	return append(chunk, body...), slots[n:]
}

// load reads the groups of a cold bucket. Groups that earlier epochs freed since they were written are left out.
func (a *streamAggregate) load(b *bucket) error {
	a.stats.ReadBack++
	b.groups = a.merger.newGroups()
	b.rows, b.chunks, b.deltas = 0, 0, 0
	r := &chunkReader{a: a, b: b, shown: a.merger.shownBuilders()}
	lo := a.bucketKey(b.id)
	var bad error
	err := a.env.Reader.Scan(state.Operator, a.epoch.Query, lo, successor(lo), func(_, value []byte) bool {
		bad = r.read(value)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	if err == nil && (a.node.TTL > 0 || a.node.Expires >= 0 && !a.node.ByWindow) {
		if gone, left := b.split(a.past, nil, nil); len(gone) > 0 {
			b.keep(left)
		}
	}
	if err == nil {
		var dead []int32
		if dead, err = a.emptied(b, upTo(nil, b.table.len())); len(dead) > 0 {
			b.drop(dead)
		}
	}
	b.live, b.dead, b.size = b.table.len(), 0, b.bytes()
	return err
}

// chunkReader reads the chunks of a bucket, oldest first.
type chunkReader struct {
	a     *streamAggregate
	b     *bucket
	shown []column.Builder // scratch, of the lossy columns
}

func (r *chunkReader) read(value []byte) error {
	d := decoder{data: value}
	switch d.byte() {
	case chunkVersion:
		return r.groups(&d)
	case deltaVersion:
		return r.delta(&d)
	}
	return damaged("aggregate chunk")
}

// delta merges the groups of a chunk with those that are there.
func (r *chunkReader) delta(d *decoder) error {
	part := &bucket{id: r.b.id, groups: r.a.merger.newGroups()}
	if err := (&chunkReader{a: r.a, b: part, shown: r.shown}).groups(d); err != nil {
		return err
	}
	r.b.rows, r.b.chunks, r.b.deltas = r.b.rows+part.rows, r.b.chunks+1, r.b.deltas+1
	_, err := r.a.fold(r.b, part, upTo(nil, part.table.len()))
	return err
}

// groups reads the groups of a chunk; they override earlier ones.
func (r *chunkReader) groups(d *decoder) error {
	d.uvarint() // groups in the bucket
	n := d.uvarint()
	r.b.fixed = []fixedKey{}
	for k := d.uvarint(); k > 0 && d.err == nil; k-- {
		null := d.byte() == 1
		r.b.fixed = append(r.b.fixed, fixedKey{d.varint(), null})
	}
	for ; n > 0 && d.err == nil; n-- {
		if err := r.group(d); err != nil {
			return err
		}
		r.b.rows++
	}
	r.b.chunks++
	return d.err
}

func (r *chunkReader) group(d *decoder) error {
	b := r.b
	s, err := r.a.merger.readKey(d, b.groups, r.shown)
	if err != nil {
		return err
	}
	if n := r.a.node; n.Expires >= 0 && !n.ByWindow {
		b.expires = put(b.expires, s, d.varint())
	}
	if r.a.node.TTL > 0 {
		b.changed = put(b.changed, s, d.varint())
	}
	for _, acc := range b.accs {
		acc.Resize(b.table.len())
		rest, err := acc.Decode(s, d.data)
		if err != nil {
			return err
		}
		d.data = rest
	}
	return d.err
}

// put sets element s of v, which is at most one longer than v.
func put(v []int64, s int32, x int64) []int64 {
	if int(s) == len(v) {
		return append(v, x)
	}
	v[s] = x
	return v
}
