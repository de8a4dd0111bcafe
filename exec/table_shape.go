package exec

import (
	"cmp"
	"slices"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// places are where the columns of a table stand in its stored rows.
func places(t *catalog.Table) []int {
	out := make([]int, len(t.Columns))
	for i := range t.Columns {
		out[i] = catalog.Number(t.Columns, i) - 1
	}
	return out
}

// tableRelation is the header of a table without rows, with the indexes that CREATE INDEX made.
func tableRelation(t *catalog.Table, indexes []*catalog.Index) *relation {
	at := places(t)
	ts := make([]types.Type, t.Width())
	for i, c := range t.Columns {
		ts[at[i]] = c.Type
	}
	for _, d := range t.Dropped {
		ts[d.Number-1] = d.Type
	}
	var key []int
	for _, k := range t.PrimaryKey {
		key = append(key, at[k])
	}
	rel := newRelation(ts, key)
	rel.shape, rel.indexes = t.Shape, storedIndexes(t, indexes)
	return rel
}

// ChangeShape makes the rows of a table, which stay as they are, those of its changed definition t: columns were added, for which the rows
// have the values missing (by ordinal, of one row; nil: NULL), or dropped, or got a type that stores its values alike.
func ChangeShape(t *catalog.Table, indexes []*catalog.Index, missing map[int]column.Vector, r state.Reader, txn state.Txn) error {
	old, err := readRelation(r, uint32(t.ID))
	if old == nil || err != nil {
		return err
	}
	rel := tableRelation(t, indexes)
	rel.Base, rel.generation = old.Base, old.generation
	rel.Missing = make([]column.Vector, len(rel.Types))
	copy(rel.Missing, old.Missing)
	for i, v := range missing {
		rel.Missing[catalog.Number(t.Columns, i)-1] = v
	}
	txn.Put(state.Result, uint32(t.ID), headerKey, rel.encode())
	return nil
}

// Rewriter writes the rows of a table anew for a changed definition: into a generation of its own, which nobody sees until a transaction
// with the new header is committed. The rows may be stored before that, so that they need not be in memory.
type Rewriter struct {
	*TableWriter
	old *relation
}

// NewRewriter returns a rewriter for the definition t, whose rows have the schema s, nil if the table never had rows. r shows the table as
// it is; into takes the rows, and fresh shows it with what into has taken.
func NewRewriter(t *catalog.Table, indexes []*catalog.Index, s *types.Schema, r state.Reader, fresh state.Reader, into state.Txn) (*Rewriter, error) {
	old, err := readRelation(r, uint32(t.ID))
	if old == nil || err != nil {
		return nil, err
	}
	rel := tableRelation(t, indexes)
	rel.generation = old.generation + 1
	w := &Rewriter{old: old, TableWriter: &TableWriter{
		table: &t.Object, id: uint32(t.ID), schema: s, keys: tableIndexes(t, indexes), primary: t.PrimaryKey, r: fresh, txn: into, touched: NewTouched(),
		rel: rel,
	}}
	w.Discard(into) // what a crash may have left
	w.use(t, rel)
	return w, nil
}

// Finish makes the new rows those of the table, and deletes the old ones.
func (w *Rewriter) Finish(txn state.Txn) {
	lo, hi := w.old.span()
	txn.DeleteRange(state.Result, w.id, lo, hi)
	txn.Put(state.Result, w.id, headerKey, w.rel.encode())
}

// Discard deletes the new rows.
func (w *Rewriter) Discard(txn state.Txn) {
	lo, hi := w.rel.span()
	txn.DeleteRange(state.Result, w.id, lo, hi)
}

// span is the keys of all rows and entries of the relation's generation: [lo, hi).
func (r *relation) span() (lo, hi []byte) {
	if r.generation == 0 {
		return firstRow, []byte{generation}
	}
	lo = r.before()
	return lo, successor(lo)
}

// DiscardUnfinished deletes what an ALTER TABLE or CREATE INDEX that a crash cut off has left of a table, which has these indexes.
func DiscardUnfinished(id catalog.ID, indexes []*catalog.Index, r state.Reader, txn state.Txn) error {
	rel, err := readRelation(r, uint32(id))
	if rel == nil || err != nil {
		return err
	}
	next := *rel
	next.generation++
	lo, hi := next.span()
	if err := discard(r, txn, id, lo, hi); err != nil {
		return err
	}
	known := slices.SortedFunc(slices.Values(indexes), func(a, b *catalog.Index) int { return cmp.Compare(a.ID, b.ID) })
	lo = append(rel.before(), indexEntry)
	end := successor(lo)
	for _, x := range known {
		own := append(rel.before(), indexPrefix(x.ID)...)
		if err := discard(r, txn, id, lo, own); err != nil {
			return err
		}
		lo = successor(own)
	}
	return discard(r, txn, id, lo, end)
}

// discard deletes [lo, hi) if anything lies there.
func discard(r state.Reader, txn state.Txn, id catalog.ID, lo, hi []byte) error {
	it, err := r.Iter(state.Result, uint32(id), lo, hi, false)
	if err != nil {
		return err
	}
	if it.Next() {
		txn.DeleteRange(state.Result, uint32(id), lo, hi)
	}
	return it.Close()
}

// DropEntries forgets the entries of a unique key of a table, which stand in a slot.
func DropEntries(id catalog.ID, slot uint16, r state.Reader, txn state.Txn) error {
	rel, err := readRelation(r, uint32(id))
	if rel == nil || err != nil {
		return err
	}
	lo := append(rel.before(), constraintPrefix(slot)...)
	txn.DeleteRange(state.Result, uint32(id), lo, successor(lo))
	return nil
}

// ReadTable opens the rows of a table.
func ReadTable(r state.Reader, t *catalog.Table) (*ResultReader, error) {
	return ReadResult(r, t.ID, places(t))
}
