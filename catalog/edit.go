package catalog

import (
	"maps"

	"wmsql/sqlerr"
)

// Edit is a change of the catalog that is being made: a snapshot of its own, and what it did to the one it
// began with. Nobody else sees it until Catalog.Publish.
type Edit struct {
	*Snapshot
	next    ID
	changed map[ID]bool // put or removed
}

// Create adds an entry, giving it its number. The name must be free: 42P07, or 42P06 for a schema.
func (e *Edit) Create(x Entry) error {
	o := x.Head()
	if o.Kind == KindSchema {
		if e.Schema(o.Name) != nil {
			return sqlerr.Newf(sqlerr.DuplicateSchema, "schema %q already exists", o.Name)
		}
	} else if o.Kind == KindRole {
		if e.Role(o.Name) != nil {
			return sqlerr.Newf(sqlerr.DuplicateObject, "role %q already exists", o.Name)
		}
	} else if o.Kind == KindFunction {
		if e.Function(o.Schema, o.Name) != nil {
			return sqlerr.Newf(sqlerr.DuplicateFunction, "function %q already exists", o.Name)
		}
	} else if e.Relation(o.Schema, o.Name) != nil {
		return sqlerr.Newf(sqlerr.DuplicateTable, "relation %q already exists", o.Name)
	}
	o.ID = e.next
	e.next++
	e.store(x)
	return nil
}

// Replace stores a changed copy of an entry, or another definition under its number.
func (e *Edit) Replace(x Entry) { e.store(x) }

func (e *Edit) store(x Entry) {
	e.put(x)
	e.changed[x.Head().ID] = true
}

// Change stores a copy of the entry numbered id after f has altered it.
func Change[T Entry](e *Edit, x T, f func(T)) T {
	c := x.clone().(T)
	f(c)
	e.store(c)
	return c
}

// Delete removes an entry. Its users must have been removed before, or be removed in the same edit.
func (e *Edit) Delete(id ID) {
	x := e.ByID(id)
	if x == nil {
		panic("catalog: delete of what is not there")
	}
	e.remove(x)
	e.changed[id] = true
}

// Clone returns a copy of the edit as it is now.
func (e *Edit) Clone() *Edit {
	return &Edit{Snapshot: e.copy(), next: e.next, changed: maps.Clone(e.changed)}
}
