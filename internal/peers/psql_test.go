//go:build peers

package peers

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const world = mainJob + `CREATE TABLE people (id BIGINT PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x', born DATE, score DOUBLE PRECISION CHECK (score > 0));
COMMENT ON TABLE people IS 'who we know';
COMMENT ON COLUMN people.name IS 'as spoken';
COMMENT ON VIEW busy IS 'busy pages';
CREATE SCHEMA sales;
CREATE TABLE sales.orders (a INT, b NUMERIC(10,2), c VARCHAR(5), d TIMESTAMP(3), e INT[]);
`

const initials = `CREATE FUNCTION initials(rows TABLE) RETURNS TABLE (letter TEXT) LANGUAGE starlark AS $$
def process(key, rows, state, ctx):
    return [[r.name[0]] for r in rows]
$$;
`

// Every command of psql's \d family, and what else asks the catalog, works and shows what it should, in psql 15 and 16.
func TestPsqlDescribes(t *testing.T) {
	s := start(t)
	s.exec(world + initials)
	for name, program := range map[string]string{"psql 15": "psql", "psql 16": psqlProgram(t, "psql16")} {
		t.Run(name, func(t *testing.T) { describes(t, s, program) })
	}
}

func describes(t *testing.T, s *wmsql, program string) {
	look := newSpy(t, s.addr())
	s = &wmsql{t: t, dir: s.dir, port: s.port}
	for _, x := range []struct{ command, want string }{
		{`\d`, "page_clicks | materialized view"},
		{`\d+`, "who we know"},
		{`\dS`, "pg_class"},
		{`\d *`, `"public.people"`},
		{`\d sales.*`, "numeric(10,2)"},
		{`\d people`, `"people_pkey" PRIMARY KEY, btree (id)`},
		{`\d people`, `"people_score_check" CHECK (score > 0)`},
		{`\d people`, "not null | 'x'"},
		{`\d+ people`, "as spoken"},
		{`\d page_clicks`, "window_start | timestamp with time zone"},
		{`\d+ page_clicks`, "TUMBLE(TABLE clicks"},
		{`\d busy`, "clicks | numeric"},
		{`\d+ busy`, "GROUP BY page;"},
		{`\d clicks`, "Server: internal"},
		{`\d+ clicks`, "event_time"},
		{`\d people_pkey`, "primary key, btree"},
		{`\d sales.orders`, "timestamp(3) without time zone"},
		{`\d sales.orders`, "integer[]"},
		{`\d pg_class`, "relname"},
		{`\d information_schema.tables`, "table_name"},
		{`\d wm_catalog.queries`, "rows_late"},
		{`\d nosuch`, "Did not find any relation named"},
		{`\da sum`, "sum | numeric | bigint"},
		{`\da count`, "count | bigint | *"},
		{`\da count`, `count | bigint | "any"`},
		{`\dA+`, "btree"},
		{`\dAc`, "int8_ops"},
		{`\dAf`, "List of operator families"},
		{`\dAo`, "List of operators of operator families"},
		{`\dAp`, "List of support functions"},
		{`\db+`, "pg_default"},
		{`\dc+`, "List of conversions"},
		{`\dC int4`, "integer | bigint"},
		{`\dC+`, "regprocedure"},
		{`\dconfig work_mem`, "work_mem"},
		{`\dconfig+ *`, "TimeZone"},
		{`\dd`, "Object descriptions"},
		{`\dD+`, "List of domains"},
		{`\ddp`, "Default access privileges"},
		{`\dE+`, "clicks | foreign table"},
		{`\des+`, "internal | wmsql | connector"},
		{`\det+`, "clicks | internal"},
		{`\deu+`, "List of user mappings"},
		{`\dew+`, "connector"},
		{`\df`, "List of functions"},
		{`\df abs`, "abs | integer | integer | func"},
		{`\df+ abs`, "immutable"},
		{`\df abs int8`, "abs | bigint | bigint"},
		{`\df nosuch`, "(0 rows)"},
		{`\df generate_series`, "SETOF integer | integer, integer"},
		{`\df concat`, `VARIADIC "any"`},
		{`\dfa sum`, "sum | numeric | bigint"},
		{`\dfn abs`, "abs"},
		{`\dfp`, "List of functions"},
		{`\dft`, "List of functions"},
		{`\dfw rank`, "rank | bigint"},
		{`\dF+`, "Did not find any text search configurations"},
		{`\dFd+`, "List of text search dictionaries"},
		{`\dFp+`, "Did not find any text search parsers"},
		{`\dFt+`, "List of text search templates"},
		{`\dg+`, "wmsql | Superuser"},
		{`\di+`, "people_pkey | index | wmsql | people"},
		{`\dl+`, "Large objects"},
		{`\dL+`, "List of languages"},
		{`\dLS+`, "internal"},
		{`\dm+`, "page_clicks"},
		{`\dn+`, "wm_catalog"},
		{`\dnS`, "pg_catalog"},
		{`\do`, "List of operators"},
		{`\do =`, "= | integer | bigint | boolean"},
		{`\do + int4 int4`, "+ | integer | integer | integer"},
		{`\dO+`, "List of collations"},
		{`\dOS`, "POSIX"},
		{`\dp people`, "people | table"},
		{`\z`, "busy | view"},
		{`\dP+`, "List of partitioned relations"},
		{`\drds`, "Did not find any settings"},
		{`\dRp+`, "Did not find any publications"},
		{`\dRs+`, "List of subscriptions"},
		{`\ds+`, "Did not find any relations"},
		{`\dt`, "people | table | wmsql"},
		{`\dt+`, "0 bytes | who we know"},
		{`\dt sales.*`, "orders"},
		{`\dt *.*`, "pg_class"},
		{`\dtvmsiE+`, "busy pages"},
		{`\dT+`, "List of data types"},
		{`\dTS+`, "regprocedure"},
		{`\dT int4`, "integer"},
		{`\du+`, "wmsql | Superuser"},
		{`\dv+`, "busy | view"},
		{`\dx+`, "Did not find any extensions"},
		{`\dX+`, "List of extended statistics"},
		{`\dy+`, "List of event triggers"},
		{`\l+`, "wmsql | wmsql | UTF8"},
		{`\l w*`, "UTF8"},
		{`\lo_list+`, "Large objects"},
		{`\sf now`, "CREATE OR REPLACE FUNCTION pg_catalog.now()"},
		{`\sf+ abs(int4)`, "RETURNS integer"},
		{`\df initials`, "public | initials | TABLE(letter text) | rows TABLE | func"},
		{`\df+ initials`, "starlark"},
		{`\sf initials`, "CREATE OR REPLACE FUNCTION initials(rows TABLE)"},
		{`\sf+ initials(record)`, "2 def process(key, rows, state, ctx):"},
		{`\sv busy`, "CREATE OR REPLACE VIEW public.busy AS"},
		{`\sv+ busy`, "GROUP BY page"},
		{`\ef now`, "CREATE OR REPLACE FUNCTION pg_catalog.now()"},
		{`\ev busy`, "CREATE OR REPLACE VIEW public.busy AS"},
		{`\conninfo`, `database "wmsql" as user "wmsql"`},
		{`\encoding`, "UTF8"},
		{`SELECT 1 AS one, now() AS t, 1.5::numeric(10,2) AS n \gdesc`, "n | numeric(10,2)"},
		{`SELECT $1::int \gdesc`, "int4 | integer"},
		{`SELECT 'SELECT 41 + 1' \gexec`, "42"},
		{`SELECT 'a' AS r, 'b' AS c, 5 AS v \crosstabview`, "a | 5"},
		{`\copy (SELECT id FROM people) TO STDOUT`, ""},
	} {
		out := strings.Join(strings.Fields(s.through(program, look, x.command+"\n")), " ")
		if faults := look.errors(); faults != "" || strings.Contains(out, "ERROR") {
			t.Errorf("%s: %s\n%s", x.command, faults, out)
		}
		if !strings.Contains(out, x.want) {
			t.Errorf("%s does not show %q:\n%s", x.command, x.want, out)
		}
	}
	for command, want := range map[string]string{
		`\sf abs`: `more than one function named "abs"`, `\sf sum(int4)`: `"sum" is an aggregate function`, `\sv nosuch`: `relation "nosuch" does not exist`,
		`\sv people`: `"public.people" is not a view`,
	} {
		if out := s.psql(command + "\n"); !strings.Contains(out, want) {
			t.Errorf("%s does not say %q:\n%s", command, want, out)
		}
	}
}

// through runs psql through a spy. Its editor shows the text and leaves it as it is.
func (s *wmsql) through(program string, look *spy, input string) string {
	s.t.Helper()
	host, port, _ := net.SplitHostPort(look.addr)
	cmd := exec.Command(program, "-X", "-h", host, "-p", port, "-U", "wmsql", "-d", "wmsql", "-P", "pager=off")
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = append(os.Environ(), "PSQL_EDITOR=cat", "PGSSLMODE=disable", "PGGSSENCMODE=disable", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Logf("psql: %v", err)
	}
	return string(out)
}

// psql's modes that change what it sends work: rollback to a savepoint after each error, no autocommit, a cursor for long results; in psql 15 and 16.
func TestPsqlModes(t *testing.T) {
	for _, program := range []string{"psql", "psql16"} {
		t.Run(program, func(t *testing.T) {
			s := start(t)
			s.exec(people)
			psqlModes(t, s, psqlProgram(t, program))
		})
	}
}

func psqlModes(t *testing.T, s *wmsql, program string) {
	file := filepath.Join(t.TempDir(), "people.csv")
	for _, x := range []struct{ name, input, want string }{
		{"a savepoint a statement", "\\set ON_ERROR_ROLLBACK on\nBEGIN;\nSELECT nosuch;\nSELECT 2 AS two;\nDELETE FROM people WHERE id = 5;\nCOMMIT;\nSELECT count(*) FROM people;\n",
			`BEGIN ERROR: column "nosuch" does not exist LINE 1: SELECT nosuch; ^ two ----- 2 (1 row) DELETE 1 COMMIT count ------- 4 (1 row)`},
		{"no autocommit", "\\set AUTOCOMMIT off\nDELETE FROM people;\nROLLBACK;\nSELECT count(*) FROM people;\n", "DELETE 4 ROLLBACK count ------- 4 (1 row)"},
		{"a cursor", "\\set FETCH_COUNT 2\nSELECT id FROM people ORDER BY id;\nSELECT nosuch;\n", `id ---- 1 2 3 4 (4 rows) ERROR: column "nosuch" does not exist LINE 2: SELECT nosuch; ^`},
		{"single transaction", "\\set ON_ERROR_STOP on\nBEGIN;\nDELETE FROM people;\nSELECT 1/0;\n", "BEGIN DELETE 4 ERROR: division by zero"},
		{"several statements", "SELECT 1 AS a\\; SELECT 2 AS b;\n", "a --- 1 (1 row) b --- 2 (1 row)"},
		{"errverbose", "SELECT nosuch;\n\\errverbose\n", "ERROR: 42703: column"},
		{"copy of columns", "\\copy people (id, name) FROM STDIN\n6\tKurt\n\\.\nSELECT name FROM people WHERE id = 6;\n", "COPY 1 name ------ Kurt (1 row)"},
		{"copy to a file and back", "\\copy people TO '" + file + "' CSV HEADER\nCREATE TABLE again (id BIGINT, name TEXT, born DATE, score FLOAT, seen TIMESTAMPTZ);\n\\copy again FROM '" + file + "' CSV HEADER\n",
			"COPY 5 CREATE TABLE COPY 5"},
		{"another connection", "\\c wmsql\n\\c - wmsql\nSELECT 1 AS a;\n", `You are now connected to database "wmsql" as user "wmsql". You are now connected to database "wmsql" as user "wmsql". a --- 1 (1 row)`},
	} {
		if out := strings.Join(strings.Fields(s.psqlOf(program, x.input)), " "); !strings.Contains(out, x.want) {
			t.Errorf("%s printed\n%s\nwant\n%s", x.name, out, x.want)
		}
	}
	watch := exec.Command("timeout", "1", program, "-X", s.url()) // psql 15 watches until it is stopped
	watch.Stdin = strings.NewReader("SELECT 1 AS one \\watch 0.1\n")
	if out, _ := watch.CombinedOutput(); bytes.Count(out, []byte("one")) < 3 || bytes.Contains(out, []byte("ERROR")) {
		t.Errorf("watch:\n%s", out)
	}
}

// Ctrl-C in psql cancels the statement, in psql 15 and 16.
func TestPsqlCancels(t *testing.T) {
	s := start(t)
	for _, program := range []string{"psql", psqlProgram(t, "psql16")} {
		cmd := exec.Command(program, "-X", s.url(), "-c", "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b")
		var out lockedBuffer
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, 20*time.Second, func() string {
			return strings.TrimSpace(s.query("SELECT 'not running' WHERE NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT count(*) FROM generate_series%')"))
		})
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err == nil || !strings.Contains(out.String(), "canceling statement due to user request") {
			t.Errorf("%s: %v\n%s", program, err, out.String())
		}
	}
}

// Tab completes what psql completes on Postgres, and none of the queries for it fails.
func TestPsqlCompletes(t *testing.T) {
	s := start(t)
	s.exec(world + initials)
	look := newSpy(t, s.addr())
	host, port, _ := net.SplitHostPort(look.addr)
	inputrc := filepath.Join(t.TempDir(), "inputrc")
	if err := os.WriteFile(inputrc, []byte("set page-completions off\nset completion-query-items 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("psql", "-X", "-h", host, "-p", port, "-U", "wmsql", "-d", "wmsql", "-P", "pager=off")
	cmd.Env = append(os.Environ(), "TERM=dumb", "PSQL_HISTORY=/dev/null", "INPUTRC="+inputrc, "PGSSLMODE=disable", "PGGSSENCMODE=disable", "LC_ALL=C.UTF-8")
	term := openTerminal(t, cmd)
	eventually(t, 20e9, func() string {
		if out := term.keys("\n"); !strings.Contains(out, "wmsql=#") {
			return "no prompt: " + out
		}
		return ""
	})
	for _, x := range []struct{ typed, want string }{
		{"SELECT * FROM peo", "people"},
		{"SELECT * FROM ", "page_clicks"},
		{"SELECT * FROM public.", "public.busy"},
		{"SELECT * FROM sal", "sales.orders"},
		{"SELECT * FROM pg_clas", "pg_class"},
		{"SELECT * FROM wm_catalog.lin", "wm_catalog.lint"},
		{"SELECT * FROM people WHERE ", "score"},
		{"INSERT INTO peo", "people"},
		{"INSERT INTO people (", "born"},
		{"UPDATE peo", "people"},
		{"UPDATE people SET ", "name"},
		{"DELETE FROM ", "people"},
		{"TRUNCATE ", "people"},
		{"ALTER TABLE peo", "people"},
		{"ALTER TABLE people ALTER COLUMN ", "born"},
		{"ALTER TABLE people DROP CONSTRAINT ", "people_"},
		{"ALTER TABLE people OWNER TO ", "wmsql"},
		{"ALTER TABLE people SET SCHEMA ", "sales"},
		{"ALTER TABLE people SET TABLESPACE ", "pg_"},
		{"ALTER INDEX peo", "people_pkey"},
		{"ALTER VIEW ", "busy"},
		{"ALTER MATERIALIZED VIEW ", "page_clicks"},
		{"ALTER MATERIALIZED VIEW page_clicks RENAME COLUMN ", "window_start"},
		{"ALTER FOREIGN TABLE ", "clicks"},
		{"ALTER SERVER ", "internal"},
		{"ALTER FOREIGN DATA WRAPPER ", "connector"},
		{"ALTER ROLE ", "wmsql"},
		{"ALTER ROLE wmsql SET timezone TO Eur", "Europe/"},
		{"ALTER DATABASE ", "wmsql"},
		{"ALTER DATABASE wmsql SET work", "work_mem"},
		{"ALTER DOMAIN x DROP CONSTRAINT ", ""},
		{"ALTER FUNCTION abs(", "integer)"},
		{"ALTER AGGREGATE sum(", "bigint)"},
		{"ALTER EXTENSION x UPDATE TO ", ""},
		{"ALTER EVENT TRIGGER ", ""},
		{"ALTER POLICY x ON ", ""},
		{"ALTER RULE x ON ", ""},
		{"ALTER TRIGGER x ON ", ""},
		{"ALTER TEXT SEARCH CONFIGURATION ", ""},
		{"ALTER SUBSCRIPTION ", ""},
		{"ALTER PUBLICATION ", ""},
		{"ALTER TYPE x RENAME ATTRIBUTE ", ""},
		{"ALTER USER MAPPING FOR ", ""},
		{"ALTER DEFAULT PRIVILEGES IN SCHEMA ", "sales"},
		{"ANALYZE ", "people"},
		{"CLUSTER people USING ", "people_pkey"},
		{"COMMENT ON CONSTRAINT ", "people_"},
		{"COMMENT ON CONSTRAINT people_pkey ON ", "people  "},
		{"COPY ", "people"},
		{"CREATE ACCESS METHOD x TYPE INDEX HANDLER ", ""},
		{"CREATE COLLATION x FROM ", ""},
		{"CREATE DATABASE x TEMPLATE ", "wmsql"},
		{"CREATE DOMAIN x AS timesta", "timestamp"},
		{"CREATE EXTENSION ", ""},
		{"CREATE INDEX x ON people USING ", "btree"},
		{"CREATE INDEX x ON people (", "score"},
		{"CREATE SERVER x FOREIGN DATA WRAPPER ", "connector"},
		{"CREATE TABLE x OF ", ""},
		{"CREATE TRIGGER x BEFORE INSERT ON people EXECUTE FUNCTION ", ""},
		{"CREATE USER MAPPING FOR wmsql SERVER ", "internal"},
		{"DEALLOCATE ", ""},
		{"FETCH FROM ", ""},
		{"DROP VIEW ", "busy"},
		{"DROP FUNCTION abs(", "integer)"},
		{"DROP MATERIALIZED VIEW ", "page_clicks"},
		{"DROP POLICY ", ""},
		{"DROP RULE ", ""},
		{"DROP TRIGGER ", ""},
		{"DROP SCHEMA ", "sales"},
		{"DROP TRANSFORM FOR ", ""},
		{"DROP USER MAPPING FOR ", ""},
		{"GRANT SELECT ON ALL TABLES IN SCHEMA ", "sales"},
		{"GRANT SELECT ON people TO ", "wmsql"},
		{"GRANT USAGE ON LANGUAGE ", ""},
		{"NOTIFY ", ""},
		{"UNLISTEN ", ""},
		{"LOCK TABLE ", "people"},
		{"REFRESH MATERIALIZED VIEW ", "page_clicks"},
		{"REINDEX INDEX ", "people_pkey"},
		{"SECURITY LABEL ON ", ""},
		{"SET search_p", "search_path"},
		{"SET TimeZone TO America/New", "America/New_York"},
		{"SET search_path TO ", "sales"},
		{"SET ROLE ", "wmsql"},
		{"SET client_min_messages TO ", "warning"},
		{"SHOW wmsql.", "unbounded_state"},
		{"TABLE ", "people"},
		{"VACUUM ", "people"},
		{`\c w`, "wmsql"},
		{`\d peo`, "people"},
		{`\dA b`, "btree"},
		{`\dAo btree `, ""},
		{`\dconfig work`, "work_mem"},
		{`\dconfig wmsql.`, "wmsql.unbounded_state"},
		{`\df generate_s`, "generate_series"},
		{`\df init`, "initials"},
		{`\sf init`, "initials"},
		{`\dn s`, "sales"},
		{`\dT timest`, "timestamp"},
		{`\dt sales.`, "sales.orders"},
		{`\dew `, "connector"},
		{`\dF `, ""},
		{`\dx `, ""},
		{`\dy `, ""},
		{`\sf generate_ser`, "generate_series"},
		{`\sv bu`, "busy"},
		{`\encoding `, ""},
		{`\password `, "wmsql"},
	} {
		const clear = "\x15"                                                    // Ctrl-U
		out, offers := term.until(clear+x.typed+"\t\t", func(out string) bool { // psql asks the server first
			return strings.Contains(strings.ReplaceAll(out, "wmsql=#", ""), x.want)
		})
		if faults := look.errors(); faults != "" {
			t.Errorf("%s<tab>: %s", x.typed, faults)
		}
		if strings.Contains(x.typed, x.want) != (x.want == "") || !offers {
			t.Errorf("%s<tab> does not offer %q:\n%s", x.typed, x.want, out)
		}
	}
	fmt.Fprint(term.file, "\\q\n")
}
