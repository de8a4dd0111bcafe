package expr

import (
	"bytes"
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/types"
)

// newKeptAccumulator makes an accumulator for an aggregate that cannot undo a row: it keeps the rows of each slot, counted, and
// gives them to the aggregate when the result is asked for, in the order of their values.
func newKeptAccumulator(a *Aggregate, ctx *Context) Accumulator {
	return makeCells(keptKernel(a, ctx))(&aggSite{args: typesOf(a.Args), ret: a.T, ctx: ctx})
}

// keptRows is the rows of a slot: how often each came, by its order-preserving key with the row itself behind it, for two
// rows that are equal may look different.
type keptRows struct {
	rows  map[string]keptRow
	bytes int
}

// keptRow is n rows whose key is the first key bytes of what they are kept by.
type keptRow struct{ n, key int64 }

func (s *keptRows) change(row []byte, key int, by int64) {
	r, known := s.rows[string(row)]
	if r.n += by; r.n == 0 {
		delete(s.rows, string(row))
		s.bytes -= len(row)
		return
	}
	if s.rows == nil {
		s.rows = map[string]keptRow{}
	}
	if !known {
		s.bytes += len(row)
	}
	s.rows[string(row)] = keptRow{r.n, int64(key)}
}

// ordered returns what rows are kept by, in order.
func (s *keptRows) ordered() []string {
	out := make([]string, 0, len(s.rows))
	for row := range s.rows {
		out = append(out, row)
	}
	slices.Sort(out)
	return out
}

// extreme returns what the least row (sign -1) or the greatest is kept by; "" if there is none.
func (s *keptRows) extreme(sign int) string {
	out := ""
	for row := range s.rows {
		if out == "" || bytes.Compare([]byte(row), []byte(out))*sign > 0 {
			out = row
		}
	}
	return out
}

func keptKernel(a *Aggregate, ctx *Context) *cellKernel[keptRows] {
	k := &keeper{agg: a, ctx: ctx, types: typesOf(a.Args)}
	for _, o := range a.OrderBy {
		k.types = append(k.types, o.X.Type())
	}
	switch a.Func.Name {
	case "min":
		k.sign = -1
	case "max":
		k.sign = 1
	}
	return &cellKernel[keptRows]{
		add: func(st []keptRows, slots, rows []int32, args []column.Vector) error {
			return k.change(st, slots, rows, args, 1)
		},
		retract: func(st []keptRows, slots, rows []int32, args []column.Vector) error {
			return k.change(st, slots, rows, args, -1)
		},
		merge: func(dst, src *keptRows) error {
			for row, r := range src.rows {
				dst.change([]byte(row), int(r.key), r.n)
			}
			return nil
		},
		result: k.result,
		encode: encodeKept,
		decode: decodeKept,
		heap:   func(s *keptRows) int { return s.bytes + entryBytes*len(s.rows) },
	}
}

// keeper is what the slots of one aggregate share.
type keeper struct {
	agg   *Aggregate
	ctx   *Context
	types []types.Type // of the arguments, then of the ORDER BY keys
	sign  int          // of min and max, which need one row only
	row   []byte
	inner Accumulator
}

func (k *keeper) change(st []keptRows, slots, rows []int32, args []column.Vector, by int64) error {
	args = args[:len(k.types)]
	for n, slot := range slots {
		i := rowAt(rows, n)
		if k.sign != 0 && args[0].IsNull(i) {
			continue
		}
		k.row = k.row[:0]
		for _, v := range args {
			k.row = column.AppendKey(k.row, v, i, false)
		}
		key := len(k.row)
		k.row = column.AppendRow(k.row, args, i)
		st[slot].change(k.row, key, by)
	}
	return nil
}

// result gives the rows of each slot to an aggregate of its own.
func (k *keeper) result(st []keptRows, slots []int32, t types.Type) (column.Vector, error) {
	if k.inner == nil {
		k.inner = NewAccumulator(k.agg, k.ctx)
		k.inner.Resize(1)
	}
	b := column.NewBuilder(t, len(slots))
	for _, slot := range slots {
		k.inner.Reset(0)
		args, err := decodeRows(k.types, k.left(&st[slot]))
		if err != nil {
			return nil, err
		}
		if n := args[0].Len(); n > 0 {
			if err := k.inner.Add(make([]int32, n), nil, args); err != nil {
				return nil, err
			}
		}
		if err := k.inner.Result(b, []int32{0}); err != nil {
			return nil, err
		}
	}
	return b.Build(), nil
}

// left returns the rows of a slot in the row codec, as often as they came.
func (k *keeper) left(s *keptRows) [][]byte {
	if k.sign != 0 {
		row := s.extreme(k.sign)
		if row == "" {
			return nil
		}
		return [][]byte{[]byte(row[s.rows[row].key:])}
	}
	var out [][]byte
	for _, row := range s.ordered() {
		r := s.rows[row]
		for range r.n {
			out = append(out, []byte(row[r.key:]))
		}
	}
	return out
}

func encodeKept(dst []byte, s *keptRows) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.rows)))
	for _, row := range s.ordered() {
		r := s.rows[row]
		dst = binary.AppendVarint(binary.AppendVarint(dst, r.n), r.key)
		dst = appendBytes(dst, []byte(row))
	}
	return dst
}

func decodeKept(s *keptRows, data []byte) ([]byte, bool) {
	total, n := binary.Uvarint(data)
	if n <= 0 {
		return nil, false
	}
	data = data[n:]
	for range total {
		var r keptRow
		var row []byte
		ok := false
		if data, ok = decodeVarint(&r.n, data); ok {
			data, ok = decodeVarint(&r.key, data)
		}
		if ok {
			row, data, ok = readBytes(data)
		}
		if !ok || r.key < 0 || r.key > int64(len(row)) {
			return nil, false
		}
		s.change(row, int(r.key), r.n)
	}
	return data, true
}
