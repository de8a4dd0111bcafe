package exec

import (
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// TableWriter changes a stored table within a transaction. One writer serves all changes that the transaction makes to the
// table: it knows the keys that are not committed yet.
type TableWriter struct {
	Name string // of the table, for messages

	id     uint32
	schema *types.Schema
	key    []int
	r      state.Reader
	txn    state.Txn
	number uint64          // of the last row without a key
	fresh  map[string]bool // keys written (true) or deleted in this transaction

	rowKey, row []byte
}

// NewTableWriter returns a writer for a relation whose key is the columns at the ordinals key (empty: rows get a
// hidden, ever growing number). r is the committed state.
func NewTableWriter(id catalog.ID, s *types.Schema, key []int, r state.Reader, txn state.Txn) (*TableWriter, error) {
	w := &TableWriter{id: uint32(id), schema: s, key: key, r: r, txn: txn, fresh: map[string]bool{}}
	rel, err := readRelation(r, w.id)
	if err != nil {
		return nil, err
	}
	if rel == nil {
		rel = &relation{types: schemaTypes(s), key: key}
		txn.Put(state.Result, w.id, headerKey, rel.encode())
	}
	if len(key) == 0 {
		w.number, err = lastRowNumber(r, w.id)
	}
	return w, err
}

// Insert adds the batch's rows. A row whose key exists gives 23505 with Postgres's wording, or is skipped or replaces the old
// one as onConflict ("", "nothing", "replace") says. It returns the number of rows written.
func (w *TableWriter) Insert(b *column.Batch, onConflict string) (int64, error) {
	var n int64
	for i := range b.Rows {
		if err := w.checkNulls(b, i); err != nil {
			return n, err
		}
		written, err := w.insert(b, i, onConflict)
		if err != nil {
			return n, err
		}
		if written {
			n++
		}
	}
	return n, nil
}

func (w *TableWriter) insert(b *column.Batch, i int, onConflict string) (bool, error) {
	if len(w.key) == 0 {
		w.number++
		w.rowKey = appendRowNumber(w.rowKey[:0], w.number)
	} else {
		w.rowKey = appendRowKey(w.rowKey[:0], b.Cols, w.key, i)
		exists, err := w.exists()
		if err != nil {
			return false, err
		}
		switch {
		case exists && onConflict == "":
			return false, w.duplicate(b, i)
		case exists && onConflict == "nothing":
			return false, nil
		}
		w.fresh[string(w.rowKey)] = true
	}
	w.row = column.AppendRow(w.row[:0], b.Cols, i)
	w.txn.Put(state.Result, w.id, w.rowKey, w.row)
	return true, nil
}

// Delete removes the rows of a keyed table whose keys are those of the batch. It returns the rows of the batch that
// removed one: a row that stands twice in it does so once.
func (w *TableWriter) Delete(b *column.Batch) ([]int32, error) {
	if len(w.key) == 0 {
		panic("exec: rows without a key cannot be told apart")
	}
	var gone []int32
	for i := range b.Rows {
		w.rowKey = appendRowKey(w.rowKey[:0], b.Cols, w.key, i)
		there, written := w.fresh[string(w.rowKey)]
		if !written {
			v, err := w.r.Get(state.Result, w.id, w.rowKey)
			if err != nil {
				return nil, err
			}
			there = v != nil
		}
		if there {
			w.txn.Delete(state.Result, w.id, w.rowKey)
			w.fresh[string(w.rowKey)] = false
			gone = append(gone, int32(i))
		}
	}
	return gone, nil
}

// exists reports whether rowKey is taken.
func (w *TableWriter) exists() (bool, error) {
	if there, known := w.fresh[string(w.rowKey)]; known {
		return there, nil
	}
	v, err := w.r.Get(state.Result, w.id, w.rowKey)
	return v != nil, err
}

func (w *TableWriter) checkNulls(b *column.Batch, i int) error {
	for c, f := range w.schema.Fields {
		if f.NotNull && b.Cols[c].IsNull(i) {
			return sqlerr.Newf(sqlerr.NotNullViolation, "null value in column \"%s\" of relation \"%s\" violates not-null constraint", f.Name, w.Name).
				WithDetail("Failing row contains (%s).", rowText(b.Cols, nil, i))
		}
	}
	return nil
}

func (w *TableWriter) duplicate(b *column.Batch, i int) error {
	var names []string
	for _, k := range w.key {
		names = append(names, w.schema.Fields[k].Name)
	}
	return sqlerr.Newf(sqlerr.UniqueViolation, "duplicate key value violates unique constraint \"%s_pkey\"", w.Name).
		WithDetail("Key (%s)=(%s) already exists.", strings.Join(names, ", "), rowText(b.Cols, w.key, i))
}

// rowText is the columns at ords (nil: all) of a row, as Postgres shows them in a DETAIL.
func rowText(cols []column.Vector, ords []int, i int) string {
	var out []string
	add := func(v column.Vector) {
		if v.IsNull(i) {
			out = append(out, "null")
			return
		}
		out = append(out, string(column.AppendText(nil, v, i, types.UTC)))
	}
	if ords == nil {
		for _, v := range cols {
			add(v)
		}
	}
	for _, o := range ords {
		add(cols[o])
	}
	return strings.Join(out, ", ")
}
