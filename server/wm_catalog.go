package server

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/stream"
	"wmsql/types"
)

// wmTables are the virtual tables of wm_catalog.
func wmTables() []*virtualTable {
	return []*virtualTable{
		table("wm_catalog", "queries", 13101, `id oid, schema name, name name, mode text, state text, error text, sqlstate text, hint text, epoch int8, rows_in int8, rows_late int8,
			rows_without_event_time int8, rows_rejected int8, rows_out int8, started_at timestamptz, last_epoch_at timestamptz, query text`, wmQueries),
		table("wm_catalog", "query_progress", 13102, `view name, epoch int8, started_at timestamptz, took interval, rows_in int8, rows_out int8,
			rows_rejected int8, rows_late int8, state_rows int8, state_bytes int8, watermark timestamptz`, wmProgress),
		table("wm_catalog", "state_operators", 13103, `view name, operator name, title text, state_table int4, num_rows_total int8, num_rows_updated int8,
			num_rows_removed int8, num_rows_dropped_by_watermark int8, num_rows_partly_late int8, num_output_rows int8, state_bytes int8,
			late_up_to timestamptz, evict_up_to timestamptz`, wmStateOperators),
		table("wm_catalog", "watermarks", 13104, `view name, stream name, "column" name, delay interval, watermark timestamptz, max_event_time timestamptz,
			rows_without_event_time int8, rows_from_the_future int8, newest_by_split timestamptz[]`, wmWatermarks),
		table("wm_catalog", "late_rows", 13105, `view name, epoch int8, event_time timestamptz, watermark timestamptz, row json,
			partly bool, corrected_epoch int8`, wmLateRows),
		table("wm_catalog", "rejected_rows", 13106, `stream name, view name, split text, position text, rejected_at timestamptz, epoch int8, reason text, record text`, wmRejectedRows),
		table("wm_catalog", "sources", 13107, `view name, stream name, connector text, split text, position text, lag int8, newest timestamptz, note text`, wmSources),
		table("wm_catalog", "lateness", 13109, `view name, stream name, "column" name, `+latenessColumns, wmLateness),
		table("wm_catalog", "lint", 13108, `view name, code text, severity text, message text, detail text, hint text`, wmLint),
	}
}

func wmQueries(_ context.Context, s *Session, out *rowSet) error {
	for _, c := range s.srv.queries.list() {
		st := s.srv.queries.standing(c)
		var code, hint any
		if st.Err != nil {
			e := sqlerr.From(st.Err)
			code, hint = string(e.Code), orNull(e.Hint)
		}
		out.add(c.view.ID, c.view.Schema, c.view.Name, c.view.Mode.String(), string(st.State), orNull(errorText(st.Err)), code, hint, st.Epoch,
			st.RowsIn, st.RowsLate, st.RowsNull, st.RowsRejected, st.RowsOut, st.Started, st.LastEpoch, c.view.Query)
	}
	return nil
}

func wmProgress(_ context.Context, s *Session, out *rowSet) error {
	snap := s.srv.store.Snapshot()
	defer func() { _ = snap.Close() }() // only read from
	for _, c := range s.srv.queries.list() {
		err := stream.ScanProgress(snap, c.view.ID, func(p *stream.Progress) bool {
			var late, rows, bytes int64
			for _, op := range p.Operators {
				late, rows, bytes = late+op.RowsDropped, rows+op.RowsTotal, bytes+op.StateBytes
			}
			out.add(c.view.Name, p.Epoch, p.Start, p.Took, p.RowsIn, p.RowsOut, p.Rejected, late, rows, bytes, holding(p.Watermarks))
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// holding is the watermark of a query, by its policy over those of its streams; MinTime while it is not known.
func holding(ws []exec.WatermarkStats) types.MicroTime {
	if len(ws) == 0 {
		return types.MinTime
	}
	return ws[0].Holds
}

func wmStateOperators(_ context.Context, s *Session, out *rowSet) error {
	for _, c := range s.srv.queries.list() {
		if c.query == nil {
			continue
		}
		for _, op := range c.query.Last().Operators {
			out.add(c.view.Name, op.Name, op.Title, int64(op.Table), op.RowsTotal, op.RowsUpdated, op.RowsRemoved, op.RowsDropped,
				op.RowsPartlyLate, op.RowsOut, op.StateBytes, op.Bounds.LateUpTo, op.Bounds.EvictUpTo)
		}
	}
	return nil
}

func wmWatermarks(_ context.Context, s *Session, out *rowSet) error {
	for _, c := range s.srv.queries.list() {
		if c.query == nil {
			continue
		}
		for _, w := range c.query.Last().Watermarks {
			splits := make([]any, len(w.Splits))
			for i, t := range w.Splits {
				splits[i] = datum(types.Of(types.TimestampTZ), t)
			}
			out.add(c.view.Name, w.Stream, w.Column, w.Delay, w.Watermark, w.MaxSeen, w.NullTimes, w.Skewed, splits)
		}
	}
	return nil
}

func wmLateRows(_ context.Context, s *Session, out *rowSet) error {
	snap := s.srv.store.Snapshot()
	defer func() { _ = snap.Close() }() // only read from
	for _, c := range s.srv.queries.list() {
		err := exec.ScanLate(snap, uint32(c.view.ID), func(r *exec.LateRow) bool {
			var corrected any
			if r.Corrected != 0 {
				corrected = r.Corrected
			}
			out.add(c.view.Name, r.Epoch, r.EventTime, r.Watermark, string(r.Row), r.Partly, corrected)
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func wmRejectedRows(_ context.Context, s *Session, out *rowSet) error {
	snap := s.srv.store.Snapshot()
	defer func() { _ = snap.Close() }() // only read from
	for e := range s.snapshot().All() {
		if e.Head().Kind != catalog.KindStream && e.Head().Kind != catalog.KindMaterializedView {
			continue
		}
		if err := s.rejectedOf(snap, e.Head(), out); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) rejectedOf(r state.Reader, st *catalog.Object, out *rowSet) error {
	return exec.ScanRejected(r, st.ID, func(r *exec.RejectedRecord) bool {
		var view any
		if e := s.snapshot().ByID(catalog.ID(r.Query)); e != nil {
			view = e.Head().Name
		}
		var at any
		if r.Time != 0 {
			at = r.Time
		}
		out.add(st.Name, view, orNull(r.Split), orNull(r.Offset), datum(types.Of(types.TimestampTZ), at), r.Epoch, r.Reason, validText(r.Record))
		return true
	})
}

func wmSources(_ context.Context, s *Session, out *rowSet) error {
	for _, c := range s.srv.queries.list() {
		if c.query == nil {
			continue
		}
		all := c.query.Splits()
		for _, name := range slices.Sorted(maps.Keys(all)) {
			for _, sp := range all[name] {
				var lag, newest any
				if sp.Lag >= 0 {
					lag = sp.Lag
				}
				note := orNull(sp.Note)
				if below := c.follows(name); below != nil {
					u, err := s.srv.results.Unread(below.ID, c.view.ID)
					if err != nil {
						return err
					}
					lag, note = orNegative(u.Rows), orNull(unreadNote(u, below.Name, s.srv.queries.standing(c).State))
				}
				if sp.Newest != 0 {
					newest = datum(types.Of(types.TimestampTZ), sp.Newest)
				}
				out.add(c.view.Name, name, s.connectorOf(c.view, name), sp.Split, orNull(sp.Offset), lag, newest, note)
			}
		}
	}
	return nil
}

// follows is the view of that name that the query follows, nil if there is none.
func (c *continuing) follows(name string) *catalog.MaterializedView {
	for _, scan := range c.plan.plan.Scans {
		if scan.View != nil && scan.View.Name == name {
			return scan.View
		}
	}
	return nil
}

func orNegative(n int64) any {
	if n < 0 {
		return nil
	}
	return n
}

// unreadNote says what a view keeps for a follower that is not at work.
func unreadNote(u stream.Unread, view string, state stream.State) string {
	if u.Epochs == 0 || state == stream.Running {
		return ""
	}
	return fmt.Sprintf("%s keeps the changes of %s for it, %s on disk, until it is resumed or dropped",
		catalog.QuoteIdent(view), counted(u.Epochs, "micro-batch"), sizeText(u.Bytes))
}

// sizeText is a number of bytes as pg_size_pretty says it.
func sizeText(n int64) string {
	units := []string{"bytes", "kB", "MB", "GB", "TB"}
	i := 0
	for ; n >= 10*1024 && i < len(units)-1; i++ {
		n = (n + 512) / 1024
	}
	return fmt.Sprintf("%d %s", n, units[i])
}

func (s *Session) connectorOf(mv *catalog.MaterializedView, name string) any {
	for _, id := range mv.Depends {
		if below, ok := s.snapshot().ByID(id).(*catalog.MaterializedView); ok && below.Name == name {
			return "view"
		}
		if st, ok := s.snapshot().ByID(id).(*catalog.Stream); ok && st.Name == name {
			if st.Connector == "" {
				return "internal"
			}
			return st.Connector
		}
	}
	return nil
}

func wmLint(_ context.Context, s *Session, out *rowSet) error {
	for _, c := range s.srv.queries.list() {
		if c.plan == nil {
			continue
		}
		for _, f := range c.plan.faults {
			severity := "error"
			if f.Severity != sqlerr.SevError {
				severity = "warning"
			}
			out.add(c.view.Name, string(f.Code), severity, f.Msg, orNull(f.Detail), orNull(f.Hint))
		}
	}
	return nil
}
