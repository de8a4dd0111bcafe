package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/connector"
	"wmsql/exec"
	"wmsql/expr"
	"wmsql/internal/clock"
	"wmsql/internal/failpoint"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/logicalplan/rule"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// world resolves the one stream of a test.
type world struct{ stream *catalog.Stream }

func (w *world) Relation(parts []string, _ []string) (build.Relation, error) {
	if parts[len(parts)-1] == w.stream.Name {
		return build.Relation{Stream: w.stream}, nil
	}
	return build.Relation{}, sqlerr.Newf(sqlerr.UndefinedTable, "relation %q does not exist", parts[len(parts)-1])
}

func (w *world) env() *build.Env {
	return &build.Env{
		Catalog: w, SearchPath: []string{"public"}, Zone: "UTC", Continuous: true,
		Context: &expr.Context{Format: types.UTC}, Params: &[]types.Type{},
	}
}

func parse[T sql.Stmt](t *testing.T, text string) T {
	t.Helper()
	p, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p[0].Stmt.(T)
}

// planned is a continuous query over one internal stream, made from SQL.
type planned struct {
	t      *testing.T
	stream *catalog.Stream
	view   *catalog.MaterializedView
	plan   *physicalplan.Plan
}

func planOf(t *testing.T, create, query string, mode catalog.OutputMode) *planned {
	t.Helper()
	w := &world{}
	n := parse[*sql.CreateStream](t, create)
	var err error
	if w.stream, err = build.Stream(n, w.env()); err != nil {
		t.Fatal(err)
	}
	w.stream.ID, w.stream.Kind, w.stream.Name, w.stream.Options = 1, catalog.KindStream, n.Name.Parts[0], map[string]string{}
	q, err := build.Query(parse[*sql.SelectStmt](t, query).Query, w.env())
	if err != nil {
		t.Fatal(err)
	}
	q.Root, _ = rule.Run(q.Root)
	v := &catalog.MaterializedView{Mode: mode, Policy: "min"}
	v.ID, v.Kind, v.Name = viewID, catalog.KindMaterializedView, "r"
	for _, f := range q.Schema().Fields {
		v.Columns = append(v.Columns, catalog.Column{Name: f.Name, Type: f.Type})
	}
	for _, id := range logicalplan.Derive(q.Root).Key {
		for i, c := range q.Root.Columns() {
			if c.ID == id {
				v.Key = append(v.Key, i)
			}
		}
	}
	p, err := physicalplan.New(q, physicalplan.Target{View: v})
	if err != nil {
		t.Fatal(err)
	}
	return &planned{t, w.stream, v, p}
}

func (p *planned) start(store *state.Store, l *Log, fail *failpoint.Set, rows int64) *Query {
	p.t.Helper()
	q, err := New(context.Background(), Config{
		View: p.view, Plan: p.plan, Store: store, Log: l, Clock: clock.NewFake(noon), MaxRows: rows, Fail: fail,
		Env: exec.Env{Expr: &expr.Context{Format: types.UTC}, Workers: 2}, Sources: connector.Registry{},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return q
}

// click is a row of the test's stream; page "" is dropped by the query, minute -1 has no event time.
type click struct {
	page   string
	minute int
}

func (p *planned) insert(l *Log, clicks ...click) {
	p.t.Helper()
	s := PhysicalSchema(p.stream)
	bs := column.NewBuilders(s, len(clicks))
	for _, c := range clicks {
		bs[0].AppendDatum(c.page)
		if c.minute < 0 {
			bs[1].AppendNull()
			continue
		}
		bs[1].AppendDatum(noon.Add(time.Duration(c.minute) * time.Minute).UnixMicro())
	}
	if err := l.Commit(l.store.Begin(), []Append{{1, s, column.BuildBatch(s, bs)}}); err != nil {
		p.t.Fatal(err)
	}
}

// stored counts the keys of the result, and shows their values' bytes so that two results can be compared.
func stored(t *testing.T, s *state.Store, sp state.Space) (int, string) {
	t.Helper()
	n, all := 0, &strings.Builder{}
	if err := s.Scan(sp, viewID, nil, nil, func(k, v []byte) bool {
		n++
		fmt.Fprintf(all, "%x=%x\n", k, v)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return n, all.String()
}

const clicksDDL = `CREATE STREAM clicks (page TEXT, event_time TIMESTAMPTZ,
  WATERMARK FOR event_time AS event_time - INTERVAL '10' MINUTE)`

const perPage = `SELECT window_start, window_end, page, count(*) AS n
FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '5' MINUTE) WHERE page <> '' GROUP BY window_start, window_end, page`

// The whole way from SQL: the result of a run with a kill at every place equals that of a run with none, and rows in =
// counted + late + without event time + filtered.
func TestQuery_SQLCrashSweep(t *testing.T) {
	p := planOf(t, clicksDDL, perPage, catalog.Update)
	killed := errors.New("killed")
	run := func(point failpoint.Point, at int) (result string, st Status, kills int) {
		store := testStore(t)
		l, _ := testLog(t, store)
		fail := &failpoint.Set{}
		if point != "" {
			hits := 0
			fail.Arm(point, func() error {
				if hits++; hits%3 == at {
					kills++
					return killed
				}
				return nil
			})
		}
		rng := rand.New(rand.NewPCG(1, 1))
		q := p.start(store, l, fail, 40)
		for i := range 12 {
			var rows []click
			for range 5 + rng.IntN(60) {
				c := click{[]string{"", "a", "b", "c"}[rng.IntN(4)], i*4 + rng.IntN(8)}
				switch rng.IntN(12) {
				case 0:
					c.minute = -1
				case 1:
					c.minute = max(0, i*4-30)
				}
				rows = append(rows, c)
			}
			p.insert(l, rows...)
			for {
				pr, err := q.Step(context.Background())
				if errors.Is(err, killed) {
					q = p.start(store, l, fail, 40)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if pr.Epoch == 0 {
					break
				}
			}
		}
		st = q.Status()
		for _, p := range failpoint.All() {
			fail.Arm(p, nil)
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		_, result = stored(t, store, state.Result)
		return result, st, kills
	}
	want, st, _ := run("", 0)
	if st.RowsIn == 0 || st.RowsLate == 0 || st.RowsNull == 0 || want == "" {
		t.Fatalf("the input tests nothing: %+v", st)
	}
	for _, point := range failpoint.All() {
		for at := range 3 {
			got, s, kills := run(point, at)
			if got != want {
				t.Errorf("%s/%d: another result after %d kills", point, at, kills)
			}
			if s.RowsIn != st.RowsIn || s.RowsLate != st.RowsLate || s.RowsNull != st.RowsNull {
				t.Errorf("%s/%d: counters %+v, want %+v", point, at, s, st)
			}
		}
	}
}

// At the end of an input the watermark is moved to infinity: every window closes and no state is left.
func TestQuery_SQLAdvanceToInfinity(t *testing.T) {
	p := planOf(t, clicksDDL, perPage, catalog.Append)
	store := testStore(t)
	l, _ := testLog(t, store)
	q := p.start(store, l, nil, 0)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- q.Run(ctx) }()
	p.insert(l, click{"a", 1}, click{"a", 2}, click{"b", 7})
	if err := q.Flush(soon(t)); err != nil {
		t.Fatal(err)
	}
	before, _ := stored(t, store, state.Result) // the numbers that the rows get next
	if before > 1 {
		t.Errorf("%d rows before the watermark passed", before-1)
	}
	if err := q.Advance(soon(t), 1, types.Infinity); err != nil {
		t.Fatal(err)
	}
	if n, _ := stored(t, store, state.Result); n != before+2 {
		t.Errorf("%d rows at the end", n-before)
	}
	last := q.Last()
	if last.Operators[0].RowsTotal != 0 || last.Watermarks[0].Watermark != types.Infinity {
		t.Errorf("%+v", last)
	}
	cancel()
	<-ended
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
}

// The message about a changed query shows the two lines that differ.
func TestQuery_SQLChanged(t *testing.T) {
	p := planOf(t, clicksDDL, perPage, catalog.Append)
	store := testStore(t)
	l, _ := testLog(t, store)
	q := p.start(store, l, nil, 0)
	if _, err := q.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
	other := planOf(t, clicksDDL, strings.Replace(perPage, "'5' MINUTE", "'1' MINUTE", 1), catalog.Append)
	_, err := New(context.Background(), Config{
		View: other.view, Plan: other.plan, Store: store, Log: l, Clock: clock.NewFake(noon), Env: exec.Env{Workers: 1},
	})
	e := sqlerr.From(err)
	if e.Code != sqlerr.ObjectNotReady || !strings.Contains(e.Detail, "5") {
		t.Errorf("got %v\n%s", err, e.Detail)
	}
	t.Log(e.Msg, "\n", e.Detail, "\n", e.Hint)
}
