package server

import (
	"context"

	"wmsql/sql"
	"wmsql/sqlerr"
)

// lockTable runs LOCK TABLE. There is one writer at a time: a mode that keeps writers out makes the transaction that one until it ends.
// No mode keeps readers out; they see what was committed before they began.
func (s *Session) lockTable(ctx context.Context, n *sql.Lock) (string, error) {
	if !s.block && s.sequence <= 1 {
		return "", sqlerr.Newf(sqlerr.NoActiveTransaction, "LOCK TABLE can only be used in transaction blocks")
	}
	for _, name := range n.Names {
		rel, err := s.names().Relation(name.Parts, s.path())
		if err != nil {
			return "", sqlerr.From(err).At(int(name.Pos))
		}
		if rel.Table == nil && rel.View == nil && rel.Virtual == nil {
			return "", sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a table or view", name.Parts[len(name.Parts)-1]).At(int(name.Pos))
		}
	}
	if n.Mode == "access share" || n.Mode == "row share" {
		return "LOCK TABLE", nil
	}
	if err := s.writes("LOCK TABLE"); err != nil {
		return "", err
	}
	return "LOCK TABLE", s.tx.lockNow(ctx, n.NoWait, "could not obtain lock on relation %q", n.Names[0].Parts[len(n.Names[0].Parts)-1])
}

// lockRows is what FOR UPDATE and FOR SHARE do: nobody else writes until the transaction ends, so the rows read stay as they are.
func (t *tx) lockRows(ctx context.Context, noWait string) error {
	return t.lockNow(ctx, noWait != "", "could not obtain lock on row in relation %q", noWait)
}

// lockNow makes the transaction the one writer; if that would mean to wait and noWait is set it fails.
func (t *tx) lockNow(ctx context.Context, noWait bool, format string, args ...any) error {
	if t.locked || !noWait {
		return t.lock(ctx)
	}
	if t.locked = t.srv.tryLock(); !t.locked {
		return sqlerr.Newf(sqlerr.LockNotAvailable, format, args...)
	}
	return nil
}
