package state

import (
	"encoding/binary"
	"errors"

	"github.com/cockroachdb/pebble/v2"
)

// reader implements Reader over the live store or a snapshot of it.
type reader struct{ from pebble.Reader }

// Get returns a copy of the value of key, nil if there is none.
func (r reader) Get(s Space, object uint32, key []byte) ([]byte, error) {
	v, closer, err := r.from.Get(appendKey(make([]byte, 0, prefixLen+len(key)), s, object, key))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, readError(err)
	}
	out := append(make([]byte, 0, len(v)), v...)
	if err := closer.Close(); err != nil {
		return nil, readError(err)
	}
	return out, nil
}

// Scan calls f for the keys in [lo, hi) until it returns false.
func (r reader) Scan(s Space, object uint32, lo, hi []byte, f func(key, value []byte) bool) error {
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
func (r reader) Iter(s Space, object uint32, lo, hi []byte, reverse bool) (Iterator, error) {
	from, to := span(s, object, lo, hi)
	it, err := r.from.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return nil, readError(err)
	}
	return &iterator{it: it, reverse: reverse}, nil
}

// Objects returns the ids of the objects that have keys in a space, ascending.
func (r reader) Objects(s Space) ([]uint32, error) {
	it, err := r.from.NewIter(&pebble.IterOptions{LowerBound: []byte{byte(s)}, UpperBound: []byte{byte(s) + 1}})
	if err != nil {
		return nil, readError(err)
	}
	var ids []uint32
	for ok := it.First(); ok; {
		id := binary.BigEndian.Uint32(it.Key()[1:])
		ids = append(ids, id)
		ok = it.SeekGE(appendEnd(nil, s, id))
	}
	return ids, readError(errors.Join(it.Error(), it.Close()))
}
