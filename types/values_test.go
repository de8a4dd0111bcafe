package types_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// The files of testdata/values hold what a real Postgres 15 answers, a line of answer for a line of input.
// oracle_test.go asks one again.
func TestValues(t *testing.T) {
	datadriven.Walk(t, "../testdata/values", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return eachLine(d, func(line string) (string, error) { return answer(d, line) })
		})
	})
}

// eachLine answers every line of input; an error is its SQLSTATE, message and detail.
func eachLine(d *datadriven.TestData, f func(line string) (string, error)) string {
	var out strings.Builder
	for line := range strings.Lines(d.Input) {
		line = strings.TrimSuffix(line, "\n")
		if line == "(empty)" {
			line = ""
		}
		s, err := f(line)
		if err != nil {
			s = describe(sqlerr.From(err))
		}
		fmt.Fprintf(&out, "%s\n", s)
	}
	return out.String()
}

func describe(e *sqlerr.Error) string {
	s := fmt.Sprintf("%s %s", e.Code, e.Msg)
	if e.Detail != "" {
		s += " / " + e.Detail
	}
	return s
}

// argOf returns an argument of a directive, "" if it is not there.
func argOf(d *datadriven.TestData, key string) string {
	for _, a := range d.CmdArgs {
		if a.Key == key {
			return strings.ReplaceAll(strings.Join(a.Vals, ","), "_", " ")
		}
	}
	return ""
}

func formatOf(d *datadriven.TestData) (*types.Format, error) {
	f := *types.UTC
	if name := argOf(d, "zone"); name != "" {
		var err error
		if f.Zone, f.ZoneName, err = types.LoadZone(strings.ReplaceAll(name, " ", "_")); err != nil {
			return nil, err
		}
	}
	if n := argOf(d, "extra"); n != "" {
		f.ExtraFloatDigits, _ = strconv.Atoi(n)
	}
	f.ByteaEscape = d.HasArg("escape")
	return &f, nil
}

// answer computes one line. "value" reads a value of a type and writes it; the other verbs are operations on two
// operands with a sign between blanks.
func answer(d *datadriven.TestData, line string) (string, error) {
	f, err := formatOf(d)
	if err != nil {
		return "", err
	}
	switch d.Cmd {
	case "value":
		return reread(line, typeArg(d), f)
	case "numeric":
		return numericOp(line)
	case "interval":
		return intervalOp(line)
	case "add":
		return addOp(line, f)
	case "trunc":
		return truncOp(line, f)
	}
	return "", fmt.Errorf("unknown verb %s", d.Cmd)
}

// testTypes are the types by the names that the files use.
var testTypes = map[string]types.Type{
	"numeric(5,2)": {Kind: types.Numeric, Mod: types.NumericMod(5, 2)}, "numeric(3,-2)": {Kind: types.Numeric, Mod: types.NumericMod(3, -2)}, "numeric(2,4)": {Kind: types.Numeric, Mod: types.NumericMod(2, 4)},
	"varchar(3)": {Kind: types.Varchar, Mod: 7}, "char(3)": {Kind: types.BPChar, Mod: 7},
	"timestamp(2)": {Kind: types.Timestamp, Mod: 2}, "time(0)": {Kind: types.Time, Mod: 0},
	"interval minute":           {Kind: types.Interval, Mod: types.IntervalMod(types.IntervalMinute, types.IntervalAllPrecision)},
	"interval year to month":    {Kind: types.Interval, Mod: types.IntervalMod(types.IntervalYear|types.IntervalMonth, types.IntervalAllPrecision)},
	"interval day":              {Kind: types.Interval, Mod: types.IntervalMod(types.IntervalDay, types.IntervalAllPrecision)},
	"interval minute to second": {Kind: types.Interval, Mod: types.IntervalMod(types.IntervalMinute|types.IntervalSecond, types.IntervalAllPrecision)},
	"interval second(1)":        {Kind: types.Interval, Mod: types.IntervalMod(types.IntervalSecond, 1)},
}

func typeArg(d *datadriven.TestData) types.Type {
	name := typeName(d)
	if t, ok := testTypes[name]; ok {
		return t
	}
	base := strings.TrimSuffix(name, "[]")
	for k := range types.NumKinds {
		if k.Info().PgName == base {
			return types.Type{Kind: k, Array: base != name, Mod: types.NoMod}
		}
	}
	panic("no type " + name)
}

// typeName is the argument type, with _ for blanks.
func typeName(d *datadriven.TestData) string { return argOf(d, "type") }

// reread reads text and writes the value; it must survive the binary form and both codecs.
func reread(text string, t types.Type, f *types.Format) (string, error) {
	b := column.NewBuilder(t, 1)
	if err := b.AppendText([]byte(text), f); err != nil {
		return "", err
	}
	v := b.Build()
	out := string(column.AppendText(nil, v, 0, f))
	if err := column.AppendFromBinary(b, column.AppendBinary(nil, v, 0)); err != nil {
		return "", fmt.Errorf("binary form: %w", err)
	}
	if _, err := column.DecodeRow([]column.Builder{b}, column.AppendRow(nil, []column.Vector{v}, 0)); err != nil {
		return "", fmt.Errorf("row form: %w", err)
	}
	if _, err := column.DecodeKey(b, column.AppendKey(nil, v, 0, true), true); err != nil {
		return "", fmt.Errorf("key form: %w", err)
	}
	for i := range 3 {
		again := string(column.AppendText(nil, b.View(), i, f))
		if i < 2 && again != out || column.Compare(b.View(), i, v, 0) != 0 {
			return "", fmt.Errorf("form %d gives back %s, not %s", i, again, out)
		}
	}
	return out, nil
}

func numericOp(line string) (string, error) {
	w := strings.Fields(line)
	a, err := types.ParseDecimal(w[0])
	if err != nil {
		return "", err
	}
	b, err := types.ParseDecimal(w[2])
	if err != nil {
		return "", err
	}
	n, _ := b.ToInt64()
	switch w[1] {
	case "+":
		a = a.Add(b)
	case "-":
		a = a.Sub(b)
	case "*":
		a, err = a.Mul(b)
	case "/":
		a, err = a.Div(b)
	case "%":
		a, err = a.Mod(b)
	case "div":
		a, err = a.DivTrunc(b)
	case "round":
		a = a.Round(int32(n))
	case "trunc":
		a = a.Trunc(int32(n))
	case "ceil":
		a = a.Ceil()
	case "floor":
		a = a.Floor()
	case "sqrt":
		a, err = a.Sqrt()
	case "trim_scale":
		a = a.TrimScale()
	case "float8":
		x, err := a.ToFloat(types.Float8)
		return string(types.AppendFloat(nil, x, types.Float8, types.UTC)), err
	case "from_float8":
		a = types.DecimalFromFloat64(a.ToFloat64())
	case "int4", "int8":
		k := types.Int8
		if w[1] == "int4" {
			k = types.Int4
		}
		n, err := a.ToInt(k)
		return fmt.Sprint(n), err
	case "<=>":
		return fmt.Sprint(a.Cmp(b)), nil
	}
	return a.String(), err
}

func intervalOp(line string) (string, error) {
	w := strings.Split(line, " | ")
	a, err := types.ParseInterval(w[0], types.NoMod)
	if err != nil {
		return "", err
	}
	var x float64
	if w[1] == "*" || w[1] == "/" {
		if x, err = types.ParseFloat(w[2], types.Float8); err != nil {
			return "", err
		}
	}
	switch w[1] {
	case "*":
		a, err = a.Mul(x)
	case "/":
		a, err = a.Div(x)
	case "justify_hours":
		a, err = a.JustifyHours()
	case "justify_days":
		a, err = a.JustifyDays()
	case "justify_interval":
		a, err = a.JustifyInterval()
	default:
		b, perr := types.ParseInterval(w[2], types.NoMod)
		if perr != nil {
			return "", perr
		}
		switch w[1] {
		case "+":
			a, err = a.Add(b)
		case "-":
			a, err = a.Sub(b)
		case "<=>":
			return fmt.Sprint(a.Cmp(b)), nil
		}
	}
	return a.String(), err
}

func addOp(line string, f *types.Format) (string, error) {
	w := strings.Split(line, " + ")
	at, err := types.ParseTimestampTZ(w[0], f)
	if err != nil {
		return "", err
	}
	v, err := types.ParseInterval(w[1], types.NoMod)
	if err != nil {
		return "", err
	}
	at, err = types.AddIntervalTZ(at, v, f.Zone)
	return string(types.AppendTimestampTZ(nil, at, f)), err
}

func truncOp(line string, f *types.Format) (string, error) {
	unit, text, _ := strings.Cut(line, " ")
	at, err := types.ParseTimestampTZ(text, f)
	if err != nil {
		return "", err
	}
	tr, err := types.NewTruncator(unit, types.Of(types.TimestampTZ))
	return string(types.AppendTimestampTZ(nil, tr.Zoned(at, f.Zone), f)), err
}
