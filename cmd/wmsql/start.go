package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"wmsql/internal/clock"
	"wmsql/pgwire"
	"wmsql/server"
	"wmsql/sqlerr"
	"wmsql/state"
)

// defaultListen is not Postgres's own port, so that both can run on one machine.
const defaultListen = "127.0.0.1:5439"

// startOptions are the flags of start.
type startOptions struct {
	data, listen, memory, fileRoot, logLevel, pprof string
	security                                        security
}

func startCommand() *cobra.Command {
	o := &startOptions{}
	c := &cobra.Command{
		Use:   "start",
		Short: "Start a server",
		Long: `Start a server over a data directory, which is created when it is missing.

Every flag can also be given as an environment variable: WMSQL_DATA, WMSQL_LISTEN, WMSQL_MEMORY, ...
The server ends cleanly on SIGTERM and Ctrl-C; killed at any moment, it goes on where it was.`,
		Example: `  wmsql start --data ./data
  wmsql start --data /var/lib/wmsql --listen 127.0.0.1:6000 --memory 4GiB
  psql -h 127.0.0.1 -p 5439 -U wmsql -d wmsql`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return o.run(ctx, cmd.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&o.data, "data", "wmsql-data", "data directory")
	f.StringVar(&o.listen, "listen", defaultListen, "address and port to listen on")
	f.StringVar(&o.memory, "memory", "60%", "memory to use: 4GiB, 512MB, or a share of the machine")
	f.StringVar(&o.fileRoot, "file-root", "", "directory below which connector 'file' may read; empty: nowhere")
	f.StringVar(&o.logLevel, "log-level", "info", "what to log to standard error: debug, info, warn, error")
	f.StringVar(&o.pprof, "pprof", "", "serve Go profiles over HTTP at this local address, such as 127.0.0.1:6060; empty: no")
	o.security.flags(f)
	return c
}

func (o *startOptions) run(ctx context.Context, out io.Writer) error {
	log, err := logger(o.logLevel)
	if err != nil {
		return err
	}
	if err := o.security.check(); err != nil {
		return err
	}
	wire, err := o.security.wire(log)
	if err != nil {
		return err
	}
	budget, err := memoryBudget(o.memory)
	if err != nil {
		return err
	}
	limitMemory(budget)
	if o.pprof != "" {
		if err := servePprof(ctx, o.pprof, log); err != nil {
			return err
		}
	}
	l, err := listen(o.listen, &o.security)
	if err != nil {
		return err
	}
	defer l.Close()
	if info, err := os.Stat(o.fileRoot); o.fileRoot != "" && (err != nil || !info.IsDir()) {
		log.Warn("--file-root is no directory: streams with connector 'file' cannot be read", "file-root", o.fileRoot)
	}
	store, err := state.Open(o.data, state.Options{Memory: budget / 4, Warn: log.Warn, Version: version})
	if err != nil {
		return err
	}
	e := &engine{store: store, log: log, wire: wire, listener: l}
	return e.serve(ctx, server.Config{
		Connectors: connectors(o.fileRoot), Clock: clock.Real{}, Log: log, Version: version, Memory: budget / 4,
		Settings: map[string]string{"data_directory": o.data},
	}, func() { fmt.Fprint(out, greeting(l.Addr(), "data in "+o.data, o.security.user())) })
}

// greeting tells where the server listens, and how psql on this machine gets there as user.
func greeting(addr net.Addr, where, user string) string {
	host, port, _ := net.SplitHostPort(addr.String())
	if net.ParseIP(host).IsUnspecified() {
		host = "127.0.0.1"
	}
	return fmt.Sprintf("wmsql %s listens on %s, %s\n  psql -h %s -p %s -U %s -d wmsql\n", version, addr, where, host, port, user)
}

func logger(level string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("--log-level %q: use debug, info, warn or error", level)
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: l})), nil
}

// listen opens the port.
func listen(addr string, who *security) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--listen %q is no address: write 127.0.0.1:5439", addr)
	}
	if err := who.mayListen(addr, host); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, sqlerr.Newf(sqlerr.ObjectInUse, "another program listens on %s already", addr).
			WithHint("Stop it, or choose another port with --listen.")
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	return l, nil
}

// engine is a server with what it stands on.
type engine struct {
	store    *state.Store
	log      *slog.Logger
	listener net.Listener
	wire     pgwire.Config
}

// serve answers clients until ctx ends, then closes everything in order. ready is called when clients can connect.
func (e *engine) serve(ctx context.Context, cfg server.Config, ready func()) error {
	_, port, _ := net.SplitHostPort(e.listener.Addr().String())
	cfg.Settings["port"] = port
	srv, err := server.New(ctx, e.store, cfg)
	if err != nil {
		return errors.Join(err, e.store.Close())
	}
	if e.wire.Auth == pgwire.AuthPassword && !srv.CanLogIn() {
		e.log.Warn("no role has a password, so nobody can connect: start with --auth trust, and CREATE ROLE ... SUPERUSER LOGIN PASSWORD '...'")
	}
	ready()
	defer context.AfterFunc(ctx, e.store.StopWaiting)()
	err = pgwire.Serve(ctx, e.listener, srv, e.wire)
	return errors.Join(err, srv.Close(), e.store.Close())
}
