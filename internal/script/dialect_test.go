package script

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/connector"
)

// TestDialect runs the scripts whose values come from Postgres 15.
func TestDialect(t *testing.T) { runScripts(t, "../../testdata/dialect") }

// runScripts runs every script below dir, each on an engine of its own.
func runScripts(t *testing.T, dir string) {
	t.Helper()
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		e, err := New(connector.Registry{})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return e.Verb(t, d) })
	})
}
