package script

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A session answers a text by the plan of another that differs in constants alone. The law: what it answers is what it would answer if it
// planned each text.

// prime has the session prepare a text so often that it makes a template of it, and run it never.
func (e *Engine) prime(text string) {
	ctx := context.Background()
	for range 3 {
		list, err := e.Session.Parse(text)
		if err == nil && len(list) == 1 && !list[0].Empty() && slices.Contains([]string{"SELECT", "WITH", "UPDATE", "DELETE"}, strings.ToUpper(strings.Fields(text)[0])) {
			_, _ = e.Session.Prepare(ctx, list[0], nil) // what is wrong is no template
		}
		e.Session.Notices()
	}
}

// constants finds strings and numbers; names with digits in them are found too, and left alone.
var constants = regexp.MustCompile(`'(?:[^']|'')*'|"[^"]*"|[$\w.]+`)

// varied is the text with other constants.
func varied(text string, by int) string {
	return constants.ReplaceAllStringFunc(text, func(c string) string {
		if c[0] == '\'' {
			return c[:len(c)-1] + strings.Repeat("x", by) + "'"
		}
		if n, err := strconv.ParseInt(c, 10, 32); err == nil {
			return strconv.FormatInt(n+int64(by), 10)
		}
		return c
	})
}

// TestTemplates_Corpus runs scripts in sessions that know templates of the shape of each of their queries, made of other texts.
func TestTemplates_Corpus(t *testing.T) {
	verbs := NewVerbs()
	query := verbs["sql"].Run
	verbs["sql"] = Verb{Text: true, Run: func(e *Engine, d *Directive) (string, error) {
		for _, text := range []string{varied(d.Input, 1), varied(d.Input, 3), d.Input} {
			e.prime(text)
		}
		return query(e, d)
	}}
	for _, dir := range []string{"dialect", "server"} {
		t.Run(dir, func(t *testing.T) { corpus(t, dir, Options{}, verbs) })
	}
}

// templateTables are what templateTexts read.
const templateTables = `
CREATE TABLE t (k INT PRIMARY KEY, small SMALLINT, big BIGINT, n NUMERIC, f DOUBLE PRECISION, r REAL, s TEXT, v VARCHAR(3), c CHAR(4), d DATE,
	at TIMESTAMP, tz TIMESTAMPTZ, b BOOLEAN, u UUID, i INTERVAL, j JSONB, a INT[], y BYTEA, o OID, g REGCLASS);
INSERT INTO t VALUES
	(1, 1, 1, 1, 1, 1, '1', '1', '1', '2026-01-01', '2026-01-01', '2026-01-01 00:00+00', true, '00000000-0000-0000-0000-000000000001', '1 day', '1', '{1}', '\x01', 1, 't'),
	(2, 2, 2, 2, 2, 2, '2', '2', '2', '2026-01-02', '2026-01-02', '2026-01-02 00:00+00', false, '00000000-0000-0000-0000-000000000002', '2 days', '2', '{2}', '\x02', 2, 't'),
	(-1, -1, -1, -1, -1, -1, '-1', '-1', '-1', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(2147483647, 32767, 9223372036854775807, 3000000000, 1e30, 1e30, 'ab', 'abc', 'abc', 'infinity', 'infinity', 'infinity', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE text_key (id TEXT PRIMARY KEY, n INT);
INSERT INTO text_key VALUES ('a', 1), ('b', 2), ('ä', 3), ('it''s', 4), ('1', 5), ('', 6);
CREATE TABLE two (a INT, b TEXT, n INT, PRIMARY KEY (a, b));
INSERT INTO two VALUES (1, 'x', 1), (1, 'y', 2), (2, 'x', 3);
CREATE INDEX ON two (n)`

// templateTexts come in groups whose texts look alike.
func templateTexts() (groups [][]string) {
	values := []string{"1", "2", "-1", "- 1", "+1", "01", "0x1", "1.0", "1.5", "-1.5", ".5", "1e0", "3000000000", "-3000000000", "2147483647", "2147483648", "-2147483648", "-2147483649",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "99999999999999999999", "'1'", "' 1 '", "'2'", "'-1'", "'x'", "''", "'1.5'", "NULL", "true",
		"'t'", "'2026-01-01'", "'2026-01-02 00:00'", "'today'", "'now'", "'infinity'", "'2026-13-01'", "'{1}'", "'1 day'", "'00000000-0000-0000-0000-000000000001'", `'\x01'`, `E'\x31'`, "E'\\061'", "$$1$$",
		"$x$1$x$", "U&'\\0031'", "'1'::int", "'1'::text", "1::smallint", "1::bigint", "1::text", "DATE '2026-01-01'", "INTERVAL '1' DAY", "B'1'", "(1)", "1 /* one */", "1 -- one\n", "1 + 0", "1 / 0", "k", "'1' 'x'"}
	for _, col := range strings.Fields("k small big n f r s v c d at tz b u i j a y o g") {
		var group []string
		for _, v := range values {
			group = append(group, fmt.Sprintf("SELECT k, %s FROM t WHERE %s = %s ORDER BY k", col, col, v))
		}
		groups = append(groups, group)
	}
	var ranges []string
	for _, col := range []string{"k", "small", "n", "s", "d"} {
		for _, v := range []string{"1", "-1", "1.5", "'1'", "3000000000", "99999999999999999999"} {
			for _, op := range []string{"<", "<=", ">", ">=", "<>", "!="} {
				ranges = append(ranges, fmt.Sprintf("SELECT k FROM t WHERE %s %s %s ORDER BY 1", col, op, v))
			}
			ranges = append(ranges, fmt.Sprintf("SELECT k FROM t WHERE %s BETWEEN %s AND 2 ORDER BY 1", col, v), fmt.Sprintf("SELECT k FROM t WHERE NOT (%s NOT BETWEEN SYMMETRIC %s AND 1) ORDER BY 1", col, v))
		}
	}
	for _, col := range strings.Fields("small n f s v c d b") {
		var group []string
		for _, v := range values {
			group = append(group, fmt.Sprintf("UPDATE t SET %s = %s, big = 7 WHERE k = 2 RETURNING k, %s", col, v, col), fmt.Sprintf("UPDATE t SET %s = %s WHERE k = 1 RETURNING *", col, v))
		}
		groups = append(groups, group)
	}
	return append(groups, ranges, []string{
		"DELETE FROM text_key WHERE id = 'a'", "DELETE FROM text_key WHERE id = 'b'", "DELETE FROM text_key WHERE id = 1", "DELETE FROM text_key WHERE id = '1' RETURNING n", "DELETE FROM text_key WHERE id = 'ä' RETURNING n", "DELETE FROM text_key WHERE n > 2 RETURNING n + 1", "DELETE FROM text_key WHERE n > 4 RETURNING n + 1", "DELETE FROM text_key WHERE n > 4 RETURNING n + 2",
		"UPDATE two SET n = 5 WHERE a = 1 RETURNING *", "UPDATE two SET n = 6 WHERE a = 2 RETURNING *", "UPDATE two SET n = n + 1 WHERE a = 2 RETURNING *", "UPDATE two SET n = n + 2 WHERE a = 1 AND b = 'x' RETURNING *", "UPDATE two SET (n, b) = (5, 'z') WHERE a = 2 RETURNING *", "UPDATE two SET (n, b) = (6, 'zz') WHERE a = 2 RETURNING *", "UPDATE two SET n = '7' WHERE a = '1' RETURNING *", "UPDATE two SET a = 2 WHERE b = 'x' RETURNING *", "UPDATE two SET a = 3 WHERE b = 'x' RETURNING *",
		"UPDATE two SET n = y.n FROM text_key y WHERE y.id = 'a' AND a = 1 RETURNING *", "UPDATE two SET n = y.n FROM text_key y WHERE y.id = 'b' AND a = 2 RETURNING *", "UPDATE two SET n = 10 / (n - 1) WHERE a = 1", "UPDATE two SET n = 10 / (n - 3) WHERE a = 1", "UPDATE two SET n = 3 FROM (SELECT 1 AS a) x WHERE two.a = x.a AND x.a = 1 RETURNING *", "UPDATE two SET n = 4 FROM (SELECT 1 AS a) x WHERE two.a = x.a AND x.a = 2 RETURNING *",
		"UPDATE nosuch SET n = 5", "UPDATE two SET x = 5", "UPDATE two SET n = 'x'", "WITH w AS (SELECT 1 AS a) UPDATE two SET n = 9 FROM w WHERE w.a = two.a AND b = 'x' RETURNING *", "WITH w AS (SELECT 1 AS a) UPDATE two SET n = 8 FROM w WHERE w.a = two.a AND b = 'y' RETURNING *",
		"WITH w AS (DELETE FROM two WHERE a = 1 RETURNING n) SELECT * FROM w WHERE n = 1", "WITH w AS (DELETE FROM two WHERE a = 1 RETURNING n) SELECT * FROM w WHERE n = 2",
	}, []string{
		"SELECT k FROM t WHERE k > 0 ORDER BY 1 LIMIT 1", "SELECT k FROM t WHERE k > 0 ORDER BY 1 LIMIT 2", "SELECT k FROM t WHERE k > 0 ORDER BY 1 LIMIT -1", "SELECT k FROM t WHERE k > 1 ORDER BY 1 LIMIT 2 OFFSET 1",
		"SELECT k FROM t WHERE k > 1 ORDER BY 1 LIMIT '1'", "SELECT k FROM t WHERE k > 1 ORDER BY 1 FETCH FIRST 1 ROWS ONLY", "SELECT k FROM t WHERE k > 1 ORDER BY 1 FETCH FIRST 2 ROWS ONLY",
		"SELECT -k, k FROM t WHERE k > 0 ORDER BY 1", "SELECT -k, k FROM t WHERE k > 0 ORDER BY 2", "SELECT -k, k FROM t WHERE k > 0 ORDER BY 3", "SELECT -k, k FROM t WHERE k > 0 ORDER BY '1'",
		"SELECT small, count(*) FROM t WHERE k > 0 GROUP BY 1 ORDER BY 1", "SELECT small, count(*) FROM t WHERE k > 0 GROUP BY 2 ORDER BY 1", "SELECT k > 0, count(*) FROM t WHERE k > 0 GROUP BY k > 0", "SELECT k > 0, count(*) FROM t WHERE k > 0 GROUP BY k > 1",
		"SELECT 1, 'a' FROM t WHERE k = 1", "SELECT 2, 'a' FROM t WHERE k = 1", "SELECT 1, 'b' FROM t WHERE k = 2", "SELECT 1.0, 'b' FROM t WHERE k = 2", "SELECT '1', 'b' FROM t WHERE k = 2", `SELECT 1 AS "1", 'b' FROM t WHERE k = 2`, `SELECT 1 AS "2", 'b' FROM t WHERE k = 2`,
		"SELECT k::numeric(5,1) FROM t WHERE k = 1", "SELECT k::numeric(5,2) FROM t WHERE k = 1", "SELECT k::numeric(5,2)::text FROM t WHERE k = 1", "SELECT s::varchar(1) FROM t WHERE s = 'ab'", "SELECT s::varchar(2) FROM t WHERE s = 'ab'",
		"SELECT 10 / k FROM t WHERE k = 1", "SELECT 10 / (k - 1) FROM t WHERE k = 1", "SELECT 10 / (k - 1) FROM t WHERE k =        1", "SELECT 10 / (k - 1), 'a longer one' FROM t WHERE k = 2", "SELECT 10 / (k - 2), 'ä' FROM t WHERE k = 2",
		"SELECT k FROM t WHERE k = 1 AND 10 / small = 10", "SELECT k FROM t WHERE k = 100000 AND 10 / small = 10", "SELECT k FROM t WHERE 10 / (small - 1) = 10 AND k = 1", "SELECT k FROM t WHERE s = 'a long text' OR 10 / (small - 1) = 10", "SELECT k FROM t WHERE s = 'x' OR 10 / (small - 1) = 10", "SELECT k FROM t WHERE s = 'ä' OR 10 / (small - 2) = 10 -- ü",
		"SELECT k FROM t WHERE false AND k = 'x'", "SELECT k FROM t WHERE false AND k = '1'", "SELECT k FROM t WHERE true OR k = '1' ORDER BY 1", "SELECT k FROM t WHERE k = 1 AND k = 1", "SELECT k FROM t WHERE k = 1 AND k = 2",
		"SELECT k FROM t WHERE k IN (1, 2) ORDER BY 1", "SELECT k FROM t WHERE k IN (1, 3) ORDER BY 1", "SELECT k FROM t WHERE k IN (1, '2') ORDER BY 1", "SELECT k FROM t WHERE k IN (1, 2.5) ORDER BY 1", "SELECT k FROM t WHERE 1 = k", "SELECT k FROM t WHERE 2 = k",
		"SELECT k FROM t WHERE s LIKE '1%'", "SELECT k FROM t WHERE s LIKE '2%'", "SELECT k FROM t WHERE at < tz - INTERVAL '1' DAY AND k = 1", "SELECT k FROM t WHERE k = 1 AND k = ANY ('{1,2}')", "SELECT k FROM t WHERE k = 1 AND k = ANY ('{3}')",
		"SELECT count(*) FROM t WHERE k = 1 HAVING count(*) > 0", "SELECT count(*) FROM t WHERE k = 5 HAVING count(*) > 0", "SELECT count(*) FROM t WHERE k = 1 HAVING count(*) > 1",
		"SELECT 1", "SELECT 2", "SELECT 2 ", "SELECT 2;", "SELECT 2 -- two", "SELECT '2'", "SELECT NULL", "SELECT 1/0", "SELECT 1/1", "SELECT $1", "SELECT 1; SELECT 2",
		"select K from T where K = 1", `SELECT "k" FROM t WHERE k = 1`, `SELECT "K" FROM t WHERE k = 1`, "SELECT k AS x FROM t WHERE k = 2", "SELECT k FROM t AS x WHERE x.k = 2", "SELECT k FROM t /* 1 */ WHERE k = 2",
		"SELECT x FROM t WHERE k = 1", "SELECT x   FROM t WHERE k = 2", "SELECT k FROM t WHERE x = 1", "SELECT k FROM t WHERE s = 1", "SELECT k FROM t WHERE k = 'äöü' AND x = 1", "SELECT k FROM nosuch WHERE k = 1", "SELECT k FROM t WHERE k = 1 1", "SELECT k FROM t WHERE k = 'unterminated",
	}, []string{
		"SELECT n FROM text_key WHERE id = 'a'", "SELECT n FROM text_key WHERE id = 'b'", "SELECT n FROM text_key WHERE id = 'ä'", `SELECT n FROM text_key WHERE id = E'\u00e4'`, `SELECT n FROM text_key WHERE id = U&'\00e4'`, "SELECT n FROM text_key WHERE id = 'it''s'", `SELECT n FROM text_key WHERE id = E'it\'s'`,
		"SELECT n FROM text_key WHERE id = $$it's$$", "SELECT n FROM text_key WHERE id = ''", "SELECT n FROM text_key WHERE id = 'zzzzzzzzzzzzzzzzzzzzzzzzzzz'", "SELECT n FROM text_key WHERE id = 'a'::text", "SELECT n FROM text_key WHERE id = 1", "SELECT n FROM text_key WHERE id = 'a' COLLATE \"C\"", "SELECT n FROM text_key WHERE id = NULL", "SELECT n FROM text_key WHERE id = 'a' OR id = 'b' ORDER BY 1",
		"SELECT n FROM text_key WHERE id > 'a' ORDER BY id", "SELECT n FROM text_key WHERE id > 'b' ORDER BY id",
		"SELECT n FROM two WHERE a = 1 AND b = 'x'", "SELECT n FROM two WHERE b = 'y' AND a = 1", "SELECT n FROM two WHERE a = 1 AND b = 'y'", "SELECT n FROM two WHERE a = 1 AND b = '1'", "SELECT n FROM two WHERE a = '1' AND b = 'y'", "SELECT n FROM two WHERE a = 1 ORDER BY n", "SELECT a, b FROM two WHERE n = 3", "SELECT a, b FROM two WHERE n = 2",
		"SELECT x.n FROM two x JOIN two y ON x.a = y.a AND y.b = 'x' WHERE x.n > 1 ORDER BY 1", "SELECT x.n FROM two x JOIN two y ON x.a = y.a AND y.b = 'y' WHERE x.n > 0 ORDER BY 1", "SELECT x.n FROM two x LEFT JOIN two y ON x.a = y.a AND y.b = 'y' WHERE y.n = 2 ORDER BY 1",
		"SELECT * FROM (SELECT n, row_number() OVER (ORDER BY n DESC) AS r FROM two) x WHERE r <= 1", "SELECT * FROM (SELECT n, row_number() OVER (ORDER BY n DESC) AS r FROM two) x WHERE r <= 2", "SELECT * FROM (SELECT n FROM two WHERE a = 1) x WHERE n = 2", "SELECT * FROM (SELECT n FROM two WHERE a = 2) x WHERE n = 3",
		"SELECT count(*) FROM (SELECT a, max(n) AS m FROM two GROUP BY a) x WHERE m = 2", "SELECT count(*) FROM (SELECT a, max(n) AS m FROM two GROUP BY a) x WHERE a = 2", "WITH w AS (SELECT n FROM two WHERE a = 1) SELECT * FROM w WHERE n = 1", "WITH w AS (SELECT n FROM two WHERE a = 2) SELECT * FROM w WHERE n = 3",
		"SELECT n FROM two WHERE a = 1 UNION SELECT n FROM two WHERE a = 2 ORDER BY 1", "SELECT n FROM two WHERE a = 1 UNION SELECT n FROM two WHERE b = 'x' ORDER BY 1", "SELECT n FROM two WHERE a = 1 UNION SELECT 5 WHERE 1 = 1 ORDER BY 1", "SELECT n FROM two WHERE a = 1 UNION SELECT 6 WHERE 1 = 2 ORDER BY 1",
		"SELECT (SELECT max(n) FROM two x WHERE x.a = y.a AND x.n < 3) FROM two y WHERE y.a = 1 ORDER BY 1", "SELECT (SELECT max(n) FROM two x WHERE x.a = y.a AND x.n < 2) FROM two y WHERE y.a = 2 ORDER BY 1", "SELECT n FROM two WHERE a = 1 AND EXISTS (SELECT FROM t WHERE k = 1) ORDER BY 1", "SELECT n FROM two WHERE a = 2 AND EXISTS (SELECT FROM t WHERE k = 5) ORDER BY 1",
		"SELECT relname FROM pg_class WHERE relname = 'two'", "SELECT relname FROM pg_class WHERE relname = 't'", "SELECT g FROM generate_series(1, 3) g WHERE g = 1", "SELECT g FROM generate_series(1, 3) g WHERE g = 2", "SELECT current_setting('search_path') FROM two WHERE n = 1", "SELECT now() = '2030-01-01' FROM two WHERE n = 1",
	})
}

// TestTemplates_Alike answers the texts of a group one after the other, in many orders.
func TestTemplates_Alike(t *testing.T) {
	for i, group := range templateTexts() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			plain, primed := tablesForTemplates(t), tablesForTemplates(t)
			plain.Exec("SET plan_cache_mode = force_custom_plan")
			want := make([]string, len(group))
			for i, text := range group {
				want[i] = plain.undone(text)
			}
			for seed := range uint64(2) {
				primed.Exec("DISCARD ALL")
				order := rand.New(rand.NewPCG(seed, 0)).Perm(len(group))
				for _, i := range append(order, order...) {
					primed.prime(group[i])
					if got := primed.undone(group[i]); got != want[i] {
						t.Errorf("seed %d: %s\nanswers\n%s\nand planned\n%s", seed, group[i], got, want[i])
					}
				}
			}
		})
	}
}

// undone runs a text and takes back what it has changed.
func (e *Engine) undone(text string) string {
	if strings.HasPrefix(text, "SELECT") {
		return e.Exec(text)
	}
	e.Exec("BEGIN")
	defer e.Exec("ROLLBACK")
	return e.Exec(text) + e.Exec("SELECT * FROM two ORDER BY a, b") + e.Exec("SELECT count(*) FROM text_key")
}

func tablesForTemplates(t *testing.T) *Engine {
	t.Helper()
	e, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if out := e.Exec(templateTables); strings.Contains(out, "ERROR") {
		t.Fatal(out)
	}
	return e
}
