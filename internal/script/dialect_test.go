package script

import "testing"

// TestDialect runs the scripts whose values come from Postgres 15.
func TestDialect(t *testing.T) { corpus(t, "dialect", Options{}, NewVerbs()) }

// TestServer runs the scripts of statements about the server: definitions, transactions, settings, catalog tables.
func TestServer(t *testing.T) { corpus(t, "server", Options{}, NewVerbs()) }

// TestStream runs the scripts of streams.
func TestStream(t *testing.T) { corpus(t, "stream", Options{}, NewVerbs()) }

// TestDialect_Spilled runs them with memory for a few rows: what operators cannot hold goes through files, and the rows are the same.
func TestDialect_Spilled(t *testing.T) {
	corpus(t, "dialect", Options{Memory: 2 << 10, Workers: 2}, NewVerbs())
}
