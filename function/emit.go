package function

import (
	"fmt"
	"math"
	"strconv"
	"time"

	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"

	"wmsql/column"
	"wmsql/types"
)

// output collects the rows that calls emit.
type output struct {
	schema *types.Schema
	bs     []column.Builder
	timeAt int   // ordinal of the column that carries the watermark on, -1: none
	late   int64 // µs: a time at or before it would be late for whoever reads the rows; MinTime: none
	rows   int
}

func newOutput(s *types.Schema, timeAt int) *output {
	return &output{schema: s, bs: column.NewBuilders(s, 0), timeAt: timeAt, late: int64(types.MinTime)}
}

// truncate takes the rows from n on back.
func (o *output) truncate(n int) {
	for _, b := range o.bs {
		b.Truncate(n)
	}
	o.rows = n
}

// emit is emit(a, b) or emit(name = a): one row of RETURNS TABLE. A column that is not given is NULL.
func (in *Instance) emit(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	o := in.out
	fields := o.schema.Fields
	if len(args) > len(fields) {
		return nil, fmt.Errorf("emit: %d values for %d columns", len(args), len(fields))
	}
	in.cells = in.cells[:0]
	for range fields {
		in.cells = append(in.cells, starlark.None)
	}
	copy(in.cells, args)
	for _, kv := range kwargs {
		name := string(kv[0].(starlark.String))
		at := o.schema.Find(name)
		switch {
		case at < 0:
			return nil, fmt.Errorf("emit: the function returns no column %q", name)
		case at < len(args):
			return nil, fmt.Errorf("emit: column %q is given twice", name)
		}
		in.cells[at] = kv[1]
	}
	bytes := 32 * len(fields)
	for _, v := range in.cells {
		bytes += size(v)
	}
	if err := in.meter.take(bytes); err != nil {
		return nil, err
	}
	for i, v := range in.cells {
		if err := o.check(i, v); err != nil {
			return nil, err
		}
		if err := appendValue(o.bs[i], v); err != nil {
			return nil, fmt.Errorf("emit: column %q: %w", fields[i].Name, err)
		}
	}
	o.rows++
	return starlark.None, nil
}

// check refuses an event time that is behind the watermark: what reads the rows would have to drop it as late.
func (o *output) check(i int, v starlark.Value) error {
	t, ok := v.(startime.Time)
	if i != o.timeAt || !ok || o.late == int64(types.MinTime) {
		return nil
	}
	if us, ok := microsOf(t); ok && us <= o.late {
		return fmt.Errorf("emit: column %q carries the watermark on, and %s is not after it (%s)", o.schema.Fields[i].Name,
			stamp(us), stamp(o.late))
	}
	return nil
}

func stamp(us int64) string { return string(types.AppendTimestampTZ(nil, us, types.UTC)) }

// appendValue appends v as a value of b's type.
func appendValue(b column.Builder, v starlark.Value) error {
	t := b.Type()
	if v == starlark.None {
		b.AppendNull()
		return nil
	}
	wrong := func() error { return fmt.Errorf("%s is not of type %s", shown(v), t) }
	switch b := b.(type) {
	case *column.ListBuilder:
		return appendList(b, v, wrong)
	case *column.FixedBuilder[bool]:
		x, ok := v.(starlark.Bool)
		if !ok {
			return wrong()
		}
		b.Append(bool(x))
		return nil
	case *column.FixedBuilder[float64]:
		x, ok := starlark.AsFloat(v)
		if !ok {
			return wrong()
		}
		if t.Kind == types.Float4 {
			if x = float64(float32(x)); math.IsInf(x, 0) {
				return wrong()
			}
		}
		b.Append(x)
		return nil
	case *column.FixedBuilder[int64]:
		x, ok := wholeOf(v, t)
		if ok {
			b.Append(x)
			return nil
		}
	case *column.BytesBuilder:
		if x, ok := v.(starlark.Bytes); ok && t.Kind == types.Bytea {
			b.AppendString(string(x))
			return nil
		}
	case *column.FixedBuilder[types.IntervalValue]:
		if x, ok := v.(startime.Duration); ok {
			b.Append(types.IntervalValue{Micros: time.Duration(x).Microseconds()})
			return nil
		}
	}
	s, ok := textFor(v, t)
	if !ok {
		return wrong()
	}
	if err := column.CheckText(s); err != nil {
		return err
	}
	return b.AppendText(s, types.UTC)
}

func appendList(b *column.ListBuilder, v starlark.Value, wrong func() error) error {
	seq, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText {
		return wrong()
	}
	for i := range seq.Len() {
		if err := appendValue(b.Elems(), seq.Index(i)); err != nil {
			return err
		}
	}
	b.EndRow()
	return nil
}

// wholeOf is v as a value of a type that is stored as a whole number.
func wholeOf(v starlark.Value, t types.Type) (int64, bool) {
	switch v := v.(type) {
	case starlark.Int:
		n, ok := v.Int64()
		switch t.Kind {
		case types.Int8:
			return n, ok
		case types.Int4:
			return n, ok && n >= math.MinInt32 && n <= math.MaxInt32
		case types.Int2:
			return n, ok && n >= math.MinInt16 && n <= math.MaxInt16
		}
	case startime.Time:
		us, ok := microsOf(v)
		switch t.Kind {
		case types.Timestamp, types.TimestampTZ:
			return types.RoundMicros(us, t.Mod), ok
		case types.Date:
			days, _ := types.SplitMicros(us)
			return days, ok
		}
	}
	return 0, false
}

// textFor is the text of v that a column of type t may be read from.
func textFor(v starlark.Value, t types.Type) ([]byte, bool) {
	switch v := v.(type) {
	case starlark.String:
		switch t.Kind {
		case types.Int2, types.Int4, types.Int8, types.Bytea:
			return nil, false
		}
		return []byte(v), true
	case starlark.Int:
		return []byte(v.String()), t.Kind == types.Numeric
	case starlark.Float:
		return strconv.AppendFloat(nil, float64(v), 'g', -1, 64), t.Kind == types.Numeric
	}
	return nil, false
}
