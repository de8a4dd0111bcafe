package script

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"wmsql/connector"
	"wmsql/internal/failpoint"
)

// way is how a script is run; it must not show in what it prints.
type way struct {
	name string
	kind string // what a script that cannot be run so names: rows, workers, restart, crash
	Options
}

// ways are batches of 1, 3 and 4,096 rows, each with 1, 2 and 4 workers; a restart after every directive; a power cut at each place of
// a micro-batch, at every directive that runs some.
func ways() []way {
	var out []way
	for _, rows := range []int{1, 3, 4096} {
		for _, workers := range []int{1, 2, 4} {
			out = append(out, way{fmt.Sprintf("rows=%d,workers=%d", rows, workers), "rows", Options{BatchRows: rows, Workers: workers}})
		}
	}
	out = append(out, way{"restart", "restart", Options{Restart: true}})
	for _, p := range failpoint.All() {
		out = append(out, way{"crash=" + string(p), "crash", Options{Crash: p}})
	}
	return out
}

// quick is a way for the script number i in which much goes together: every other one is restarted, the rest crash, each at another place.
func quick(i int) way {
	if i%2 == 0 {
		return way{"rows=1,workers=4,restart", "restart", Options{BatchRows: 1, Workers: 4, Restart: true}}
	}
	points := failpoint.All()
	return way{"rows=3,workers=2,crash", "crash", Options{BatchRows: 3, Workers: 2, Crash: points[i/2%len(points)]}}
}

// unlike is a line of a script that cannot be run in some way, with the reason.
var unlike = regexp.MustCompile(`(?m)^# Not with (rows|restart|crash): .+`)

var full = flag.Bool("matrix", false, "run the scripts in every way: 85 s of CPU")

// TestMatrix runs the scripts of streams and the recorded cases in many ways: the same rows, watermarks, state and late rows.
func TestMatrix(t *testing.T) {
	if *rewrite {
		t.Skip("files are being written")
	}
	if !*full {
		crashes := matrix(t, "stream", NewVerbs(), quick) + matrix(t, "oracle", oracleVerbs(), quick)
		if crashes < 100 {
			t.Errorf("the power was cut only %d times", crashes)
		}
		return
	}
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			same := func(int) way { return w }
			crashes := matrix(t, "stream", NewVerbs(), same) + matrix(t, "oracle", oracleVerbs(), same)
			if w.Crash != "" && crashes < 100 {
				t.Errorf("only %d micro-batches came to the place", crashes)
			}
		})
	}
}

// matrix runs the scripts below a directory, each in a way of its own, and counts the power cuts.

func matrix(t *testing.T, dir string, verbs Verbs, choose func(i int) way) (crashes int) {
	for i, path := range scripts(t, dir) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w := choose(i)
		w.Connectors = connector.Registry{}
		if w.unlike(string(text)) {
			continue
		}
		t.Run(strings.TrimPrefix(path, "../../testdata/"), func(t *testing.T) {
			f, err := Parse(path, string(text), verbs)
			if err != nil {
				t.Fatal(err)
			}
			printed, n := f.run(t, w.Options, verbs)
			crashes += n
			for _, fault := range f.Compare(printed) {
				t.Error(fault)
			}
		})
	}
	return crashes
}

// unlike reports whether a script says that it cannot be run so.
func (w way) unlike(text string) bool {
	for _, m := range unlike.FindAllStringSubmatch(text, -1) {
		if m[1] == w.kind {
			return true
		}
	}
	return false
}
