package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/stream"
)

// refresh runs REFRESH MATERIALIZED VIEW: a view is kept up to date as rows come, so that it only waits for those that are there. WITH
// LATE ROWS adds the late rows that were kept to the windows that they belong to, and puts the corrected groups in place of the
// old ones, once and in one epoch.
func (s *Session) refresh(ctx context.Context, n *sql.Refresh) error {
	if err := s.needNoBlock(ctx, "REFRESH MATERIALIZED VIEW"); err != nil {
		return err
	}
	e, err := s.snapshot().Lookup(n.Name.Parts, s.path())
	if err != nil {
		return sqlerr.From(err).At(int(n.Name.Pos))
	}
	mv, ok := e.(*catalog.MaterializedView)
	if !ok {
		return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a materialized view", e.Head().Name).At(int(n.Name.Pos))
	}
	c := s.srv.queries.get(mv.ID)
	if c == nil {
		return nil
	}
	if n.LateRows {
		if err := s.correctable(c, int(n.Pos)); err != nil {
			return err
		}
	}
	return s.srv.withQuery(ctx, c, func(c *continuing) error {
		switch {
		case n.LateRows:
			return s.addLate(ctx, c)
		case s.srv.cfg.Manual:
			return s.srv.drain(ctx, c)
		}
		return c.query.Flush(ctx)
	})
}

// correctable refuses what late rows could not be added to rightly.
func (s *Session) correctable(c *continuing, pos int) error {
	mv := c.view
	refuse := func(why string, hint string, args ...any) error {
		e := sqlerr.Newf(sqlerr.FeatureNotSupported, "late rows cannot be added to materialized view %q", mv.Name).WithDetail("%s", why)
		if hint != "" {
			e.WithHint(hint, args...)
		}
		return e.At(pos)
	}
	if c.query == nil || c.status().State != stream.Running {
		return sqlerr.Newf(sqlerr.ObjectNotReady, "materialized view %q is %s", mv.Name, c.status().State).
			WithHint("ALTER MATERIALIZED VIEW %s RESUME;", catalog.QuoteIdent(mv.Name))
	}
	drops := slices.DeleteFunc(streamsOf(c.plan.root), func(st *catalog.Stream) bool { return st.Options["late_rows"] == "keep" })
	switch why := physicalplan.Correctable(c.plan.plan); {
	case why == physicalplan.DropsLate && len(drops) > 0:
		return refuse(fmt.Sprintf("Stream %s drops late rows.", drops[0].Name),
			"For rows that come late from now on: ALTER STREAM %s SET (late_rows = 'keep');", catalog.QuoteIdent(drops[0].Name))
	case why != "" && len(drops) > 0:
		return refuse(why, "")
	case why != "":
		return refuse(why, "The late rows are in wm_catalog.late_rows.")
	}
	if len(mv.Key) == 0 {
		return refuse("The rows of the result cannot be told apart: a key of the query is not among its columns.", "Add all GROUP BY columns to the select list.")
	}
	if user := continuousUser(s.snapshot(), mv.ID); user != nil {
		return refuse(fmt.Sprintf("Materialized view %s reads it and has counted its rows already.", user.Name), "Drop %s first and create it again afterwards.", user.Name)
	}
	return nil
}

// addLate lets the query add its late rows, stepping it where nobody else does, and tells what came of it.
func (s *Session) addLate(ctx context.Context, c *continuing) error {
	got, err := s.srv.refreshQuery(ctx, c)
	if err != nil {
		return err
	}
	n := sqlerr.Newf(sqlerr.SuccessfulCompletion, "%s added to materialized view %q: %s changed", counted(got.Rows, "late row"), c.view.Name, counted(got.Groups, "group"))
	n.Severity = sqlerr.SevNotice
	if got.TooOld > 0 {
		n.Detail = fmt.Sprintf("%s not added: the windows are not kept any more, were closed before late_rows = 'keep' was set, or the query has changed.", counted(got.TooOld, "late row"))
	}
	s.notice(n)
	return nil
}

// counted is a number with its noun.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ch") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (s *Server) refreshQuery(ctx context.Context, c *continuing) (stream.Refreshed, error) {
	if !s.cfg.Manual {
		return c.query.Refresh(ctx)
	}
	if err := s.drain(ctx, c); err != nil {
		return stream.Refreshed{}, err
	}
	var got stream.Refreshed
	done := make(chan error, 1)
	go func() {
		var err error
		got, err = c.query.Refresh(ctx)
		done <- err
	}()
	for {
		select {
		case err := <-done:
			return got, err
		default:
			if err := s.drain(ctx, c); err != nil {
				return got, err
			}
		}
	}
}
