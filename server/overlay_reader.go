package server

import (
	"bytes"
	"slices"

	"wmsql/state"
)

// reader shows the changes of o, later ones too, over what base has.
func (o *overlay) reader(base state.Reader) state.Reader {
	return &overlayReader{o: o, base: base}
}

type overlayReader struct {
	o    *overlay
	base state.Reader
}

// Version is which commit left a result as the reader shows it; false once the transaction has changed anything.
func (r *overlayReader) Version(object uint32) (uint64, bool) {
	base, ok := r.base.(state.Versioned)
	if !ok || len(r.o.ops) > 0 {
		return 0, false
	}
	return base.Version(object)
}

// Since returns spans in which all lies that has changed since an earlier version.
func (r *overlayReader) Since(object uint32, version uint64) []state.Span {
	return r.base.(state.Versioned).Since(object, version)
}

// Divide says where to cut keys that several read at once: not once the transaction has changed anything.
func (r *overlayReader) Divide(s state.Space, object uint32, lo, hi []byte, n int) [][]byte {
	base, ok := r.base.(state.Divider)
	if !ok || len(r.o.ops) > 0 {
		return nil
	}
	return base.Divide(s, object, lo, hi, n)
}

// Get returns the value of key, nil if there is none. Columns no transaction changes, and workers read them while it goes on.
func (r *overlayReader) Get(s state.Space, object uint32, key []byte) ([]byte, error) {
	if s == state.Columns {
		return r.base.Get(s, object, key)
	}
	if v, hidden := r.o.find(s, object, key); hidden {
		return v, nil
	}
	return r.base.Get(s, object, key)
}

// Scan calls f for the keys in [lo, hi) in ascending order.
func (r *overlayReader) Scan(s state.Space, object uint32, lo, hi []byte, f func(key, value []byte) bool) error {
	it, err := r.Iter(s, object, lo, hi, false)
	if err != nil {
		return err
	}
	for it.Next() {
		if !f(it.Key(), it.Value()) {
			break
		}
	}
	return it.Close()
}

// Iter opens an iterator over [lo, hi).
func (r *overlayReader) Iter(s state.Space, object uint32, lo, hi []byte, reverse bool) (state.Iterator, error) {
	base, err := r.base.Iter(s, object, lo, hi, reverse)
	if err != nil || len(r.o.ops) == 0 { // mostly; what the transaction changes later, this iterator need not show
		return base, err
	}
	keys := r.o.span(s, object, lo, hi)
	if reverse {
		slices.Reverse(keys)
	}
	return &overlayIter{r: r, space: s, object: object, base: base, keys: keys, reverse: reverse}, nil
}

// overlayIter merges the overlay's keys with the base's.
type overlayIter struct {
	r       *overlayReader
	space   state.Space
	object  uint32
	base    state.Iterator
	keys    [][]byte
	reverse bool

	loaded   bool // base stands on a key that was not handed out
	baseDone bool
	key      []byte
	value    []byte
}

// Next goes to the next key.
func (it *overlayIter) Next() bool {
	it.load()
	switch {
	case len(it.keys) == 0 && it.baseDone:
		return false
	case it.baseDone, len(it.keys) > 0 && it.before(it.keys[0], it.base.Key()):
		it.key = it.keys[0]
		it.keys = it.keys[1:]
		it.value, _ = it.r.o.find(it.space, it.object, it.key)
	default:
		it.key, it.value = it.base.Key(), it.base.Value()
		it.loaded = false
	}
	return true
}

// load brings base to its next key that the overlay does not hide.
func (it *overlayIter) load() {
	for !it.loaded && !it.baseDone {
		if !it.base.Next() {
			it.baseDone = true
			return
		}
		_, hidden := it.r.o.find(it.space, it.object, it.base.Key())
		it.loaded = !hidden
	}
}

func (it *overlayIter) before(a, b []byte) bool {
	if it.reverse {
		return bytes.Compare(a, b) > 0
	}
	return bytes.Compare(a, b) < 0
}

// Key is the present key.
func (it *overlayIter) Key() []byte { return it.key }

// Value is its value.
func (it *overlayIter) Value() []byte { return it.value }

// Close frees the iterator and tells what went wrong on the way.
func (it *overlayIter) Close() error { return it.base.Close() }
