package catalog

import "slices"

// Entry is anything that has a name: *Schema, *Stream, *Table, *View, *MaterializedView, *Function, *Sequence, *Role or *Index. An entry is never
// changed once it is in a snapshot; who alters one stores a changed copy.
type Entry interface {
	// Head returns what every entry has.
	Head() *Object
	clone() Entry
}

// Schema is a namespace.
type Schema struct{ Object }

// Head returns the object itself.
func (o *Object) Head() *Object { return o }

func (s *Schema) clone() Entry           { c := *s; return &c }
func (s *Stream) clone() Entry           { c := *s; return &c }
func (t *Table) clone() Entry            { c := *t; return &c }
func (v *View) clone() Entry             { c := *v; return &c }
func (m *MaterializedView) clone() Entry { c := *m; return &c }
func (f *Function) clone() Entry         { c := *f; return &c }
func (s *Sequence) clone() Entry         { c := *s; return &c }
func (r *Role) clone() Entry             { c := *r; return &c }

// Columns returns the columns of a relation, nil for what has none.
func Columns(e Entry) []Column {
	switch e := e.(type) {
	case *Stream:
		return e.Columns
	case *Table:
		return e.Columns
	case *View:
		return e.Columns
	case *MaterializedView:
		return e.Columns
	}
	return nil
}

// String is the kind as statements and messages name it.
func (k Kind) String() string {
	return [...]string{"object", "schema", "stream", "table", "view", "materialized view", "function", "sequence", "role", "index"}[k]
}

// Builtin reports whether the object came with the server and cannot be dropped.
func (o *Object) Builtin() bool { return o.ID < FirstID && o.Name != "public" }

// FirstID is the first number a user's object can have.
const FirstID ID = 16384

// The schemas every catalog has, with Postgres's own numbers where there are such.
const (
	PgCatalogID         ID = 11
	PublicID            ID = 2200
	InformationSchemaID ID = 13000
	WmCatalogID         ID = 13001
)

func builtinSchemas() []*Schema {
	return []*Schema{
		{Object{ID: PgCatalogID, Kind: KindSchema, Name: "pg_catalog", Comment: "system catalog schema"}},
		{Object{ID: PublicID, Kind: KindSchema, Name: "public", Comment: "standard public schema"}},
		{Object{ID: InformationSchemaID, Kind: KindSchema, Name: "information_schema"}},
		{Object{ID: WmCatalogID, Kind: KindSchema, Name: "wm_catalog", Comment: "what the continuous queries are doing"}},
	}
}

// SetColumnComment sets the comment of one column of a relation that is being changed.
func SetColumnComment(e Entry, column int, text string) {
	set := func(cols []Column) []Column {
		cols = slices.Clone(cols)
		cols[column].Comment = text
		return cols
	}
	switch e := e.(type) {
	case *Stream:
		e.Columns = set(e.Columns)
	case *Table:
		e.Columns = set(e.Columns)
	case *View:
		e.Columns = set(e.Columns)
	case *MaterializedView:
		e.Columns = set(e.Columns)
	}
}
