package server

import (
	"fmt"

	"wmsql/catalog"
	"wmsql/logicalplan"
	"wmsql/stream"
	"wmsql/types"
)

// explainTree tells a logical plan. With a view, the nodes that keep state tell what bounds it.
func explainTree(n logicalplan.Node, mv *catalog.MaterializedView, o explainOptions) *logicalplan.Explained {
	opts := logicalplan.ExplainOptions{State: o.state, Watermark: o.watermark}
	if mv != nil {
		opts.Mode = &mv.Mode
	}
	return logicalplan.Explain(n, opts)
}

// live tells what the continuous query of a view is doing, in lines; nothing for other relations.
func (s *Session) live(e catalog.Entry) []string {
	mv, ok := e.(*catalog.MaterializedView)
	if !ok {
		return nil
	}
	c := s.srv.queries.get(mv.ID)
	if c == nil {
		return nil
	}
	st := s.srv.queries.standing(c)
	out := []string{fmt.Sprintf("Continuous query %s: %s, epoch %d", mv.Name, st.State, st.Epoch)}
	if st.Err != nil {
		why := "  Failed: "
		if st.State == stream.Stalled {
			why = "  Waits: "
		}
		out = append(out, why+errorText(st.Err))
	}
	out = append(out, logicalplan.Wrap("  Rows: ", fmt.Sprintf("%d in, %d late, %d without event time, %d rejected, %d out",
		st.RowsIn, st.RowsLate, st.RowsNull, st.RowsRejected, st.RowsOut))...)
	if c.query == nil {
		return out
	}
	p := c.query.Last()
	for _, op := range p.Operators {
		out = append(out, logicalplan.Wrap("  ", op.Title)...)
		out = append(out, fmt.Sprintf("    State: %d rows, %d bytes", op.RowsTotal, op.StateBytes))
		out = append(out, logicalplan.Wrap("    Last epoch: ", fmt.Sprintf("%d updated, %d removed, %d dropped as late, %d partly late, %d out",
			op.RowsUpdated, op.RowsRemoved, op.RowsDropped, op.RowsPartlyLate, op.RowsOut))...)
	}
	for _, w := range p.Watermarks {
		at := "none yet"
		if w.Watermark != types.MinTime {
			at = string(types.AppendTimestampTZ(nil, int64(w.Watermark), s.vars.format))
		}
		out = append(out, fmt.Sprintf("  Watermark %s.%s: %s, delay %s", w.Stream, w.Column, at, logicalplan.FormatInterval(w.Delay)))
	}
	if took := p.Took.Milliseconds(); p.Epoch > 0 {
		out = append(out, fmt.Sprintf("  Last epoch: %d rows in, %d ms", p.RowsIn, took))
	}
	return out
}
