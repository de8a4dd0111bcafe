package exec

import (
	"bytes"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// reshapeMax bounds the rows that Reshape writes anew: all are in one batch of the store, and in memory.
const reshapeMax = 1 << 20

// Reshape writes the rows of a relation anew under other columns, of the given types: column i gets the values of the old column
// from[i], NULL where that is -1. key is the ordinals of the new key, which are the old key's columns, perhaps in another order. A
// relation without a key keeps its numbers.
func Reshape(r state.Reader, txn state.Txn, id catalog.ID, to []types.Type, from, key []int) error {
	rel, err := readRelation(r, uint32(id))
	if rel == nil || err != nil {
		return err
	}
	s := &reshaper{to: to, from: from, key: key, txn: txn, id: uint32(id)}
	for _, t := range rel.Types {
		s.old = append(s.old, column.NewBuilder(t, 1))
	}
	txn.DeleteRange(state.Result, s.id, firstRow, afterRows)
	var bad error
	err = r.Scan(state.Result, s.id, firstRow, afterRows, func(k, v []byte) bool {
		bad = s.row(k, v)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	txn.Put(state.Result, s.id, headerKey, newRelation(to, key).encode())
	return err
}

type reshaper struct {
	to        []types.Type
	from, key []int
	txn       state.Txn
	id        uint32
	old       []column.Builder
	rows      int
	buf       []byte
}

// row writes one row anew.
func (s *reshaper) row(k, v []byte) error {
	if s.rows++; s.rows > reshapeMax {
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "a result of more than %d rows cannot get other columns in one go", reshapeMax).
			WithHint("Keep the names, types and order of its columns, or create another view.")
	}
	for _, b := range s.old {
		b.Reset()
	}
	if _, err := column.DecodeRow(s.old, v); err != nil {
		return err
	}
	cols := make([]column.Vector, len(s.to))
	for i, j := range s.from {
		if j >= 0 {
			cols[i] = s.old[j].View()
			continue
		}
		b := column.NewBuilder(s.to[i], 1)
		b.AppendNull()
		cols[i] = b.View()
	}
	if len(s.key) > 0 {
		k = appendRowKey([]byte{resultRow}, cols, s.key, 0)
	}
	s.buf = column.AppendRow(s.buf[:0], cols, 0)
	s.txn.Put(state.Result, s.id, bytes.Clone(k), s.buf)
	return nil
}
