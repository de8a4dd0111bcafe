package expr

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

const goldenDir = "../testdata/expr"

// TestGolden evaluates the expressions of testdata/expr, one a line, at 2026-03-01 12:00:00.25 UTC. The answer is the value
// and its type, or the error.
//
//	eval [zone=America/New_York]
func TestGolden(t *testing.T) {
	datadriven.Walk(t, goldenDir, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "eval" {
				t.Fatalf("unknown command %s", d.Cmd)
			}
			ctx := testContext(t, d)
			var sb strings.Builder
			for line := range strings.SplitSeq(d.Input, "\n") {
				fmt.Fprintln(&sb, answer(line, ctx))
			}
			return sb.String()
		})
	})
}

func testContext(t *testing.T, d *datadriven.TestData) *Context {
	f := *types.UTC
	if d.HasArg("zone") {
		d.ScanArgs(t, "zone", &f.ZoneName)
		loc, err := time.LoadLocation(f.ZoneName)
		if err != nil {
			t.Fatal(err)
		}
		f.Zone = loc
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 250_000_000, time.UTC)
	return &Context{Now: types.MicroTime(now.UnixMicro()), Format: &f, Session: testSession{}}
}

// answer evaluates one line: as it is, and folded, which must agree.
func answer(line string, ctx *Context) string {
	e, err := readExpr(line, nil)
	if err != nil {
		return problem(err)
	}
	got := evalText(e, ctx)
	if folded := evalText(Fold(e), ctx); folded != got && !strings.Contains(line, "random") {
		return got + "\nFOLDED DIFFERENTLY: " + folded
	}
	if overRows := columnsText(e, ctx); overRows != got && !strings.Contains(line, "random") {
		return got + "\nOVER COLUMNS: " + overRows
	}
	return got
}

// columnsText evaluates e with its constants moved into columns of a batch: the first row is NULL everywhere, and must
// not disturb the second.
func columnsText(e Expr, ctx *Context) string {
	b := &column.Batch{Rows: 2}
	var layout []ColumnID
	moved := Rewrite(e, func(x Expr) Expr {
		c, ok := x.(*Const)
		if !ok {
			return x
		}
		col := column.NewBuilder(c.T, 3)
		col.AppendNull()
		col.AppendNull()
		col.AppendVector(column.Const(c.T, c.Value, 1))
		id := ColumnID(len(layout))
		b.Cols, layout = append(b.Cols, col.Build().Slice(1, 3)), append(layout, id)
		return &Column{ID: id, Name: c.String(), T: c.T}
	})
	text, err := evalRow(moved, layout, b, ctx)
	if err != nil {
		for i, v := range b.Cols { // functions that see NULLs may refuse them
			b.Cols[i] = v.Take([]int32{1, 1})
		}
		text, err = evalRow(moved, layout, b, ctx)
	}
	if err != nil {
		return problem(err)
	}
	return text
}

func evalRow(e Expr, layout []ColumnID, b *column.Batch, ctx *Context) (string, error) {
	ev, err := Compile(e, layout, ctx, nil)
	if err != nil {
		return "", err
	}
	if _, err = ev.Eval(b); err != nil { // twice, since memory is reused
		return "", err
	}
	v, err := ev.Eval(b)
	if err != nil {
		return "", err
	}
	if v.Len() != b.Rows {
		return "", fmt.Errorf("%d rows for %d", v.Len(), b.Rows)
	}
	text := "NULL"
	if !v.IsNull(1) {
		text = string(column.AppendText(nil, v, 1, ctx.Format))
	}
	t := e.Type()
	t.Mod = types.NoMod
	return text + "  " + t.String(), nil
}

func evalText(e Expr, ctx *Context) string {
	v, err := Eval(e, ctx)
	if err != nil {
		return problem(err)
	}
	text := "NULL"
	if v != nil {
		text = string(column.AppendText(nil, column.Const(e.Type(), v, 1), 0, ctx.Format))
	}
	t := e.Type()
	t.Mod = types.NoMod
	return text + "  " + t.String()
}

func problem(err error) string {
	var e *sqlerr.Error
	if !errors.As(err, &e) {
		return "BROKEN TEST: " + err.Error()
	}
	return fmt.Sprintf("ERROR %s: %s", e.Code, e.Msg)
}

// TestOracle asks a real Postgres the same questions. WMSQL_PSQL is the psql command with its connection options.
func TestOracle(t *testing.T) {
	psql := os.Getenv("WMSQL_PSQL")
	if psql == "" {
		t.Skip("WMSQL_PSQL is not set: it names psql and how to reach a Postgres 15")
	}
	files, err := filepath.Glob(goldenDir + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	var differences []string // told at the end: datadriven stops at the first failure
	for _, path := range files {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.HasArg("ours") {
				return d.Expected
			}
			lines, expected := strings.Split(d.Input, "\n"), strings.Split(strings.TrimRight(d.Expected, "\n"), "\n")
			for i, got := range askPostgres(t, psql, lines, d) {
				if i < len(expected) && got != expected[i] {
					differences = append(differences, fmt.Sprintf("%s: %s\nPostgres: %s\n   wmsql: %s", path, lines[i], got, expected[i]))
				}
			}
			return d.Expected
		})
	}
	if len(differences) > 0 {
		t.Error(strings.Join(differences, "\n"))
	}
}

// askPostgres evaluates the lines in one session.
func askPostgres(t *testing.T, psql string, lines []string, d *datadriven.TestData) []string {
	zone := "UTC"
	if d.HasArg("zone") {
		d.ScanArgs(t, "zone", &zone)
	}
	var script strings.Builder
	fmt.Fprintf(&script, "\\set VERBOSITY verbose\n\\pset null NULL\nset timezone='%s';\n", zone)
	for _, line := range lines {
		fmt.Fprintf(&script, "\\echo -- next\nselect x, '  ' || pg_typeof(x) from (select (%s) as x) s;\n", line)
	}
	cmd := exec.Command("sh", "-c", psql+" -X -q -A -t -F '' 2>&1")
	cmd.Stdin = strings.NewReader(script.String())
	out, _ := cmd.CombinedOutput()
	_, all, _ := strings.Cut(string(out), "-- next\n")
	answers := strings.Split(all, "-- next\n")
	for i, text := range answers {
		if k := strings.Index(text, "ERROR:  "); k >= 0 {
			text, _, _ = strings.Cut(text[k+len("ERROR:  "):], "\n")
			text = "ERROR " + text
		}
		answers[i] = strings.TrimRight(text, "\n")
	}
	return answers
}

// testSession is a server that knows one table.
type testSession struct{}

func (testSession) User() string                          { return "wmsql" }
func (testSession) Database() string                      { return "wmsql" }
func (testSession) SearchPath() []string                  { return []string{"public"} }
func (testSession) SetSetting(string, string, bool) error { return nil }
func (testSession) BackendPID() int32                     { return 42 }
func (testSession) StatementTime() time.Time              { return time.Date(2026, 3, 1, 12, 0, 1, 0, time.UTC) }

func (testSession) Setting(name string) (string, bool) {
	if name == "timezone" || name == "TimeZone" {
		return "UTC", true
	}
	return "", false
}

func (testSession) Catalog(name string, args []any) (any, bool, error) {
	switch {
	case name == "regclassin" && args[0] == "clicks":
		return int64(16400), true, nil
	case name == "regclassout" && args[0] == int64(16400):
		return "clicks", true, nil
	case name == "pg_table_is_visible":
		return true, true, nil
	}
	return nil, false, nil
}
