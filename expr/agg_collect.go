package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// joined is string_agg: every value with its delimiter in front; the first one's is not shown.
type joined struct {
	data  []byte
	first int // bytes of the first delimiter
	ok    bool
}

func (j *joined) add(value, delimiter []byte) {
	if !j.ok {
		j.ok, j.first = true, len(delimiter)
	}
	j.data = append(append(j.data, delimiter...), value...)
}

var joinKernel = cellKernel[joined]{
	add: func(st []joined, slots, rows []int32, args []column.Vector) error {
		v, d := args[0].(*column.Bytes), args[1].(*column.Bytes)
		for k, slot := range slots {
			i := rowAt(rows, k)
			if v.IsNull(i) {
				continue
			}
			st[slot].add(v.Value(i), d.Value(i))
			if len(st[slot].data) > maxVectorBytes {
				return &rowError{k, errTooLarge()}
			}
		}
		return nil
	},
	merge: func(dst, src *joined) error {
		if src.ok {
			dst.add(src.data[src.first:], src.data[:src.first])
		}
		return nil
	},
	result: bytesResult(func(dst []byte, s *joined) ([]byte, bool, error) {
		return append(dst, s.data[s.first:]...), s.ok, nil
	}),
	encode: func(dst []byte, s *joined) []byte {
		if !s.ok {
			return append(dst, 0)
		}
		dst = append(dst, 1)
		for _, b := range [...][]byte{s.data[:s.first], s.data[s.first:]} {
			dst = appendBytes(dst, b)
		}
		return dst
	},
	decode: func(s *joined, data []byte) ([]byte, bool) {
		if len(data) == 0 || data[0] > 1 {
			return nil, false
		}
		if data[0] == 0 {
			return data[1:], true
		}
		delimiter, data, ok := readBytes(data[1:])
		if !ok {
			return nil, false
		}
		value, data, ok := readBytes(data)
		if ok {
			s.add(value, delimiter)
		}
		return data, ok
	},
	heap: func(s *joined) int { return cap(s.data) },
}

// makeArrayAgg makes array_agg: an array of all values, NULLs too.
func makeArrayAgg(s *aggSite) Accumulator {
	if isArray(s.args[0]) {
		return makeCells(collectKernel(s.args, func(args []column.Vector, b column.Builder) error {
			return NestArrays(args[0].(*column.List), b.(*column.ListBuilder))
		}))(s)
	}
	return makeCells(collectKernel(s.args, func(args []column.Vector, b column.Builder) error {
		b.AppendVector(&column.List{T: s.ret, Offsets: []int32{0, int32(args[0].Len())}, Elems: args[0]})
		return nil
	}))(s)
}

// NestArrays appends one array of the arrays of all rows, of which there are some. 22004 and 2202E are its errors.
func NestArrays(rows *column.List, out *column.ListBuilder) error {
	shapes, counts := make([]*types.ArrayShape, rows.Len()), make([]int, rows.Len())
	for i := range shapes {
		if rows.IsNull(i) {
			return sqlerr.Newf("22004", "cannot accumulate null arrays")
		}
		shapes[i], counts[i] = rows.Shape(i), int(rows.Offsets[i+1]-rows.Offsets[i])
		if counts[i] == 0 {
			return sqlerr.Newf("2202E", "cannot accumulate empty arrays")
		}
		for e := rows.Offsets[i]; e < rows.Offsets[i+1]; e++ {
			out.Elems().AppendFrom(rows.Elems, int(e))
		}
	}
	shape, err := nest(shapes, counts, func() error {
		return sqlerr.Newf("2202E", "cannot accumulate arrays of different dimensionality")
	})
	if err != nil {
		return err
	}
	out.EndShaped(shape)
	return nil
}

// makeJSONAgg makes json_agg and jsonb_agg.
func makeJSONAgg(s *aggSite) Accumulator {
	l := s.args[0].Layout()
	return jsonAgg(s, s.ret.Kind == types.JSON && (l == types.LayoutList || l == types.LayoutRecord))
}

// makeJSONRows makes json_agg of rows whose fields have names, which come as json already.
func makeJSONRows(s *aggSite) Accumulator { return jsonAgg(s, true) }

// jsonAgg puts each value on a line of its own if asked.
func jsonAgg(s *aggSite, lines bool) Accumulator {
	w := newJSONWriter(&site{ctx: s.ctx})
	sep := ", "
	if lines {
		sep = ", \n "
	}
	return makeCells(collectKernel(s.args, func(args []column.Vector, b column.Builder) error {
		text := w.array(nil, args[0], 0, args[0].Len(), sep)
		return b.AppendText(text, w.format)
	}))(s)
}

func collectors() []*AggFunction {
	return []*AggFunction{
		cellAgg("string_agg(text,text) text", &joinKernel, ordered), cellAgg("string_agg(bytea,bytea) bytea", &joinKernel, ordered),
		agg("array_agg(anynonarray) anyarray", makeArrayAgg, ordered), agg("array_agg(anyarray) anyarray", makeArrayAgg, ordered),
		agg("json_agg(anyelement) json", makeJSONAgg, ordered), agg("jsonb_agg(anyelement) jsonb", makeJSONAgg, ordered),
		agg("json_agg_rows(json) json", makeJSONRows, ordered),
		agg("json_object_agg(any,any) json", makeObjectAgg, ordered), agg("jsonb_object_agg(any,any) jsonb", makeObjectAgg, ordered),
		agg("collect_list(anyelement) anyarray", makeListAgg, ordered),
		agg("collect_set(anyelement) anyarray", makeListAgg, ordered, func(a *AggFunction) { a.set = true }),
	}
}

// failing is the accumulator of an aggregate that is known but cannot run.
type failing struct{ err error }

// Resize does nothing.
func (f failing) Resize(int) {}

// Add fails.
func (f failing) Add([]int32, []int32, []column.Vector) error { return f.err }

// Retract fails.
func (f failing) Retract([]int32, []int32, []column.Vector) error { return f.err }

// Merge fails.
func (f failing) Merge([]int32, Accumulator, []int32) error { return f.err }

// Result fails.
func (f failing) Result(column.Builder, []int32) error { return f.err }

// Encode appends nothing.
func (f failing) Encode(dst []byte, _ int32) []byte { return dst }

// Decode fails.
func (f failing) Decode(int32, []byte) ([]byte, error) { return nil, f.err }

// Move does nothing.
func (f failing) Move(int32, int32) {}

// Reset does nothing.
func (f failing) Reset(int32) {}

// Bytes is 0.
func (f failing) Bytes() int64 { return 0 }
