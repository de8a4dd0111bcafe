//go:build peers

package peers

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const people = `CREATE TABLE people (id BIGINT PRIMARY KEY, name TEXT NOT NULL, born DATE, score DOUBLE PRECISION, seen TIMESTAMPTZ);
INSERT INTO people VALUES (1, 'Ada', '1815-12-10', 1.5, '2026-03-01 12:00:00+00'), (2, 'Kurt', NULL, NULL, NULL),
 (3, 'Emmy', '1882-03-23', 2.5, '2026-03-01 13:00:00+00'), (4, 'Alan', NULL, 3.5, NULL), (5, 'Grace', NULL, 4.5, NULL);`

// mainJob is a stream, its watermark and a windowed view, over psql alone.
const mainJob = `CREATE STREAM clicks (page TEXT NOT NULL, event_time TIMESTAMPTZ, WATERMARK FOR event_time AS event_time - INTERVAL '10' MINUTE);
CREATE MATERIALIZED VIEW page_clicks AS
SELECT window_start, window_end, page, count(*) AS clicks
FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end, page
EMIT ON WINDOW CLOSE;
CREATE VIEW busy AS SELECT page, sum(clicks) AS clicks FROM page_clicks GROUP BY page;
`

// psql does the main job and its backslash commands print no error.
func TestPsql(t *testing.T) {
	s := start(t)
	out := s.psql(mainJob + people + `
INSERT INTO clicks VALUES ('home', '2026-03-01 12:01:00+00'), ('home', '2026-03-01 12:02:00+00'), ('cart', '2026-03-01 12:16:00+00');
FLUSH;
INSERT INTO clicks VALUES ('home', '2026-03-01 12:03:00+00');
FLUSH;
SELECT * FROM page_clicks;
SELECT rows_late FROM wm_catalog.queries WHERE name = 'page_clicks';
EXPLAIN SELECT window_start, page, count(*) FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, page;
`)
	for _, want := range []string{"CREATE STREAM", "CREATE MATERIALIZED VIEW", "CREATE VIEW", "CREATE TABLE", "INSERT 0 3", "FLUSH",
		" 2026-03-01 12:00:00+00 | 2026-03-01 12:05:00+00 | home |      2", "EventTimeWatermark"} {
		if !strings.Contains(out, want) {
			t.Errorf("psql did not print %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "ERROR") {
		t.Errorf("psql printed an error:\n%s", out)
	}
	for cmd, want := range map[string]string{
		`\d`: "page_clicks", `\d people`: `"people_pkey" PRIMARY KEY`, `\d page_clicks`: "window_start", `\d+ page_clicks`: "TUMBLE",
		`\d busy`: "numeric", `\d+ busy`: "page_clicks", `\d clicks`: "event_time", `\d+ people`: "double precision",
		`\dt`: "people", `\dv`: "busy", `\dm`: "page_clicks", `\l`: "wmsql", `\dn`: "public", `\du`: "wmsql", `\df nosuch`: "List of functions",
		`\dT`: "List of data types", `\di`: "people_pkey", `\ds`: "", `\conninfo`: "wmsql", `\dtvm`: "busy", `\d nosuch`: "Did not find", `\dn+`: "public",
		`\dt *.*`: "pg_class", `\dp`: "people", `\encoding`: "UTF8",
	} {
		out := s.psql(cmd + "\n")
		if strings.Contains(out, "ERROR") || !strings.Contains(out, want) {
			t.Errorf("%s printed, wanting %q:\n%s", cmd, want, out)
		}
	}
	if out := s.psql("\\timing on\nSELECT 1;\n"); strings.Contains(out, "ERROR") || !strings.Contains(out, "Time:") {
		t.Errorf("timing:\n%s", out)
	}
}

// An error shows its code, reason, fix and the place.
func TestPsqlShowsErrors(t *testing.T) {
	s := start(t)
	out := s.psql("\\set VERBOSITY verbose\nCREATE STREAM s (page TEXT, ts TEXT, WATERMARK FOR ts AS ts - INTERVAL '10' MINUTE);\nSELECT nosuch;\n")
	for _, want := range []string{"WM005", "DETAIL:", "HINT:", "GENERATED ALWAYS AS", "^", "42703", `column "nosuch" does not exist`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

// psql connects whatever it asks about encryption, and beside connections that stall.
func TestConnecting(t *testing.T) {
	s := start(t)
	for range 8 {
		c, err := net.Dial("tcp", s.addr())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = c.Write([]byte{0, 0, 0})
	}
	try := func(conninfo string) (string, time.Duration) {
		began := time.Now()
		cmd := exec.Command("psql", "-X", "-At", "-c", "SELECT 1", fmt.Sprintf("host=127.0.0.1 port=%d user=wmsql dbname=wmsql %s", s.port, conninfo))
		out, _ := cmd.CombinedOutput()
		return string(out), time.Since(began)
	}
	if out, took := try("gssencmode=prefer sslmode=prefer"); out != "1\n" || took > 2*time.Second {
		t.Errorf("prefer: %q after %v", out, took)
	}
	if out, _ := try("sslmode=require"); !strings.Contains(out, "server does not support SSL") {
		t.Errorf("require: %q", out)
	}
	if out, _ := try("dbname=nodb"); !strings.Contains(out, `database "nodb" does not exist`) {
		t.Errorf("unknown database: %q", out)
	}
	if out, _ := try(""); out != "1\n" {
		t.Errorf("after all that: %q", out)
	}
}

// psycopg 3 and SQLAlchemy connect, read the greeting's parameters and values with a time zone.
func TestPython(t *testing.T) {
	s := start(t)
	s.exec(people)
	s.python(`
import sys, psycopg, sqlalchemy
url = sys.argv[1]
with psycopg.connect(url) as c:
    print(c.execute("SELECT seen, id, score, born FROM people WHERE id = %s", (1,)).fetchone())
    with c.cursor(binary=True) as cur:
        print(cur.execute("SELECT seen, id, name FROM people WHERE name = %s", ("Ada",)).fetchone())
    c.execute("SET TimeZone = 'Asia/Kolkata'")
    print(c.execute("SELECT seen FROM people WHERE id = 1").fetchone()[0].isoformat())
e = sqlalchemy.create_engine(url.replace("postgres://", "postgresql+psycopg://"))
with e.connect() as c:
    print(c.execute(sqlalchemy.text("SELECT count(*) FROM people WHERE score > :s"), {"s": 2}).scalar())
`, `(datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.timezone.utc), 1, 1.5, datetime.date(1815, 12, 10))
(datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.timezone.utc), 1, 'Ada')
2026-03-01T17:30:00+05:30
3
`)
}

// pgx sends a batch, of which what follows an error is not run.
func TestPgx(t *testing.T) {
	s := start(t)
	c := s.connect()
	b := &pgx.Batch{}
	b.Queue("SELECT 1")
	b.Queue("SELEC 2")
	b.Queue("SELECT 3")
	res := c.SendBatch(t.Context(), b)
	if _, err := res.Exec(); err == nil {
		_, err = res.Exec()
		if err == nil || !strings.Contains(err.Error(), "42601") {
			t.Errorf("the second of the batch: %v", err)
		}
	}
	if err := res.Close(); err == nil {
		t.Error("the batch ended well")
	}
	if err := c.QueryRow(t.Context(), "SELECT 1").Scan(new(int)); err != nil {
		t.Errorf("after it: %v", err)
	}
}
