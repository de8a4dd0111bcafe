package exec

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// IndexBuild is where the entries of an index that is built go. They may be stored before the transaction that builds it commits: nobody
// reads them until the table's header names the index.
type IndexBuild struct {
	Into  state.Txn
	Fresh state.Reader // shows what Into has taken
	// Flush may store what Into has taken so far. It is called after each row.
	Flush func() error
}

// BuildIndex writes the entries of an index of t anew, for the rows that r shows. Rows have the schema s. 23505 if the index is unique and
// they are not.
func BuildIndex(ctx context.Context, r state.Reader, to IndexBuild, t *catalog.Table, x *catalog.Index, s *types.Schema) error {
	rel, err := readRelation(r, uint32(t.ID))
	if rel == nil || err != nil {
		return err
	}
	b := &indexBuilder{table: t, schema: s, to: to, rel: rel, x: tableIndex{name: x.Name, columns: x.Ordinals(), unique: x.Unique, prefix: indexPrefix(x.ID)}}
	b.places = places(t)
	b.cols = make([]column.Builder, len(rel.Types))
	for i, at := range b.places {
		b.cols[at] = column.NewBuilder(s.Fields[i].Type, 1)
	}
	b.views = make([]column.Vector, len(b.places))
	dropIndex(rel.before(), to.Into, t.ID, x.ID) // those of before, or what a crash has left
	if err := b.each(ctx, r, b.put); err != nil {
		return err
	}
	stored, err := b.stored(ctx)
	if err != nil || stored == b.rows {
		return err
	}
	return b.each(ctx, r, b.first) // rows of a unique index have put theirs over one another
}

// ForgetIndex removes the entries of an index of a table.
func ForgetIndex(r state.Reader, txn state.Txn, table, index catalog.ID) error {
	rel, err := readRelation(r, uint32(table))
	if rel != nil && err == nil {
		dropIndex(rel.before(), txn, table, index)
	}
	return err
}

func dropIndex(before []byte, txn state.Txn, table, index catalog.ID) {
	p := slices.Concat(before, indexPrefix(index))
	txn.DeleteRange(state.Result, uint32(table), p, successor(p))
}

// SetIndexes tells the readers of t which indexes it has. A table that nothing was ever written to learns it with its first row.
func SetIndexes(r state.Reader, txn state.Txn, t *catalog.Table, indexes []*catalog.Index) error {
	rel, err := readRelation(r, uint32(t.ID))
	if rel == nil || err != nil {
		return err
	}
	rel.indexes = storedIndexes(t, indexes)
	txn.Put(state.Result, uint32(t.ID), headerKey, rel.encode())
	return nil
}

type indexBuilder struct {
	table  *catalog.Table
	schema *types.Schema
	x      tableIndex
	to     IndexBuild
	rows   int

	rel    *relation
	places []int
	cols   []column.Builder // by place
	views  []column.Vector
	entry  []byte
}

// each calls f for every row with the entry it has; alone says that no other row may have it.
func (b *indexBuilder) each(ctx context.Context, r state.Reader, f func(key []byte, alone bool) error) error {
	var bad error
	err := r.Scan(state.Result, uint32(b.table.ID), b.rel.rows(), successor(b.rel.rows()), func(k, v []byte) bool {
		if bad = ctx.Err(); bad != nil {
			return false
		}
		for _, at := range b.places {
			b.cols[at].Reset()
		}
		if bad = b.rel.Decode(b.cols, v); bad != nil {
			return false
		}
		for i, at := range b.places {
			b.views[i] = b.cols[at].View()
		}
		var alone bool
		b.entry, _, alone = b.x.appendEntry(append(b.entry[:0], b.rel.before()...), b.views, 0, k)
		bad = f(k, alone)
		return bad == nil
	})
	return cmp.Or(err, bad)
}

func (b *indexBuilder) put(key []byte, _ bool) error {
	b.rows++
	b.to.Into.Put(state.Result, uint32(b.table.ID), b.entry, bytes.Clone(key))
	return b.to.Flush()
}

// stored counts the entries that are there.
func (b *indexBuilder) stored(ctx context.Context) (n int, err error) {
	if !b.x.unique {
		return b.rows, nil
	}
	p := slices.Concat(b.rel.before(), b.x.prefix)
	err = b.to.Fresh.Scan(state.Result, uint32(b.table.ID), p, successor(p), func(_, _ []byte) bool {
		n++
		return ctx.Err() == nil
	})
	return n, cmp.Or(err, ctx.Err())
}

// first refuses a row whose entry is another row's.
func (b *indexBuilder) first(key []byte, alone bool) error {
	if !alone {
		return nil
	}
	of, err := b.to.Fresh.Get(state.Result, uint32(b.table.ID), b.entry)
	if err != nil || bytes.Equal(of, key) {
		return err
	}
	names, values := keyText(b.schema, b.x.columns, b.views, 0)
	return sqlerr.Newf(sqlerr.UniqueViolation, "could not create unique index \"%s\"", b.x.name).
		WithDetail("Key (%s)=(%s) is duplicated.", names, values).Of(b.table.Schema, b.table.Name, "", b.x.name)
}
