package server

import (
	"context"
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/exec"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// explainReplace tells what CREATE OR REPLACE does to the state of the view that is there, operator by operator.
func (s *Session) explainReplace(n *sql.CreateMaterializedView, c *continuous) []string {
	e, err := s.snapshot().Lookup(n.Name.Parts, s.path())
	was, ok := e.(*catalog.MaterializedView)
	if err != nil || !ok || !n.OrReplace || c.plan == nil {
		return nil
	}
	r := s.replaces(was, c)
	out := []string{"State, if it replaces the view that is there:"}
	for _, p := range r.parts {
		out = append(out, p.lines(s.standing(was.ID, p.table))...)
	}
	switch {
	case c.wish == "reset":
		return append(out, "  State and result are thrown away (state = 'reset'); the streams are read from their start.")
	case r.fault != nil:
		out = append(out, "  Refused:")
		out = append(out, logicalplan.Wrap("    ERROR:  ", r.fault.Msg)...)
		out = append(out, logicalplan.Wrap("    DETAIL:  ", r.fault.Detail)...)
		return append(out, indented("    HINT:  ", r.fault.Hint)...)
	}
	for _, line := range r.resultText() {
		out = append(out, logicalplan.Wrap("  Result: ", line)...)
	}
	return out
}

// lines tells one operator and whether its state is kept.
func (p *partChange) lines(standing string) []string {
	out := logicalplan.Wrap("  ", p.title)
	if p.below {
		return append(out, "    not kept: its input has changed")
	}
	if len(p.changes) == 0 {
		return append(out, "    kept: "+standing)
	}
	return append(out, logicalplan.Wrap("    not kept: ", strings.Join(p.changes, " "))...)
}

// standing tells what an operator of a running query holds.
func (s *Session) standing(id catalog.ID, table uint32) string {
	c := s.srv.queries.get(id)
	if c == nil || c.query == nil {
		return "as the last epoch left it"
	}
	last := c.query.Last()
	for _, op := range last.Operators {
		if op.Table == table {
			return fmt.Sprintf("%d rows", op.RowsTotal)
		}
	}
	for _, w := range last.Watermarks {
		if w.Table == table {
			return "the watermark stays at " + s.markText(w)
		}
	}
	return "as the last epoch left it"
}

func (s *Session) markText(w exec.WatermarkStats) string {
	if w.Watermark == types.MinTime {
		return "none"
	}
	return string(types.AppendTimestampTZ(nil, int64(w.Watermark), s.vars.format))
}

// explainAlter tells what ALTER STREAM does to the queries that read the stream.
func (s *Session) explainAlter(n *sql.Alter) (func(context.Context, []column.Vector) (*explanation, error), error) {
	if n.Kind != "stream" {
		return nil, sqlerr.Unsupported("EXPLAIN ALTER %s", upper(n.Kind)).At(int(n.Pos))
	}
	e, err := s.snapshot().Lookup(n.Name.Parts, s.path())
	if err != nil {
		return nil, sqlerr.From(err).At(int(n.Name.Pos))
	}
	st, ok := e.(*catalog.Stream)
	if !ok {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a stream", e.Head().Name).At(int(n.Name.Pos))
	}
	return func(ctx context.Context, _ []column.Vector) (*explanation, error) {
		edit := s.srv.catalog.Edit() // never published
		fresh, err := s.alteredStream(ctx, edit, st, n)
		if err != nil {
			return nil, err
		}
		out := &explanation{root: &logicalplan.Explained{Type: "Alter", Title: "Alter stream " + st.Name}}
		if n.Action == "alter watermark" {
			out.notes = append(out.notes, s.delayText(st, fresh)...)
		}
		for _, c := range s.srv.queries.over(st.ID) {
			out.notes = append(out.notes, s.explainAltered(c, edit.Snapshot)...)
		}
		return out, nil
	}, nil
}

// delayText says how the watermark goes on under another delay.
func (s *Session) delayText(was, is *catalog.Stream) []string {
	if was.Watermark == nil {
		return []string{"The stream gets a watermark."}
	}
	a, b := was.Watermark.Delay, is.Watermark.Delay
	out := fmt.Sprintf("The delay is %s and becomes %s: the watermark stays where it is until a row is more than %s newer than it. It never goes back.",
		logicalplan.FormatInterval(a), logicalplan.FormatInterval(b), logicalplan.FormatInterval(b))
	return logicalplan.Wrap("", out)
}

// explainAltered tells for one query whether it goes on under a changed catalog.
func (s *Session) explainAltered(c *continuing, changed *catalog.Snapshot) []string {
	out := []string{"Materialized view " + c.view.Name + ":"}
	fresh, err := s.srv.replan(c.view, changed)
	if err == nil {
		var old *continuous
		if old, err = s.srv.replan(c.view, s.srv.catalog.Current()); err == nil {
			r := &replacement{was: c.view, fresh: fresh}
			r.compareParts(old)
			for _, p := range r.parts {
				out = append(out, p.lines(s.standing(c.view.ID, p.table))...)
			}
			_, err = s.fits(c.view, c.view, changed)
		}
	}
	if err == nil {
		return out
	}
	f := sqlerr.From(err)
	out = append(out, "  Refused:")
	out = append(out, logicalplan.Wrap("    ERROR:  ", f.Msg)...)
	return append(out, indented("    HINT:  ", f.Hint)...)
}
