package build

import (
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// InvalidTableDefinition is Postgres's 42P16: two WATERMARK clauses for one relation.
const invalidTableDefinition sqlerr.Code = "42P16"

// delayOf puts Spark's FROM t WATERMARK c DELAY OF i over an item, exactly where it stands.
func (b *binder) delayOf(it *item, w *sql.WatermarkClause) error {
	for _, m := range logicalplan.Derive(it.node).Marks {
		if m.Kind == logicalplan.MarkTime {
			return b.errorf(w.Pos, invalidTableDefinition, "\"%s\" already has a watermark, %s", it.rels[0].name,
				strings.TrimPrefix(m.Sources[0].Title(), "EventTimeWatermark ")).
				WithHint("A row has one event time: leave the WATERMARK clause out.")
		}
	}
	c := &exprCtx{b: b, scope: it.scopeOf(nil), clause: "WATERMARK"}
	e, err := c.columnRef(&sql.ColumnRef{Parts: []string{w.Column.Name}, Pos: w.Column.Pos})
	if err != nil {
		return err
	}
	col, ok := e.(*expr.Column)
	if !ok {
		return b.errorf(w.Column.Pos, sqlerr.UndefinedColumn, "column \"%s\" does not exist", w.Column.Name)
	}
	if err := b.watermarkType(col.Name, col.T, w, nil); err != nil {
		return err
	}
	delay, err := b.delay(w)
	if err != nil {
		return err
	}
	it.node = &logicalplan.EventTimeWatermark{Input: it.node, Column: col.ID, Delay: delay, Pos: b.pos(w.Pos)}
	return nil
}

// delay reads the delay of either form of the clause.
func (b *binder) delay(w *sql.WatermarkClause) (types.IntervalValue, error) {
	c := &exprCtx{b: b, clause: "WATERMARK"}
	e := w.Delay
	if e == nil {
		bin, ok := w.Value.(*sql.Binary)
		if ref, isRef := w.Value.(*sql.ColumnRef); isRef && ref.Parts[len(ref.Parts)-1] == w.Column.Name {
			return types.IntervalValue{}, nil // Flink's WATERMARK FOR c AS c: no delay
		}
		if !ok || bin.Op != "-" || !isColumn(bin.L, w.Column.Name) {
			return types.IntervalValue{}, b.errorf(w.Value.At(), sqlerr.FeatureNotSupported,
				"a watermark must be the column less a delay").
				WithHint("WATERMARK FOR %[1]s AS %[1]s - INTERVAL '10' MINUTE", catalog.QuoteIdent(w.Column.Name))
		}
		e = bin.R
	}
	v, err := c.length(e, "the delay of a watermark")
	if err != nil {
		return v, err
	}
	if logicalplan.Micros(v) < 0 {
		return v, b.errorf(e.At(), sqlerr.InvalidParameterValue, "the delay of a watermark must not be negative, but is %s", logicalplan.FormatInterval(v)).
			WithHint("WATERMARK FOR %[1]s AS %[1]s - INTERVAL '%[2]s'", catalog.QuoteIdent(w.Column.Name),
				strings.ReplaceAll(logicalplan.FormatInterval(v), "-", ""))
	}
	return v, nil
}

func isColumn(e sql.Expr, name string) bool {
	r, ok := e.(*sql.ColumnRef)
	return ok && r.Parts[len(r.Parts)-1] == name
}

// watermarkType refuses a watermark on what is no timestamp: WM005. columns are the stream's, for the hint; nil for a query.
func (b *binder) watermarkType(name string, t types.Type, w *sql.WatermarkClause, taken map[string]bool) error {
	if !t.Array && (t.Kind == types.Timestamp || t.Kind == types.TimestampTZ) {
		return nil
	}
	pos := w.Column.Pos
	if pos == 0 {
		pos = w.Pos
	}
	delay := types.IntervalValue{Micros: 600_000_000}
	if v, err := b.delay(w); err == nil {
		delay = v
	}
	return b.errorf(pos, sqlerr.WatermarkNotTimestamp, "WM005: the watermark column \"%s\" is of type %s, not a timestamp", name, t).
		WithDetail("A watermark is a point in event time: only a column of type timestamp or timestamptz has one.").
		WithHint("%s", generatedColumn(name, t, delay, taken))
}

// generatedColumn is the text of a computed timestamp column over a column that is none, and its watermark.
func generatedColumn(name string, t types.Type, delay types.IntervalValue, taken map[string]bool) string {
	id := catalog.QuoteIdent(name)
	from := "to_timestamp(" + id + ", 'YYYY-MM-DD HH24:MI:SS')"
	switch {
	case t.Array:
		from = "to_timestamp(" + id + "[1])"
	case t.Kind == types.Date:
		from = id + "::timestamp AT TIME ZONE 'UTC'"
	case t.Kind.Info().Category == 'N':
		from = "to_timestamp(" + id + ")"
	case t.Kind.Info().Category != 'S':
		from = id + "::text::timestamptz"
	}
	fresh := "event_time"
	for n := 2; fresh == name || taken[fresh]; n++ {
		fresh = fmt.Sprintf("event_time%d", n)
	}
	return fmt.Sprintf("%s TIMESTAMPTZ GENERATED ALWAYS AS (%s) STORED, WATERMARK FOR %s AS %s - INTERVAL '%s'",
		fresh, from, fresh, fresh, logicalplan.FormatInterval(delay))
}
