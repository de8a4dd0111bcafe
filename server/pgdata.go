package server

import (
	"context"
	_ "embed" // the shapes and fixed rows of Postgres's catalog
	"strconv"
	"strings"

	"wmsql/catalog"
	"wmsql/types"
)

// The shapes of Postgres 15's catalog relations, a line each: oid, name, relkind, columns.
var (
	//go:embed pgdata/pg_relations.txt
	pgShapes string
	//go:embed pgdata/information_schema.txt
	infoShapes string
)

// Rows of the catalog that do not depend on the database: a header line, then values between bars.
var (
	//go:embed pgdata/pg_type.txt
	pgTypeRows string
	//go:embed pgdata/pg_cast.txt
	pgCastRows string
	//go:embed pgdata/pg_io_proc.txt
	pgIOProcRows string
)

// rowsFunc adds a virtual table's rows.
type rowsFunc = func(ctx context.Context, s *Session, out *rowSet) error

// contents is what a relation that Postgres has too holds here.
type contents struct {
	rows   rowsFunc
	extent string // how far it goes, in the words of docs/catalog.md; "" if it shows all that Postgres would
}

// full shows everything that Postgres would.
func full(rows rowsFunc) contents { return contents{rows: rows} }

// partly shows less than Postgres would: extent says how far it goes.
func partly(rows rowsFunc, extent string) contents { return contents{rows, extent} }

// pgTables are the relations of pg_catalog and information_schema: all that Postgres 15 has and a client may name. Those that have no
// meaning here are empty.
func pgTables() []*virtualTable {
	return append(shaped("pg_catalog", pgShapes, pgRows()), shaped("information_schema", infoShapes, infoRows())...)
}

// shaped makes virtual tables of shapes; a relation without rows is empty.
func shaped(schema, shapes string, filled map[string]contents) []*virtualTable {
	var out []*virtualTable
	for line := range strings.Lines(shapes) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 4)
		oid, err := strconv.Atoi(f[0])
		if err != nil {
			panic("server: bad shape " + line)
		}
		c := filled[f[1]]
		t := table(schema, f[1], catalog.ID(oid), f[3], c.rows)
		t.kind, t.extent = f[2], c.extent
		out = append(out, t)
	}
	return out
}

// fixedRows adds rows of a text with a header: columns that the header does not name get their defaults.
func fixedRows(text string) rowsFunc {
	return func(_ context.Context, _ *Session, out *rowSet) error {
		header, rows, _ := strings.Cut(text, "\n")
		names := strings.Split(header, "|")
		for line := range strings.Lines(rows) {
			values := strings.Split(strings.TrimRight(line, "\n"), "|")
			kv := make([]any, 0, 2*len(names))
			for i, n := range names {
				kv = append(kv, n, out.parse(n, values[i]))
			}
			out.put(kv...)
		}
		return nil
	}
}

// parse reads a fixed value as column name's type wants it.
func (r *rowSet) parse(name, text string) any {
	t := r.schema.Fields[r.schema.Find(name)].Type
	switch {
	case t.Kind == types.OIDVector || t.Kind == types.Int2Vector:
		var out []any
		for f := range strings.FieldsSeq(text) {
			n, _ := strconv.ParseInt(f, 10, 64)
			out = append(out, n)
		}
		return out
	case t.Layout() == types.LayoutInt64:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic("server: bad fixed value " + text + " of " + name)
		}
		return n
	case t.Kind == types.Bool:
		return text == "t"
	}
	return text
}

// put appends a row given as name, value, name, value: what is not named gets its type's default, which is zero, false, or NULL
// for texts, arrays and times.
func (r *rowSet) put(kv ...any) {
	values := make([]any, len(r.builders))
	for i := range r.schema.Fields {
		values[i] = columnDefault(r.schema.Fields[i].Type)
	}
	r.putOver(values, kv)
}

// putKnown is put for a row of which the rest is not known: what is not named is NULL.
func (r *rowSet) putKnown(kv ...any) { r.putOver(make([]any, len(r.builders)), kv) }

// putOver appends the row of values with those that kv names in their places.
func (r *rowSet) putOver(values, kv []any) {
	for i := 0; i < len(kv); i += 2 {
		at := r.schema.Find(kv[i].(string))
		if at < 0 {
			panic("server: no column " + kv[i].(string))
		}
		values[at] = kv[i+1]
	}
	r.add(values...)
}

func columnDefault(t types.Type) any {
	switch {
	case t.Array:
		return nil
	case t.Kind == types.Int2Vector || t.Kind == types.OIDVector:
		return []any{}
	case t.Kind == types.Date || t.Kind == types.Time || t.Kind == types.TimeTZ || t.Kind == types.Timestamp || t.Kind == types.TimestampTZ:
		return nil
	}
	switch t.Layout() {
	case types.LayoutInt64:
		return int64(0)
	case types.LayoutFloat64:
		return 0.0
	case types.LayoutBool:
		return false
	}
	if t.Kind == types.Name || t.Kind == types.Char {
		return ""
	}
	return nil
}
