package state

import (
	"errors"

	"github.com/cockroachdb/pebble/v2"
)

// iterator is an Iterator over a Pebble iterator. It loads each value before it shows the key, so that
// a damaged value ends the walk instead of looking like an empty one.
type iterator struct {
	it      *pebble.Iterator
	reverse bool
	started bool
	value   []byte
	err     error

	seeks bool   // go to the next key by a seek
	left  int    // steps until that is decided anew
	steps int    // versions passed when it was decided
	next  []byte // the key to seek
}

// A row that changes with every epoch leaves hundreds of versions in the memory table, and a step to the next key walks through them,
// where a seek costs some twenty comparisons. So a few steps are watched, and when they met many versions, many seeks follow.
const (
	watched  = 16   // steps
	sought   = 1024 // seeks
	crowding = 24   // versions a key from which on seeks are cheaper
)

// Next moves to the next key and reports whether there is one.
func (i *iterator) Next() bool {
	if i.err != nil || !i.step() {
		return false
	}
	i.value, i.err = i.it.ValueAndErr()
	return i.err == nil
}

func (i *iterator) step() bool {
	first := !i.started
	i.started = true
	switch {
	case first && i.reverse:
		return i.it.Last()
	case first:
		return i.it.First()
	case i.reverse:
		return i.it.Prev()
	}
	if i.left--; i.left < 0 {
		i.decide()
	}
	if i.seeks {
		i.next = append(append(i.next[:0], i.it.Key()...), 0)
		return i.it.SeekGE(i.next)
	}
	return i.it.Next()
}

// decide chooses between steps and seeks for the next keys.
func (i *iterator) decide() {
	stats := i.it.Stats()
	steps := stats.ForwardStepCount[pebble.InternalIterCall]
	if i.seeks = !i.seeks && steps-i.steps > watched*crowding; i.seeks {
		i.left = sought
	} else {
		i.left = watched
	}
	i.steps = steps
}

// Key is the object's own key, without space and object id.
func (i *iterator) Key() []byte { return i.it.Key()[prefixLen:] }

// Value is the key's value.
func (i *iterator) Value() []byte { return i.value }

// Close frees the iterator and tells what went wrong on the way.
func (i *iterator) Close() error {
	return readError(errors.Join(i.err, i.it.Error(), i.it.Close()))
}
