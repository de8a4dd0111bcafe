package rule

import (
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// judgeAsOf is WM008 for ASOF joins: a left row comes out when the watermark has passed it, so both sides need one, on the times that
// are compared; and the newest right row of every key is kept until a newer one comes.
func judgeAsOf(j *logicalplan.Join, l, r *logicalplan.Props, t *Target) *sqlerr.Error {
	switch {
	case !r.Stream:
		return nil
	case !l.Stream:
		return sqlerr.Newf(sqlerr.JoinUnbounded, "WM008: the ASOF join would keep rows of the table for versions to come").At(j.Pos).
			WithDetail("The stream of versions never ends, so it is never known which one a row of the table belongs to.").
			WithHint("FROM %s ASOF JOIN ...: the stream of versions on the right, another stream on the left.", streamName(j))
	}
	if why := j.AsOfSides(); why != "" {
		return asOfFault(j, why, l, r)
	}
	if j.TTL > 0 || len(j.L) == 0 {
		return nil
	}
	err := sqlerr.Newf(sqlerr.JoinUnbounded, "WM008: the ASOF join keeps the newest row of every key for ever").At(j.Pos).
		WithDetail("A left row of any key may come at any time and belongs to that key's newest right row, so each key of %s keeps one.", j.Title()).
		WithHint("%s", t.with("state_ttl = '7 days'"))
	err.Where = innerJoin
	return err
}

func asOfFault(j *logicalplan.Join, why string, l, r *logicalplan.Props) *sqlerr.Error {
	err := sqlerr.Newf(sqlerr.JoinUnbounded, "WM008: the ASOF join has no watermark to go by: %s", why).At(j.Pos).
		WithDetail("A left row comes out when no right row at or before it can come any more, which only the watermarks of both sides tell.")
	if fix := markSides(j, l, r); fix != "" {
		return err.WithHint("%s", fix)
	}
	return err.WithHint("ASOF JOIN ... ON ... AND %s >= %s", eventTime(j.Left, l), eventTime(j.Right, r))
}
