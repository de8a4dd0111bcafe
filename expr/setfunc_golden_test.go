package expr

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/column"
)

const setFunctionDir = "../testdata/setfunction"

// TestSetFunctions lists the rows of the calls of testdata/setfunction, one call a block: the columns, then the rows with | between
// their values.
func TestSetFunctions(t *testing.T) {
	datadriven.Walk(t, setFunctionDir, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			return tableText(d.Input, testContext(t, d))
		})
	})
}

// readCall splits name(args) and reads the arguments, which are separated by semicolons.
func readCall(call string) (string, []Expr, error) {
	name, inner, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
	var args []Expr
	for a := range strings.SplitSeq(inner, "; ") {
		if a == "" {
			continue
		}
		e, err := readExpr(a, nil)
		if err != nil {
			return "", nil, err
		}
		args = append(args, e)
	}
	return name, args, nil
}

func tableText(call string, ctx *Context) string {
	name, args, err := readCall(call)
	if err != nil {
		return problem(err)
	}
	f, err := NewTableFunc(name, args)
	if err != nil {
		return problem(err)
	}
	vals := make([]any, len(f.Args))
	for i, a := range f.Args {
		if vals[i], err = Eval(a, ctx); err != nil {
			return problem(err)
		}
	}
	b, err := f.Rows(vals, ctx)
	if err != nil {
		return problem(err)
	}
	var sb strings.Builder
	for i, c := range f.Columns {
		if b.Cols[i].Len() != b.Rows {
			return fmt.Sprintf("BROKEN: column %d has %d of %d rows", i, b.Cols[i].Len(), b.Rows)
		}
		if i > 0 {
			sb.WriteByte('|')
		}
		sb.WriteString(c.Name)
	}
	for row := range b.Rows {
		sb.WriteByte('\n')
		for i, v := range b.Cols {
			if i > 0 {
				sb.WriteByte('|')
			}
			if v.IsNull(row) {
				sb.WriteString("NULL")
				continue
			}
			sb.Write(column.AppendText(nil, v, row, ctx.Format))
		}
	}
	return sb.String() + "\n"
}

// TestSetFunctionOracle asks a real Postgres for the same rows.
func TestSetFunctionOracle(t *testing.T) {
	psql := os.Getenv("WMSQL_PSQL")
	if psql == "" {
		t.Skip("WMSQL_PSQL is not set: it names psql and how to reach a Postgres 15")
	}
	var differences []string
	datadriven.Walk(t, setFunctionDir, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.HasArg("ours") {
				return d.Expected
			}
			cmd := exec.Command("sh", "-c", psql+" -X -q -A -P footer=off 2>&1")
			cmd.Stdin = strings.NewReader("\\set VERBOSITY verbose\n\\pset null NULL\nset timezone='UTC';\nselect * from " + strings.ReplaceAll(d.Input, ";", ",") + ";\n")
			out, _ := cmd.CombinedOutput()
			got := string(out)
			if k := strings.Index(got, "ERROR:  "); k >= 0 {
				got, _, _ = strings.Cut(got[k+len("ERROR:  "):], "\n")
				got = "ERROR " + got + "\n"
			}
			if got != d.Expected {
				differences = append(differences, fmt.Sprintf("%s: %s\nPostgres:\n%swmsql:\n%s", path, d.Input, got, d.Expected))
			}
			return d.Expected
		})
	})
	if len(differences) > 0 {
		t.Error(strings.Join(differences, "\n"))
	}
}
