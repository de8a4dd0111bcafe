package exec

import (
	"bytes"
	"hash/maphash"
)

// groupTable numbers distinct keys 0, 1, 2, ... in the order in which they come: an open-addressing table
// of 4-byte words beside the keys themselves.
type groupTable struct {
	keys  keySet
	index []uint32 // group number + 1 by hash, 0 where empty; a power of two long
	added []int32  // rows that made a group in the last find
}

// len is the number of groups.
func (t *groupTable) len() int { return len(t.keys.ends) }

// bytes is the memory held.
func (t *groupTable) bytes() int64 {
	return int64(cap(t.keys.data)) + 4*int64(cap(t.keys.ends)+cap(t.keys.hashes)+cap(t.index))
}

// find appends to dst the group of each row of k: of rows rows, or of the first n if rows is nil. Keys
// that are new become groups; added lists their rows.
func (t *groupTable) find(dst []int32, k *keySet, rows []int32, n int) []int32 {
	t.added = t.added[:0]
	if rows != nil {
		n = len(rows)
	}
	for j := range n {
		i := j
		if rows != nil {
			i = int(rows[j])
		}
		if 4*(t.len()+1) > 3*len(t.index) {
			t.grow()
		}
		dst = append(dst, t.slot(k, i))
	}
	return dst
}

// slot returns the group of key i of k and makes it if it is new. There is room in the index.
func (t *groupTable) slot(k *keySet, i int) int32 {
	h, key := k.hashes[i], k.key(i)
	mask := uint32(len(t.index) - 1)
	at := h & mask
	for ; t.index[at] != 0; at = (at + 1) & mask {
		g := t.index[at] - 1
		if t.keys.hashes[g] == h && bytes.Equal(t.keys.key(int(g)), key) {
			return int32(g)
		}
	}
	t.index[at] = uint32(t.len()) + 1
	t.push(key, h)
	t.added = append(t.added, int32(i))
	return int32(t.len() - 1)
}

func (t *groupTable) push(key []byte, h uint32) {
	t.keys.data = append(t.keys.data, key...)
	t.keys.ends = append(t.keys.ends, uint32(len(t.keys.data)))
	t.keys.hashes = append(t.keys.hashes, h)
}

// one returns the group of a single key.
func (t *groupTable) one(key []byte) int32 {
	k := single(key)
	return t.find(nil, &k, nil, 1)[0]
}

// has returns the group of a single key, -1 if there is none.
func (t *groupTable) has(key []byte) int32 {
	k := single(key)
	return t.lookup(&k, 0)
}

func single(key []byte) keySet {
	return keySet{data: key, ends: []uint32{uint32(len(key))}, hashes: []uint32{uint32(maphash.Bytes(seed, key))}}
}

// lookup returns the group of key i of k, -1 if there is none.
func (t *groupTable) lookup(k *keySet, i int) int32 {
	if len(t.index) == 0 {
		return -1
	}
	h, key := k.hashes[i], k.key(i)
	mask := uint32(len(t.index) - 1)
	for at := h & mask; t.index[at] != 0; at = (at + 1) & mask {
		g := t.index[at] - 1
		if t.keys.hashes[g] == h && bytes.Equal(t.keys.key(int(g)), key) {
			return int32(g)
		}
	}
	return -1
}

// grow doubles the index.
func (t *groupTable) grow() { t.reindex(max(16, 2*len(t.index))) }

func (t *groupTable) reindex(size int) {
	if size == len(t.index) {
		clear(t.index)
	} else {
		t.index = make([]uint32, size)
	}
	mask := uint32(size - 1)
	for g, h := range t.keys.hashes {
		at := h & mask
		for t.index[at] != 0 {
			at = (at + 1) & mask
		}
		t.index[at] = uint32(g) + 1
	}
}

// reset forgets all groups and keeps the memory.
func (t *groupTable) reset() {
	t.keys.reset()
	clear(t.index)
}

// keep keeps only the groups at the given numbers, ascending; they are renumbered in order.
func (t *groupTable) keep(groups []int32) {
	old := t.keys
	t.keys = keySet{}
	for _, g := range groups {
		t.push(old.key(int(g)), old.hashes[g])
	}
	size := 16
	for 4*(len(groups)+1) > 3*size {
		size *= 2
	}
	t.index = make([]uint32, size)
	t.reindex(size)
}
