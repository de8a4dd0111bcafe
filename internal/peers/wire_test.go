//go:build peers

package peers

import (
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
)

// five starts a server with a result view five(n, v) of the rows 1 to 5, v being 10 to 50.
func five(t *testing.T) *wmsql {
	t.Helper()
	s := start(t)
	s.exec(`CREATE STREAM numbers (n INT, v INT);
CREATE MATERIALIZED VIEW five AS SELECT n, sum(v) AS v FROM numbers GROUP BY n WITH (unbounded_state = 'allow');
INSERT INTO numbers VALUES (1, 10), (2, 20), (3, 30), (4, 40), (5, 50)`)
	s.exec("FLUSH")
	return s
}

const byN = "SELECT n FROM five ORDER BY n"

// A row limit suspends a portal; the next Execute goes on; the tag counts the rows of that Execute.
func TestPaging(t *testing.T) {
	s := five(t)
	connect := func(t *testing.T) *raw {
		c, _ := login(t, s.addr())
		c.t = t
		return c
	}
	t.Run("to the end and beyond", func(t *testing.T) {
		connect(t).expect("1 2 T(n) D(1) D(2) s D(3) D(4) s D(5) C(SELECT 1) C(SELECT 0) Z(I)",
			parse("", byN), bind("p", ""), describePortal("p"), execute("p", 2), execute("p", 2), execute("p", 2), execute("p", 2), syncMsg)
	})
	t.Run("limit reached exactly", func(t *testing.T) {
		connect(t).expect("1 2 D(1) D(2) s D(3) D(4) s C(SELECT 0) Z(I)",
			parse("", "SELECT n FROM five WHERE n < 5 ORDER BY n"), bind("p", ""), execute("p", 2), execute("p", 2), execute("p", 2), syncMsg)
	})
	t.Run("Sync ends a portal outside a block", func(t *testing.T) {
		connect(t).expect("1 2 D(1) D(2) s Z(I) E(34000) Z(I)", parse("", byN), bind("p", ""), execute("p", 2), syncMsg, execute("p", 2), syncMsg)
	})
	t.Run("a portal lives to the end of its block", func(t *testing.T) {
		connect(t).expect("C(BEGIN) Z(T) 1 2 D(1) D(2) s Z(T) D(3) D(4) s Z(T) D(5) C(SELECT 1) Z(T) 3 Z(T) C(COMMIT) Z(I)",
			query("BEGIN"), parse("", byN), bind("p", ""), execute("p", 2), syncMsg, execute("p", 2), syncMsg, execute("p", 0), syncMsg,
			closePortal("p"), syncMsg, query("COMMIT"))
	})
	t.Run("and past an error that a savepoint takes back, unless it was made after that", func(t *testing.T) {
		connect(t).expect("C(BEGIN) Z(T) 1 2 D(1) s Z(T) C(SAVEPOINT) Z(T) 1 2 D(1) s Z(T) E(42703@8) Z(E) E(25P02) Z(E) C(ROLLBACK) Z(T) D(2) s Z(T) E(34000) Z(E) C(ROLLBACK) Z(I)",
			query("BEGIN"), parse("", byN), bind("p", ""), execute("p", 1), syncMsg, query("SAVEPOINT a"), parse("", byN), bind("q", ""), execute("q", 1), syncMsg,
			query("SELECT nosuch"), execute("p", 1), syncMsg, query("ROLLBACK TO a"), execute("p", 1), syncMsg, execute("q", 1), syncMsg, query("ROLLBACK"))
	})
	t.Run("and no longer, when the next block begins at once", func(t *testing.T) {
		connect(t).expect("C(BEGIN) Z(T) 1 2 D(1) D(2) s Z(T) C(COMMIT) Z(T) E(34000) Z(E) C(ROLLBACK) Z(T) C(COMMIT) Z(I)",
			query("BEGIN"), parse("", byN), bind("p", ""), execute("p", 2), syncMsg, query("COMMIT AND CHAIN"), execute("p", 2), syncMsg,
			query("ROLLBACK AND CHAIN"), query("COMMIT"))
	})
}

// PREPARE and the protocol's Parse give names to statements of one kind: each runs, lists and drops those of the other.
func TestNamesOfStatements(t *testing.T) {
	s := five(t)
	c, _ := login(t, s.addr())
	c.expect("C(PREPARE) Z(I) t(23) T(n,v) Z(I) 2 D(2,20) C(SELECT 1) Z(I)", query("PREPARE said (INT) AS SELECT n, v FROM five WHERE n = $1"),
		&pgproto3.Describe{ObjectType: 'S', Name: "said"}, syncMsg, bind("", "said", "2"), execute("", 0), syncMsg)
	c.expect("1 Z(I) T(n) D(3) C(SELECT 1) Z(I)", parse("sent", "SELECT n FROM five WHERE v = $1"), syncMsg, query("EXECUTE sent(30)"))
	c.expect("T(name,parameter_types,from_sql) D(said,{integer},t) D(sent,{bigint},f) C(SELECT 2) Z(I)",
		query("SELECT name, parameter_types, from_sql FROM pg_prepared_statements ORDER BY name"))
	c.expect("E(42P05) Z(I) E(42P05) Z(I)", parse("said", "SELECT 1"), syncMsg, query("PREPARE sent AS SELECT 1"))
	c.expect("3 Z(I) E(26000) Z(I) C(DEALLOCATE) Z(I) E(26000) Z(I)", &pgproto3.Close{ObjectType: 'S', Name: "said"}, syncMsg, query("EXECUTE said(1)"),
		query("DEALLOCATE sent"), bind("", "sent", "1"), syncMsg)
}

// A binary cursor's rows are binary where the client cannot ask for a format.
func TestBinaryCursor(t *testing.T) {
	s := five(t)
	c, _ := login(t, s.addr())
	c.expect("C(BEGIN) Z(T) C(DECLARE CURSOR) Z(T) T(n) D(\x00\x00\x00\x01) C(FETCH 1) Z(T) 1 2 D(2) C(FETCH 1) Z(T) T(name,is_binary) D(c,t) C(SELECT 1) Z(T) C(COMMIT) Z(I)",
		query("BEGIN"), query("DECLARE c BINARY CURSOR FOR "+byN), query("FETCH c"), parse("", "FETCH c"), bind("", ""), execute("", 0), syncMsg,
		query("SELECT name, is_binary FROM pg_cursors"), query("COMMIT"))
}

// What a portal or a cursor has begun to read does not change under it, whatever the query commits meanwhile.
func TestPagesOfOneSnapshot(t *testing.T) {
	const rows = "SELECT n, v FROM five ORDER BY n"
	change := func(s *wmsql) {
		s.exec("INSERT INTO numbers VALUES (0, 1), (3, 1), (4, 1), (6, 1)")
		s.exec("FLUSH")
	}
	const after = "D(0,1) D(1,10) D(2,20) D(3,31) D(4,41) D(5,50) D(6,1)"
	for name, steps := range map[string]struct {
		first     []pgproto3.FrontendMessage
		want      string
		then      []pgproto3.FrontendMessage
		wantAfter string
	}{
		"portal in a block": {
			[]pgproto3.FrontendMessage{query("BEGIN"), parse("", rows), bind("p", ""), execute("p", 2), syncMsg},
			"C(BEGIN) Z(T) 1 2 D(1,10) D(2,20) s Z(T)",
			[]pgproto3.FrontendMessage{execute("p", 0), syncMsg, query("COMMIT")},
			"D(3,30) D(4,40) D(5,50) C(SELECT 3) Z(T) C(COMMIT) Z(I)",
		},
		"cursor": {
			[]pgproto3.FrontendMessage{query("BEGIN"), query("DECLARE c CURSOR FOR " + rows), query("FETCH 2 FROM c")},
			"C(BEGIN) Z(T) C(DECLARE CURSOR) Z(T) T(n,v) D(1,10) D(2,20) C(FETCH 2) Z(T)",
			[]pgproto3.FrontendMessage{query("FETCH ALL FROM c"), query("COMMIT")},
			"T(n,v) D(3,30) D(4,40) D(5,50) C(FETCH 3) Z(T) C(COMMIT) Z(I)",
		},
		"cursor held after its block": {
			[]pgproto3.FrontendMessage{query("BEGIN"), query("DECLARE c CURSOR WITH HOLD FOR " + rows), query("FETCH 2 FROM c"), query("COMMIT")},
			"C(BEGIN) Z(T) C(DECLARE CURSOR) Z(T) T(n,v) D(1,10) D(2,20) C(FETCH 2) Z(T) C(COMMIT) Z(I)",
			[]pgproto3.FrontendMessage{query("FETCH ALL FROM c")},
			"T(n,v) D(3,30) D(4,40) D(5,50) C(FETCH 3) Z(I)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := five(t)
			c, _ := login(t, s.addr())
			c.expect(steps.want, steps.first...)
			change(s)
			c.expect(steps.wantAfter, steps.then...)
			c.expect("T(n,v) "+after+" C(SELECT 7) Z(I)", query(rows))
		})
	}
	t.Run("portal in a pipeline", func(t *testing.T) {
		s := five(t)
		c, _ := login(t, s.addr())
		c.send(parse("", rows), bind("p", ""), execute("p", 2), &pgproto3.Flush{})
		if got, want := c.next(5), "1 2 D(1,10) D(2,20) s"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		change(s)
		c.expect("D(3,30) D(4,40) D(5,50) C(SELECT 3) Z(I)", execute("p", 0), syncMsg)
	})
}

// After an error everything up to Sync is dropped, a simple Query too; then comes one ReadyForQuery.
func TestErrorInAPipeline(t *testing.T) {
	s := start(t)
	selec := func(third string) []pgproto3.FrontendMessage {
		return []pgproto3.FrontendMessage{
			parse("", "SELECT 1"), bind("", ""), describePortal(""), execute("", 0),
			parse("", "SELEC 2"), bind("", ""), describePortal(""), execute("", 0),
			parse("", third), bind("", ""), execute("", 0), syncMsg,
		}
	}
	const one = "T(?column?) D(1) C(SELECT 1)"
	for _, c := range []struct {
		name, want string
		msgs       []pgproto3.FrontendMessage
	}{
		{"between statements", "1 2 " + one + " E(42601@1) Z(I) T(?column?) D(4) C(SELECT 1) Z(I)", append(selec("SELECT 3"), query("SELECT 4"))},
		{"no such statement", "E(26000) Z(I)", []pgproto3.FrontendMessage{bind("", "nope"), execute("", 0), syncMsg}},
		{"no such portal", "E(34000) Z(I)", []pgproto3.FrontendMessage{execute("nope", 0), syncMsg}},
		{"at run time", "1 2 E(22012) Z(I)", []pgproto3.FrontendMessage{
			parse("", "SELECT 1/0"), bind("", ""), execute("", 0), parse("", "SELECT 9"), bind("", ""), execute("", 0), syncMsg}},
		{"in a block", "C(BEGIN) Z(T) 1 2 " + one + " E(42601@1) Z(E) C(ROLLBACK) Z(I)",
			append(append([]pgproto3.FrontendMessage{query("BEGIN")}, selec("SELECT 3")...), query("ROLLBACK"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, _ := login(t, s.addr())
			if got := withoutPlace(conn.ask(c.msgs...), c.want); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	t.Run("drops a simple Query", func(t *testing.T) {
		c, _ := login(t, s.addr())
		c.send(parse("", "SELEC 2"), query("SELECT 5"), syncMsg)
		if got := c.ready(1); got != "E(42601@1) Z(I)" || !c.silent() {
			t.Errorf("got %s, and then something", got)
		}
	})
	t.Run("is told at once", func(t *testing.T) {
		c, _ := login(t, s.addr())
		c.send(parse("", "SELEC 2"))
		if got := c.next(1); got != "E(42601@1)" || !c.silent() {
			t.Errorf("got %s, and then something", got)
		}
		c.expect("Z(I)", syncMsg)
	})
	t.Run("nothing of the pipeline takes effect", func(t *testing.T) {
		c, _ := login(t, s.addr())
		c.expect("1 2 "+one+" E(42601@1) Z(I)", selec("CREATE STREAM after_error (v INT)")...)
		c.expect("1 2 C(CREATE STREAM) E(42601@1) Z(I)", parse("", "CREATE STREAM before_error (v INT)"), bind("", ""), execute("", 0), parse("", "SELEC 2"), syncMsg)
		s.want("SELECT relname FROM pg_class WHERE relname LIKE '%_error'", "")
	})
}

const (
	sslRequest = "0000000804d2162f"
	gssRequest = "0000000804d21630"
)

// Encryption requests are answered N, each once and in either order, and the startup goes on.
func TestEncryptionRequests(t *testing.T) {
	s := start(t)
	for _, order := range [][]string{{gssRequest, sslRequest}, {sslRequest, gssRequest}, {sslRequest}, {gssRequest}, nil} {
		c := dial(t, s.addr())
		for _, request := range order {
			b, _ := hex.DecodeString(request)
			c.write(b)
			if got := c.oneByte(); got != "N" {
				t.Errorf("%s of %v was answered %q", request, order, got)
			}
		}
		c.write(startupMessage(3 << 16))
		if got := c.ready(1); !strings.HasPrefix(got, "R S(") || !strings.HasSuffix(got, " K Z(I)") {
			t.Errorf("after %v: %s", order, got)
		}
	}
}

// A newer minor version is negotiated down; what is no Postgres client is turned away, in a line of the log at most.
func TestStrangeStartups(t *testing.T) {
	s := start(t)
	begins := func(name string, packet []byte, want string) {
		t.Helper()
		c := dial(t, s.addr())
		c.write(packet)
		if got := c.ready(1); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, map[bool]string{true: "Z(I)", false: "closed"}[want[0] == 'v']) {
			t.Errorf("%s was answered %s", name, got)
		}
	}
	begins("version 3.2", startupMessage(3<<16|2, "_pq_.x=1"), "v(00030000 _pq_.x) R S(")
	begins("version 3.9", startupMessage(3<<16|9), "v(00030002 ) R S(")
	begins("version 2.0", startupMessage(2<<16), "FATAL(0A000) closed")
	begins("HTTP", []byte("GET / HTTP/1.0\r\n\r\n"), "closed")
	begins("database nodb", startupMessage(3<<16, "database=nodb"), "FATAL(3D000) closed")
	begins("no user", startupMessage(3<<16, "user="), "FATAL(28000) closed")
	if n := strings.Count(s.out.String(), " level="); n > 4 { // the greeting has no level, and may be read later than the server answers
		t.Errorf("five strange clients made %d lines in the log:\n%s", n, s.out.String())
	}
	s.want("SELECT 1", "1")
}

// A client that stalls before it has logged in holds nobody up and is cut off.
func TestStalledStartups(t *testing.T) {
	s := start(t)
	var stalled []*raw
	for range 8 {
		c := dial(t, s.addr())
		c.write([]byte{0, 0, 0})
		stalled = append(stalled, c)
	}
	began := time.Now()
	if out := s.psql("SELECT 'through'"); !strings.Contains(out, "through") || time.Since(began) > 2*time.Second {
		t.Errorf("psql beside them took %v: %s", time.Since(began), out)
	}
	for _, c := range stalled {
		if _, err := c.conn.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) || time.Since(began) > 15*time.Second {
			t.Fatalf("a stalled connection still stood after %v: %v", time.Since(began), err)
		}
	}
}

// The greeting has every parameter that drivers wait for; SET reports the new value, and only for those.
func TestGreeting(t *testing.T) {
	s := start(t)
	c, greeting := login(t, s.addr(), "application_name=t", "client_encoding=UTF8", "extra_float_digits=2")
	for _, p := range []string{"server_version=15.", "server_encoding=UTF8)", "client_encoding=UTF8)", "application_name=t)", "DateStyle=ISO, MDY)",
		"IntervalStyle=postgres)", "TimeZone=UTC)", "integer_datetimes=on)", "standard_conforming_strings=on)", "is_superuser=on)",
		"session_authorization=wmsql)", "default_transaction_read_only=off)", "in_hot_standby=off)"} {
		if strings.Count(greeting, "S("+p) != 1 {
			t.Errorf("the greeting does not say %s once: %s", p, greeting)
		}
	}
	if n := strings.Count(greeting, "S("); n != 13 {
		t.Errorf("the greeting has %d parameters: %s", n, greeting)
	}
	for _, x := range []struct{ sql, want string }{
		{"SET TimeZone='Asia/Kolkata'", "C(SET) S(TimeZone=Asia/Kolkata)"},
		{"SET TIME ZONE 'UTC'", "C(SET) S(TimeZone=UTC)"},
		{"SET DateStyle='ISO, MDY'", "C(SET)"}, // as it was: nothing to tell
		{"SET application_name='bi'", "C(SET) S(application_name=bi)"},
		{"RESET application_name", "C(RESET) S(application_name=t)"},
		{"SET DateStyle='SQL, DMY'", "C(SET) S(DateStyle=SQL, DMY)"},
		{"RESET DateStyle", "C(RESET) S(DateStyle=ISO, MDY)"},
		{"SET IntervalStyle='iso_8601'", "C(SET) S(IntervalStyle=iso_8601)"},
		{"RESET IntervalStyle", "C(RESET) S(IntervalStyle=postgres)"},
		{"SET extra_float_digits=3", "C(SET)"},
		{"SHOW extra_float_digits", "T(extra_float_digits) D(3) C(SHOW)"},
		{"RESET extra_float_digits", "C(RESET)"},
		{"SHOW extra_float_digits", "T(extra_float_digits) D(2) C(SHOW)"},
		{"SHOW standard_conforming_strings", "T(standard_conforming_strings) D(on) C(SHOW)"},
		{"SHOW transaction_isolation", "T(transaction_isolation) D(read committed) C(SHOW)"},
		{"SHOW TRANSACTION ISOLATION LEVEL", "T(transaction_isolation) D(read committed) C(SHOW)"},
		{"SHOW timezone", "T(TimeZone) D(UTC) C(SHOW)"},
		{"SHOW TIME ZONE", "T(TimeZone) D(UTC) C(SHOW)"},
		{"SELECT current_setting('server_version_num')::int/10000 AS major", "T(major) D(15) C(SELECT 1)"},
		{"SELECT current_schema(), current_database()", "T(current_schema,current_database) D(public,wmsql) C(SELECT 1)"},
		{"SET nosuch_param=1", "E(42704)"},
		{"SHOW nosuch_param", "E(42704)"},
		{"SET TimeZone='Mars/Base'", "E(22023)"},
		{"SHOW TimeZone", "T(TimeZone) D(UTC) C(SHOW)"},
		{"SELECT version() ~ '^PostgreSQL 15\\.\\d+ .*wmsql' AS ok", "T(ok) D(t) C(SELECT 1)"},
		{"SELECT split_part(version(), ' ', 2) = current_setting('server_version') AS ok", "T(ok) D(t) C(SELECT 1)"},
		{"BEGIN; SET TimeZone='Asia/Kolkata'; ROLLBACK", "C(BEGIN) C(SET) C(ROLLBACK)"},
		{"BEGIN; SET LOCAL TimeZone='Asia/Kolkata'; SELECT 1 AS a", "C(BEGIN) C(SET) T(a) D(1) C(SELECT 1) S(TimeZone=Asia/Kolkata) Z(T)"},
		{"COMMIT", "C(COMMIT) S(TimeZone=UTC)"},
	} {
		want := x.want
		if !strings.HasSuffix(want, "Z(T)") {
			want += " Z(I)"
		}
		if got := c.ask(query(x.sql)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", x.sql, got, want)
		}
	}
	c.expect("1 2 n C(SET) S(TimeZone=Europe/Berlin) Z(I)", extended("SET TimeZone='Europe/Berlin'")...)

	c, _ = login(t, s.addr(), "options=-c statement_timeout=5s")
	c.expect("T(statement_timeout) D(5s) C(SHOW) Z(I)", query("SHOW statement_timeout"))
	_, greeting = login(t, s.addr(), "options=-c application_name=o\\ o --TimeZone=Asia/Tokyo")
	if !strings.Contains(greeting, "S(application_name=o o)") || !strings.Contains(greeting, "S(TimeZone=Asia/Tokyo)") {
		t.Errorf("options: %s", greeting)
	}
	if _, greeting = login(t, s.addr(), "nosuch_param=1"); greeting != "FATAL(42704) closed" {
		t.Errorf("an unknown parameter: %s", greeting)
	}
}

// transactions tells the status of a block after each statement.
var transactions = []struct{ sql, want string }{
	{"BEGIN", "C(BEGIN) Z(T)"},
	{"SELECT nosuch", "E(42703@8) Z(E)"},
	{"SELECT 1 AS a", "E(25P02) Z(E)"},
	{"COMMIT", "C(ROLLBACK) Z(I)"},
	{"SELECT 1 AS a", "T(a) D(1) C(SELECT 1) Z(I)"},
	{"COMMIT", "N(25P01) C(COMMIT) Z(I)"},
	{"START TRANSACTION READ ONLY", "C(START TRANSACTION) Z(T)"},
	{"END", "C(COMMIT) Z(I)"},
	{"ROLLBACK", "N(25P01) C(ROLLBACK) Z(I)"},
	{"BEGIN", "C(BEGIN) Z(T)"},
	{"SELEC 1", "E(42601@1) Z(E)"},
	{"ROLLBACK", "C(ROLLBACK) Z(I)"},
	{"BEGIN", "C(BEGIN) Z(T)"},
	{"BEGIN", "N(25001) C(BEGIN) Z(T)"},
	{"SELECT 1/0", "E(22012) Z(E)"},
	{"END", "C(ROLLBACK) Z(I)"},
}

// ReadyForQuery tells whether a block is open or failed, by either protocol.
func TestTransactionStatus(t *testing.T) {
	s := start(t)
	c, _ := login(t, s.addr())
	simple := slices.Concat(transactions, []struct{ sql, want string }{
		{"BEGIN; SELECT 1/0; SELECT 2", "C(BEGIN) E(22012) Z(E)"},
		{"ROLLBACK", "C(ROLLBACK) Z(I)"},
	})
	for _, x := range simple {
		if got := withoutPlace(c.ask(query(x.sql)), x.want); got != x.want {
			t.Errorf("simple %s\ngot  %s\nwant %s", x.sql, got, x.want)
		}
	}
	for _, x := range transactions {
		got := strings.NewReplacer("1 2 n ", "", "1 2 ", "", "T(?column?) ", "").Replace(withoutPlace(c.ask(extended(x.sql)...), x.want))
		if got != x.want {
			t.Errorf("extended %s\ngot  %s\nwant %s", x.sql, got, x.want)
		}
	}
}

// withoutPlace drops the places of errors when what is wanted has none: Postgres gives no place for an error at run time.
func withoutPlace(got, want string) string {
	if strings.Contains(want, "@") {
		return got
	}
	at := strings.Index(got, "@")
	if at < 0 {
		return got
	}
	return got[:at] + got[at+strings.Index(got[at:], ")"):]
}

// A user's mistake has Postgres's code and place, by either protocol, and is never an internal error.
func TestErrorCodes(t *testing.T) {
	s := start(t)
	s.exec("CREATE TABLE t (i INT, j INT); CREATE TABLE a (a INT); CREATE TABLE b (a INT); INSERT INTO t VALUES (0, 0)")
	c, _ := login(t, s.addr())
	for _, x := range []struct{ sql, want string }{
		{"SELECT * FROM nosuch", "42P01@15"},
		{"SELECT nosuchcol FROM t", "42703@8"},
		{"SELECT nosuchfn(1)", "42883@8"},
		{"selec 1", "42601@1"},
		{"SELECT 1/0", "22012"},
		{"SELECT i/j FROM t", "22012"},
		{"SELECT 'abc'::int", "22P02@8"},
		{"SELECT 9223372036854775807+1", "22003"},
		{"SELECT cast('2026-13-01' as timestamptz)", "22008"},
		{"SELECT i FROM t GROUP BY j", "42803@8"},
		{"SELECT sum(sum(i)) FROM t", "42803"},
		{"CREATE TABLE t (i INT)", "42P07"},
		{"CREATE STREAM t (i INT)", "42P07"},
		{"SELECT a FROM a, b", "42702@8"},
		{"SELECT 'naive é' AS x, nosuch", "42703@24"},
		{"SELECT * FROM nosuch.t", "42P01@15"},
		{"SELECT t.nosuch FROM t", "42703@8"},
		{"SELECT x.i FROM t", "42P01@8"},
		{"SELECT 1 +", "42601@11"},
		{"SELECT 'open", "42601@8"},
		{"SELECT i FROM t WHERE i", "42804@23"},
		{"SELECT 1 + 'x'::text", "42883@10"},
		{"SELECT 'x'::nosuch", "42704@13"},
		{"SELECT * FROM t LIMIT -1", "2201W"},
		{"SELECT 300::smallint * 300::smallint", "22003"},
		{"INSERT INTO t VALUES (1, 2, 3)", "42601@29"},
		{"INSERT INTO t (nosuch) VALUES (1)", "42703@16"},
		{"INSERT INTO t VALUES ('x')", "22P02@23"},
		{"DROP TABLE nosuch", "42P01"},
		{"DROP VIEW t", "42809"},
		{"SELECT (SELECT i FROM (VALUES (1), (2)) v (i))", "21000"},
		{"SELECT i FROM t UNION SELECT 'x'::text", "42804"},
		{"SELECT i, i FROM t ORDER BY 3", "42P10@29"},
		{"EXECUTE nosuch", "26000"},
		{"FETCH FROM nosuch", "34000"},
		{"SET nosuch = 1", "42704"},
	} {
		for name, got := range map[string]string{"simple": c.ask(query(x.sql)), "extended": c.ask(extended(x.sql)...)} {
			got = strings.TrimPrefix(got, "1 2 ")
			if got = withoutPlace(got, x.want); strings.Contains(got, "E(") {
				_, rest, _ := strings.Cut(got, "E(")
				got = "E(" + rest
			}
			if got != "E("+x.want+") Z(I)" {
				t.Errorf("%s %s\ngot  %s\nwant %s", name, x.sql, got, x.want)
			}
		}
	}
}
