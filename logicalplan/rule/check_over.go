package rule

import (
	"strings"

	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// overUnbounded is WM007 of functions OVER partitions: lag(), lead() and frames of so many rows keep the last rows of every partition,
// and no time says when a partition has had its last one.
var overUnbounded = Check{
	Name: "OverUnbounded",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		var out []*sqlerr.Error
		logicalplan.Walk(n, func(x logicalplan.Node) bool {
			w, ok := x.(*logicalplan.WindowFunc)
			if !ok || !logicalplan.OverStream(w) || w.TTL > 0 || t.TTL > 0 {
				return true
			}
			if o, bad := logicalplan.OverOf(w); bad == "" && o.Why != "" {
				out = append(out, overFault(w, o, t))
			}
			return true
		})
		return out
	},
}

// lastRows marks the WM007 of OVER, which can run in every mode.
const lastRows = "OVER"

func overFault(w *logicalplan.WindowFunc, o logicalplan.Over, t *Target) *sqlerr.Error {
	var keys []string
	for _, e := range w.PartitionBy {
		keys = append(keys, e.String())
	}
	err := sqlerr.Newf(sqlerr.KeysAlone, "WM007: the last rows of every %s are kept for ever", strings.Join(keys, ", ")).At(w.Pos).
		WithDetail("%s reaches rows by their number, whatever their times: %s.", functions(w), o.Why)
	if t.TTL == 0 {
		return withPlace(err).WithHint("%s", t.with("state_ttl = '7 days'"))
	}
	return withPlace(err).WithHint("%s", t.allowed())
}

func withPlace(err *sqlerr.Error) *sqlerr.Error {
	err.Where = lastRows
	return err
}

// functions is the calls of w as EXPLAIN shows them.
func functions(w *logicalplan.WindowFunc) string {
	title := strings.TrimPrefix(w.Title(), "WindowFunc [")
	text, _, _ := strings.Cut(title, "] ")
	return text
}
