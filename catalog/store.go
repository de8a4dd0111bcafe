package catalog

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
)

// Writer takes what an edit changed, within a transaction of the caller's.
type Writer interface {
	// Put stores an entry's definition; Delete forgets it.
	Put(id ID, definition []byte)
	Delete(id ID)
	// Next stores the number the next new entry gets, so that no number is used twice.
	Next(id ID)
}

// Catalog is the named things of a server. Readers take Current and never wait; writers take turns, which is
// the caller's to arrange: Edit, Save, Publish.
type Catalog struct {
	current atomic.Pointer[Snapshot]
	next    ID
}

// Load returns a catalog with the definitions that definitions yields and the stored next number (0: a new
// catalog). A definition that cannot be read fails it.
func Load(next ID, definitions map[ID][]byte) (*Catalog, error) {
	s := emptySnapshot()
	c := &Catalog{next: max(next, FirstID)}
	for _, id := range slices.Sorted(maps.Keys(definitions)) {
		e, err := decode(definitions[id])
		if err != nil {
			return nil, fmt.Errorf("catalog entry %d: %w", id, err)
		}
		e.Head().ID = id
		s.put(e)
		c.next = max(c.next, id+1)
	}
	c.current.Store(s)
	return c, nil
}

// Current is the newest snapshot.
func (c *Catalog) Current() *Snapshot { return c.current.Load() }

// Edit begins a change. One edit may be under way at a time.
func (c *Catalog) Edit() *Edit {
	return &Edit{Snapshot: c.Current().copy(), next: c.next, changed: map[ID]bool{}}
}

// Save hands all that e changed to w.
func (c *Catalog) Save(e *Edit, w Writer) error {
	for _, id := range slices.Sorted(maps.Keys(e.changed)) {
		x := e.ByID(id)
		if x == nil {
			w.Delete(id)
			continue
		}
		data, err := encode(x)
		if err != nil {
			return err
		}
		w.Put(id, data)
	}
	w.Next(e.next)
	return nil
}

// Publish makes e the current snapshot; what it changed must be durable by then.
func (c *Catalog) Publish(e *Edit) {
	e.Version++
	c.next = e.next
	c.current.Store(e.Snapshot)
}
