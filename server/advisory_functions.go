package server

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"wmsql/sqlerr"
)

// advisoryFuncs are pg_advisory_lock and its like, by name.
func advisoryFuncs() map[string]catalogFunc {
	out := map[string]catalogFunc{
		"pg_advisory_unlock":        advisoryUnlock(false),
		"pg_advisory_unlock_shared": advisoryUnlock(true),
		"pg_advisory_unlock_all": func(s *Session, _ []any) (any, error) {
			s.srv.advisory.end(s, false)
			return "", nil
		},
	}
	for _, suffix := range []string{"lock", "lock_shared", "xact_lock", "xact_lock_shared"} {
		shared, tx := strings.HasSuffix(suffix, "shared"), strings.HasPrefix(suffix, "xact")
		out["pg_advisory_"+suffix] = func(s *Session, args []any) (any, error) {
			s.advisoryUsed = true
			return "", s.waitAdvisory(keyOfLock(args), shared, tx)
		}
		out["pg_try_advisory_"+suffix] = func(s *Session, args []any) (any, error) {
			s.advisoryUsed = true
			return s.srv.advisory.try(s, keyOfLock(args), shared, tx), nil
		}
	}
	return out
}

// keyOfLock reads (bigint) or (integer, integer).
func keyOfLock(args []any) advisoryKey {
	a, _ := args[0].(int64)
	if len(args) == 1 {
		return advisoryKey{class: uint32(a >> 32), object: uint32(a)}
	}
	b, _ := args[1].(int64)
	return advisoryKey{class: uint32(a), object: uint32(b), pair: true}
}

func (s *Session) waitAdvisory(k advisoryKey, shared, tx bool) error {
	ctx := s.running
	if d := s.vars.often.lockTimeout; d > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, d, errLockTimeout)
		defer stop()
	}
	return s.srv.advisory.wait(ctx, s, k, shared, tx)
}

func advisoryUnlock(shared bool) catalogFunc {
	mode := map[bool]string{false: "ExclusiveLock", true: "ShareLock"}[shared]
	return func(s *Session, args []any) (any, error) {
		ok := s.srv.advisory.release(s, keyOfLock(args), shared)
		if !ok {
			s.noticef(sqlerr.SevWarning, sqlerr.Warning, "you don't own a lock of type %s", mode)
		}
		return ok, nil
	}
}

// pgLocks shows the advisory locks. Rows and tables are not locked: there is one writer at a time.
func pgLocks(_ context.Context, s *Session, out *rowSet) error {
	l := s.srv.advisory
	l.mu.Lock()
	defer l.mu.Unlock()
	put := func(k advisoryKey, who *Session, mode string, granted bool) {
		sub := 1
		if k.pair {
			sub = 2
		}
		out.putKnown("locktype", "advisory", "database", oidDatabase, "classid", k.class, "objid", k.object, "objsubid", sub, "pid", who.pid, "mode", mode,
			"granted", granted, "fastpath", false)
	}
	keys := make([]advisoryKey, 0, len(l.holds))
	for k := range l.holds {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b advisoryKey) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.object, b.object))
	})
	for _, k := range keys {
		for who, h := range l.holds[k] {
			if h.isExclusive() {
				put(k, who, "ExclusiveLock", true)
			}
			if h.shared+h.txShared > 0 {
				put(k, who, "ShareLock", true)
			}
		}
	}
	for who, k := range l.waiting {
		put(k, who, "ExclusiveLock", false)
	}
	return nil
}

// blockingPIDs is pg_blocking_pids(pid): who holds the advisory lock that the session waits for.
func blockingPIDs(s *Session, args []any) (any, error) {
	pid, _ := args[0].(int64)
	l := s.srv.advisory
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []any{}
	for who, k := range l.waiting {
		if int64(who.pid) != pid {
			continue
		}
		for holder := range l.holds[k] {
			if holder != who {
				out = append(out, int64(holder.pid))
			}
		}
	}
	return out, nil
}
