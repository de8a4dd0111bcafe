package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// watermarkAboveAggregate is WM002: a watermark that stands over the Aggregate tells it nothing, for watermarks travel up with the rows.
var watermarkAboveAggregate = Check{
	Name: "WatermarkAboveAggregate",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		var out []*sqlerr.Error
		streamAggregates(n, func(a *logicalplan.Aggregate, above *logicalplan.EventTimeWatermark) {
			if above == nil {
				return
			}
			pos := above.Pos
			if pos == 0 {
				pos = a.Pos
			}
			err := sqlerr.Newf(sqlerr.WatermarkAboveAgg, "WM002: the watermark on %q stands above the aggregate", nameOf(above, above.Column)).At(pos).
				WithDetail("%s reads what %s puts out. A watermark works on what stands above it: it must stand below the aggregate, on the rows that are counted.",
					above.Title(), a.Title())
			out = append(out, err.WithHint("%s", watermarkBelow(a, above)))
		})
		return out
	},
}

// watermarkBelow is the stream's statement with the watermark where it belongs.
func watermarkBelow(a *logicalplan.Aggregate, above *logicalplan.EventTimeWatermark) string {
	if w := groupedWindow(a); w != nil {
		if w.TimeExpr != nil {
			if h, ok := generatedHint(a.Input, w.TimeExpr, "", above.Delay); ok {
				return h
			}
		}
		if s, col, ok := origin(w.Input, w.Time); ok {
			return fixStream(s, streamFix{watermark: col, delay: above.Delay})
		}
	}
	if s, col, ok := timeColumn(a.Input); ok {
		return fixStream(s, streamFix{watermark: col, delay: above.Delay})
	}
	return "WATERMARK FOR event_time AS event_time - INTERVAL '" + logicalplan.FormatInterval(above.Delay) + "'"
}

// origin finds the stream's column that a column of n is.
func origin(n logicalplan.Node, id expr.ColumnID) (s *streamDef, column string, ok bool) {
	made := false
	logicalplan.Walk(n, func(x logicalplan.Node) bool {
		c, has := logicalplan.FindColumn(x, id)
		if !has {
			return made // a scan below the node that computes the column
		}
		made = true
		column = c.Name
		if sc, isScan := x.(*logicalplan.StreamScan); isScan {
			s, ok = sc.Stream, true
			for i, sc2 := range sc.Cols {
				if sc2.ID == id {
					column = s.Columns[sc.Ords[i]].Name
				}
			}
		}
		return true
	})
	if !ok { // a computed column of a stream: made by the Project right over its scan
		s, column, ok = computedOrigin(n, id)
	}
	return s, column, ok
}

func computedOrigin(n logicalplan.Node, id expr.ColumnID) (s *streamDef, column string, ok bool) {
	logicalplan.Walk(n, func(x logicalplan.Node) bool {
		p, isProject := x.(*logicalplan.Project)
		if !isProject {
			return true
		}
		sc, overScan := p.Input.(*logicalplan.StreamScan)
		c, has := logicalplan.FindColumn(p, id)
		if !overScan || !has {
			return true
		}
		for _, col := range sc.Stream.Columns {
			if col.Name == c.Name && col.Generated != "" {
				s, column, ok = sc.Stream, c.Name, true
			}
		}
		return true
	})
	return s, column, ok
}
