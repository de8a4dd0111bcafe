package script

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/connector"
)

// TestOracle runs the cases recorded from Apache Spark, micro-batch by micro-batch.
//
//	create   DDL with a view r; prints ok
//	refuse   DDL; prints the SQLSTATE it is refused with
//	step     one micro-batch: see Engine.Step
//	sql, restart   as in every script
func TestOracle(t *testing.T) {
	datadriven.Walk(t, "../../testdata/oracle", func(t *testing.T, path string) {
		e, err := New(connector.Registry{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "create":
				if out := e.Exec(d.Input); strings.Contains(out, "ERROR:") {
					return out
				}
				return "ok\n"
			case "refuse":
				return sqlstate(e.Exec(d.Input))
			case "step":
				out, err := e.Step(d.Input)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				if d.HasArg("nostate") { // sliding windows: Spark keeps a row a window, panes keep fewer
					out = stateRows.ReplaceAllString(out, "")
				}
				return out
			}
			return e.Verb(t, d)
		})
	})
}

var stateRows = regexp.MustCompile(` state=\d+`)

// sqlstate is the code of the first error in what a session printed.
func sqlstate(out string) string {
	_, rest, ok := strings.Cut(out, "ERROR:  ")
	if !ok {
		return out
	}
	code, _, _ := strings.Cut(rest, ":")
	return code + "\n"
}
