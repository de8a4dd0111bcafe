package server

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"

	"wmsql/state"
)

// overlay is what a transaction has changed and not committed yet. It takes changes as a state.Txn does, shows
// them over what is committed (reader), and hands them all to the real transaction in the end (apply).
//
// Keys are kept with their space and object in front, so one order holds for all.
type overlay struct {
	ops    []overlayOp
	points map[string]int // newest op on a key; nil: none
	ranges []int          // ops that delete ranges
	size   int
	sorted []string // keys of points in order; nil when they changed since
	open   int      // queries that read over it and have not ended
}

// overlayOp is one change, in the order they were made.
type overlayOp struct {
	kind   overlayKind
	space  state.Space
	object uint32
	key    []byte
	value  []byte // of a put; the end of a range, nil: the object's end
}

type overlayKind uint8

const (
	putOp overlayKind = iota
	deleteOp
	rangeOp
)

func newOverlay() *overlay { return &overlay{} }

// Put stores a value.
func (o *overlay) Put(s state.Space, object uint32, key, value []byte) {
	o.add(overlayOp{putOp, s, object, bytes.Clone(key), append([]byte{}, value...)})
}

// Delete removes a key.
func (o *overlay) Delete(s state.Space, object uint32, key []byte) {
	o.add(overlayOp{deleteOp, s, object, bytes.Clone(key), nil})
}

// DeleteRange removes [lo, hi); hi nil: to the object's end.
func (o *overlay) DeleteRange(s state.Space, object uint32, lo, hi []byte) {
	o.add(overlayOp{rangeOp, s, object, bytes.Clone(lo), bytes.Clone(hi)})
}

// Size is the bytes collected so far.
func (o *overlay) Size() int { return o.size }

// Commit does nothing: the session's transaction applies the overlay.
func (o *overlay) Commit(bool) error { return nil }

// CommitNoWait does nothing: the session's transaction applies the overlay.
func (o *overlay) CommitNoWait() (wait func() error, err error) {
	return func() error { return nil }, nil
}

// Abort does nothing: the session's transaction forgets the overlay.
func (o *overlay) Abort() {}

func (o *overlay) add(op overlayOp) {
	o.size += len(op.key) + len(op.value) + 5
	i := len(o.ops)
	o.ops = append(o.ops, op)
	if op.kind == rangeOp {
		o.ranges = append(o.ranges, i)
		return
	}
	k := fullKey(op.space, op.object, op.key)
	if o.points == nil {
		o.points = map[string]int{}
	}
	if _, known := o.points[k]; !known {
		o.sorted = nil
	}
	o.points[k] = i
}

// first is the overlay as it was when it had n changes.
func (o *overlay) first(n int) *overlay {
	was := newOverlay()
	for _, op := range o.ops[:n] {
		was.add(op)
	}
	return was
}

// apply hands the changes to txn.
func (o *overlay) apply(txn state.Txn) {
	for _, op := range o.ops {
		switch op.kind {
		case putOp:
			txn.Put(op.space, op.object, op.key, op.value)
		case deleteOp:
			txn.Delete(op.space, op.object, op.key)
		case rangeOp:
			txn.DeleteRange(op.space, op.object, op.key, op.value)
		}
	}
}

func fullKey(s state.Space, object uint32, key []byte) string {
	b := make([]byte, 0, 5+len(key))
	b = append(b, byte(s))
	b = binary.BigEndian.AppendUint32(b, object)
	return string(append(b, key...))
}

// find tells what the overlay says of a key: hidden means that the committed value, if any, does not count.
func (o *overlay) find(s state.Space, object uint32, key []byte) (value []byte, hidden bool) {
	if len(o.ops) == 0 {
		return nil, false
	}
	i, ok := o.points[fullKey(s, object, key)]
	if !ok {
		i = -1
	}
	for _, r := range o.ranges {
		op := &o.ops[r]
		if r > i && op.space == s && op.object == object && bytes.Compare(key, op.key) >= 0 &&
			(op.value == nil || bytes.Compare(key, op.value) < 0) {
			return nil, true
		}
	}
	if !ok {
		return nil, false
	}
	if o.ops[i].kind == deleteOp {
		return nil, true
	}
	return o.ops[i].value, true
}

// span returns the overlay's live keys of [lo, hi) in order, without space and object.
func (o *overlay) span(s state.Space, object uint32, lo, hi []byte) [][]byte {
	if o.sorted == nil {
		o.sorted = make([]string, 0, len(o.points))
		for k := range o.points {
			o.sorted = append(o.sorted, k)
		}
		slices.Sort(o.sorted)
	}
	from, prefix := fullKey(s, object, lo), fullKey(s, object, nil)
	var out [][]byte
	for i := sort.SearchStrings(o.sorted, from); i < len(o.sorted); i++ {
		k := o.sorted[i]
		if len(k) < len(prefix) || k[:len(prefix)] != prefix {
			break
		}
		key := []byte(k[len(prefix):])
		if hi != nil && bytes.Compare(key, hi) >= 0 {
			break
		}
		if v, _ := o.find(s, object, key); v != nil {
			out = append(out, key)
		}
	}
	return out
}
