package state

import (
	"encoding/binary"

	"github.com/cockroachdb/pebble/v2"

	"wmsql/sqlerr"
)

// formatNumber is the number of the newest layout of keys and values that this version reads. It grows with every change
// that an older version could not read, or would not keep true.
const (
	firstFormat   = 1
	columnsFormat = 2 // from the first columns on that are stored: an older version would change rows and leave their columns as they were
	formatNumber  = columnsFormat
)

// formatKey, of object 0 in Meta, holds the format number (uint32, big endian) and the version that wrote it.
var formatKey = []byte("format")

// checkFormat refuses a store of a newer format. fresh means that the store is empty: it was just created, or a crash
// came before its format was written.
func (s *Store) checkFormat() (fresh bool, err error) {
	v, err := s.Get(Meta, 0, formatKey)
	if err != nil {
		return false, err
	}
	if v == nil {
		return true, s.checkEmpty()
	}
	if len(v) < 4 {
		return false, sqlerr.Newf(sqlerr.DataCorrupted, "data directory %s is damaged: its format number is cut short", quoted(s.dir))
	}
	n := binary.BigEndian.Uint32(v)
	if n > formatNumber {
		return false, newer(s.dir, string(v[4:]))
	}
	s.format.Store(n)
	return false, nil
}

// checkEmpty refuses a store that holds something but no format number: it is not ours, or has lost it.
func (s *Store) checkEmpty() error {
	it, err := s.db.NewIter(nil)
	if err != nil {
		return readError(err)
	}
	empty := !it.First()
	if err := it.Close(); err != nil {
		return readError(err)
	}
	if !empty {
		return sqlerr.Newf(sqlerr.DataCorrupted, "data directory %s is no wmsql store or is damaged: it has no format number", quoted(s.dir)).
			WithHint("Name another directory with --data.")
	}
	return nil
}

func (s *Store) writeFormat() error {
	b := s.db.NewBatch()
	if err := b.Set(appendKey(nil, Meta, 0, formatKey), s.formatValue(firstFormat), nil); err != nil {
		return err
	}
	return b.Commit(pebble.Sync)
}

func (s *Store) formatValue(n uint32) []byte {
	return append(binary.BigEndian.AppendUint32(nil, n), s.version...)
}
