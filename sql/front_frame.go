package sql

import "wmsql/sqlerr"

// checkFrame refuses the frames whose ends are in the wrong order, in Postgres's words; first and
// second are the tokens where the ends begin.
func checkFrame(f *Frame, first, second token) {
	start, end := f.Start.Kind, f.End.Kind
	refuse := func(t token, msg string) {
		bail(sqlerr.Newf(sqlerr.WindowingError, "%s", msg).At(t.pos + 1))
	}
	switch {
	case start == "unbounded following":
		refuse(first, "frame start cannot be UNBOUNDED FOLLOWING")
	case end == "unbounded preceding":
		refuse(second, "frame end cannot be UNBOUNDED PRECEDING")
	case start == "current row" && end == "preceding":
		refuse(first, "frame starting from current row cannot have preceding rows")
	case start == "following" && first == second:
		refuse(first, "frame starting from following row cannot end with current row")
	case start == "following" && (end == "preceding" || end == "current row"):
		refuse(first, "frame starting from following row cannot have preceding rows")
	}
}
