package server

import (
	"context"
	"slices"

	"wmsql/catalog"
)

// restoreFollowers tells every view, before its query runs, which queries follow it: none of them may miss an epoch, also if it
// cannot be started now.
func (q *queries) restoreFollowers() error {
	for e := range q.srv.catalog.Current().All() {
		mv, ok := e.(*catalog.MaterializedView)
		if !ok {
			continue
		}
		for _, id := range mv.Depends {
			if _, isView := q.srv.catalog.Current().ByID(id).(*catalog.MaterializedView); !isView {
				continue
			}
			if err := q.srv.results.Restore(id, mv.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// follow makes the views that a planned query follows keep their changes for it, and those that it does not follow keep none.
func (q *queries) follow(ctx context.Context, c *continuing) error {
	still := map[catalog.ID]bool{}
	for _, s := range c.plan.plan.Scans {
		if s.View != nil {
			still[s.View.ID] = true
		}
	}
	q.srv.results.Forget(c.view.ID, still)
	for id := range still {
		if err := q.srv.results.Follow(ctx, id, c.view.ID); err != nil {
			return err
		}
	}
	return nil
}

// belowFirst puts every query behind those that it depends on; otherwise the order stays.
func belowFirst(all []*continuing) []*continuing {
	byID := map[catalog.ID]*continuing{}
	for _, c := range all {
		byID[c.view.ID] = c
	}
	var out []*continuing
	var visit func(c *continuing)
	visit = func(c *continuing) {
		if byID[c.view.ID] == nil {
			return
		}
		delete(byID, c.view.ID)
		for _, id := range c.view.Depends {
			if below := byID[id]; below != nil {
				visit(below)
			}
		}
		out = append(out, c)
	}
	for _, c := range all {
		visit(c)
	}
	return out
}

// followers returns the queries that depend on one of the views, directly or over others, those below first.
func (q *queries) followers(views []*continuing) []*continuing {
	above := map[catalog.ID]bool{}
	for _, c := range views {
		above[c.view.ID] = true
	}
	var out []*continuing
	for _, c := range q.list() {
		if !above[c.view.ID] && slices.ContainsFunc(c.view.Depends, func(id catalog.ID) bool { return above[id] }) {
			above[c.view.ID] = true
			out = append(out, c)
		}
	}
	return out
}
