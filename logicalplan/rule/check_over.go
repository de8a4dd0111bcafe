package rule

import (
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
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
	err := sqlerr.Newf(sqlerr.KeysAlone, "WM007: the last rows of every %s are kept for ever", keyTexts(w.PartitionBy)).At(w.Pos).
		WithDetail("%s reaches rows by their number, whatever their times: %s.", functions(w), o.Why)
	if end := endMissing(w.PartitionBy, w.Input); end != "" {
		return withPlace(err).WithDetail("%s", startAlone).WithHint("%s", t.partitionedBy(end))
	}
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

// topNUnbounded is WM007 of the first rows of partitions: a partition may have a better row at any time.
var topNUnbounded = Check{
	Name: "TopNUnbounded",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		var out []*sqlerr.Error
		logicalplan.Walk(n, func(x logicalplan.Node) bool {
			w, ok := x.(*logicalplan.TopN)
			if !ok || t.Mode != catalog.Update || !logicalplan.Derive(w.Input).Stream {
				return true
			}
			if b := logicalplan.TopNBound(w); !b.OK {
				err := sqlerr.Newf(sqlerr.KeysAlone, "WM007: the first rows of every %s are kept for ever", keyTexts(w.PartitionBy)).At(w.Pos).
					WithDetail("%s keeps what it may have to show: %s.", w.Title(), b.Why).WithHint("%s", t.mortal(w.Input))
				if end := endMissing(w.PartitionBy, w.Input); end != "" {
					err.WithDetail("%s", startAlone).WithHint("%s", t.partitionedBy(end))
				}
				out = append(out, err)
			}
			return true
		})
		return out
	},
}

// startAlone is why the start of a window does not do.
const startAlone = "The start of a window does not say when it ends."

// endMissing names the end of the window of which a partition has the start alone; "" if there is none.
func endMissing(by []expr.Expr, in logicalplan.Node) string {
	marks := logicalplan.Derive(in).Marks
	for _, e := range by {
		if c, ok := e.(*expr.Column); ok && marks[c.ID].Kind == logicalplan.MarkWindowStart && marks[c.ID].Window != nil {
			return marks[c.ID].Window.End.Name
		}
	}
	return ""
}

func keyTexts(es []expr.Expr) string {
	if len(es) == 0 {
		return "result"
	}
	keys := make([]string, len(es))
	for i, e := range es {
		keys[i] = e.String()
	}
	return strings.Join(keys, ", ")
}
