package server

import (
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/types"
)

// The oids that Postgres gives to what every database has.
const (
	oidPgCatalog        = 11
	oidSuperuser        = 10
	oidDatabase         = 5
	oidHeap             = 2
	oidBtree            = 403
	oidTablespace       = 1663
	oidGlobal           = 1664
	oidDefaultCollation = 100
	oidCCollation       = 950
)

// Objects that belong to a relation have no number of their own in the catalog; theirs is made from the relation's. A relation has at
// most 15 indexes, and oids made so stay below 1<<32.
func indexOID(rel catalog.ID, n int) catalog.ID      { return 1<<30 | rel<<4 | catalog.ID(n) }
func constraintOID(rel catalog.ID, n int) catalog.ID { return 1<<31 | rel<<4 | catalog.ID(n) }
func checkOID(t *catalog.Table, i int) catalog.ID {
	return 1<<31 | 1<<29 | t.ID<<9 | catalog.ID(t.CheckNumber(i)&511)
}
func defaultOID(rel catalog.ID, col int) catalog.ID { return 3<<30 | rel<<11 | catalog.ID(col) }

// serverOID is the foreign server that stands for a connector: a stream is shown as a foreign table of it.
func serverOID(connector string) catalog.ID {
	h := catalog.ID(2166136261)
	for _, c := range []byte(connector) {
		h = (h ^ catalog.ID(c)) * 16777619
	}
	return 12000 + h%1000
}

// All connectors are servers of one foreign data wrapper.
const (
	connectorWrapper    = "connector"
	connectorWrapperOID = 11999
)

// pgIndex is an index of a table: a key that is declared, or one that CREATE INDEX made.
type pgIndex struct {
	rel     catalog.ID
	schema  string
	table   string
	oid     catalog.ID
	con     catalog.ID // of the constraint; 0: CREATE INDEX made it
	name    string
	primary bool
	unique  bool
	cols    []int // ordinals
	names   []string
	order   []catalog.IndexColumn // of cols, if CREATE INDEX made it
	comment string
}

// indexesOf lists the indexes of an entry, its keys first.
func (s *Session) indexesOf(e catalog.Entry) []pgIndex {
	out := keysOf(e)
	h := e.Head()
	cols := catalog.Columns(e)
	for _, x := range s.snapshot().Indexes(h.ID) {
		ix := pgIndex{rel: h.ID, schema: h.Schema, table: h.Name, oid: x.ID, name: x.Name, unique: x.Unique, cols: x.Ordinals(), order: x.Columns, comment: x.Comment}
		for _, c := range ix.cols {
			ix.names = append(ix.names, cols[c].Name)
		}
		out = append(out, ix)
	}
	return out
}

// keysOf lists the keys of an entry: a table's primary and unique keys, and the key of a view's result.
func keysOf(e catalog.Entry) []pgIndex {
	h := e.Head()
	cols := catalog.Columns(e)
	var out []pgIndex
	add := func(n int, name string, primary bool, key []int) {
		ix := pgIndex{rel: h.ID, schema: h.Schema, table: h.Name, oid: indexOID(h.ID, n), con: constraintOID(h.ID, n), name: name, primary: primary, unique: true, cols: key}
		for _, c := range key {
			ix.names = append(ix.names, cols[c].Name)
		}
		out = append(out, ix)
	}
	switch e := e.(type) {
	case *catalog.Table:
		if len(e.PrimaryKey) > 0 {
			add(0, e.PrimaryKeyName(), true, e.PrimaryKey)
		}
		for i := range e.Unique {
			u := &e.Unique[i]
			add(1+int(u.Slot(i)), u.Name, false, u.Columns)
		}
	case *catalog.MaterializedView:
		if key := e.ShownKey(); len(key) > 0 {
			add(0, h.Name+"_key", false, key)
		}
	}
	return out
}

func (ix *pgIndex) columnList() string {
	quoted := make([]string, len(ix.names))
	for i, n := range ix.names {
		quoted[i] = catalog.QuoteIdent(n)
	}
	return strings.Join(quoted, ", ")
}

// definition is the index as CREATE INDEX would make it.
func (ix *pgIndex) definition() string {
	kind := "INDEX"
	if ix.unique {
		kind = "UNIQUE INDEX"
	}
	cols := ix.columnList()
	if ix.order != nil {
		parts := make([]string, len(ix.order))
		for i, c := range ix.order {
			parts[i] = indexColumnSQL(ix.names[i], c)
		}
		cols = strings.Join(parts, ", ")
	}
	return fmt.Sprintf("CREATE %s %s ON %s.%s USING btree (%s)", kind, catalog.QuoteIdent(ix.name), catalog.QuoteIdent(ix.schema), catalog.QuoteIdent(ix.table), cols)
}

// indexColumnSQL is a column of an index as Postgres writes it: without what is usual.
func indexColumnSQL(name string, c catalog.IndexColumn) string {
	out := catalog.QuoteIdent(name)
	if c.Class != "" {
		out += " " + c.Class
	}
	switch {
	case c.Desc && c.NullsFirst:
		out += " DESC"
	case c.Desc:
		out += " DESC NULLS LAST"
	case c.NullsFirst:
		out += " NULLS FIRST"
	}
	return out
}

// constraint is the constraint as CREATE TABLE would write it.
func (ix *pgIndex) constraint() string {
	if ix.primary {
		return "PRIMARY KEY (" + ix.columnList() + ")"
	}
	return "UNIQUE (" + ix.columnList() + ")"
}

// relkind is Postgres's letter for an entry. A stream is a foreign table of its connector.
func relkind(e catalog.Entry) byte {
	switch e.Head().Kind {
	case catalog.KindStream:
		return 'f'
	case catalog.KindView:
		return 'v'
	case catalog.KindMaterializedView:
		return 'm'
	case catalog.KindSequence:
		return 'S'
	}
	return 'r'
}

// relations calls f for every relation of the session's catalog, indexes aside.
func (s *Session) relations(f func(e catalog.Entry)) {
	for e := range s.snapshot().All() {
		if k := e.Head().Kind; k != catalog.KindSchema && k != catalog.KindFunction && k != catalog.KindIndex {
			f(e)
		}
	}
}

func (s *Session) schemaOID(name string) catalog.ID {
	if sc := s.snapshot().Schema(name); sc != nil {
		return sc.ID
	}
	return oidPgCatalog
}

// collation is the collation of a column's type, 0 if it has none.
func collation(t types.Type) int64 {
	if t.Coll != 0 {
		return int64(t.Coll.OID())
	}
	switch t.Kind {
	case types.Text, types.Varchar, types.BPChar:
		return oidDefaultCollation
	case types.Name:
		return oidCCollation
	}
	return 0
}

// storage is how Postgres would store the type: pg_attribute's attstorage.
func storage(t types.Type) byte {
	switch {
	case t.Array || t.Kind.Info().Len == -1 && t.Kind != types.Numeric && t.Kind != types.Int2Vector && t.Kind != types.OIDVector:
		return 'x'
	case t.Kind == types.Numeric:
		return 'm'
	}
	return 'p'
}

// align is how Postgres would align the type: pg_attribute's attalign.
func align(t types.Type) byte {
	switch n := typeLen(t); {
	case n == 8, t.Kind == types.Interval && !t.Array:
		return 'd'
	case n == 2:
		return 's'
	case n == 1, t.Kind == types.UUID && !t.Array, t.Kind == types.Name && !t.Array:
		return 'c'
	case t.Array && t.Elem().Kind.Info().Len == 8, t.Array && t.Kind == types.Interval:
		return 'd'
	}
	return 'i'
}

func typeLen(t types.Type) int64 {
	if t.Array {
		return -1
	}
	return int64(t.Kind.Info().Len)
}
