package script

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wmsql/connector"
)

var lawSeeds = flag.Uint64("law.seeds", 100, "random pipelines to compare with the model")

// TestModel compares random pipelines over random rows with the model after every epoch: the rows of the view, the watermark, what is
// kept, and where every row went. Each is run with rows in one batch or in many, with several workers, with restarts, and with power cuts.
func TestModel(t *testing.T) {
	for seed := range *lawSeeds {
		r := rand.New(rand.NewPCG(seed, 11))
		p := randomPipeline(r)
		epochs, v := randomEpochs(r, p), randomVariant(r)
		if fault := p.compare(epochs, v); fault != "" {
			p, epochs, v, fault = shrink(p, epochs, v, fault)
			t.Fatalf("seed %d, %+v\n%s\n%s\n%s", seed, v, p.sql(), script(p, epochs), fault)
		}
	}
}

// compare runs the epochs and returns how the engine differs from the model, "" if it does not.
func (p *pipeline) compare(epochs [][]event, v variant) string {
	e, err := New(Options{Connectors: connector.Registry{}, Workers: v.workers})
	if err != nil {
		return err.Error()
	}
	defer func() { _ = e.Close() }()
	if out := e.Exec("SET TimeZone = 'UTC'"); out != "SET\n" {
		return out
	}
	if out := e.Exec(p.sql()); strings.Contains(out, "ERROR") {
		return out
	}
	for i, rows := range epochs {
		if fault := p.epoch(e, rows, v); fault != "" {
			return fmt.Sprintf("epoch %d: %s", i+1, fault)
		}
		if fault := p.differ(e, p.run(epochs[:i+1])); fault != "" {
			return fmt.Sprintf("after epoch %d: %s", i+1, fault)
		}
	}
	return ""
}

// epoch lets the view take rows, through what the variant asks for.
func (p *pipeline) epoch(e *Engine, rows []event, v variant) string {
	text := "BEGIN;\n"
	for part := range slices.Chunk(rows, v.rows) {
		text += p.insert(part)
	}
	if out := e.Exec(text + "COMMIT"); strings.Contains(out, "ERROR") {
		return out
	}
	if v.crash != "" {
		if err := e.Crash(v.crash); err != nil && !errors.Is(err, errNotReached) {
			return err.Error()
		}
	}
	if err := e.rounds(untilIdle, nil, newBatches()); err != nil {
		return err.Error()
	}
	if v.restart {
		if err := e.Restart(); err != nil {
			return err.Error()
		}
	}
	return ""
}

// differ compares what the server shows with the model.
func (p *pipeline) differ(e *Engine, want outcome) string {
	var rows []string
	for line := range strings.Lines(e.Exec("SELECT * FROM r")) {
		rows = append(rows, p.normal(strings.TrimRight(line, "\n")))
	}
	slices.Sort(rows)
	if !slices.Equal(rows, want.rows) {
		return fmt.Sprintf("the view is\n%s\nthe model\n%s", strings.Join(rows, "\n"), strings.Join(want.rows, "\n"))
	}
	if w := e.watermark(); w != want.watermark {
		return fmt.Sprintf("watermark %s, the model %s", w, want.watermark)
	}
	got := e.one("SELECT rows_in, rows_late, rows_without_event_time, rows_rejected FROM wm_catalog.queries")
	if w := fmt.Sprintf("%d | %d | %d | %d", want.in, want.late, want.noTime, want.rejected); got != w {
		return fmt.Sprintf("rows in, late, without event time, rejected: %s, the model %s", got, w)
	}
	if p.kind == "HOP" || p.kind == "CUMULATE" { // panes
		return ""
	}
	if n := e.one("SELECT coalesce(sum(num_rows_total), 0) FROM wm_catalog.state_operators"); n != fmt.Sprint(want.state) {
		return fmt.Sprintf("%s groups are kept, in the model %d", n, want.state)
	}
	return ""
}

// shrink takes away what a fault does not need.
func shrink(p *pipeline, epochs [][]event, v variant, fault string) (*pipeline, [][]event, variant, string) {
	tries := 0
	try := func(q pipeline, es [][]event, w variant) bool {
		if tries++; tries > 300 {
			return false
		}
		f := q.compare(es, w)
		if f != "" {
			p, epochs, v, fault = &q, es, w, f
		}
		return f != ""
	}
	for _, change := range []func(*variant){
		func(w *variant) { w.rows = 4096 }, func(w *variant) { w.workers = 1 }, func(w *variant) { w.restart = false }, func(w *variant) { w.crash = "" },
	} {
		w := v
		change(&w)
		try(*p, epochs, w)
	}
	for again := true; again; {
		again = false
		for i := len(p.aggregates) - 1; i >= 0 && len(p.aggregates) > 1; i-- {
			q := *p
			q.aggregates = slices.Delete(slices.Clone(p.aggregates), i, i+1)
			again = try(q, epochs, v) || again
		}
		for _, change := range []func(*pipeline){func(q *pipeline) { q.where = false }, func(q *pipeline) { q.having = "" }, func(q *pipeline) { q.offset = 0 }, func(q *pipeline) { q.skewed = false }} {
			q := *p
			if change(&q); fmt.Sprint(q) != fmt.Sprint(*p) {
				again = try(q, epochs, v) || again
			}
		}
		for i := len(epochs) - 1; i >= 0; i-- {
			if len(epochs) > 1 && try(*p, slices.Delete(slices.Clone(epochs), i, i+1), v) {
				again = true
				continue
			}
			for j := len(epochs[i]) - 1; j >= 0 && len(epochs[i]) > 1; j-- {
				es := slices.Clone(epochs)
				es[i] = slices.Delete(slices.Clone(epochs[i]), j, j+1)
				again = try(*p, es, v) || again
			}
		}
	}
	return p, epochs, v, fault
}

func script(p *pipeline, epochs [][]event) string {
	var b strings.Builder
	for i, rows := range epochs {
		fmt.Fprintf(&b, "-- epoch %d\n%s", i+1, p.insert(rows))
	}
	return b.String()
}
