package expr

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"wmsql/column"
	"wmsql/types"
)

// world is a batch of columns a (int4), b (int8), t (text), f (float8) and k (boolean), a fifth of their rows NULL.
func world(rows int, seed uint64) (*column.Batch, map[string]*Column, []ColumnID) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	cols := map[string]*Column{}
	b := &column.Batch{Rows: rows}
	var layout []ColumnID
	add := func(name string, k types.Kind, value func() any) {
		id := ColumnID(len(layout) + 10)
		cols[name] = &Column{ID: id, Name: name, T: types.Of(k)}
		layout = append(layout, id)
		bd := column.NewBuilder(types.Of(k), rows)
		for range rows {
			if rnd.IntN(5) == 0 {
				bd.AppendNull()
			} else {
				bd.AppendDatum(value())
			}
		}
		b.Cols = append(b.Cols, bd.Build())
	}
	add("a", types.Int4, func() any { return int64(rnd.IntN(7) - 3) })
	add("b", types.Int8, func() any { return int64(rnd.IntN(7) - 3) })
	add("t", types.Text, func() any { return string("abc"[rnd.IntN(3)]) })
	add("f", types.Float8, func() any { return float64(rnd.IntN(7)) / 2 })
	add("k", types.Bool, func() any { return rnd.IntN(2) == 0 })
	return b, cols, layout
}

// conditions cover the filter's ways: the fast comparison, the general one, and conditions that fail on some rows.
var conditions = []string{
	"a > 0", "0 >= a", "a <> b", "a = 2", "b < 1", "t = 'b'", "t >= 'b'", "'b' > t", "t <> 'a'", "f > 1.5", "k", "not k", "a is null",
	"t is not null", "a in (1, 2)", "a in (1, null)", "a not in (1, 2)", "t in ('a', 'c')", "a = any(array[1, 2])", "t <> all(array['a', 'b'])",
	"a > 0 and t = 'b'", "a > 0 or k", "a <> 0 and 6 / a > 1", "a = 0 or 6 / a > 1", "case when a = 0 then false else 6 / a = 3 end",
	"coalesce(a, b) = 1", "coalesce(a, b, 3) = 3", "nullif(a, 1) is null", "a is distinct from b", "a is not distinct from b",
	"greatest(a, b) = 2", "least(a, 1) = 1", "t like 'a%'", "t ~ '^[ab]$'", "(a, b) < (1, 2)", "a + b > 1", "a::text = t", "a between 0 and 2",
}

// TestFilter_MatchesEval holds that a filter selects exactly the rows for which evaluation gives true, alone and behind another condition,
// and that evaluation over many rows gives what it gives over each row alone.
func TestFilter_MatchesEval(t *testing.T) {
	b, cols, layout := world(500, 7)
	for _, text := range conditions {
		t.Run(text, func(t *testing.T) {
			e, err := readExpr(text, cols)
			if err != nil {
				t.Fatal(err)
			}
			want := rowByRowTruth(t, e, layout, b)
			for _, x := range []Expr{e, Fold(e)} {
				check(t, x.String(), selectRows(t, []Expr{x}, layout, b), want)
			}
			guard, _ := readExpr("k", cols)
			var both []int32
			for _, row := range want {
				if !b.Cols[4].IsNull(int(row)) && b.Cols[4].(*column.Of[bool]).Values[row] {
					both = append(both, row)
				}
			}
			check(t, "k, "+text, selectRows(t, []Expr{guard, e}, layout, b), both)
			check(t, text+", k", selectRows(t, []Expr{e, guard}, layout, b), both)
		})
	}
}

func selectRows(t *testing.T, conds []Expr, layout []ColumnID, b *column.Batch) []int32 {
	f, err := CompileFilter(conds, layout, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Select(nil, b.Slice(3, 90)); err != nil { // other sizes first, since memory is reused
		t.Fatal(err)
	}
	got, err := f.Select(nil, b)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func rowByRowTruth(t *testing.T, e Expr, layout []ColumnID, b *column.Batch) []int32 {
	ev, err := Compile(e, layout, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []int32
	for i := range b.Rows {
		v, err := ev.Eval(b.Slice(i, i+1))
		if err != nil {
			t.Fatalf("row %d: %v", i, err)
		}
		if !v.IsNull(0) && v.(*column.Of[bool]).Values[0] {
			out = append(out, int32(i))
		}
		if v.IsNull(0) && v.(*column.Of[bool]).Values[0] {
			t.Fatalf("row %d is NULL with a value", i)
		}
	}
	return out
}

func check(t *testing.T, what string, got, want []int32) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s selects\n%v, not\n%v", what, got, want)
	}
}

// TestCase_ErrorsOnlyWhereReached holds that an arm fails only for a row that reaches it.
func TestCase_ErrorsOnlyWhereReached(t *testing.T) {
	b, cols, layout := world(50, 3)
	for text, fails := range map[string]bool{
		"case when a = 0 then 0 else 6 / a end":                   false,
		"case when a <> 0 then 0 else 6 / a end":                  true,
		"coalesce(a, 1 / 0)":                                      true,
		"coalesce(a, b, 0, 1 / 0)":                                false,
		"case when a = 99 then 1 / 0 end":                         false,
		"case when a <> 0 and 6 / a > 1 then 'x' else t end":      false,
		"case when a = 0 then 1 when 6 / a > 1 then 2 else 3 end": false,
	} {
		e, err := readExpr(text, cols)
		if err != nil {
			t.Fatal(err)
		}
		ev, err := Compile(Fold(e), layout, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = ev.Eval(b); (err != nil) != fails {
			t.Errorf("%s: error %v, expected one: %v", text, err, fails)
		}
	}
}

// BenchmarkFilter measures two comparisons with constants, of which one is on text.
func BenchmarkFilter(b *testing.B) {
	batch, cols, layout := world(column.MaxRows, 1)
	var conds []Expr
	for _, text := range []string{"a > 0", "t = 'b'"} {
		e, err := readExpr(text, cols)
		if err != nil {
			b.Fatal(err)
		}
		conds = append(conds, e)
	}
	f, err := CompileFilter(conds, layout, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	var rows []int32
	for b.Loop() {
		rows, _ = f.Select(rows[:0], batch)
	}
	b.ReportMetric(float64(b.N)*column.MaxRows/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkEval measures usual expressions over a batch.
func BenchmarkEval(b *testing.B) {
	for _, text := range []string{
		"a + 1", "b * 2", "f * 1.5", "a = b", "t || 'x'", "lower(t)", "coalesce(a, 0)", "case when a > 0 then 1 else 0 end",
		"date_bin('5 minutes', to_timestamp(f), timestamptz '2026-01-01 00:00+00')", "t like 'a%'", "t ~ '^[ab]'", "a::text", "a::numeric * 1.5",
	} {
		b.Run("expr="+strings.ReplaceAll(text, " ", "_"), func(b *testing.B) {
			batch, cols, layout := world(column.MaxRows, 1)
			e, err := readExpr(text, cols)
			if err != nil {
				b.Fatal(err)
			}
			ev, err := Compile(e, layout, nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ev.Eval(batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*column.MaxRows/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
