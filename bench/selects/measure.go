package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// result is what came of a measurement: speed is larger when it is better.
type result struct {
	shown  string
	speed  float64
	cpu    float64 // seconds of the server for one query
	answer string  // of the query: the same on both servers
}

// measurement is one line of the table.
type measurement struct {
	name  string
	point bool // CPU time is told in microseconds
	run   func(context.Context, *peer) (result, error)
}

func (m *measurement) cpu(r result) string {
	if m.point {
		return fmt.Sprintf("%.0f µs", r.cpu*1e6)
	}
	return fmt.Sprintf("%.2f s", r.cpu)
}

// alternate measures all peers in turns and returns the best result of each: other work on the machine disturbs all alike.
func alternate(ctx context.Context, m measurement, peers []*peer, rounds int) ([]result, error) {
	best := make([]result, len(peers))
	for range rounds {
		for i, p := range peers {
			r, err := m.run(ctx, p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			if r.speed < best[i].speed {
				r.speed, r.shown = best[i].speed, best[i].shown
			}
			if best[i].cpu > 0 {
				r.cpu = min(r.cpu, best[i].cpu)
			}
			best[i] = r
		}
	}
	return best, nil
}

func measurements(keys int, length time.Duration) []measurement {
	point := func(mode pgx.QueryExecMode, clients int) func(context.Context, *peer) (result, error) {
		return func(ctx context.Context, p *peer) (result, error) {
			return points(ctx, p, mode, clients, keys, length)
		}
	}
	const (
		group = "SELECT grp, count(*), sum(amount) FROM facts GROUP BY grp ORDER BY grp"
		join  = "SELECT d.kind, count(*), sum(f.amount) FROM facts f JOIN dims d ON f.key = d.key GROUP BY d.kind ORDER BY d.kind"
	)
	return []measurement{
		{"point SELECT, prepared, 1 connection", true, point(pgx.QueryExecModeCacheStatement, 1)},
		{"point SELECT, prepared, 8 connections", true, point(pgx.QueryExecModeCacheStatement, 8)},
		{"point SELECT, unnamed statement, 1 connection", true, point(pgx.QueryExecModeExec, 1)},
		{"point SELECT, unnamed statement, 8 connections", true, point(pgx.QueryExecModeExec, 8)},
		{"point SELECT, simple protocol, 1 connection", true, point(pgx.QueryExecModeSimpleProtocol, 1)},
		{"point SELECT, simple protocol, 8 connections", true, point(pgx.QueryExecModeSimpleProtocol, 8)},
		{"read the result, pgx", false, timed(readPgx)},
		{"read the result, psql SELECT", false, timed(readPsql("SELECT user_id, n, total FROM totals"))},
		{"read the result, psql COPY", false, timed(readPsql("COPY (SELECT user_id, n, total FROM totals) TO STDOUT"))},
		{"GROUP BY, again", false, timed(query(group))},
		{"GROUP BY, a row has changed", false, changed(timed(query(group)))},
		{"join, again", false, timed(query(join))},
		{"join, a row has changed", false, changed(timed(query(join)))},
	}
}

// changed changes a row of the large table before each run, in the same way on all servers.
func changed(run func(context.Context, *peer) (result, error)) func(context.Context, *peer) (result, error) {
	return func(ctx context.Context, p *peer) (result, error) {
		c, err := pgx.Connect(ctx, p.url)
		if err != nil {
			return result{}, err
		}
		defer c.Close(ctx)
		if _, err := c.Exec(ctx, "UPDATE facts SET amount = 1 - amount WHERE id = 5"); err != nil {
			return result{}, err
		}
		return run(ctx, p)
	}
}

// timed measures one run of f.
func timed(f func(context.Context, *peer) (string, error)) func(context.Context, *peer) (result, error) {
	return func(ctx context.Context, p *peer) (result, error) {
		cpu, start := p.cpu(), time.Now()
		answer, err := f(ctx, p)
		took := time.Since(start)
		return result{fmt.Sprintf("%.3f s", took.Seconds()), 1 / took.Seconds(), p.cpu() - cpu, answer}, err
	}
}

// points reads single rows by key from so many connections.
func points(ctx context.Context, p *peer, mode pgx.QueryExecMode, clients, keys int, length time.Duration) (result, error) {
	took := make([][]time.Duration, clients)
	errs := make([]error, clients)
	var wg sync.WaitGroup
	cpu, start := p.cpu(), time.Now()
	for i := range clients {
		wg.Go(func() { took[i], errs[i] = client(ctx, p, mode, uint64(i), keys, start.Add(length)) })
	}
	wg.Wait()
	all := slices.Concat(took...)
	for _, err := range errs {
		if err != nil {
			return result{}, err
		}
	}
	slices.Sort(all)
	rate := float64(len(all)) / time.Since(start).Seconds()
	return result{fmt.Sprintf("%.0f /s, p99 %d µs", rate, all[len(all)*99/100].Microseconds()), rate, (p.cpu() - cpu) / float64(len(all)), ""}, nil
}

func client(ctx context.Context, p *peer, mode pgx.QueryExecMode, seed uint64, keys int, until time.Time) ([]time.Duration, error) {
	c, err := pgx.Connect(ctx, p.url)
	if err != nil {
		return nil, err
	}
	defer c.Close(ctx)
	rng := rand.New(rand.NewPCG(seed, 1))
	var took []time.Duration
	for last := time.Now(); last.Before(until); {
		var n int64
		var total string
		key := rng.Int64N(int64(keys)) + 1
		if err := c.QueryRow(ctx, "SELECT n, total::text FROM totals WHERE user_id = $1", mode, key).Scan(&n, &total); err != nil {
			return nil, err
		}
		now := time.Now()
		took = append(took, now.Sub(last))
		last = now
	}
	return took, nil
}

// readPgx reads the whole result into Go values.
func readPgx(ctx context.Context, p *peer) (string, error) {
	c, err := pgx.Connect(ctx, p.url)
	if err != nil {
		return "", err
	}
	defer c.Close(ctx)
	rows, err := c.Query(ctx, "SELECT user_id, n FROM totals")
	if err != nil {
		return "", err
	}
	var id, n, count, sum int64
	_, err = pgx.ForEachRow(rows, []any{&id, &n}, func() error { count, sum = count+1, sum+id*n; return nil })
	return fmt.Sprint(count, sum), err
}

// readPsql has psql read rows and write them to nowhere.
func readPsql(text string) func(context.Context, *peer) (string, error) {
	return func(ctx context.Context, p *peer) (string, error) {
		cmd := exec.CommandContext(ctx, "psql", "-XAtq", "-c", text, p.url)
		var size counter
		cmd.Stdout = &size
		err := cmd.Run()
		return fmt.Sprint(size), err
	}
}

// counter counts bytes.
type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

var _ io.Writer = (*counter)(nil)

// query runs a query with few rows.
func query(text string) func(context.Context, *peer) (string, error) {
	return func(ctx context.Context, p *peer) (string, error) {
		c, err := pgx.Connect(ctx, p.url)
		if err != nil {
			return "", err
		}
		defer c.Close(ctx)
		rows, err := c.Query(ctx, text)
		if err != nil {
			return "", err
		}
		var a, b, d, sum int64
		_, err = pgx.ForEachRow(rows, []any{&a, &b, &d}, func() error { sum += a*31 + b*17 + d; return nil })
		return fmt.Sprint(sum), err
	}
}
