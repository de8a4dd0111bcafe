// Package script runs whole-stack test scripts without a socket: a server over a store in memory, a clock that stands
// still, and one session. Continuous queries take a step only when a script says so. `wmsql test` and the tests of wmsql itself
// read the same scripts by it.
package script

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"wmsql/connector"
	"wmsql/internal/clock"
	"wmsql/internal/failpoint"
	"wmsql/pgwire"
	"wmsql/server"
	"wmsql/state"
)

// Start is what the clock of every script shows first: later than the rows of the scripts, none of which is to come from
// the future by chance.
var Start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// Options say how an engine runs. What a script prints does not depend on them, but for the connectors it knows.
type Options struct {
	Connectors connector.Registry
	Dir        string          // where include finds its files
	Memory     int64           // bytes that an operator of a SELECT may hold before it writes to disk; 0: any number
	Workers    int             // of a query; 0: as many as there are cores
	BatchRows  int             // of a batch that goes through the operators; 0: as they come
	Restart    bool            // after every directive that leaves no transaction open
	Crash      failpoint.Point // cut the power when micro-batches first come there, at every directive that runs some; "": never
}

// Engine is a server with one session.
type Engine struct {
	Server  *server.Server
	Session *server.Session
	Clock   *clock.Fake

	opt   Options
	fs    state.Disk
	store *state.Store
	fail  *failpoint.Set

	crashes int      // survived
	untold  *batches // of a crash that the script asked for
	set     []string // the SET statements of the script: a restart that it did not ask for keeps them
}

// New starts an engine with an empty store.
func New(o Options) (*Engine, error) {
	e := &Engine{Clock: clock.NewFake(Start), opt: o, fs: state.NewDisk(), fail: &failpoint.Set{}, untold: newBatches()}
	return e, e.open()
}

func (e *Engine) open() error {
	var err error
	if e.store, err = state.Open("data", state.Options{FS: e.fs}); err != nil {
		return err
	}
	log := newStartLog()
	e.Server, err = server.New(context.Background(), e.store, server.Config{
		Connectors: e.opt.Connectors, Clock: e.Clock, Version: "test", Manual: true, ByHand: true, Log: slog.New(log), Fail: e.fail,
		Memory: e.opt.Memory, Workers: e.opt.Workers, BatchRows: e.opt.BatchRows, StoreColumns: 1, SyncEvery: time.Hour, // what a cut of the power loses must not hang on how fast the test runs
	})
	if err != nil {
		return err
	}
	if err := log.err(); err != nil {
		return err
	}
	e.Session, err = e.Server.Session(pgwire.Startup{User: "wmsql", Database: "wmsql"})
	return err
}

// Restart stops the server as SIGTERM does and starts it again on the same store.
func (e *Engine) Restart() error {
	if err := e.Close(); err != nil {
		return err
	}
	return e.open()
}

// resume gives the session of a server that was started again, without the script asking for it, the settings it had.
func (e *Engine) resume() error {
	for _, text := range e.set {
		if out := e.Exec(text); out != "SET\n" {
			return fmt.Errorf("%s after a restart: %s", text, out)
		}
	}
	return nil
}

// Close stops the server.
func (e *Engine) Close() error {
	if err := e.Session.Close(); err != nil {
		return err
	}
	if err := e.Server.Close(); err != nil {
		return err
	}
	return e.store.Close()
}
