package server

import (
	"context"
	"testing"
	"time"

	"wmsql/internal/clock"
	"wmsql/pgwire"
	"wmsql/sqlerr"
	"wmsql/state"
)

// While one INSERT waits for space, everybody else is told at once that the disk is full, DDL too; all goes on when there is space.
func TestDiskFull_NobodyElseWaits(t *testing.T) {
	disk := state.NewFullableDisk()
	store, err := state.Open("data", state.Options{FS: disk})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(context.Background(), store, Config{Clock: clock.NewFake(time.Unix(0, 0)), Manual: true})
	if err != nil {
		t.Fatal(err)
	}
	exec := func(text string) error {
		session, err := s.Session(pgwire.Startup{User: "wmsql", Database: "wmsql"})
		if err != nil {
			return err
		}
		defer func() { _ = session.Close() }()
		return execSimple(session, text)
	}
	if err := exec("CREATE STREAM s (a INT)"); err != nil {
		t.Fatal(err)
	}
	disk.Fill(true)
	first := make(chan error, 1)
	go func() { first <- exec("INSERT INTO s VALUES (1)") }()
	for store.Writable() == nil {
		time.Sleep(time.Millisecond)
	}
	for _, text := range []string{"INSERT INTO s VALUES (2)", "CREATE TABLE t (a INT)", "DROP STREAM s"} {
		done := make(chan error, 1)
		go func() { done <- exec(text) }()
		select {
		case err := <-done:
			if err == nil || sqlerr.From(err).Code != sqlerr.DiskFull {
				t.Errorf("%s: %v", text, err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s waits", text)
		}
	}
	disk.Fill(false)
	if err := <-first; err != nil {
		t.Errorf("the INSERT that waited: %v", err)
	}
	if err := exec("DROP STREAM s"); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// execSimple runs a text of statements as a simple query and drops its rows.
func execSimple(s *Session, text string) error {
	ctx := context.Background()
	list, err := s.Parse(text)
	if err != nil {
		return err
	}
	s.Simple(len(list))
	for _, p := range list {
		if err = runOne(ctx, s, p); err != nil {
			break
		}
	}
	if err2 := s.Sync(ctx, err); err == nil {
		err = err2
	}
	return err
}

func runOne(ctx context.Context, s *Session, p pgwire.Parsed) error {
	st, err := s.Prepare(ctx, p, nil)
	if err != nil {
		return err
	}
	r, err := st.Run(ctx, nil)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		if b, err := r.Next(ctx); b == nil || err != nil {
			return err
		}
	}
}
