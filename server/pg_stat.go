package server

import (
	"context"
	"net"
	"time"

	"wmsql/catalog"
	"wmsql/pgwire"
	"wmsql/sqlerr"
	"wmsql/types"
)

// pgStatActivity shows the connected sessions. The continuous queries are in wm_catalog.queries.
func pgStatActivity(_ context.Context, s *Session, out *rowSet) error {
	for _, a := range s.srv.sessions.list() {
		d := a.look()
		addr, port := address(a.remote)
		out.put("datid", oidDatabase, "datname", catalog.Database, "pid", a.pid, "usesysid", oidSuperuser, "usename", a.user, "application_name", d.app,
			"client_addr", orNull(addr), "client_port", port, "backend_start", a.started, "xact_start", d.txStart, "query_start", d.queryStart,
			"state_change", d.changed, "wait_event_type", waitType(d), "wait_event", waitEvent(d), "state", d.state, "query", d.query, "backend_type", "client backend",
			"leader_pid", nil, "backend_xid", nil, "backend_xmin", nil, "query_id", nil)
	}
	return nil
}

// address is where a client is: its IP address and port, -1 for a local socket, as pg_stat_activity has them.
func address(a net.Addr) (ip string, port int) {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.IP.String(), tcp.Port
	}
	return "", -1
}

func waitType(d doing) any {
	if d.state == "active" {
		return nil
	}
	return "Client"
}

func waitEvent(d doing) any {
	if d.state == "active" {
		return nil
	}
	return "ClientRead"
}

func pgStatSSL(_ context.Context, s *Session, out *rowSet) error {
	for _, a := range s.srv.sessions.list() {
		out.put("pid", a.pid, "ssl", a.tls, "version", nil, "cipher", nil, "bits", nil, "client_dn", nil, "issuer_dn", nil)
	}
	return nil
}

func pgStatGSSAPI(_ context.Context, s *Session, out *rowSet) error {
	for _, a := range s.srv.sessions.list() {
		out.put("pid", a.pid)
	}
	return nil
}

func pgStatDatabase(_ context.Context, s *Session, out *rowSet) error {
	out.putKnown("datid", oidDatabase, "datname", catalog.Database, "numbackends", len(s.srv.sessions.list()), "stats_reset", s.srv.started)
	return nil
}

// pgStatTables lists the relations of a pg_stat_*_tables view. Nothing is counted: the columns that would say how often are NULL.
func pgStatTables(user, system bool) rowsFunc {
	return func(_ context.Context, s *Session, out *rowSet) error {
		if user {
			s.relations(func(e catalog.Entry) {
				if k := e.Head().Kind; k == catalog.KindTable || k == catalog.KindMaterializedView {
					out.putKnown("relid", e.Head().ID, "schemaname", e.Head().Schema, "relname", e.Head().Name)
				}
			})
		}
		for _, v := range s.virtualByID() {
			if system && v.relkind() == "r" {
				out.putKnown("relid", v.id, "schemaname", v.schema, "relname", v.name)
			}
		}
		return nil
	}
}

// pgStatIndexes lists the indexes of a pg_stat_*_indexes view, uncounted.
func pgStatIndexes(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		for _, ix := range s.indexesOf(e) {
			out.putKnown("relid", ix.rel, "indexrelid", ix.oid, "schemaname", ix.schema, "relname", ix.table, "indexrelname", ix.name)
		}
	})
	return nil
}

// pgStatioSequences lists the sequences, uncounted.
func pgStatioSequences(_ context.Context, s *Session, out *rowSet) error {
	s.sequences(func(q *catalog.Sequence) {
		out.putKnown("relid", q.ID, "schemaname", q.Schema, "relname", q.Name)
	})
	return nil
}

// signal is pg_cancel_backend and pg_terminate_backend: what is done to a session's client.
func signal(do func(c pgwire.Client)) catalogFunc {
	return func(s *Session, args []any) (any, error) {
		pid, _ := args[0].(int64)
		a := s.srv.sessions.find(int32(pid))
		if a == nil || a.client == nil {
			s.noticef(sqlerr.SevWarning, sqlerr.Warning, "PID %d is not a PostgreSQL backend process", pid)
			return false, nil
		}
		do(a.client)
		return true, nil
	}
}

// serverStart is pg_postmaster_start_time and pg_conf_load_time.
func serverStart(s *Session, _ []any) (any, error) {
	return datum(types.Of(types.TimestampTZ), s.srv.started), nil
}

// pgSleepUntil waits for a time of the clock.
func pgSleepUntil(s *Session, args []any) (any, error) {
	until, _ := args[0].(int64)
	return pgSleep(s, []any{time.UnixMicro(until).Sub(s.srv.now()).Seconds()})
}

// pgSleep is pg_sleep(seconds), in real time: a client waits for it.
func pgSleep(s *Session, args []any) (any, error) {
	seconds, _ := args[0].(float64)
	if !(seconds > 0) {
		return "", nil
	}
	t := time.NewTimer(time.Duration(min(seconds, 1e9) * float64(time.Second)))
	defer t.Stop()
	select {
	case <-t.C:
		return "", nil
	case <-s.running.Done():
		return nil, s.running.Err()
	}
}
