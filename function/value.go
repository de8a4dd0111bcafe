package function

import (
	"fmt"
	"math/big"
	"time"

	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"wmsql/column"
	"wmsql/types"
)

const plus = syntax.PLUS

// timeOf is a timestamp in µs, in UTC.
func timeOf(us int64) startime.Time { return startime.Time(time.UnixMicro(us).UTC()) }

// microsOf is a time in µs; ok is false beyond the range of timestamps.
func microsOf(t startime.Time) (us int64, ok bool) {
	g := time.Time(t)
	const most = 1 << 62 / 1_000_000 // s
	if s := g.Unix(); s > most || s < -most {
		return 0, false
	}
	return g.UnixMicro(), true
}

// valueOf is row i of v as the language has it: numbers, strings, bools, bytes, times, durations, lists; the rest as its text.
func valueOf(v column.Vector, i int) (starlark.Value, error) {
	if v.IsNull(i) {
		return starlark.None, nil
	}
	switch x := v.(type) {
	case *column.Of[bool]:
		return starlark.Bool(x.Values[i]), nil
	case *column.Of[float64]:
		return starlark.Float(x.Values[i]), nil
	case *column.Of[types.Decimal]:
		return decimalOf(x.Values[i])
	case *column.Of[types.IntervalValue]:
		iv := x.Values[i]
		if iv.Months != 0 {
			return nil, fmt.Errorf("an interval of months has no fixed length: %s", types.AppendInterval(nil, iv))
		}
		return startime.Duration(time.Duration(int64(iv.Days)*types.MicrosPerDay+iv.Micros) * time.Microsecond), nil
	case *column.List:
		if x.Shape(i) != nil {
			return nil, fmt.Errorf("an array of several dimensions, or that does not count from 1")
		}
		list := make([]starlark.Value, 0, x.Offsets[i+1]-x.Offsets[i])
		for k := x.Offsets[i]; k < x.Offsets[i+1]; k++ {
			e, err := valueOf(x.Elems, int(k))
			if err != nil {
				return nil, err
			}
			list = append(list, e)
		}
		return starlark.NewList(list), nil
	case *column.Of[int64]:
		switch x.T.Kind {
		case types.Int2, types.Int4, types.Int8, types.OID:
			return starlark.MakeInt64(x.Values[i]), nil
		case types.Timestamp, types.TimestampTZ:
			return timeOf(x.Values[i]), nil
		case types.Date:
			return startime.Time(time.Unix(x.Values[i]*24*60*60, 0).UTC()), nil
		}
	case *column.Bytes:
		switch x.T.Kind {
		case types.Text, types.Varchar:
			return starlark.String(x.Value(i)), nil
		case types.Bytea:
			return starlark.Bytes(x.Value(i)), nil
		}
	}
	return starlark.String(column.AppendText(nil, v, i, types.UTC)), nil
}

// decimalOf is a numeric as a number, if that loses nothing.
func decimalOf(d types.Decimal) (starlark.Value, error) {
	if d.Scale() == 0 && d.IsFinite() {
		if n, ok := d.ToInt64(); ok {
			return starlark.MakeInt64(n), nil
		}
		if n, ok := new(big.Int).SetString(d.String(), 10); ok {
			return bounded(starlark.MakeBigInt(n))
		}
	}
	f := d.ToFloat64()
	if d.IsFinite() {
		back, err := types.ParseDecimal(string(types.AppendFloat(nil, f, types.Float8, types.UTC)))
		if err != nil || back.Cmp(d) != 0 {
			return nil, fmt.Errorf("numeric %s has more digits than a float: cast it to text or to float8 in the query", d)
		}
	}
	return starlark.Float(f), nil
}

// row is one row of the input: row.column, or row["column"]. Values are converted when they are asked for.
type row struct {
	b     *column.Batch
	i     int
	names map[string]int
}

var (
	_ starlark.HasAttrs = (*row)(nil)
	_ starlark.Mapping  = (*row)(nil)
)

func (r *row) String() string       { return "row" }
func (r *row) Type() string         { return "row" }
func (r *row) Freeze()              {}
func (r *row) Truth() starlark.Bool { return true }

// Hash fails: a row is no key.
func (r *row) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: row") }

// Attr is row.name.
func (r *row) Attr(name string) (starlark.Value, error) {
	at, ok := r.names[name]
	if !ok {
		return nil, fmt.Errorf("the row has no column %q", name)
	}
	return valueOf(r.b.Cols[at], r.i)
}

// AttrNames lists the columns.
func (r *row) AttrNames() []string {
	out := make([]string, 0, len(r.names))
	for _, f := range r.b.Schema.Fields {
		if _, ok := r.names[f.Name]; ok {
			out = append(out, f.Name)
		}
	}
	return out
}

// Get is row["name"].
func (r *row) Get(k starlark.Value) (starlark.Value, bool, error) {
	name, ok := starlark.AsString(k)
	if !ok {
		return nil, false, fmt.Errorf("a row's columns go by their names")
	}
	v, err := r.Attr(name)
	return v, err == nil, err
}
