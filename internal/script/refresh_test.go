package script

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wmsql/connector"
)

var refreshSeeds = flag.Uint64("refresh.seeds", 150, "random pipelines whose late rows are added afterwards")

// TestRefreshModel adds late rows to random windows, now and then and in the end: then every row counts, as if none had been late.
func TestRefreshModel(t *testing.T) {
	t.Parallel()
	added := 0
	for seed := range *refreshSeeds {
		u := refreshTrial(seed)
		n, fault := u.compareRefreshed(seed)
		if fault != "" {
			t.Fatalf("seed %d\n%s\n%s", seed, u.script(), fault)
		}
		added += n
	}
	if added < int(*refreshSeeds) {
		t.Errorf("only %d late rows were added", added)
	}
}

// refreshTrial is a window over a stream, or two of them, with rows that are often late.
func refreshTrial(seed uint64) trial {
	r := random{Rand: rand.New(rand.NewPCG(seed, 13)), mode: []string{"append", "update"}[seed%2]}
	p := &pipeline{keyType: "TEXT", mode: r.mode, delay: [2]int64{r.Int64N(4) * minute / 2, r.Int64N(4) * minute / 2}, skewed: r.one(2)}
	for p.root == nil || !slices.Contains([]string{"TUMBLE", "HOP", "CUMULATE"}, p.root.kind) {
		p.root = r.group(r.rows(r.IntN(3)), true)
		p.root.totals = false // rows of a result that cannot be told apart cannot be corrected
	}
	return trial{p, r.epochs(p), r.variant(p)}
}

// compareRefreshed runs the epochs, and returns how many late rows were added and how the view differs from the model then.
func (t trial) compareRefreshed(seed uint64) (added int, fault string) {
	e, err := New(Options{Connectors: connector.Registry{}, Workers: t.workers, Memory: t.memory})
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = e.Close() }()
	ddl := "SET TimeZone = 'UTC';\n" + t.sql() + ";\n"
	for i, name := range streamNames {
		if t.root.reads(i) {
			ddl += "ALTER STREAM " + name + " SET (late_rows = 'keep', retention = 'off');\n"
		}
	}
	if out := e.Exec(ddl); strings.Contains(out, "ERROR") {
		return 0, out
	}
	r := rand.New(rand.NewPCG(seed, 14))
	for i, rows := range t.epochs {
		if fault := t.epoch(e, rows); fault != "" {
			return 0, fmt.Sprintf("micro-batch %d: %s", i+1, fault)
		}
		if i < len(t.epochs)-1 && r.IntN(3) > 0 {
			continue
		}
		if out := e.Exec("REFRESH MATERIALIZED VIEW r WITH LATE ROWS"); strings.Contains(out, "ERROR") {
			return 0, out
		}
	}
	var got []string
	for line := range strings.Lines(e.Exec("SELECT * FROM r")) {
		got = append(got, t.normal(strings.TrimRight(line, "\n")))
	}
	slices.Sort(got)
	if want := t.allInTime(); !slices.Equal(got, want) {
		return 0, fmt.Sprintf("the view is\n%s\nthe model\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	added, _ = strconv.Atoi(e.one("SELECT count(corrected_epoch) FROM wm_catalog.late_rows"))
	return added, ""
}

// allInTime is the view as if no row had been late: all epochs as one, under the watermark that the last one left.
func (t trial) allInTime() []string {
	m := &model{pipeline: t.pipeline, epochs: t.epochs}
	m.watermarks()
	in := m.eval(t.root.in[0], "append", true)
	for i := range in {
		in[i].epoch = 0
	}
	return t.shown(m.groups(t.root, in, t.mode))
}
