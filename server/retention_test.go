package server

import (
	"context"
	"testing"
	"time"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/internal/clock"
	"wmsql/state"
	"wmsql/types"
)

func TestRetain_RejectedRecords(t *testing.T) {
	store, err := state.Open("", state.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	now := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	s, err := New(context.Background(), store, Config{Clock: clock.NewFake(now), Manual: true})
	if err != nil {
		t.Fatal(err)
	}
	txn := store.Begin()
	for day := range 20 {
		at := now.Add(-time.Duration(day) * 24 * time.Hour)
		exec.PutRejected(txn, 20000, int64(day+1), 0, &exec.RejectedRecord{Stream: "clicks", Time: types.MicroTime(at.UnixMicro())})
	}
	if err := txn.Commit(false); err != nil {
		t.Fatal(err)
	}
	st := &catalog.Stream{Connector: "kafka", Options: map[string]string{}}
	st.ID = 20000
	count := func() (n int) {
		if err := exec.ScanRejected(store, st.ID, func(*exec.RejectedRecord) bool { n++; return true }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if err := s.retain(st); err != nil || count() != 8 {
		t.Errorf("%d days are kept by default, %v", count(), err)
	}
	st.Options["retention"] = "2 days"
	if err := s.retain(st); err != nil || count() != 3 {
		t.Errorf("%d days are kept, %v", count(), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
