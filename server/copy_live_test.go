package server

import (
	"testing"

	"wmsql/pgwire"
)

type liveRows struct{ pgwire.Result }

func (liveRows) Live() bool { return true }

// TestCopyOut_Live: the rows of COPY (SUBSCRIBE ...) are sent before it waits for more.
func TestCopyOut_Live(t *testing.T) {
	for want, rows := range map[bool]pgwire.Result{true: liveRows{}, false: doneRows("SELECT 0", nil)} {
		res := (&running{Result: &copyOut{Result: rows}}).unwrap()
		if l, ok := res.(pgwire.Live); !ok || l.Live() != want {
			t.Errorf("live: want %v", want)
		}
	}
}
