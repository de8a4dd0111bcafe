package server

import (
	"context"
	"time"

	"wmsql/catalog"
	"wmsql/exec"
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
	if st.Connector != "" || st.Query != "" {
		return nil
	}
	return s.log.Trim(st.ID, before)
}
