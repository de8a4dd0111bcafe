package server

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// virtualTable is a table that is computed when it is read: pg_catalog, information_schema, wm_catalog.
//
// To add one, write it with table in a file of its own and list it in virtualTables.
type virtualTable struct {
	schema, name string
	id           catalog.ID
	columns      []types.Field
	// rows adds all rows to out, for the session that asks; nil: there are none. It reads the catalog by s.snapshot() only.
	rows   rowsFunc
	kind   string // relkind of a relation that Postgres has too; "" for wmsql's own
	extent string // how far it goes, "" if it shows all that Postgres would
}

// table defines a virtual table. Its columns are written as in SQL, by pg_type's names: "oid oid, relname name,
// conkey int2[]".
func table(schema, name string, id catalog.ID, columns string, rows rowsFunc) *virtualTable {
	return &virtualTable{schema: schema, name: name, id: id, columns: fields(columns), rows: rows}
}

// fields reads a column list: "name type, name type[]".
func fields(columns string) []types.Field {
	var out []types.Field
	for c := range strings.SplitSeq(columns, ",") {
		name, typ, ok := strings.Cut(strings.TrimSpace(c), " ")
		base, array := strings.CutSuffix(strings.TrimSpace(typ), "[]")
		k, known := kindByName()[base]
		if !ok || !known {
			panic("server: bad column " + c)
		}
		out = append(out, types.Field{Name: strings.Trim(name, `"`), Type: types.Type{Kind: k, Array: array, Mod: types.NoMod}})
	}
	return out
}

var kindByName = sync.OnceValue(func() map[string]types.Kind {
	m := map[string]types.Kind{}
	for k := range types.NumKinds {
		m[k.Info().PgName] = k
	}
	return m
})

// virtualTables are all virtual tables there are, by schema.name.
func virtualTables() map[string]*virtualTable {
	m := map[string]*virtualTable{}
	for _, list := range [][]*virtualTable{wmTables(), pgTables()} {
		for _, t := range list {
			m[t.schema+"."+t.name] = t
		}
	}
	return m
}

// rowSet collects the rows of a virtual table.
type rowSet struct {
	schema   *types.Schema
	builders []column.Builder
}

func newRowSet(f []types.Field) *rowSet {
	s := &types.Schema{Fields: f}
	return &rowSet{schema: s, builders: column.NewBuilders(s, 16)}
}

// add appends a row: a value a column. nil is NULL; strings, numbers, times and slices are taken as the column's
// type wants them.
func (r *rowSet) add(values ...any) {
	if len(values) != len(r.builders) {
		panic(fmt.Sprintf("server: %d values for %d columns, the first being %s", len(values), len(r.builders), r.schema.Fields[0].Name))
	}
	for i, v := range values {
		r.builders[i].AppendDatum(datum(r.schema.Fields[i].Type, v))
	}
}

func (r *rowSet) batch() *column.Batch { return column.BuildBatch(r.schema, r.builders) }

// datum makes a datum for a column of type t from a Go value.
func datum(t types.Type, v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case int:
		return number64(t, int64(v))
	case int64:
		return number64(t, v)
	case int32:
		return number64(t, int64(v))
	case int16:
		return number64(t, int64(v))
	case uint32:
		return number64(t, int64(v))
	case catalog.ID:
		return number64(t, int64(v))
	case byte:
		return string(rune(v)) // of type "char"
	case types.MicroTime:
		if v == types.MinTime {
			return nil // not known yet
		}
		return int64(v)
	case time.Time:
		if v.IsZero() {
			return nil
		}
		return v.UnixMicro()
	case time.Duration:
		return types.IntervalValue{Micros: v.Microseconds()}
	case []string:
		return list(t, v)
	case []int:
		return list(t, v)
	case []int64:
		return list(t, v)
	case []catalog.ID:
		return list(t, v)
	case []any:
		return v
	case []byte:
		return string(v)
	}
	return v
}

func number64(t types.Type, n int64) any {
	if t.Layout() == types.LayoutFloat64 {
		return float64(n)
	}
	return n
}

func list[T any](t types.Type, vs []T) []any {
	out := make([]any, len(vs))
	for i, v := range vs {
		out[i] = datum(t.Elem(), v)
	}
	return out
}

// orNull is nil for the zero value of T, else v: an empty text becomes NULL.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// computeVirtual is exec.Env.Virtual for the session's statements.
func (s *Session) computeVirtual(ctx context.Context, schema, name string, ords []int) (*column.Batch, error) {
	t := s.srv.virtual[schema+"."+name]
	if seq, ok := s.snapshot().Relation(schema, name).(*catalog.Sequence); ok && t == nil {
		b, err := s.sequenceRow(seq)
		if err != nil {
			return nil, err
		}
		return project(withXmin(b, s.xid()), ords), nil
	}
	if t == nil {
		return nil, sqlerr.Newf(sqlerr.UndefinedTable, "relation %q does not exist", schema+"."+name)
	}
	out := newRowSet(t.columns)
	if t.rows != nil {
		if err := t.rows(ctx, s, out); err != nil {
			return nil, err
		}
	}
	return project(withXmin(out.batch(), s.xid()), ords), nil
}

// withXmin puts the system column xmin behind the columns of b.
func withXmin(b *column.Batch, xid int64) *column.Batch {
	ids := make([]int64, b.Rows)
	for i := range ids {
		ids[i] = xid
	}
	t := types.Of(types.XID)
	return &column.Batch{
		Schema: &types.Schema{Fields: append(slices.Clone(b.Schema.Fields), types.Field{Name: "xmin", Type: t, NotNull: true})},
		Cols:   append(slices.Clone(b.Cols), &column.Of[int64]{T: t, Values: ids}), Rows: b.Rows, Ops: b.Ops,
	}
}

// xid stands for a transaction number, which wmsql has none of. It grows with every change of the catalog, also over a restart, so that a
// tool which asks what has changed since a number is told all when anything has.
func (s *Session) xid() int64 {
	return (s.srv.started.Unix() + int64(s.snapshot().Version)) & math.MaxUint32
}

// project picks columns of a batch.
func project(b *column.Batch, ords []int) *column.Batch {
	p := &column.Batch{Schema: &types.Schema{}, Rows: b.Rows, Ops: b.Ops}
	for _, o := range ords {
		p.Cols = append(p.Cols, b.Cols[o])
		p.Schema.Fields = append(p.Schema.Fields, b.Schema.Fields[o])
	}
	return p
}
