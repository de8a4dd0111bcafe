package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"wmsql/sqlerr"
)

// servePprof answers `go tool pprof http://ADDR/debug/pprof/profile` until ctx ends. Profiles show queries and data, so
// they are for this machine only.
func servePprof(ctx context.Context, addr string, log *slog.Logger) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("--pprof %q is no address: write 127.0.0.1:6060", addr)
	}
	if !isLoopback(host) {
		return sqlerr.Newf(sqlerr.InsufficientPrivilege, "refusing to serve profiles on %s: they show queries and data", addr).
			WithHint("Use 127.0.0.1.")
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s for --pprof: %w", addr, err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = srv.Close() })
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Warn("no more profiles", "error", err)
		}
	}()
	return nil
}
