package exec

import (
	"bytes"
	"slices"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// indexBuildMax bounds the rows of a table that gets an index: its entries are made in one batch of the store, and in memory.
const indexBuildMax = 1 << 22

// BuildIndex writes the entries of an index of t anew, for the rows that r shows. Rows have the schema s. 23505 if the index is unique and
// they are not.
func BuildIndex(r state.Reader, txn state.Txn, t *catalog.Table, x *catalog.Index, s *types.Schema) error {
	id := uint32(t.ID)
	rel, err := readRelation(r, id)
	if rel == nil || err != nil {
		return err
	}
	b := &indexBuilder{table: t, schema: s, txn: txn, rel: rel, x: tableIndex{name: x.Name, columns: x.Ordinals(), unique: x.Unique, prefix: indexPrefix(x.ID)}}
	b.places = places(t)
	b.cols = make([]column.Builder, len(rel.Types))
	for i, at := range b.places {
		b.cols[at] = column.NewBuilder(s.Fields[i].Type, 1)
	}
	b.views = make([]column.Vector, len(b.places))
	dropIndex(rel.before(), txn, t.ID, x.ID)
	if x.Unique {
		b.seen = map[string]struct{}{}
	}
	var bad error
	err = r.Scan(state.Result, id, rel.rows(), successor(rel.rows()), func(k, v []byte) bool {
		bad = b.add(k, v)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	return err
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
	txn    state.Txn
	seen   map[string]struct{} // entries of a unique index
	rows   int

	rel    *relation
	places []int
	cols   []column.Builder // by place
	views  []column.Vector
	entry  []byte
}

func (b *indexBuilder) add(key, row []byte) error {
	if b.rows++; b.rows > indexBuildMax {
		return sqlerr.Newf(sqlerr.ProgramLimitExceeded, "a table of more than %d rows cannot get an index", indexBuildMax).
			WithHint("Create the index while the table is empty.")
	}
	for _, at := range b.places {
		b.cols[at].Reset()
	}
	if err := b.rel.Decode(b.cols, row); err != nil {
		return err
	}
	for i, at := range b.places {
		b.views[i] = b.cols[at].View()
	}
	var alone bool
	b.entry, _, alone = b.x.appendEntry(append(b.entry[:0], b.rel.before()...), b.views, 0, key)
	if alone {
		if _, dup := b.seen[string(b.entry)]; dup {
			names, values := keyText(b.schema, b.x.columns, b.views, 0)
			return sqlerr.Newf(sqlerr.UniqueViolation, "could not create unique index \"%s\"", b.x.name).
				WithDetail("Key (%s)=(%s) is duplicated.", names, values).Of(b.table.Schema, b.table.Name, "", b.x.name)
		}
		b.seen[string(b.entry)] = struct{}{}
	}
	b.txn.Put(state.Result, uint32(b.table.ID), b.entry, bytes.Clone(key))
	return nil
}
