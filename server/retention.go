package server

import (
	"context"
	"time"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/types"
)

const (
	// retentionEvery is how often what is older than the streams' retention is looked for.
	retentionEvery   = time.Minute
	defaultRetention = 7 * 24 * time.Hour
)

// keepRetention drops old rows of the internal streams that every query has read, and old rejected records, until ctx ends.
func (s *Server) keepRetention(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.cfg.Clock.After(retentionEvery):
		}
		for e := range s.catalog.Current().All() {
			if st, ok := e.(*catalog.Stream); ok && st.Options["retention"] != "off" {
				if err := s.retain(st); err != nil {
					s.cfg.Log.Warn("old rows stay", "stream", st.Name, "error", err)
				}
			}
		}
	}
}

// retain drops what of one stream is older than its retention.
func (s *Server) retain(st *catalog.Stream) error {
	keep := time.Duration(micros(st.Options, "retention", defaultRetention.Microseconds())) * time.Microsecond
	before := s.now().Add(-keep)
	if err := exec.TrimRejected(s.store, st.ID, before); err != nil {
		return err
	}
	if err := s.trimLate(st, types.MicroTime(keep.Microseconds())); err != nil {
		return err
	}
	if st.Connector != "" || st.Query != "" {
		return nil
	}
	return s.log.Trim(st.ID, before)
}

// trimLate drops the late rows whose windows the watermark has left behind by more than keep: those windows are gone, too.
func (s *Server) trimLate(st *catalog.Stream, keep types.MicroTime) error {
	for _, c := range s.queries.over(st.ID) {
		if c.query == nil {
			continue
		}
		if w := holding(c.query.Last().Watermarks); w != types.MinTime && w != types.Infinity {
			if err := exec.TrimLate(s.store, uint32(c.view.ID), w-keep); err != nil {
				return err
			}
		}
	}
	return nil
}
