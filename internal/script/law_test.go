package script

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"wmsql/connector"
)

var (
	lawSeeds = flag.Uint64("law.seeds", 500, "random pipelines to compare with the model")
	lawFrom  = flag.Uint64("law.from", 0, "the first seed")
)

// lawBlock is how many seeds run one after the other; blocks run side by side, and their names are the progress of a long run.
const lawBlock = 100

// TestModel compares random pipelines over random rows with the model after every micro-batch: the rows of the view, the watermark, what
// is kept, and where every row went. Each is run with rows in one batch or in many, with several workers, with restarts, and with power cuts.
// A failure is made small before it is shown.
func TestModel(t *testing.T) {
	end := *lawFrom + *lawSeeds
	for from := *lawFrom; from < end; from += lawBlock {
		t.Run(fmt.Sprintf("from=%d", from), func(t *testing.T) {
			t.Parallel()
			for seed := from; seed < min(from+lawBlock, end); seed++ {
				u := randomTrial(seed)
				if fault, _ := u.compare(); fault != "" {
					u, fault = u.shrink(fault)
					t.Errorf("seed %d\n%s\n%s", seed, u.script(), fault)
					return
				}
			}
		})
	}
}

func randomTrial(seed uint64) trial {
	r := random{Rand: rand.New(rand.NewPCG(seed, 11))}
	p := r.pipeline()
	return trial{p, r.epochs(p), r.variant(p)}
}

// compare runs the epochs and returns how the engine differs from the model, "" if it does not. Refused says that it is the
// pipeline that is not accepted.
func (t trial) compare() (fault string, refused bool) {
	e, err := New(Options{Connectors: connector.Registry{}, Workers: t.workers, Memory: t.memory})
	if err != nil {
		return err.Error(), false
	}
	defer func() { _ = e.Close() }()
	if out := e.Exec("SET TimeZone = 'UTC'"); out != "SET\n" {
		return out, false
	}
	if out := e.Exec(t.sql()); strings.Contains(out, "ERROR") {
		return out, true
	}
	for i, rows := range t.epochs {
		if i > 0 && t.ttl > 0 {
			e.Clock.Move(time.Duration(tick) * time.Microsecond)
		}
		if fault := t.epoch(e, rows); fault != "" {
			return fmt.Sprintf("micro-batch %d: %s", i+1, fault), false
		}
		if fault := t.differ(e, t.run(t.epochs[:i+1])); fault != "" {
			return fmt.Sprintf("after micro-batch %d: %s", i+1, fault), false
		}
	}
	return "", false
}

// epoch lets the view take rows, through what the variant asks for.
func (t trial) epoch(e *Engine, rows []input) string {
	text := "BEGIN;\n"
	for part := range slices.Chunk(rows, t.rows) {
		text += t.insert(part)
	}
	if out := e.Exec(text + "COMMIT"); strings.Contains(out, "ERROR") {
		return out
	}
	if t.crash != "" {
		if err := e.Crash(t.crash); err != nil && !errors.Is(err, errNotReached) {
			return err.Error()
		}
	}
	if err := e.rounds(untilIdle, nil, newBatches()); err != nil {
		return err.Error()
	}
	if t.restart {
		if err := e.Restart(); err != nil {
			return err.Error()
		}
	}
	return ""
}

// differ compares what the server shows with the model.
func (t trial) differ(e *Engine, want *model) string {
	var rows []string
	for line := range strings.Lines(e.Exec("SELECT * FROM r")) {
		rows = append(rows, t.normal(strings.TrimRight(line, "\n")))
	}
	slices.Sort(rows)
	if lines := t.shown(want.out); !slices.Equal(rows, lines) {
		return fmt.Sprintf("the view is\n%s\nthe model\n%s", strings.Join(rows, "\n"), strings.Join(lines, "\n"))
	}
	mark := strings.TrimSuffix(showTime(&want.mark[len(want.mark)-1]), "+00")
	if w := e.watermark(); w != strings.Replace(mark, "NULL", "none", 1) {
		return fmt.Sprintf("watermark %s, the model %s", w, mark)
	}
	if t.memory > 0 { // what is out of memory is not counted by key
		return ""
	}
	return want.miscounts(e, "r")
}

// miscounts compares what a view, and those below it, count.
func (m *model) miscounts(e *Engine, view string) string {
	for below, v := range m.views {
		if fault := v.miscounts(e, below.name); fault != "" {
			return fault
		}
	}
	follows := slices.ContainsFunc(m.root.sources(), (*query).changes)
	counted := m.root.countable(m.keyType) && !(m.ttl > 0 && m.root.sources()[0].op == "view") // whose keys are forgotten some time later
	if !counted {
		m.late = 0
	}
	got := e.one("SELECT rows_in, " + map[bool]string{true: "rows_late", false: "0"}[counted] +
		", rows_without_event_time, rows_rejected FROM wm_catalog.queries WHERE name = '" + view + "'")
	if w := fmt.Sprintf("%d | %d | %d | %d", m.in, m.late, m.noTime, m.rejected); !follows && got != w {
		return fmt.Sprintf("%s: rows in, late, without event time, rejected: %s, the model %s", view, got, w)
	}
	if !counted {
		return ""
	}
	if n := e.one("SELECT coalesce(sum(num_rows_total), 0) FROM wm_catalog.state_operators WHERE view = '" + view + "'"); n != fmt.Sprint(m.state) {
		return fmt.Sprintf("%s: %s rows are kept, in the model %d", view, n, m.state)
	}
	return ""
}

// countable reports whether the engine keeps what the model does: not of sliding windows, which it makes of panes, nor where a
// condition goes below a join, nor where keys are compared pair by pair, nor where rows are kept that later ones reach.
func (q *query) countable(keyType string) bool {
	switch {
	case q.kind == "HOP", q.kind == "CUMULATE", q.op == "where" && q.in[0].hasJoin(), q.op == "join" && q.keyed && keyType == "JSONB",
		q.op == "over", q.op == "asof":
		return false
	case q.op == "view":
		return true
	}
	return !slices.ContainsFunc(q.in, func(c *query) bool { return !c.countable(keyType) })
}

func (q *query) hasJoin() bool {
	return q.any(func(c *query) bool { return c.op == "join" })
}
