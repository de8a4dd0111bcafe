package exec_test

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/exec"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/logicalplan/rule"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// world is the streams, the store and the one continuous query of a script.
type world struct {
	t       testing.TB
	rows    int // of a batch
	workers int
	reopen  bool // build the query anew before every epoch

	store   *state.Store
	streams map[string]*catalog.Stream
	tables  map[string]*catalog.Table
	nextID  catalog.ID
	now     types.MicroTime
	zone    string
	memory  int64
	spills  bool // operators of a SELECT may write to disk
	cache   *exec.Cache
	reader  func(state.Snapshot) state.Reader // what a SELECT reads from; nil: the snapshot
	spilled []exec.SpillStats                 // by the last SELECT
	scanned []exec.ScanStats

	view  *catalog.MaterializedView
	plan  *physicalplan.Plan
	query *exec.Query
	epoch int64
	raise func() // a wm_advance_watermark for the next epoch
}

func newWorld(t testing.TB, rows, workers int, reopen bool) *world {
	w := newWorldOn(t, state.Options{InMemory: true})
	w.rows, w.workers, w.reopen = rows, workers, reopen
	return w
}

func newWorldOn(t testing.TB, o state.Options) *world {
	s, err := state.Open("mem", o)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, rows: 4096, workers: 1, store: s, nextID: 16384,
		streams: map[string]*catalog.Stream{}, tables: map[string]*catalog.Table{}, now: clockOf("2024-01-02 00:00"), zone: "UTC"}
	t.Cleanup(func() {
		if w.query != nil {
			w.query.Root.Close()
		}
		s.Close()
	})
	return w
}

func clockOf(s string) types.MicroTime {
	b := column.NewBuilder(types.Of(types.TimestampTZ), 1)
	if err := b.AppendText([]byte(s), types.UTC); err != nil {
		panic(err)
	}
	return types.MicroTime(b.Build().(*column.Of[int64]).Values[0])
}

// Relation resolves a name of the script.
func (w *world) Relation(parts []string, _ []string) (build.Relation, error) {
	name := parts[len(parts)-1]
	if s := w.streams[name]; s != nil {
		return build.Relation{Stream: s}, nil
	}
	if t := w.tables[name]; t != nil {
		return build.Relation{Table: t}, nil
	}
	if w.view != nil && name == w.view.Name {
		return build.Relation{MatView: w.view}, nil
	}
	return build.Relation{}, sqlerr.Newf(sqlerr.UndefinedTable, "relation %q does not exist", name)
}

func (w *world) env(continuous bool) *build.Env {
	var params []types.Type
	return &build.Env{Catalog: w, SearchPath: []string{"public"}, Zone: w.zone, Context: w.context(), Params: &params, Continuous: continuous}
}

func (w *world) context() *expr.Context { return &expr.Context{Now: w.now, Format: types.UTC} }

func parseOne(text string) (sql.Stmt, error) {
	ps, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	return ps[0].Stmt, nil
}

func (w *world) createStream(text string) error {
	stmt, err := parseOne(text)
	if err != nil {
		return err
	}
	n := stmt.(*sql.CreateStream)
	s, err := build.Stream(n, w.env(true))
	if err != nil {
		return err
	}
	s.ID, s.Kind, s.Name, s.Options = w.nextID, catalog.KindStream, n.Name.Parts[0], map[string]string{}
	w.nextID++
	for _, o := range n.Options {
		s.Options[o.Name] = o.Value
	}
	w.streams[s.Name] = s
	return nil
}

// createTable makes a table whose first column is its key, with rows as for an epoch.
func (w *world) createTable(text, rows string) error {
	stmt, err := parseOne(text)
	if err != nil {
		return err
	}
	n := stmt.(*sql.CreateTable)
	t := &catalog.Table{}
	t.ID, t.Kind, t.Name = w.nextID, catalog.KindTable, n.Name.Parts[0]
	w.nextID++
	schema := &types.Schema{}
	for _, c := range n.Columns {
		ty, err := build.Type(*c.Type)
		if err != nil {
			return err
		}
		t.Columns = append(t.Columns, catalog.Column{Name: c.Name.Name, Type: ty})
		schema.Fields = append(schema.Fields, types.Field{Name: c.Name.Name, Type: ty})
		if c.PrimaryKey {
			t.PrimaryKey = append(t.PrimaryKey, len(t.Columns)-1)
		}
	}
	for _, k := range n.Keys {
		for _, c := range k.Columns {
			t.PrimaryKey = append(t.PrimaryKey, slices.IndexFunc(t.Columns, func(x catalog.Column) bool { return x.Name == c.Name }))
		}
	}
	w.tables[t.Name] = t
	b, err := readRows(schema, rows)
	if err != nil {
		return err
	}
	for i := range b.Rows { // each in a transaction: a writer is to see what was written before
		txn := w.store.Begin()
		tw, err := exec.NewTableWriter(t, nil, schema, w.store, txn)
		if err == nil {
			_, err = tw.Insert(b.Take([]int32{int32(i)}), exec.OnConflict{})
		}
		if err != nil {
			txn.Abort()
			return err
		}
		if err := txn.Commit(false); err != nil {
			return err
		}
	}
	return nil
}

// readRows reads lines of values between bars; a time of day is of 2024-01-01, an empty value is NULL.
func readRows(s *types.Schema, text string) (*column.Batch, error) {
	bs := column.NewBuilders(s, 16)
	n := 0
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) != len(s.Fields) {
			return nil, fmt.Errorf("%q has %d fields, want %d", line, len(fields), len(s.Fields))
		}
		for i, f := range fields {
			f = strings.TrimSpace(f)
			k := s.Fields[i].Type.Kind
			if f == "" {
				bs[i].AppendNull()
				continue
			}
			if (k == types.Timestamp || k == types.TimestampTZ) && len(f) > 2 && f[2] == ':' {
				f = "2024-01-01 " + f
			}
			if err := bs[i].AppendText([]byte(f), types.UTC); err != nil {
				return nil, err
			}
		}
		n++
	}
	b := column.BuildBatch(s, bs)
	b.Rows = n
	return b, nil
}

func (w *world) planOf(text string, view *catalog.MaterializedView, ttl int64) (*physicalplan.Plan, *logicalplan.Query, error) {
	stmt, err := parseOne(text)
	if err != nil {
		return nil, nil, err
	}
	q, err := build.Query(stmt.(*sql.SelectStmt).Query, w.env(view != nil))
	if err != nil {
		return nil, nil, err
	}
	q.Root, _ = rule.Run(q.Root)
	if ttl > 0 {
		q.Root = logicalplan.WithTTL(q.Root, ttl, view.Mode)
	}
	if view != nil {
		schema := q.Schema()
		for _, f := range schema.Fields {
			view.Columns = append(view.Columns, catalog.Column{Name: f.Name, Type: f.Type})
		}
		view.Key = keyOf(q.Root)
	}
	p, err := physicalplan.New(q, physicalplan.Target{View: view})
	return p, q, err
}

// keyOf is the ordinals of the keys of an aggregate that the result shows: in the scripts they are enough, as one end of a
// window tells the other.
func keyOf(root logicalplan.Node) []int {
	var key []int
	logicalplan.Walk(root, func(n logicalplan.Node) bool {
		a, ok := n.(*logicalplan.Aggregate)
		if !ok {
			return true
		}
		for _, k := range a.Keys {
			for i, c := range root.Columns() {
				if c.ID == k.Out.ID {
					key = append(key, i)
				}
			}
		}
		return false
	})
	return key
}

func (w *world) createView(mode, text string, ttl int64) error {
	w.epoch = 0
	m, _ := catalog.ParseOutputMode(mode)
	v := &catalog.MaterializedView{Mode: m, Policy: "min"}
	v.ID, v.Kind, v.Name = w.nextID, catalog.KindMaterializedView, "r"
	w.nextID++
	p, _, err := w.planOf(text, v, ttl)
	if err != nil {
		return err
	}
	w.view, w.plan = v, p
	return w.restart()
}

func (w *world) restart() error {
	if w.query != nil {
		if err := w.query.Root.Close(); err != nil {
			return err
		}
	}
	var err error
	w.query, err = exec.Build(w.plan, &exec.Env{Expr: w.context(), Reader: w.store, Query: uint32(w.view.ID), Workers: w.workers, Memory: w.memory})
	return err
}

// splits is how many partitions a stream of a script has.
const splits = 2

// feed sets the rows of the scans, cut into batches.
func (w *world) feed(q *exec.Query, input map[string]string) error {
	for _, f := range q.Feeds {
		s := f.Scan
		cols := s.Stream.Columns
		schema := &types.Schema{}
		var at []int // place of each physical column
		for i, c := range cols {
			if c.Generated == "" {
				schema.Fields = append(schema.Fields, types.Field{Name: c.Name, Type: c.Type})
				at = append(at, i)
			}
		}
		var queue []*exec.Input
		for split := range splits {
			b, err := readRows(schema, input[s.Stream.Name+"/"+strconv.Itoa(split)])
			if err != nil {
				return err
			}
			read := &column.Batch{Schema: s.Schem, Rows: b.Rows}
			for _, o := range s.Ords {
				for k, i := range at {
					if i == o {
						read.Cols = append(read.Cols, b.Cols[k])
					}
				}
			}
			for from := 0; from < read.Rows; from += w.rows {
				queue = append(queue, &exec.Input{Batch: read.Slice(from, min(from+w.rows, read.Rows)), Split: split, Arrival: w.now})
			}
		}
		f.Set(func(context.Context) (*exec.Input, error) {
			if len(queue) == 0 {
				return nil, nil
			}
			in := queue[0]
			queue = queue[1:]
			return in, nil
		}, nil)
	}
	return nil
}

// run runs one epoch and returns the rows it emitted, sorted.
func (w *world) run(input map[string]string) ([]string, error) {
	if w.reopen {
		if err := w.restart(); err != nil {
			return nil, err
		}
	}
	if err := w.feed(w.query, input); err != nil {
		return nil, err
	}
	if w.raise != nil {
		w.raise()
		w.raise = nil
	}
	w.epoch++
	txn := w.store.Begin()
	rows, err := drain(w.query, &exec.Epoch{ID: w.epoch, Query: uint32(w.view.ID), Now: w.now, Txn: txn})
	if err != nil {
		txn.Abort()
		return nil, err
	}
	sort.Strings(rows)
	return rows, txn.Commit(false)
}

func drain(q *exec.Query, e *exec.Epoch) ([]string, error) {
	ctx := context.Background()
	if err := q.Root.Begin(ctx, e); err != nil {
		return nil, err
	}
	var out []string
	for {
		b, err := q.Root.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return out, nil
		}
		for i := range b.Rows {
			out = append(out, rowLine(b, i))
		}
	}
}

func rowLine(b *column.Batch, i int) string {
	s := ""
	if b.Ops != nil && b.Ops[i] == column.Delete {
		s = "- "
	}
	for c, v := range b.Cols {
		if c > 0 {
			s += " | "
		}
		if v.IsNull(i) {
			s += "NULL"
			continue
		}
		s += short(string(column.AppendText(nil, v, i, types.UTC)))
	}
	return s
}

// short leaves out the day of the scripts and the seconds of whole minutes.
func short(s string) string {
	s = strings.TrimPrefix(s, "2024-01-01 ")
	s = strings.TrimSuffix(s, "+00")
	if strings.Count(s, ":") == 2 {
		s = strings.TrimSuffix(s, ":00")
	}
	return s
}

func timeLine(t types.MicroTime) string {
	switch t {
	case types.MinTime:
		return "none"
	case types.Infinity:
		return "infinity"
	}
	return short(string(column.AppendText(nil, column.Const(types.Of(types.TimestampTZ), int64(t), 1), 0, types.UTC)))
}

// counters is the line that tells where the query stands after an epoch.
func (w *world) counters() string {
	var parts []string
	for _, m := range w.query.Watermarks() {
		s := "watermark=" + timeLine(m.Watermark)
		if m.NullTimes > 0 {
			s += fmt.Sprintf(" null=%d", m.NullTimes)
		}
		if m.Skewed > 0 {
			s += fmt.Sprintf(" skewed=%d", m.Skewed)
		}
		parts = append(parts, s)
	}
	for _, o := range w.query.Stats() {
		s := fmt.Sprintf("state=%d", o.RowsTotal)
		if o.RowsDropped > 0 {
			s += fmt.Sprintf(" late=%d", o.RowsDropped)
		}
		if o.RowsPartlyLate > 0 {
			s += fmt.Sprintf(" partly=%d", o.RowsPartlyLate)
		}
		parts = append(parts, s)
	}
	if n := w.query.Rejected(); n > 0 {
		parts = append(parts, fmt.Sprintf("rejected=%d", n))
	}
	return strings.Join(parts, " ")
}

// query runs a SELECT at the present state.
func (w *world) selectRows(text string) ([]string, error) {
	p, q, err := w.planOf(text, nil, 0)
	if err != nil {
		return nil, err
	}
	snap := w.store.Snapshot()
	defer snap.Close()
	env := &exec.Env{Expr: w.context(), Reader: snap, Workers: w.workers, Memory: w.memory}
	if w.reader != nil {
		env.Reader = w.reader(snap)
	}
	env.Cache = w.cache
	if w.spills {
		env.Temp = w.store.Temp()
	}
	eq, err := exec.Build(p, env)
	if err != nil {
		return nil, err
	}
	defer eq.Root.Close()
	rows, err := drain(eq, &exec.Epoch{ID: 1, Now: w.now})
	w.spilled, w.scanned = eq.Spilled(), eq.Scanned()
	for i, r := range rows {
		if q.Hidden > 0 {
			cells := strings.Split(r, " | ")
			rows[i] = strings.Join(cells[:len(cells)-q.Hidden], " | ")
		}
	}
	return rows, err
}

// command runs one directive of a script.
func (w *world) command(d *datadriven.TestData) (string, error) {
	switch d.Cmd {
	case "stream":
		return "", w.createStream(d.Input)
	case "table":
		text, rows, _ := strings.Cut(d.Input, "\n")
		return "", w.createTable(text, rows)
	case "view":
		mode, ttl := "update", int64(0)
		for _, a := range d.CmdArgs {
			switch a.Key {
			case "mode":
				mode = a.Vals[0]
			case "zone":
				w.zone = a.Vals[0]
			case "ttl":
				seconds, err := strconv.Atoi(a.Vals[0])
				if err != nil {
					return "", err
				}
				ttl = int64(seconds) * 1e6
			}
		}
		return "", w.createView(mode, d.Input, ttl)
	case "epoch":
		for _, a := range d.CmdArgs {
			if a.Key == "now" {
				w.now = clockOf("2024-01-02 " + a.Vals[0])
			}
		}
		input := map[string]string{}
		for line := range strings.Lines(d.Input) {
			name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !strings.Contains(name, "/") {
				name += "/0"
			}
			input[name] += rest + "\n"
		}
		rows, err := w.run(input)
		if err != nil {
			return "", err
		}
		return strings.Join(append(rows, w.counters()), "\n") + "\n", nil
	case "advance":
		to := types.Infinity
		if d.Input != "infinity" {
			to = clockOf("2024-01-01 " + d.Input)
		}
		id := uint32(w.streams[d.CmdArgs[0].Key].ID)
		before := w.raise
		w.raise = func() {
			if before != nil {
				before()
			}
			w.query.Advance(id, to)
		}
		return "", nil
	case "select":
		rows, err := w.selectRows(d.Input)
		return strings.Join(rows, "\n") + "\n", err
	case "restart":
		return "", w.restart()
	case "plan":
		return physicalplan.Format(w.plan), nil
	case "rejected":
		return w.rejected(d.CmdArgs[0].Key)
	case "late":
		var rows []string // workers find late rows in any order
		err := exec.ScanLate(w.store, uint32(w.view.ID), func(r *exec.LateRow) bool {
			rows = append(rows, fmt.Sprintf("%s behind %s: %s\n", timeLine(r.EventTime), timeLine(r.Watermark), r.Row))
			return true
		})
		sort.Strings(rows)
		return strings.Join(rows, ""), err
	}
	return "", fmt.Errorf("unknown command %q", d.Cmd)
}

func (w *world) rejected(stream string) (string, error) {
	var rows []string // workers find them in any order
	err := exec.ScanRejected(w.store, w.streams[stream].ID, func(r *exec.RejectedRecord) bool {
		rows = append(rows, fmt.Sprintf("%s: %s\n", r.Record, r.Reason))
		return true
	})
	sort.Strings(rows)
	return strings.Join(rows, ""), err
}

// script runs the directives of a file.
func (w *world) script(t *testing.T, path string) {
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		out, err := w.command(d)
		if err != nil {
			e := sqlerr.From(err)
			out = fmt.Sprintf("ERROR %s: %s\n", e.Code, e.Msg)
			if e.Detail != "" {
				out += "DETAIL: " + e.Detail + "\n"
			}
		}
		if out == "" {
			return "ok\n"
		}
		return out
	})
}

// TestGolden runs the scripts of testdata/exec with batches of several sizes, with several workers, and with a restart before
// every epoch: nobody may see a difference.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		rows, workers int
		reopen        bool
	}{{4096, 1, false}, {1, 1, false}, {3, 1, true}, {1, 2, false}, {3, 4, false}, {1, 4, true}} {
		t.Run(fmt.Sprintf("rows=%d,workers=%d,restart=%v", c.rows, c.workers, c.reopen), func(t *testing.T) {
			datadriven.Walk(t, "../testdata/exec", func(t *testing.T, path string) {
				newWorld(t, c.rows, c.workers, c.reopen).script(t, path)
			})
		})
	}
}
