//go:build peers

package peers

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// originTables are what the queries of TestWireAsPostgres read.
const originTables = `CREATE TABLE t (a INT PRIMARY KEY, b TEXT, c INT);
CREATE TABLE u (a INT, d TEXT);
CREATE VIEW v AS SELECT b AS x, a AS y, a AS z, c + 1 AS w FROM t;
INSERT INTO t VALUES (1, 'one', 10);
INSERT INTO u VALUES (1, 'uno')`

// originQueries are queries of which clients ask what tables and columns their results show.
var originQueries = []string{
	"SELECT * FROM t",
	"SELECT b AS other, a, a + 1, 'x', NULL, count(*) OVER () FROM t",
	"SELECT a, a, b FROM t AS s (b, a)",
	"SELECT * FROM v",
	"SELECT z, y, x FROM v WHERE w > 1 ORDER BY x LIMIT 1",
	"SELECT * FROM (SELECT b, upper(b), c FROM t) AS s",
	"WITH s AS (SELECT c, a FROM t) SELECT * FROM s",
	"SELECT * FROM t JOIN u USING (a)",
	"SELECT * FROM t LEFT JOIN u USING (a)",
	"SELECT * FROM t RIGHT JOIN u USING (a)",
	"SELECT * FROM t FULL JOIN u USING (a)",
	"SELECT t.a, u.a, v.y FROM t, u, v",
	"SELECT c, b FROM t GROUP BY b, c",
	"SELECT DISTINCT b, max(c) FROM t GROUP BY b",
	"SELECT a FROM t UNION SELECT a FROM u",
	"SELECT (SELECT b FROM t LIMIT 1), b::varchar, a::int, (b) FROM t",
	"SELECT x.a FROM t, LATERAL (SELECT t.a, t.c) AS x",
	"SELECT * FROM t, generate_series(1, 2) AS n",
	"SELECT relname, oid::int, relkind FROM pg_class LIMIT 0",
	"VALUES (1, 2)",
	"INSERT INTO t VALUES (2, 'two', 20) RETURNING *, b || 'x', c AS d",
	"UPDATE t SET c = 5 WHERE a = 2 RETURNING t.a, b",
	"DELETE FROM t WHERE a = 2 RETURNING c",
}

// origins tells of each query what relations' columns its columns are said to be, by the relation's oid and the column's number. Drivers turn
// that into getTableName, into grids that can be edited and into names.
func origins(t *testing.T, c *pgx.Conn) (out []string) {
	ctx := context.Background()
	if _, err := c.PgConn().Exec(ctx, originTables).ReadAll(); err != nil {
		t.Fatal(err)
	}
	for _, q := range originQueries {
		d, err := c.Prepare(ctx, "", q)
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		words := []string{q + ":"}
		for _, f := range d.Fields {
			name := "-"
			if f.TableOID != 0 {
				if err := c.QueryRow(ctx, "SELECT attrelid::regclass::text || '.' || attname FROM pg_attribute WHERE attrelid = $1 AND attnum = $2",
					f.TableOID, int(f.TableAttributeNumber)).Scan(&name); err != nil {
					name = fmt.Sprint(f.TableOID, f.TableAttributeNumber, err)
				}
			}
			words = append(words, name)
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}
