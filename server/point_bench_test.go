package server

import (
	"context"
	"fmt"
	"testing"
	"time"

	"wmsql/internal/clock"
	"wmsql/pgwire"
	"wmsql/state"
)

// BenchmarkPointSelect reads a row by its key, with the key in the text, from a server without a socket.
func BenchmarkPointSelect(b *testing.B) {
	s := benchSession(b)
	if err := execSimple(s, `CREATE TABLE totals (user_id BIGINT PRIMARY KEY, n BIGINT, total NUMERIC);
		INSERT INTO totals SELECT i, 1, i % 100 FROM generate_series(1, 1000) i`); err != nil {
		b.Fatal(err)
	}
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = fmt.Sprintf("SELECT n, total::text FROM totals WHERE user_id = %d", i+1)
	}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		i++
		if err := execSimple(s, texts[i%len(texts)]); err != nil {
			b.Fatal(err)
		}
	}
}

func benchSession(b *testing.B) *Session {
	store, err := state.Open("", state.Options{InMemory: true})
	if err != nil {
		b.Fatal(err)
	}
	srv, err := New(context.Background(), store, Config{Clock: clock.NewFake(time.Unix(0, 0)), Manual: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = srv.Close(), store.Close() })
	s, err := srv.Session(pgwire.Startup{User: "wmsql", Database: "wmsql"})
	if err != nil {
		b.Fatal(err)
	}
	return s
}
