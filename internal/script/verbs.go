package script

import (
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Verb runs one directive of a script and returns what it prints.
func (e *Engine) Verb(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	switch d.Cmd {
	case "sql", "select":
		return e.Exec(d.Input)
	case "restart":
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
		return ""
	}
	d.Fatalf(t, "unknown verb %s", d.Cmd)
	return ""
}
