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

// quick are two ways in which much goes together; the second cuts the power at another place in every script.
func quick() []way {
	return []way{
		{"rows=1,workers=4,restart", "restart", Options{BatchRows: 1, Workers: 4, Restart: true}},
		{"rows=3,workers=2,crash", "crash", Options{BatchRows: 3, Workers: 2, Crash: "any"}},
	}
}

// unlike is a line of a script that cannot be run in some way, with the reason.
var unlike = regexp.MustCompile(`(?m)^# Not with (rows|restart|crash): .+`)

var full = flag.Bool("matrix", false, "run the scripts in every way: 85 s of CPU")

// TestMatrix runs the scripts of streams and the recorded cases in many ways: the same rows, watermarks, state and late rows.
func TestMatrix(t *testing.T) {
	if *rewrite {
		t.Skip("files are being written")
	}
	list := quick()
	if *full {
		list = ways()
	}
	for _, w := range list {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			crashes := w.matrix(t, "stream", NewVerbs()) + w.matrix(t, "oracle", oracleVerbs())
			if w.Crash != "" && crashes < 100 {
				t.Errorf("only %d micro-batches came to the place", crashes)
			}
		})
	}
}

func (w way) matrix(t *testing.T, dir string, verbs Verbs) (crashes int) {
	w.Connectors = connector.Registry{}
	for i, path := range scripts(t, dir) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if w.unlike(string(text)) {
			continue
		}
		t.Run(strings.TrimPrefix(path, "../../testdata/"), func(t *testing.T) {
			f, err := Parse(path, string(text), verbs)
			if err != nil {
				t.Fatal(err)
			}
			o := w.Options
			if o.Crash == "any" {
				o.Crash = failpoint.All()[i%len(failpoint.All())]
			}
			printed, n := f.run(t, o, verbs)
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
