package catalog

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// Snapshot is the catalog at one moment. It never changes.
type Snapshot struct {
	// Version grows by one with every committed change: a plan made under another version must be made again.
	Version uint64

	byID      map[ID]Entry
	schemas   map[string]*Schema
	names     map[qualified]Entry     // relations
	functions map[qualified]*Function // which have names of their own
	roles     map[string]*Role
	users     map[ID][]ID // who depends on it, ascending
}

type qualified struct{ schema, name string }

func emptySnapshot() *Snapshot {
	s := &Snapshot{
		byID: map[ID]Entry{}, schemas: map[string]*Schema{}, names: map[qualified]Entry{}, functions: map[qualified]*Function{}, roles: map[string]*Role{}, users: map[ID][]ID{},
	}
	for _, b := range builtinSchemas() {
		s.put(b)
	}
	return s
}

// copy returns a snapshot that can be edited: the maps are its own, the entries are shared.
func (s *Snapshot) copy() *Snapshot {
	return &Snapshot{
		Version: s.Version, byID: maps.Clone(s.byID), schemas: maps.Clone(s.schemas),
		names: maps.Clone(s.names), functions: maps.Clone(s.functions), roles: maps.Clone(s.roles), users: maps.Clone(s.users),
	}
}

func (s *Snapshot) put(e Entry) {
	o := e.Head()
	if old, ok := s.byID[o.ID]; ok {
		s.remove(old)
	}
	s.byID[o.ID] = e
	switch e := e.(type) {
	case *Schema:
		s.schemas[o.Name] = e
	case *Function:
		s.functions[qualified{o.Schema, o.Name}] = e
	case *Role:
		s.roles[o.Name] = e
	default:
		s.names[qualified{o.Schema, o.Name}] = e
	}
	for _, d := range o.Depends {
		s.users[d] = insertID(s.users[d], o.ID)
	}
}

func (s *Snapshot) remove(e Entry) {
	o := e.Head()
	delete(s.byID, o.ID)
	switch o.Kind {
	case KindSchema:
		delete(s.schemas, o.Name)
	case KindFunction:
		delete(s.functions, qualified{o.Schema, o.Name})
	case KindRole:
		delete(s.roles, o.Name)
	default:
		delete(s.names, qualified{o.Schema, o.Name})
	}
	for _, d := range o.Depends {
		s.users[d] = slices.DeleteFunc(slices.Clone(s.users[d]), func(id ID) bool { return id == o.ID })
	}
}

// insertID returns a sorted copy of ids with id in it.
func insertID(ids []ID, id ID) []ID {
	i, ok := slices.BinarySearch(ids, id)
	if ok {
		return ids
	}
	return slices.Insert(slices.Clone(ids), i, id)
}

// ByID returns the entry numbered id, nil if there is none.
func (s *Snapshot) ByID(id ID) Entry { return s.byID[id] }

// Schema returns the schema called name, nil if there is none.
func (s *Snapshot) Schema(name string) *Schema { return s.schemas[name] }

// Relation returns the relation called name in a schema, nil if there is none.
func (s *Snapshot) Relation(schema, name string) Entry { return s.names[qualified{schema, name}] }

// Function returns the function called name in a schema, nil if there is none.
func (s *Snapshot) Function(schema, name string) *Function {
	return s.functions[qualified{schema, name}]
}

// Role returns the role called name, nil if there is none.
func (s *Snapshot) Role(name string) *Role { return s.roles[name] }

// Roles returns the roles in the order of their names.
func (s *Snapshot) Roles() []*Role {
	return slices.SortedFunc(maps.Values(s.roles), func(a, b *Role) int { return cmp.Compare(a.Name, b.Name) })
}

// FindFunction resolves a written name along path, nil if there is no such function.
func (s *Snapshot) FindFunction(parts, path []string) *Function {
	schema, name, err := Split(parts)
	if err != nil {
		return nil
	}
	if schema != "" {
		path = []string{schema}
	}
	for _, p := range path {
		if f := s.Function(p, name); f != nil {
			return f
		}
	}
	return nil
}

// Users returns the numbers of the entries that use id directly, ascending.
func (s *Snapshot) Users(id ID) []ID { return s.users[id] }

// All yields the schemas and all that lies in them in the order of creation.
func (s *Snapshot) All() iter.Seq[Entry] {
	list := slices.SortedFunc(maps.Values(s.byID), func(a, b Entry) int { return cmp.Compare(a.Head().ID, b.Head().ID) })
	list = slices.DeleteFunc(list, func(e Entry) bool { return e.Head().Kind == KindRole })
	return slices.Values(list)
}

// Find returns the first relation called name along path, nil if there is none.
func (s *Snapshot) Find(name string, path []string) Entry {
	for _, schema := range path {
		if e := s.Relation(schema, name); e != nil {
			return e
		}
	}
	return nil
}

// Visible reports whether the unqualified name of e finds e along path.
func (s *Snapshot) Visible(e Entry, path []string) bool {
	o := e.Head()
	switch o.Kind {
	case KindSchema:
		return true
	case KindFunction:
		return s.FindFunction([]string{o.Name}, path) == e
	}
	return s.Find(o.Name, path) == e
}
