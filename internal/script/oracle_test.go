package script

import (
	"regexp"
	"strings"
	"testing"
)

// TestOracle runs the cases recorded from Apache Spark, micro-batch by micro-batch.
func TestOracle(t *testing.T) { corpus(t, "oracle", Options{}, oracleVerbs()) }

// oracleVerbs are the verbs of the recorded cases, beside those of every script.
//
//	create   DDL with a view r; prints ok
//	refuse   DDL; prints the SQLSTATE it is refused with
//	step     one micro-batch: see Engine.Step
func oracleVerbs() Verbs {
	verbs := NewVerbs()
	verbs["create"] = Verb{Text: true, Run: func(e *Engine, d *Directive) (string, error) {
		if out := e.Exec(d.Input); strings.Contains(out, "ERROR:") {
			return out, nil
		}
		return "ok\n", nil
	}}
	verbs["refuse"] = Verb{Text: true, Run: func(e *Engine, d *Directive) (string, error) { return sqlstate(e.Exec(d.Input)), nil }}
	verbs["step"] = Verb{Run: func(e *Engine, d *Directive) (string, error) {
		out, err := e.Step(d.Input)
		if _, ok := d.Arg("nostate"); ok { // sliding windows: Spark keeps a row a window, panes keep fewer
			out = stateRows.ReplaceAllString(out, "")
		}
		return out, err
	}}
	return verbs
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
