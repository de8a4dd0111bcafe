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
	answer string // of the query: the same on both servers
}

// measurement is one line of the table.
type measurement struct {
	name string
	run  func(context.Context, *peer) (result, error)
}

func measurements(keys int, length time.Duration) []measurement {
	point := func(clients int) func(context.Context, *peer) (result, error) {
		return func(ctx context.Context, p *peer) (result, error) { return points(ctx, p, clients, keys, length) }
	}
	return []measurement{
		{"point SELECT, 1 connection", point(1)},
		{"point SELECT, 8 connections", point(8)},
		{"read the result, pgx", best(readPgx)},
		{"read the result, psql SELECT", best(readPsql("SELECT user_id, n, total FROM totals"))},
		{"read the result, psql COPY", best(readPsql("COPY (SELECT user_id, n, total FROM totals) TO STDOUT"))},
		{"GROUP BY", best(query("SELECT grp, count(*), sum(amount) FROM facts GROUP BY grp ORDER BY grp"))},
		{"join", best(query("SELECT d.kind, count(*), sum(f.amount) FROM facts f JOIN dims d ON f.key = d.key GROUP BY d.kind ORDER BY d.kind"))},
	}
}

// rounds is how often a query runs; the best time counts, so caches are warm.
const rounds = 5

func best(f func(context.Context, *peer) (string, error)) func(context.Context, *peer) (result, error) {
	return func(ctx context.Context, p *peer) (result, error) {
		least := time.Duration(0)
		var answer string
		for range rounds {
			start := time.Now()
			var err error
			if answer, err = f(ctx, p); err != nil {
				return result{}, err
			}
			if took := time.Since(start); least == 0 || took < least {
				least = took
			}
		}
		return result{fmt.Sprintf("%.3f s", least.Seconds()), 1 / least.Seconds(), answer}, nil
	}
}

// points reads single rows by key from so many connections.
func points(ctx context.Context, p *peer, clients, keys int, length time.Duration) (result, error) {
	took := make([][]time.Duration, clients)
	errs := make([]error, clients)
	var wg sync.WaitGroup
	start := time.Now()
	for i := range clients {
		wg.Go(func() { took[i], errs[i] = client(ctx, p, uint64(i), keys, start.Add(length)) })
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
	return result{fmt.Sprintf("%.0f /s, p99 %d µs", rate, all[len(all)*99/100].Microseconds()), rate, ""}, nil
}

func client(ctx context.Context, p *peer, seed uint64, keys int, until time.Time) ([]time.Duration, error) {
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
		if err := c.QueryRow(ctx, "SELECT n, total::text FROM totals WHERE user_id = $1", key).Scan(&n, &total); err != nil {
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
