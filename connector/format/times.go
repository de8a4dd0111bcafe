package format

import (
	"wmsql/column"
	"wmsql/types"
)

// Times returns for every row the time by which splits are kept even, in µs, from the column that the event time is, or is
// computed from: timestamps as they are, text and numbers as far as they look like times, 0 where they do not. It appends to
// buf unless the column itself can be returned. ok is false for a type that holds no times.
func Times(v column.Vector, buf []int64) (times []int64, ok bool) {
	t := v.Type()
	switch v := v.(type) {
	case *column.Of[int64]:
		switch t.Kind {
		case types.Timestamp, types.TimestampTZ:
			return v.Values, true
		case types.Int8:
			for _, n := range v.Values {
				buf = append(buf, guessMicros(n))
			}
			return buf, true
		}
	case *column.Bytes:
		var days dayCache
		for i := range v.Len() {
			us, _ := days.parse(v.Value(i))
			buf = append(buf, us)
		}
		return buf, t.Kind == types.Text || t.Kind == types.Varchar
	}
	return buf, false
}

// HoldsTimes reports whether Times works for a column of type t.
func HoldsTimes(t types.Type) bool {
	_, ok := Times(column.NewBuilder(t, 0).View(), nil)
	return ok
}

// guessMicros takes a number for seconds, milliseconds or microseconds since 1970 by its size: it only orders rows.
func guessMicros(n int64) int64 {
	switch {
	case n < 1e11:
		return n * 1e6
	case n < 1e14:
		return n * 1e3
	}
	return n
}
