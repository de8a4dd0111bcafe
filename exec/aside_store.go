package exec

import (
	"encoding/binary"
	"time"

	"wmsql/catalog"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// RejectedRecord is a row of wm_catalog.rejected_rows.
type RejectedRecord struct {
	Stream string
	Split  string
	Offset string
	Record []byte
	Reason string
	Time   types.MicroTime
	Epoch  int64
	Query  uint32
}

// asideVersion begins every stored rejected record and late row.
const asideVersion = 1

// PutRejected stores a rejected record under its stream; seq numbers it within the epoch.
func PutRejected(txn state.Txn, stream catalog.ID, epoch int64, seq int, r *RejectedRecord) {
	key := binary.BigEndian.AppendUint64(nil, orderedTime(r.Time))
	key = binary.BigEndian.AppendUint32(key, r.Query)
	key = binary.BigEndian.AppendUint64(key, uint64(epoch))
	key = binary.BigEndian.AppendUint32(key, uint32(seq))
	v := []byte{asideVersion}
	for _, s := range [...]string{r.Stream, r.Split, r.Offset, r.Reason, string(r.Record)} {
		v = appendText(v, s)
	}
	txn.Put(state.Rejected, uint32(stream), key, v)
}

// ScanRejected calls f for the rejected records of a stream, oldest first.
func ScanRejected(r state.Reader, stream catalog.ID, f func(*RejectedRecord) bool) error {
	var bad error
	err := r.Scan(state.Rejected, uint32(stream), nil, nil, func(key, v []byte) bool {
		if len(key) != 24 || len(v) == 0 || v[0] != asideVersion {
			bad = damaged("rejected record")
			return false
		}
		rec := &RejectedRecord{Time: timeOf(binary.BigEndian.Uint64(key)), Query: binary.BigEndian.Uint32(key[8:]), Epoch: int64(binary.BigEndian.Uint64(key[12:]))}
		v = v[1:]
		var record string
		for _, s := range [...]*string{&rec.Stream, &rec.Split, &rec.Offset, &rec.Reason, &record} {
			if *s, v, bad = readText(v); bad != nil {
				return false
			}
		}
		rec.Record = []byte(record)
		return f(rec)
	})
	if bad != nil {
		return bad
	}
	return err
}

// TrimRejected drops the rejected records of a stream that came before a time.
func TrimRejected(s *state.Store, stream catalog.ID, before time.Time) error {
	txn := s.Begin()
	txn.DeleteRange(state.Rejected, uint32(stream), nil, binary.BigEndian.AppendUint64(nil, orderedTime(types.MicroTime(before.UnixMicro()))))
	return txn.Commit(false)
}

// orderedTime maps a time to an unsigned number in the same order.
func orderedTime(t types.MicroTime) uint64 { return uint64(t) ^ 1<<63 }

func timeOf(u uint64) types.MicroTime { return types.MicroTime(u ^ 1<<63) }

func appendText(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func readText(data []byte) (string, []byte, error) {
	n, k := binary.Uvarint(data)
	if k <= 0 || n > uint64(len(data)-k) {
		return "", nil, damaged("text")
	}
	return string(data[k : k+int(n)]), data[k+int(n):], nil
}

// damaged is the error for a stored value that cannot be what was written.
func damaged(what string) error {
	return sqlerr.Newf(sqlerr.DataCorrupted, "a stored %s is damaged", what)
}

// decoder reads numbers from the front of data; err is the first failure.
type decoder struct {
	data []byte
	err  error
}

func (d *decoder) uvarint() uint64 {
	n, k := binary.Uvarint(d.data)
	d.skip(k)
	return n
}

func (d *decoder) varint() int64 {
	n, k := binary.Varint(d.data)
	d.skip(k)
	return n
}

func (d *decoder) skip(k int) {
	if k <= 0 || k > len(d.data) {
		d.fail()
		return
	}
	d.data = d.data[k:]
}

func (d *decoder) fail() {
	d.data = nil
	if d.err == nil {
		d.err = damaged("value")
	}
}

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		d.fail()
		return 0
	}
	c := d.data[0]
	d.data = d.data[1:]
	return c
}

func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.data)) {
		d.fail()
		return nil
	}
	out := d.data[:n]
	d.data = d.data[n:]
	return out
}
