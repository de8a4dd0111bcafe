package expr

import (
	"bytes"
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/types"
)

// rowLog is the rows of one slot as bytes, in the order of arrival: row i ends at ends[i]. A row is its sort key, if the log
// has one, then the arguments in the row codec.
type rowLog struct {
	data []byte
	ends []int
}

func (l *rowLog) close() { l.ends = append(l.ends, len(l.data)) }

func (l *rowLog) row(i int) []byte {
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.data[start:l.ends[i]]
}

// all returns the rows in the order of arrival.
func (l *rowLog) all() [][]byte {
	rows := make([][]byte, len(l.ends))
	for i := range rows {
		rows[i] = l.row(i)
	}
	return rows
}

func (l *rowLog) appendLog(o *rowLog) {
	base := len(l.data)
	l.data = append(l.data, o.data...)
	for _, e := range o.ends {
		l.ends = append(l.ends, base+e)
	}
}

func (l *rowLog) encode(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(l.ends)))
	for i := range l.ends {
		row := l.row(i)
		dst = append(binary.AppendUvarint(dst, uint64(len(row))), row...)
	}
	return dst
}

func (l *rowLog) decode(data []byte) ([]byte, bool) {
	n, k := binary.Uvarint(data)
	if k <= 0 {
		return nil, false
	}
	data = data[k:]
	for range n {
		size, k := binary.Uvarint(data)
		if k <= 0 || uint64(len(data)-k) < size {
			return nil, false
		}
		l.data = append(l.data, data[k:k+int(size)]...)
		l.close()
		data = data[k+int(size):]
	}
	return data, true
}

// sorted returns the rows in the order of their bytes, equal keys in the order of arrival; unique drops rows whose key
// is repeated.
func (l *rowLog) sorted(keyLen func(row []byte) int, unique bool) [][]byte {
	rows := l.all()
	slices.SortStableFunc(rows, func(a, b []byte) int { return bytes.Compare(a[:keyLen(a)], b[:keyLen(b)]) })
	if unique {
		rows = slices.CompactFunc(rows, func(a, b []byte) bool { return bytes.Equal(a[:keyLen(a)], b[:keyLen(b)]) })
	}
	return rows
}

// collectKernel is array_agg and its like: all rows are kept, and read back for the result.
func collectKernel(ts []types.Type, result func(args []column.Vector, b column.Builder) error) *cellKernel[rowLog] {
	return &cellKernel[rowLog]{
		add: func(st []rowLog, slots, rows []int32, args []column.Vector) error {
			for k, slot := range slots {
				l := &st[slot]
				l.data = column.AppendRow(l.data, args[:len(ts)], rowAt(rows, k))
				l.close()
			}
			return nil
		},
		merge:  func(dst, src *rowLog) error { dst.appendLog(src); return nil },
		encode: func(dst []byte, s *rowLog) []byte { return s.encode(dst) },
		decode: func(s *rowLog, data []byte) ([]byte, bool) { return s.decode(data) },
		heap:   func(s *rowLog) int { return cap(s.data) + 8*cap(s.ends) },
		result: func(st []rowLog, slots []int32, t types.Type) (column.Vector, error) {
			b := column.NewBuilder(t, len(slots))
			for _, slot := range slots {
				l := &st[slot]
				if len(l.ends) == 0 {
					b.AppendNull()
					continue
				}
				args, err := decodeRows(ts, l.all())
				if err != nil {
					return nil, err
				}
				if err := result(args, b); err != nil {
					return nil, err
				}
			}
			return b.Build(), nil
		},
	}
}

// decodeRows reads rows of the row codec as vectors.
func decodeRows(ts []types.Type, rows [][]byte) ([]column.Vector, error) {
	bs := make([]column.Builder, len(ts))
	for i, t := range ts {
		bs[i] = column.NewBuilder(t, len(rows))
	}
	for _, row := range rows {
		if _, err := column.DecodeRow(bs, row); err != nil {
			return nil, err
		}
	}
	out := make([]column.Vector, len(ts))
	for i, b := range bs {
		out[i] = b.Build()
	}
	return out, nil
}
