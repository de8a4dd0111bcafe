package server

import (
	"context"

	"wmsql/catalog"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/state"
)

// maintain runs VACUUM, which gives the space of deleted rows back now and not when the store gets to it; ANALYZE, which has nothing to
// do since the planner keeps no statistics; and CHECKPOINT, after which a start has no log to replay.
func (s *Session) maintain(ctx context.Context, n *sql.Maintain) error {
	if n.Kind == "vacuum" {
		if err := s.needNoBlock(ctx, "VACUUM"); err != nil {
			return err
		}
	}
	if n.Kind == "checkpoint" {
		return s.srv.store.Flush()
	}
	if len(n.Names) == 0 && n.Kind == "vacuum" {
		return s.srv.store.Compact(ctx)
	}
	for _, name := range n.Names {
		if err := s.maintainOne(ctx, n.Kind, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) maintainOne(ctx context.Context, kind string, name sql.Name) error {
	rel, err := s.names().Relation(name.Parts, s.path())
	if err != nil {
		return sqlerr.From(err).At(int(name.Pos))
	}
	spaces := map[state.Space]catalog.ID{}
	switch {
	case rel.View != nil:
		s.noticef(sqlerr.SevWarning, sqlerr.SuccessfulCompletion, "skipping %q --- cannot %s non-tables or special system tables", rel.View.Name, kind)
	case rel.Table != nil:
		spaces[state.Result], spaces[state.Columns] = rel.Table.ID, rel.Table.ID
	case rel.MatView != nil:
		spaces[state.Result], spaces[state.Columns], spaces[state.Operator] = rel.MatView.ID, rel.MatView.ID, rel.MatView.ID
	case rel.Stream != nil:
		spaces[state.Log] = rel.Stream.ID
	}
	for space, id := range spaces {
		if kind != "vacuum" {
			break
		}
		if err := s.srv.store.CompactObject(ctx, space, uint32(id)); err != nil {
			return err
		}
	}
	return nil
}
