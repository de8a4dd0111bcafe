//go:build peers

package peers

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// dbt, with the adapter for Postgres, builds the project of testdata/dbt twice, with changed seeds the second time: views, tables, models that
// grow, snapshots, tests of data, comments, and a view over the result of a continuous query.
func TestDBT(t *testing.T) {
	s := start(t)
	s.exec(`CREATE STREAM clicks (page TEXT, at TIMESTAMPTZ, WATERMARK FOR at AS at - INTERVAL '10 seconds');
CREATE MATERIALIZED VIEW clicks_by_minute AS SELECT window_start, window_end, count(*) AS clicks
FROM TUMBLE(TABLE clicks, DESCRIPTOR(at), INTERVAL '1 minute') GROUP BY window_start, window_end;
INSERT INTO clicks VALUES ('/', '2026-01-01 10:00:01Z'), ('/', '2026-01-01 10:00:09Z'), ('/', '2026-01-01 10:01:09Z')`)
	s.exec("FLUSH")
	p := newDBTProject(t, s)
	p.run("debug")
	p.built(p.run("build"), 18)
	s.want("SELECT name, total, big FROM shop.spending ORDER BY 1", "Ada|20.0000000000000000|1\nLinus|40.0000000000000000|1")
	s.want("SELECT window_start, clicks FROM shop.busy_minutes", "2026-01-01 10:00:00+00|2")
	s.exec("INSERT INTO clicks VALUES ('/', '2026-01-01 10:05:00Z')")
	s.exec("FLUSH")
	s.want("SELECT window_start, page, clicks FROM shop.pages ORDER BY 1 DESC LIMIT 1", "2026-01-01 10:05:00+00|/|1")

	p.edit("seeds/orders.csv", "10,1,1200,2026-01-01 10:00:00", "10,1,1300,2026-01-04 10:00:00\n13,3,990,2026-01-03 09:00:00")
	p.edit("seeds/customers.csv", "3,Grace,US", "3,Grace,NL")
	p.built(p.run("build"), 18)
	s.want("SELECT id, total FROM shop.history ORDER BY 1", "10|13.0000000000000000\n11|8.0000000000000000\n12|40.0000000000000000\n13|9.9000000000000000")
	s.want("SELECT id, total, placed_at::date FROM shop.merged ORDER BY 1", "10|13.0000000000000000|2026-01-01\n11|8.0000000000000000|2026-01-02\n12|40.0000000000000000|2026-01-02\n13|9.9000000000000000|2026-01-03")
	s.want("SELECT id, count(*) FROM shop.log GROUP BY 1 ORDER BY 1", "10|2\n11|1\n12|1\n13|1")
	s.want("SELECT country, dbt_valid_to IS NULL FROM shop.customers_over_time WHERE id = 3 ORDER BY dbt_valid_from", "US|f\nNL|t")
	s.want("SELECT relname FROM pg_class WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'v', 'm') ORDER BY 1",
		"busy_minutes\ncustomers\ncustomers_over_time\nhistory\nlog\nmerged\norder_totals\norders\npages\nspending")

	p.run("docs", "generate")
	if got := p.described("model.shop.spending"); got != "base table|What each customer spent.|customer integer The customer's number.|name text|total numeric|big bigint" {
		t.Errorf("dbt's catalog has %s", got)
	}
	if got := p.described("source.shop.live.clicks_by_minute"); !strings.HasPrefix(got, "materialized view|") {
		t.Errorf("dbt's catalog has the source as %s", got)
	}
}

type dbtProject struct {
	t    *testing.T
	dir  string
	port int
}

// newDBTProject copies testdata/dbt, which dbt writes into.
func newDBTProject(t *testing.T, s *wmsql) *dbtProject {
	p := &dbtProject{t: t, dir: filepath.Join(t.TempDir(), "dbt"), port: s.port}
	if err := os.CopyFS(p.dir, os.DirFS("../../testdata/dbt")); err != nil {
		t.Fatal(err)
	}
	return p
}

// run is a dbt command, which must succeed.
func (p *dbtProject) run(args ...string) string {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(env(p.t, "WMSQL_PEERS"), "dbt", "bin", "dbt"), append([]string{"--no-version-check"}, args...)...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "WMSQL_PORT="+strconv.Itoa(p.port), "DBT_PROFILES_DIR="+p.dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("dbt %s: %v\n%s", strings.Join(args, " "), err, tail(string(out), 4000))
	}
	return string(out)
}

// built checks that so many things were built and tested, and none skipped.
func (p *dbtProject) built(out string, n int) {
	p.t.Helper()
	if want := "PASS=" + strconv.Itoa(n) + " WARN=0 ERROR=0 SKIP=0"; !strings.Contains(out, want) {
		p.t.Errorf("dbt build does not end with %s:\n%s", want, tail(out, 4000))
	}
}

func (p *dbtProject) edit(file, old, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, file)
	was, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(was), old, text, 1)), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// described is what dbt's catalog says of a node: kind, comment, and columns with type and comment.
func (p *dbtProject) described(node string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, "target", "catalog.json"))
	if err != nil {
		p.t.Fatal(err)
	}
	type described struct {
		Metadata struct{ Type, Comment string }
		Columns  map[string]struct {
			Index               int
			Name, Type, Comment string
		}
	}
	var all struct{ Nodes, Sources map[string]described }
	if err := json.Unmarshal(text, &all); err != nil {
		p.t.Fatal(err)
	}
	d, ok := all.Nodes[node]
	if !ok {
		d = all.Sources[node]
	}
	columns := make([]string, len(d.Columns))
	for _, c := range d.Columns {
		columns[c.Index-1] = strings.TrimSpace(c.Name + " " + c.Type + " " + c.Comment)
	}
	return strings.ToLower(d.Metadata.Type) + "|" + d.Metadata.Comment + "|" + strings.Join(columns, "|")
}
