// Command selects measures SELECTs on wmsql and on Postgres, one after the other, and prints the lines of a table in Markdown.
//
//	selects [-rows N] [-keys N] [-seconds S] [-rounds N] [-only PATTERN] WMSQL-URL POSTGRES-URL
//
// It makes the tables first, and skips what is there already. With -rounds 0 it does nothing else.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

func main() {
	rows := flag.Int("rows", 10_000_000, "rows of the large table")
	keys := flag.Int("keys", 1_000_000, "keys of the result view, and rows of the small table")
	seconds := flag.Int("seconds", 5, "length of a measurement of point SELECTs")
	wmsqlPID := flag.Int("wmsql-pid", 0, "process of wmsql, whose CPU time is told; 0: it is not")
	postgresPID := flag.Int("postgres-pid", 0, "process of Postgres's postmaster")
	rounds := flag.Int("rounds", 5, "how often each server is measured, in turns; the best counts")
	only := flag.String("only", ".", "run only the measurements that match this pattern")
	flag.Parse()
	if flag.NArg() != 2 {
		log.Fatal("usage: selects [flags] WMSQL-URL POSTGRES-URL")
	}
	ctx := context.Background()
	peers := []*peer{{name: "wmsql", url: flag.Arg(0), pid: *wmsqlPID, continuous: true}, {name: "Postgres", url: flag.Arg(1), pid: *postgresPID}}
	for _, p := range peers {
		if err := p.prepare(ctx, *rows, *keys); err != nil {
			log.Fatalf("%s: %v", p.name, err)
		}
	}
	pattern := regexp.MustCompile(*only)
	if *rounds == 0 {
		return
	}
	for _, m := range measurements(*keys, time.Duration(*seconds)*time.Second/time.Duration(*rounds)) {
		if !pattern.MatchString(m.name) {
			continue
		}
		got, err := alternate(ctx, m, peers, *rounds)
		if err != nil {
			log.Fatalf("%s: %v", m.name, err)
		}
		if got[0].answer != got[1].answer {
			log.Fatalf("%s: wmsql answers %s, Postgres %s", m.name, got[0].answer, got[1].answer)
		}
		fmt.Printf("| %s | %s | %s | %.2f | %s | %s | %.2f |\n", m.name, got[0].shown, got[1].shown, got[0].speed/got[1].speed,
			m.cpu(got[0]), m.cpu(got[1]), got[1].cpu/got[0].cpu)
	}
}

// peer is a server that is measured.
type peer struct {
	name, url  string
	pid        int
	continuous bool // it has streams: the result is kept by a materialized view
}

// prepare makes the tables.
func (p *peer) prepare(ctx context.Context, rows, keys int) error {
	c, err := pgx.Connect(ctx, p.url)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	var there int
	if err := c.QueryRow(ctx, "SELECT count(*) FROM pg_class WHERE relname = 'totals_done'").Scan(&there); err != nil || there == 1 {
		return err
	}
	script := tables
	if p.continuous {
		script = view + script
	} else {
		script = resultTable + script
	}
	script = strings.NewReplacer(":keys", fmt.Sprint(keys)).Replace(script)
	for text := range strings.SplitSeq(script, ";\n") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if _, err := c.Exec(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	const part = 500_000
	for lo := 1; lo <= rows; lo += part {
		_, err := c.Exec(ctx, fmt.Sprintf("INSERT INTO facts SELECT i, i::bigint * 7919 %% 1000, i::bigint * 104729 %% %d + 1, i %% 1000 FROM generate_series(%d, %d) i",
			keys, lo, min(lo+part-1, rows)))
		if err != nil {
			return err
		}
	}
	if !p.continuous {
		if _, err := c.Exec(ctx, "VACUUM ANALYZE"); err != nil {
			return err
		}
	}
	_, err = c.Exec(ctx, "CREATE TABLE totals_done (a INT)")
	return err
}

// view is the result of a materialized view that runs, resultTable the same rows in Postgres.
const (
	view = `
CREATE STREAM clicks (user_id BIGINT, amount BIGINT);
SET wmsql.unbounded_state = 'allow';
CREATE MATERIALIZED VIEW totals AS SELECT user_id, count(*) AS n, sum(amount) AS total FROM clicks GROUP BY user_id;
INSERT INTO clicks SELECT i, i % 100 FROM generate_series(1, :keys) i;
FLUSH;
`
	resultTable = `
CREATE TABLE totals (user_id BIGINT PRIMARY KEY, n BIGINT, total NUMERIC);
INSERT INTO totals SELECT i, 1, i % 100 FROM generate_series(1, :keys) i;
`
	tables = `
CREATE TABLE facts (id BIGINT PRIMARY KEY, grp INT, key INT, amount INT);
CREATE TABLE dims (key INT PRIMARY KEY, kind INT);
INSERT INTO dims SELECT i, i % 100 FROM generate_series(1, :keys) i;
`
)
