package exec

import (
	"encoding/binary"

	"wmsql/state"
	"wmsql/types"
)

// LateRow is a row of wm_catalog.late_rows: Row is the input row as JSON text.
type LateRow struct {
	Query     uint32
	Epoch     int64
	EventTime types.MicroTime
	Watermark types.MicroTime // that it was late by
	Partly    bool            // only some of its windows were closed
	Corrected int64           // the epoch of the refresh that added it, 0: none did
	Expires   types.MicroTime // end of the last window that it lost
	Row       []byte

	table  uint32 // of the operator that it was late for, 0 if it cannot be added afterwards
	layout uint64 // what columns cells has
	cells  []byte // all columns, in the row codec
}

// The late rows of a query:
//
//	epoch, seq        version, event time, watermark, expiry, flags, table, layout, JSON, columns
//	epoch, seq, 0x01  the epoch that added the row to its windows
const (
	lateVersion      = 2
	lateKeyLen       = 12
	lateMark    byte = 1
)

// putLate stores a late row under its query.
func putLate(txn state.Txn, seq int, r *LateRow) {
	key := binary.BigEndian.AppendUint64(nil, uint64(r.Epoch))
	key = binary.BigEndian.AppendUint32(key, uint32(seq))
	v := []byte{lateVersion}
	for _, t := range [...]types.MicroTime{r.EventTime, r.Watermark, r.Expires} {
		v = binary.AppendVarint(v, int64(t))
	}
	flags := byte(0)
	if r.Partly {
		flags = 1
	}
	v = binary.AppendUvarint(append(v, flags), uint64(r.table))
	v = binary.BigEndian.AppendUint64(v, r.layout)
	v = binary.AppendUvarint(v, uint64(len(r.Row)))
	v = append(v, r.Row...)
	txn.Put(state.Late, r.Query, key, append(v, r.cells...))
}

func readLate(query uint32, key, v []byte) (*LateRow, error) {
	if len(v) == 0 || v[0] != lateVersion {
		return nil, damaged("late row")
	}
	d := decoder{data: v[1:]}
	r := &LateRow{Query: query, Epoch: int64(binary.BigEndian.Uint64(key))}
	r.EventTime, r.Watermark, r.Expires = types.MicroTime(d.varint()), types.MicroTime(d.varint()), types.MicroTime(d.varint())
	r.Partly = d.byte()&1 != 0
	r.table = uint32(d.uvarint())
	if layout := d.bytes(8); d.err == nil {
		r.layout = binary.BigEndian.Uint64(layout)
	}
	r.Row = append([]byte(nil), d.bytes(d.uvarint())...)
	r.cells = append([]byte(nil), d.data...)
	return r, d.err
}

// ScanLate calls f for the late rows kept for a query, oldest first.
func ScanLate(r state.Reader, query uint32, f func(*LateRow) bool) error {
	return scanLate(r, query, func(_ []byte, row *LateRow) bool { return f(row) })
}

// scanLate is ScanLate with the key of each row. A row's mark comes right behind it.
func scanLate(r state.Reader, query uint32, f func(key []byte, row *LateRow) bool) error {
	var bad error
	var key []byte
	var row *LateRow
	more := true
	hand := func() {
		if row != nil && more {
			more = f(key, row)
		}
		row = nil
	}
	err := r.Scan(state.Late, query, nil, nil, func(k, v []byte) bool {
		switch {
		case len(k) == lateKeyLen:
			hand()
			key = append([]byte(nil), k...)
			row, bad = readLate(query, k, v)
		case len(k) == lateKeyLen+1 && row != nil && string(k[:lateKeyLen]) == string(key):
			d := decoder{data: v}
			row.Corrected, bad = d.varint(), d.err
		}
		return bad == nil && more
	})
	if bad != nil {
		return bad
	}
	hand()
	return err
}

// TrimLate drops the late rows of a query whose windows ended at or before a time.
func TrimLate(s *state.Store, query uint32, before types.MicroTime) error {
	txn := s.Begin()
	defer txn.Abort()
	err := scanLate(s, query, func(key []byte, r *LateRow) bool {
		if max(r.Expires, r.EventTime) <= before {
			txn.Delete(state.Late, query, key)
			txn.Delete(state.Late, query, append(key, lateMark))
		}
		return true
	})
	if err != nil || txn.Size() == 0 {
		return err
	}
	return txn.Commit(false)
}
