package expr

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/column"
	"wmsql/types"
)

const aggregateDir = "../testdata/aggregate"

// TestAggregates computes the aggregates of testdata/aggregate over the column x: first a line with the type and the values, then
// a call a line. Each is computed in several ways (all rows at once; in two parts that are merged; row by row through the encoded
// state; with rows that are added and retracted), which must agree.
func TestAggregates(t *testing.T) {
	datadriven.Walk(t, aggregateDir, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			values, calls := aggregateInput(t, d)
			var sb strings.Builder
			for _, c := range calls {
				fmt.Fprintln(&sb, aggregateAnswer(c, values, d.HasArg("float")))
			}
			return sb.String()
		})
	})
}

// aggregateInput reads "type: value, value, ..." and the calls.
func aggregateInput(t *testing.T, d *datadriven.TestData) (column.Vector, []string) {
	lines := strings.Split(d.Input, "\n")
	name, list, _ := strings.Cut(lines[0], ": ")
	typ, err := TypeByName("", name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := column.NewBuilder(typ, 8)
	for v := range strings.SplitSeq(list, ", ") {
		switch v {
		case "NULL":
			b.AppendNull()
		case "":
		default:
			if err := b.AppendText([]byte(v), types.UTC); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Build(), lines[1:]
}

func readAggregate(call string, typ types.Type) (*Aggregate, error) {
	name, inner, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
	inner, distinct := strings.CutPrefix(inner, "distinct ")
	inner, order, within := strings.Cut(inner, ") within group (order by ")
	if !within {
		inner, order, _ = strings.Cut(inner, " order by ")
	}
	cols := map[string]*Column{"x": {ID: 0, Name: "x", T: typ}}
	var args []Expr
	for a := range strings.SplitSeq(inner, "; ") {
		if a == "*" || a == "" {
			continue
		}
		e, err := readExpr(a, cols)
		if err != nil {
			return nil, err
		}
		args = append(args, e)
	}
	var keys []SortKey
	if order != "" {
		key, desc := strings.CutSuffix(order, " desc")
		x, err := readExpr(key, cols)
		if err != nil {
			return nil, err
		}
		keys = append(keys, SortKey{X: x, Desc: desc, NullsFirst: desc})
		if within {
			args = append(args, x)
		}
	}
	return NewAggregate(name, args, inner == "*", distinct, keys, nil)
}

func aggregateAnswer(call string, x column.Vector, float bool) string {
	a, err := readAggregate(call, x.Type())
	if err != nil {
		return problem(err)
	}
	ways := []func(*Aggregate, []column.Vector, int) (string, error){atOnce, rowByRow, retracted}
	if !arrivalMatters(a, float) {
		ways = append(ways, changing)
	}
	if !float {
		ways = append(ways, merged)
	}
	cols, err := aggregateArgs(a, x)
	if err != nil {
		return problem(err)
	}
	first := ""
	for k, way := range ways {
		got, err := way(a, cols, x.Len())
		if err != nil {
			got = problem(err)
		}
		if k > 0 && got != first {
			return fmt.Sprintf("%s\nWAY %d DIFFERS: %s", first, k, got)
		}
		first = got
	}
	return first
}

func aggregateArgs(a *Aggregate, x column.Vector) ([]column.Vector, error) {
	exprs := a.Args
	for _, k := range a.OrderBy {
		exprs = append(exprs[:len(exprs):len(exprs)], k.X)
	}
	var cols []column.Vector
	for _, e := range exprs {
		ev, err := Compile(e, []ColumnID{0}, nil, nil)
		if err != nil {
			return nil, err
		}
		v, err := ev.Eval(&column.Batch{Cols: []column.Vector{x}, Rows: x.Len()})
		if err != nil {
			return nil, err
		}
		cols = append(cols, v)
	}
	return cols, nil
}

func resultText(acc Accumulator, a *Aggregate, slot int32) (string, error) {
	b := column.NewBuilder(a.T, 1)
	if err := acc.Result(b, []int32{slot}); err != nil {
		return "", err
	}
	t := a.T
	t.Mod = types.NoMod
	v := b.Build()
	if v.IsNull(0) {
		return "NULL  " + t.String(), nil
	}
	return string(column.AppendText(nil, v, 0, types.UTC)) + "  " + t.String(), nil
}

// atOnce adds all rows to slot 1 of three.
func atOnce(a *Aggregate, cols []column.Vector, n int) (string, error) {
	acc := NewAccumulator(a, nil)
	acc.Resize(3)
	slots := make([]int32, n)
	for i := range slots {
		slots[i] = 1
	}
	if err := acc.Add(slots, nil, cols); err != nil {
		return "", err
	}
	acc.Move(0, 1)
	return resultText(acc, a, 0)
}

// merged adds the first half of the rows to one accumulator, the rest to another.
func merged(a *Aggregate, cols []column.Vector, n int) (string, error) {
	var accs [2]Accumulator
	for k := range accs {
		accs[k] = NewAccumulator(a, nil)
		accs[k].Resize(2)
		var rows []int32
		for i := k * (n / 2); i < n/2+k*(n-n/2); i++ {
			rows = append(rows, int32(i))
		}
		slots := make([]int32, len(rows))
		for i := range slots {
			slots[i] = int32(k)
		}
		if err := accs[k].Add(slots, rows, cols); err != nil {
			return "", err
		}
	}
	if err := accs[0].Merge([]int32{0}, accs[1], []int32{1}); err != nil {
		return "", err
	}
	return resultText(accs[0], a, 0)
}

// rowByRow writes and reads the state after each row.
func rowByRow(a *Aggregate, cols []column.Vector, n int) (string, error) {
	var state []byte
	for i := 0; ; i++ {
		acc := NewAccumulator(a, nil)
		acc.Resize(1)
		if state != nil {
			rest, err := acc.Decode(0, append(state, 0xEE))
			if err != nil || len(rest) != 1 || rest[0] != 0xEE {
				return "", fmt.Errorf("state does not read back, rest %v: %w", rest, err)
			}
		}
		if i == n {
			return resultText(acc, a, 0)
		}
		if err := acc.Add([]int32{0}, []int32{int32(i)}, cols); err != nil {
			return "", err
		}
		state = acc.Encode(nil, 0)
	}
}

// retracted adds every row twice and takes it out once, where the aggregate can.
func retracted(a *Aggregate, cols []column.Vector, n int) (string, error) {
	if !a.Func.Retractable {
		return atOnce(a, cols, n)
	}
	acc := NewAccumulator(a, nil)
	acc.Resize(1)
	for range 2 {
		if err := acc.Add(make([]int32, n), nil, cols); err != nil {
			return "", err
		}
	}
	if err := acc.Retract(make([]int32, n), nil, cols); err != nil {
		return "", err
	}
	return resultText(acc, a, 0)
}

// TestAggregateOracle asks a real Postgres for the same aggregates.
func TestAggregateOracle(t *testing.T) {
	psql := os.Getenv("WMSQL_PSQL")
	if psql == "" {
		t.Skip("WMSQL_PSQL is not set: it names psql and how to reach a Postgres 15")
	}
	var differences []string
	datadriven.Walk(t, aggregateDir, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.HasArg("ours") {
				return d.Expected
			}
			lines := strings.Split(d.Input, "\n")
			name, list, _ := strings.Cut(lines[0], ": ")
			rows := "select null::" + name + " where false"
			if list != "" {
				rows = "values ('" + strings.ReplaceAll(list, ", ", "'::"+name+"), ('") + "'::" + name + ")"
				rows = strings.ReplaceAll(rows, "'NULL'", "NULL")
			}
			var queries []string
			for _, c := range lines[1:] {
				queries = append(queries, "select "+strings.ReplaceAll(c, ";", ",")+" from ("+rows+") v(x)")
			}
			for i, got := range askPostgres(t, psql, queries, d) {
				if want := strings.Split(d.Expected, "\n")[i]; got != want {
					differences = append(differences, fmt.Sprintf("%s: %s over %s\nPostgres: %s\n   wmsql: %s", path, lines[i+1], lines[0], got, want))
				}
			}
			return d.Expected
		})
	})
	if len(differences) > 0 {
		t.Error(strings.Join(differences, "\n"))
	}
}

// changing is retracted for an aggregate over rows that change, through its encoded state. All aggregates can be one, but for those
// that go by the order of arrival.
func changing(a *Aggregate, cols []column.Vector, n int) (string, error) {
	acc := NewRetracting(a, nil)
	acc.Resize(1)
	for i := range n {
		for range 2 {
			if err := acc.Add([]int32{0}, []int32{int32(i)}, cols); err != nil {
				return "", err
			}
		}
	}
	again := NewRetracting(a, nil)
	again.Resize(1)
	if rest, err := again.Decode(0, acc.Encode(nil, 0)); err != nil || len(rest) > 0 {
		return "", fmt.Errorf("%d bytes left, %w", len(rest), err)
	}
	for i := range n {
		if err := again.Retract([]int32{0}, []int32{int32(i)}, cols); err != nil {
			return "", err
		}
	}
	return resultText(again, a, 0)
}

// arrivalMatters reports whether the aggregate's golden result is that of the rows in the order in which they came: also which of
// two rows that are equal stands for both.
func arrivalMatters(a *Aggregate, float bool) bool {
	ties := numericArgs(a) && (a.Distinct || len(a.OrderBy) > 0) || a.Func.Name == "min_by" || a.Func.Name == "max_by"
	return OrderOfArrival(a) || float || ties || a.Func.ordered && len(a.OrderBy) == 0
}
