package script

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/connector"
)

// TestStream runs the scripts of streams, one engine a file.
func TestStream(t *testing.T) {
	datadriven.Walk(t, "../../testdata/stream", func(t *testing.T, path string) {
		e, err := New(connector.Registry{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}()
		datadriven.RunTest(t, path, e.Verb)
	})
}
