//go:build peers

package peers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// pgxStory tells the story by pgx, with parameters and results in text, in binary and of a kept statement.
func pgxStory(t *testing.T, s *wmsql) string {
	var out strings.Builder
	say := func(act string, what ...any) {
		out.WriteString(act + ": ")
		for i, w := range what {
			if i > 0 {
				out.WriteByte('|')
			}
			fmt.Fprint(&out, w)
		}
		out.WriteByte('\n')
	}
	ctx, c := t.Context(), s.connect()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	var user, database string
	must(c.QueryRow(ctx, "SELECT current_user::text, current_database()::text").Scan(&user, &database))
	version, _, _ := strings.Cut(c.PgConn().ParameterStatus("server_version"), ".")
	say("connect", version, user, database)

	described, err := c.Prepare(ctx, "", "SELECT * FROM people")
	must(err)
	var columns []any
	for _, f := range described.Fields {
		typ, _ := c.TypeMap().TypeForOID(f.DataTypeOID)
		columns = append(columns, f.Name+" "+typ.Name)
	}
	say("reflect", columns...)

	rows, err := c.Query(ctx, "SELECT id, name, coalesce(born::text, ''), coalesce(score::text, ''), seen, tags FROM people ORDER BY id")
	must(err)
	for rows.Next() {
		var id int64
		var name, born, score, at string
		var seen *time.Time
		var tags []string
		must(rows.Scan(&id, &name, &born, &score, &seen, &tags))
		if seen != nil {
			at = seen.UTC().Format(time.RFC3339)
		}
		say("query", id, name, born, score, at, strings.Join(tags, "+"))
	}
	must(rows.Err())

	asked := func(act string, modes ...any) {
		var sum int64
		var text, twice string
		var null bool
		var later time.Time
		must(c.QueryRow(ctx, "SELECT $1::bigint + 1, $2::text || '!', $3::text IS NULL, ($4::numeric(10,2) * 2)::text, $5::timestamptz + interval '1 hour'",
			append(modes, int64(41), `it's é\`, nil, "6.25", time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))...).Scan(&sum, &text, &null, &twice, &later))
		say(act, sum, text, null, twice, later.UTC().Format(time.RFC3339))
	}
	asked("text", pgx.QueryExecModeExec, pgx.QueryResultFormats{pgx.TextFormatCode})
	asked("binary", pgx.QueryExecModeDescribeExec)
	asked("prepared", pgx.QueryExecModeCacheStatement)

	var simple int64 // the values stand in the text
	must(c.QueryRow(ctx, "SELECT $1::bigint + 1", pgx.QueryExecModeSimpleProtocol, int64(41)).Scan(&simple))
	if simple != 42 {
		t.Errorf("by the simple protocol: %d", simple)
	}

	must(pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "DECLARE pages CURSOR FOR SELECT i::bigint FROM generate_series(1, 25000) i")
		must(err)
		pages, count, sum := 0, 0, int64(0)
		for {
			rows, err := tx.Query(ctx, "FETCH 1000 FROM pages")
			must(err)
			page, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			must(err)
			if len(page) == 0 {
				break
			}
			pages, count = pages+1, count+len(page)
			for _, i := range page {
				sum += i
			}
		}
		say("paging", pages, count, sum)
		return nil
	}))

	large, err := c.Query(ctx, "SELECT repeat('x', 100) FROM generate_series(1, 200000) i")
	must(err)
	count, length := 0, 0
	for ; large.Next(); count++ {
		length += len(large.RawValues()[0])
	}
	must(large.Err())
	say("large", count, length)

	running := s.connect()
	time.AfterFunc(200*time.Millisecond, func() { _ = running.PgConn().CancelRequest(context.Background()) })
	_, err = running.Exec(ctx, "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b")
	var one int
	must(running.QueryRow(ctx, "SELECT 1").Scan(&one))
	say("cancel", fault(err).Code, one)

	const insert = "INSERT INTO people (id, name) VALUES (3, 'Emmy')"
	people := func() (n int) { must(c.QueryRow(ctx, "SELECT count(*) FROM people").Scan(&n)); return n }
	rolledBack := errors.New("no")
	_ = pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error { _, err := tx.Exec(ctx, insert); must(err); return rolledBack })
	before := people()
	must(pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, insert)
		_ = pgx.BeginFunc(ctx, tx, func(savepoint pgx.Tx) error { _, err := savepoint.Exec(ctx, insert); return err })
		return err
	}))
	say("transaction", before, people())

	_, err = c.Exec(ctx, "SELECT nosuch FROM people")
	e := fault(err)
	say("error", e.Code, e.Position, e.Message)
	_, err = c.Exec(ctx, "INSERT INTO people (id, name) VALUES ($1, 'x')", 1)
	e = fault(err)
	say("error", e.Code, e.TableName, e.ConstraintName, e.Detail)
	_, err = c.Exec(ctx, "SELECT $1::text::date", "soon")
	e = fault(err)
	say("error", e.Code, e.Message)
	return out.String()
}

func fault(err error) *pgconn.PgError {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return &pgconn.PgError{Code: "no fault: " + fmt.Sprint(err)}
	}
	return e
}
