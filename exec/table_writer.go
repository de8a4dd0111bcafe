package exec

import (
	"bytes"
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// TableWriter changes a stored table within a transaction.
type TableWriter struct {
	table  *catalog.Object // for messages
	id     uint32
	schema *types.Schema
	keys   []tableIndex
	r      state.Reader
	seen   state.Reader // what the transaction's queries read, where that is older than r; nil: it is not
	txn    state.Txn
	number uint64 // of the last row without a key, once counts
	counts bool
	// touched is what the statement has changed. Who is alone in changing the table notes only what DO UPDATE wrote.
	touched *Touched
	shared  bool

	rel          *relation
	rows, before []byte // what keys of the rows begin with, and what those of their entries do
	places       []int  // of the columns in a stored row; nil: they are all that it has
	primary      []int  // ordinals of the primary key, empty: rows have a hidden number
	rowKey, row  []byte
	entry        []byte
	old          []column.Builder // by place
}

// NewTableWriter returns a writer for t, whose rows have the schema s, and for its indexes. r shows what the transaction has done so far, over what is
// committed. A table without a primary key gives its rows a hidden, ever growing number.
func NewTableWriter(t *catalog.Table, indexes []*catalog.Index, s *types.Schema, r state.Reader, txn state.Txn) (*TableWriter, error) {
	w := &TableWriter{table: &t.Object, id: uint32(t.ID), schema: s, keys: tableIndexes(t, indexes), primary: t.PrimaryKey, r: r, txn: txn, touched: NewTouched()}
	rel, err := readRelation(r, w.id)
	if err != nil {
		return nil, err
	}
	if rel == nil {
		rel = tableRelation(t, indexes)
		txn.Put(state.Result, w.id, headerKey, rel.encode())
	}
	if err := rel.planned(&t.Object); err != nil {
		return nil, err
	}
	w.use(t, rel)
	return w, nil
}

// use makes the writer write rows of rel.
func (w *TableWriter) use(t *catalog.Table, rel *relation) {
	w.rel, w.rows, w.before = rel, rel.rows(), rel.before()
	if len(rel.Types) > len(t.Columns) {
		w.places = places(t)
	}
}

// Saw makes changes of rows that are not as r shows them fail, for the transaction's queries read r. Such rows others have changed since the
// transaction's snapshot was taken.
func (w *TableWriter) Saw(r state.Reader) { w.seen = r }

// unchanged refuses a row that others have changed since the transaction's snapshot: 40001, as Postgres does from REPEATABLE READ on.
func (w *TableWriter) unchanged(key, now []byte) error {
	if w.seen == nil {
		return nil
	}
	was, err := w.seen.Get(state.Result, w.id, key)
	switch {
	case err != nil || bytes.Equal(was, now) && (was == nil) == (now == nil):
		return err
	case now == nil:
		return sqlerr.Newf(sqlerr.SerializationFailure, "could not serialize access due to concurrent delete")
	}
	return sqlerr.Newf(sqlerr.SerializationFailure, "could not serialize access due to concurrent update")
}

// unchangedAt is unchanged for the row at key.
func (w *TableWriter) unchangedAt(key []byte) error {
	if w.seen == nil {
		return nil
	}
	now, err := w.r.Get(state.Result, w.id, key)
	if err != nil {
		return err
	}
	return w.unchanged(key, now)
}

// OnConflict says what becomes of a row one of whose unique keys is taken: an error (the zero value), nothing, or an update of the
// row that has it.
type OnConflict struct {
	Nothing, Update bool
	Key             string // the only unique key that is meant; "" means any
}

// Inserted is what became of a batch.
type Inserted struct {
	Rows  []int32 // of the batch, that were written
	Taken []Taken // with OnConflict.Update: the others
}

// Taken is a row of the batch, and the key of the stored row that has one of its unique keys.
type Taken struct {
	Row int32
	Key []byte
}

// Insert adds the batch's rows. Errors: 23505 for a taken key, in Postgres's words; 21000 if a row of the same command took it and is
// to be updated.
func (w *TableWriter) Insert(b *column.Batch, on OnConflict) (Inserted, error) {
	var out Inserted
	stored := w.stored(b)
	if err := w.countOn(); err != nil {
		return out, err
	}
	for i := range b.Rows {
		w.setRowKey(b, i)
		taken, err := w.conflict(b, i, on)
		if err == nil && taken != nil {
			err = w.unchangedAt(taken)
		}
		switch {
		case err != nil:
			return out, err
		case taken != nil && on.Update:
			if w.touched.written[string(taken)] {
				return out, sqlerr.Newf(sqlerr.CardinalityViolation, "ON CONFLICT DO UPDATE command cannot affect row a second time").
					WithHint("Ensure that no rows proposed for insertion within the same command have duplicate constrained values.")
			}
			w.touched.written[string(taken)] = true
			out.Taken = append(out.Taken, Taken{Row: int32(i), Key: taken})
		case taken == nil:
			w.put(b, stored, i, on)
			out.Rows = append(out.Rows, int32(i))
		}
	}
	return out, nil
}

// countOn finds the number of the last row without a key before the first one is stored: another part of the statement may have stored some since
// the writer was made.
func (w *TableWriter) countOn() (err error) {
	if len(w.primary) == 0 && !w.counts {
		w.number, err = lastRowNumber(w.r, w.id, w.rows)
		w.counts = true
	}
	return err
}

func (w *TableWriter) setRowKey(b *column.Batch, i int) {
	if len(w.primary) == 0 {
		w.number++
		w.rowKey = appendRowNumber(append(w.rowKey[:0], w.rows...), w.number)
		return
	}
	w.rowKey = appendRowKey(append(w.rowKey[:0], w.rows...), b.Cols, w.primary, i)
}

// conflict returns the key of the stored row that stands in the way of row i and that on speaks of, nil if none does. Another one is an
// error. The key that is meant is looked at first, as Postgres does.
func (w *TableWriter) conflict(b *column.Batch, i int, on OnConflict) ([]byte, error) {
	var wrong error
	for n := range w.keys {
		k := &w.keys[n]
		if !k.unique {
			continue
		}
		taken, err := w.taken(k, b, i)
		if err != nil {
			return nil, err
		}
		switch {
		case taken == nil:
		case (on.Nothing || on.Update) && (on.Key == "" || on.Key == k.name):
			return taken, nil
		case wrong == nil:
			wrong = w.duplicate(k, b, i)
		}
	}
	return nil, wrong
}

// taken returns the key of the row that has row i's values of k, nil if there is none.
func (w *TableWriter) taken(k *tableIndex, b *column.Batch, i int) ([]byte, error) {
	if k.primary {
		v, err := w.r.Get(state.Result, w.id, w.rowKey)
		if v == nil || err != nil {
			return nil, err
		}
		return append([]byte{}, w.rowKey...), nil
	}
	var alone bool
	if w.entry, _, alone = k.appendEntry(append(w.entry[:0], w.before...), b.Cols, i, w.rowKey); !alone {
		return nil, nil
	}
	v, err := w.r.Get(state.Result, w.id, w.entry)
	if v == nil || err != nil {
		return nil, err
	}
	return append([]byte{}, v...), nil
}

// stored is the columns of b as a row is stored: NULL where it had a column that was dropped.
func (w *TableWriter) stored(b *column.Batch) []column.Vector {
	if w.places == nil {
		return b.Cols
	}
	out := make([]column.Vector, len(w.rel.Types))
	for i, at := range w.places {
		out[at] = b.Cols[i]
	}
	for at, v := range out {
		if v == nil {
			out[at] = column.Const(w.rel.Types[at], nil, b.Rows)
		}
	}
	return out
}

// put writes row i of b, whose stored columns are given, under rowKey.
func (w *TableWriter) put(b *column.Batch, stored []column.Vector, i int, on OnConflict) {
	if on.Update || w.shared {
		w.touched.written[string(w.rowKey)] = true
	}
	w.row = w.rel.AppendRow(w.row[:0], stored, i)
	w.txn.Put(state.Result, w.id, w.rowKey, w.row)
	for n := range w.keys {
		var has bool
		if w.entry, has, _ = w.keys[n].appendEntry(append(w.entry[:0], w.before...), b.Cols, i, w.rowKey); has {
			w.txn.Put(state.Result, w.id, w.entry, w.rowKey)
		}
	}
}

// Delete removes the rows that stand under the keys, which the column ctid of the table gave. It returns the ordinals of the keys that
// removed one: a key that stands there twice, or that another part of the statement has removed, does so once. Errors: 40001, see Saw.
func (w *TableWriter) Delete(keys column.Vector) ([]int32, error) {
	text := keys.(*column.Bytes)
	var gone []int32
	for i := range text.Len() {
		key := text.Value(i)
		if w.touched.gone[string(key)] {
			continue
		}
		v, err := w.r.Get(state.Result, w.id, key)
		if err == nil {
			err = w.unchanged(key, v)
		}
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if err := w.forget(key, v); err != nil {
			return nil, err
		}
		w.txn.Delete(state.Result, w.id, key)
		if w.shared {
			w.touched.gone[string(key)] = true
		}
		gone = append(gone, int32(i))
	}
	return gone, nil
}

// forget removes the entries of the row that is stored under key.
func (w *TableWriter) forget(key, row []byte) error {
	if len(w.keys) == 0 || len(w.keys) == 1 && w.keys[0].primary {
		return nil
	}
	cols, err := w.decode(row)
	if err != nil {
		return err
	}
	for n := range w.keys {
		var has bool
		if w.entry, has, _ = w.keys[n].appendEntry(append(w.entry[:0], w.before...), cols, 0, key); has {
			w.txn.Delete(state.Result, w.id, w.entry)
		}
	}
	return nil
}

func (w *TableWriter) decode(row []byte) ([]column.Vector, error) {
	if w.old == nil {
		w.old = w.builders(1)
	}
	for _, b := range w.old {
		if b != nil {
			b.Reset()
		}
	}
	err := w.rel.Decode(w.old, row)
	return w.view(w.old), err
}

// builders are those of a stored row's columns, nil where it has one that was dropped.
func (w *TableWriter) builders(room int) []column.Builder {
	if w.places == nil {
		return column.NewBuilders(w.schema, room)
	}
	out := make([]column.Builder, len(w.rel.Types))
	for i, at := range w.places {
		out[at] = column.NewBuilder(w.schema.Fields[i].Type, room)
	}
	return out
}

// view is the table's columns of what bs hold.
func (w *TableWriter) view(bs []column.Builder) []column.Vector {
	cols := make([]column.Vector, len(w.schema.Fields))
	for i := range cols {
		at := i
		if w.places != nil {
			at = w.places[i]
		}
		cols[i] = bs[at].View()
	}
	return cols
}

// Read returns the stored rows under the keys of taken.
func (w *TableWriter) Read(taken []Taken) (*column.Batch, error) {
	bs := w.builders(len(taken))
	for _, t := range taken {
		v, err := w.r.Get(state.Result, w.id, t.Key)
		if err != nil {
			return nil, err
		}
		if err := w.rel.Decode(bs, v); err != nil {
			return nil, err
		}
	}
	return &column.Batch{Schema: w.schema, Rows: len(taken), Cols: w.view(bs)}, nil
}

func (w *TableWriter) duplicate(k *tableIndex, b *column.Batch, i int) error {
	names, values := keyText(w.schema, k.columns, b.Cols, i)
	return sqlerr.Newf(sqlerr.UniqueViolation, "duplicate key value violates unique constraint \"%s\"", k.name).
		WithDetail("Key (%s)=(%s) already exists.", names, values).
		Of(w.table.Schema, w.table.Name, "", k.name)
}

// keyText names the columns at ords, and shows their values in row i, as Postgres's details do.
func keyText(s *types.Schema, ords []int, cols []column.Vector, i int) (columns, values string) {
	var names []string
	for _, c := range ords {
		names = append(names, s.Fields[c].Name)
	}
	return strings.Join(names, ", "), rowText(cols, ords, i)
}

// rowText is the columns at ords of a row, as Postgres shows them in a DETAIL.
func rowText(cols []column.Vector, ords []int, i int) string {
	var out []string
	for _, o := range ords {
		if cols[o].IsNull(i) {
			out = append(out, "null")
			continue
		}
		out = append(out, string(column.AppendText(nil, cols[o], i, types.UTC)))
	}
	return strings.Join(out, ", ")
}
