package server

import (
	"context"
	"strconv"

	"wmsql/catalog"
	"wmsql/sqlerr"
	"wmsql/stream"
	"wmsql/types"
)

// flush waits until every query has processed what was in its streams, those over others after those below.
func (s *Session) flush(ctx context.Context) error {
	if err := s.needNoBlock(ctx, "FLUSH"); err != nil {
		return err
	}
	if err := s.srv.Flush(ctx); err != nil {
		return err
	}
	for _, c := range s.srv.queries.list() {
		if st := s.srv.queries.standing(c); st.State != stream.Running {
			w := sqlerr.Newf(sqlerr.ObjectNotReady, "materialized view %q is %s: it was not waited for", c.view.Name, st.State)
			w.Severity, w.Detail = sqlerr.SevWarning, errorText(st.Err)
			s.notice(w)
		}
	}
	return nil
}

// Flush waits until all that was in the streams has been processed and is visible. Paused and failed queries are
// left out.
func (s *Server) Flush(ctx context.Context) error { return s.flushQueries(ctx, s.queries.list()) }

// flushQueries flushes queries, one after those that it follows.
func (s *Server) flushQueries(ctx context.Context, all []*continuing) error {
	for _, c := range all {
		err := s.withQuery(ctx, c, func(c *continuing) error {
			if s.cfg.Manual {
				return s.drain(ctx, c)
			}
			return c.query.Flush(ctx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// withQuery calls f for a query if it runs. When the query is being restarted or dropped meanwhile, f is called for what
// comes after it, if anything does.
func (s *Server) withQuery(ctx context.Context, c *continuing, f func(c *continuing) error) error {
	for {
		if c.query == nil || c.status().State != stream.Running {
			if s.queries.get(c.view.ID) == c {
				return nil
			}
		} else if err := f(c); err == nil || s.queries.get(c.view.ID) == c {
			return err
		}
		// Whoever took the query away is the writer: when it is done, the next one is there.
		if err := s.lock(ctx); err != nil {
			return err
		}
		next := s.queries.get(c.view.ID)
		s.unlock()
		if next == nil || next == c {
			return nil
		}
		c = next
	}
}

// Step lets every running query take one micro-batch, in a server whose caller steps them. report hears of each that did
// something, skip
// names those that are left out; nil: none.
func (s *Server) Step(ctx context.Context, skip func(view string) bool, report func(view string, p stream.Progress)) error {
	for _, c := range s.queries.list() {
		if c.query == nil || c.status().State != stream.Running || skip != nil && skip(c.view.Name) {
			continue
		}
		p, err := c.step(ctx)
		if err != nil {
			return err
		}
		if p.Epoch != 0 {
			report(c.view.Name, p)
		}
	}
	return nil
}

// Last tells of the newest micro-batch of every query that has had one, in the order of creation.
func (s *Server) Last(report func(view string, p stream.Progress)) {
	for _, c := range s.queries.list() {
		if c.query == nil {
			continue
		}
		if p := c.query.Last(); p.Epoch != 0 {
			report(c.view.Name, p)
		}
	}
}

// drain steps a query until it has nothing to do, where nobody else steps it.
func (s *Server) drain(ctx context.Context, c *continuing) error {
	for {
		p, err := c.step(ctx)
		if err != nil || p.Epoch == 0 {
			return err
		}
	}
}

// step takes one micro-batch of a query. Its error names the view.
func (c *continuing) step(ctx context.Context) (stream.Progress, error) {
	p, err := c.query.Step(ctx)
	if err != nil && ctx.Err() == nil {
		err = stream.Failure(c.view.Name, err)
	}
	return p, err
}

// advance is wm_advance_watermark(stream, to): it closes what is open in all queries of a stream.
func (s *Session) advance(ctx context.Context, name string, to types.MicroTime) error {
	e, err := s.snapshot().Lookup(splitName(name), s.path())
	if err != nil {
		return err
	}
	st, ok := e.(*catalog.Stream)
	if !ok {
		return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a stream", e.Head().Name)
	}
	if st.Watermark == nil {
		return sqlerr.Newf(sqlerr.ObjectNotReady, "stream %q has no watermark", st.Name)
	}
	over := s.srv.queries.over(st.ID)
	for _, c := range over {
		err := s.srv.withQuery(ctx, c, func(c *continuing) error { return s.srv.advanceQuery(ctx, c, st.ID, to) })
		if err != nil {
			return err
		}
	}
	return s.srv.flushQueries(ctx, s.srv.queries.followers(over))
}

// advanceQuery raises the watermark of one query, stepping it where nobody else does.
func (s *Server) advanceQuery(ctx context.Context, c *continuing, id catalog.ID, to types.MicroTime) error {
	if !s.cfg.Manual {
		return c.query.Advance(ctx, id, to)
	}
	if err := s.drain(ctx, c); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- c.query.Advance(ctx, id, to) }()
	for {
		select {
		case err := <-done:
			return err
		default:
			if err := s.drain(ctx, c); err != nil {
				return err
			}
		}
	}
}

func wholeNumber(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
