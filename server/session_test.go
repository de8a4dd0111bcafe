package server_test

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/internal/script"
)

// TestGolden runs statements through a session, one engine a file.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "../testdata/server", func(t *testing.T, path string) {
		e, err := script.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return e.Verb(t, d) })
	})
}
