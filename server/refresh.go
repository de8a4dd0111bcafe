package server

import (
	"context"

	"wmsql/catalog"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// refresh runs REFRESH MATERIALIZED VIEW: a view is kept up to date as rows come, so that it only waits for those that are there.
func (s *Session) refresh(ctx context.Context, n *sql.Refresh) error {
	if n.LateRows {
		return sqlerr.Unsupported("REFRESH MATERIALIZED VIEW ... WITH LATE ROWS").At(int(n.Pos))
	}
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
	return s.srv.withQuery(ctx, c, func(c *continuing) error {
		if s.srv.cfg.Manual {
			return s.srv.drain(ctx, c)
		}
		return c.query.Flush(ctx)
	})
}
