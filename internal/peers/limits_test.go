//go:build peers

package peers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A value of 100 MB goes in and comes out by every way that clients have.
func TestLargeValues(t *testing.T) {
	const size = 100_000_000
	s := start(t)
	s.exec("CREATE TABLE large (way TEXT, v TEXT)")
	value := bytes.Repeat([]byte("0123456789abcde\n"), size/16)
	sum := sha256.Sum256(value)
	want := hex.EncodeToString(sum[:])
	c, ctx := s.connect(), t.Context()
	if _, err := c.Exec(ctx, "INSERT INTO large VALUES ($1, $2)", "pgx parameter", string(value)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CopyFrom(ctx, pgx.Identifier{"large"}, []string{"way", "v"}, pgx.CopyFromRows([][]any{{"pgx COPY", string(value)}})); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "large.sql")
	if err := os.WriteFile(file, slicesOf("INSERT INTO large VALUES ('psql literal', '", value, "');\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := s.psql("\\i " + file + "\n"); !strings.Contains(out, "INSERT 0 1") {
		t.Fatalf("psql: %s", tail(out, 1000))
	}
	csv := filepath.Join(t.TempDir(), "large.csv")
	if err := os.WriteFile(csv, slicesOf("psql copy,\"", value, "\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := s.psql("\\copy large from " + csv + " csv\n"); !strings.Contains(out, "COPY 1") {
		t.Fatalf("psql: %s", tail(out, 1000))
	}
	for _, way := range []string{"pgx parameter", "pgx COPY", "psql literal", "psql copy"} {
		r := c.PgConn().ExecParams(ctx, "SELECT v FROM large WHERE way = $1", [][]byte{[]byte(way)}, nil, nil, nil).Read()
		if r.Err != nil || len(r.Rows) != 1 {
			t.Fatal(way, r.Err)
		}
		got := r.Rows[0][0]
		if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s: %d bytes came back as others", way, len(got))
		}
	}
	psql := exec.Command("sh", "-c", "psql -XAt -c \"SELECT v FROM large WHERE way = 'psql literal'\" '"+s.url()+"' | head -c -1 | sha256sum")
	if out, err := psql.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("psql read %v %s", err, out)
	}
}

func slicesOf(before string, value []byte, behind string) []byte {
	return append(append([]byte(before), value...), behind...)
}

// Beyond the limits a client is told so, and goes on.
func TestLargeValues_Refused(t *testing.T) {
	s := start(t)
	c, ctx := s.connect(), t.Context()
	refused := func(what string, err error) {
		t.Helper()
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "54000" {
			t.Errorf("%s: %v", what, err)
		}
		var one int
		if err := c.QueryRow(ctx, "SELECT 1").Scan(&one); err != nil {
			t.Fatalf("after %s: %v", what, err)
		}
	}
	value := strings.Repeat("x", 300_000_000)
	_, err := c.Exec(ctx, "SELECT length($1::text)", value)
	refused("a parameter", err)
	_, err = c.PgConn().Exec(ctx, "SELECT '"+value+"'").ReadAll()
	refused("a literal", err)
	s.exec("CREATE TABLE t (v TEXT)")
	_, err = c.PgConn().CopyFrom(ctx, strings.NewReader(value), "COPY t FROM STDIN")
	refused("a line of COPY", err)
	_, err = c.PgConn().Exec(ctx, "SELECT repeat('x', 400000000) AS a, repeat('y', 400000000) AS b, repeat('z', 400000000) AS c").ReadAll()
	refused("a row", err)
}

// statement_timeout ends a COPY that waits for its client, and each Execute of a portal, but not the time between them.
func TestStatementTimeout(t *testing.T) {
	s := five(t)
	s.exec("CREATE TABLE t (v INT)")
	c, _ := login(t, s.addr())
	c.expect("C(SET) Z(I)", query("SET statement_timeout = '300ms'"))
	c.send(query("COPY t FROM STDIN"), &pgproto3.CopyData{Data: []byte("1\n")})
	if got := c.ready(1); !strings.HasSuffix(got, "E(57014) Z(I)") {
		t.Errorf("COPY FROM: %s", got)
	}
	c.expect("T(count) D(0) C(SELECT 1) Z(I)", query("SELECT count(*) FROM t"))

	const hours = "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"
	if got := c.ask(query("COPY (" + hours + ") TO STDOUT")); !strings.HasSuffix(got, "E(57014) Z(I)") {
		t.Errorf("COPY TO: %s", got)
	}
	c.expect("1 2 E(57014) Z(I)", parse("", hours), bind("", ""), execute("", 0), syncMsg)
	c.expect("C(BEGIN) Z(T) 1 2 D(1) s Z(T)", query("BEGIN"), parse("", byN), bind("p", ""), execute("p", 1), syncMsg)
	time.Sleep(500 * time.Millisecond)
	c.expect("D(2) s Z(T)", execute("p", 1), syncMsg)
	c.expect("C(DECLARE CURSOR) Z(T) T(count) E(57014) Z(E) C(ROLLBACK) Z(I)", query("DECLARE c CURSOR FOR "+hours), query("FETCH c"), query("ROLLBACK"))
	c.expect("C(SET) Z(I) T(pg_sleep) D() C(SELECT 1) Z(I)", query("SET statement_timeout = 0"), query("SELECT pg_sleep(0.4)"))
}

// Temporary tables go with their session, however that ends, and with the server when it is killed.
func TestTemporaryTablesGo(t *testing.T) {
	s := start(t)
	left := func() string {
		return strings.TrimSpace(s.query("SELECT count(*) FROM pg_class WHERE relname LIKE 'mine%'; SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'pg_temp%'"))
	}
	open := func() *pgx.Conn {
		c, err := pgx.Connect(context.Background(), s.url())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Exec(t.Context(), "CREATE TEMP TABLE mine (v INT PRIMARY KEY); INSERT INTO mine SELECT generate_series(1, 1000); CREATE TEMP VIEW mine_too AS SELECT * FROM mine; CREATE TEMP SEQUENCE mine_three",
			pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatal(err)
		}
		return c
	}
	gone := func(how string) {
		t.Helper()
		eventually(t, 10*time.Second, func() string {
			if got := left(); got != "0\n0" {
				return how + ": left are " + got
			}
			return ""
		})
	}
	c := open()
	if got := left(); got == "0\n0" {
		t.Fatal("there is nothing to go")
	}
	_ = c.Close(context.Background())
	gone("closed")
	c = open()
	_ = c.PgConn().Conn().Close()
	gone("cut")
	c = open()
	s.exec(fmt.Sprintf("SELECT pg_terminate_backend(%d)", c.PgConn().PID()))
	gone("terminated")
	open()
	s.end(syscall.SIGKILL)
	s.run()
	gone("killed")
	s.exec("CREATE TEMP TABLE mine (v INT PRIMARY KEY); INSERT INTO mine VALUES (1)")
}
