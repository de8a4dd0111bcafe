package stream

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/connector"
	"wmsql/exec"
	"wmsql/internal/clock"
	"wmsql/internal/failpoint"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// memory is a replayable source of numbers; a negative one is a record that cannot be read.
type memory struct {
	mu      sync.Mutex
	records []int64
	more    chan struct{}
	err     error // of the next Open or Next
	batch   int   // rows a batch
}

func newMemory() *memory { return &memory{more: make(chan struct{}), batch: 3} }

func (m *memory) add(vs ...int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records = append(m.records, vs...)
	close(m.more)
	m.more = make(chan struct{})
}

// failOnce makes the next call fail.
func (m *memory) failOnce(err error) { m.mu.Lock(); m.err = err; m.mu.Unlock() }

func (m *memory) takeErr() error { err := m.err; m.err = nil; return err }

func (m *memory) driver() connector.Driver {
	return connector.Driver{Open: func(_ context.Context, spec connector.Spec, from connector.Offset) (connector.Source, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		at, _ := strconv.Atoi(string(from))
		schema := project(spec.Schema, spec.Read)
		return &memorySource{m: m, at: at, schema: schema}, m.takeErr()
	}}
}

type memorySource struct {
	m        *memory
	at       int
	schema   *types.Schema
	left     int64
	bad      []connector.Rejected
	lent     int
	released connector.Offset
}

func (s *memorySource) Wait(ctx context.Context) error {
	for {
		s.m.mu.Lock()
		some, more := s.at < len(s.m.records), s.m.more
		s.m.mu.Unlock()
		if some {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *memorySource) Begin(b connector.Bounds) error { s.left = b.Rows; return nil }

func (s *memorySource) Next(context.Context) (*connector.Batch, error) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if err := s.m.takeErr(); err != nil {
		return nil, err
	}
	b := column.NewFixedBuilder[int64](types.Of(types.Int8), 4)
	for b.Len() < s.m.batch && s.left > 0 && s.at < len(s.m.records) {
		if v := s.m.records[s.at]; v < 0 {
			s.bad = append(s.bad, connector.Rejected{Split: "partition 0", Offset: strconv.Itoa(s.at), Record: []byte("x"), Reason: "not a number"})
		} else {
			b.Append(v)
		}
		s.at++
		s.left--
	}
	if b.Len() == 0 {
		return nil, nil
	}
	s.lent++
	n := b.Len()
	return &connector.Batch{Batch: column.Batch{Schema: s.schema, Cols: []column.Vector{b.Build()}, Rows: n}}, nil
}

func (s *memorySource) Recycle(*connector.Batch) { s.lent-- }

func (s *memorySource) Offset() connector.Offset { return connector.Offset(strconv.Itoa(s.at)) }

func (s *memorySource) Rejected() []connector.Rejected { bad := s.bad; s.bad = nil; return bad }

func (s *memorySource) End(context.Context) (connector.Offset, error) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	return connector.Offset(strconv.Itoa(len(s.m.records))), nil
}

func (s *memorySource) Reached(at, end connector.Offset) bool {
	a, _ := strconv.Atoi(string(at))
	e, _ := strconv.Atoi(string(end))
	return a >= e
}

func (s *memorySource) Release(o connector.Offset) error { s.released = o; return nil }

func (s *memorySource) Status() []connector.SplitStatus { return nil }

func (s *memorySource) Close() error { return nil }

// sums is an operator that keeps a sum and a number of rows for each scan and writes them as its result.
type sums struct {
	scans func() []*scan
	r     state.Reader
	e     *exec.Epoch
	sum   []int64
	rows  []int64
	done  bool
	limit bool // stop pulling after the first batch
}

func (r *sums) Begin(_ context.Context, e *exec.Epoch) error {
	r.e, r.done = e, false
	if r.sum != nil {
		return nil
	}
	r.sum, r.rows = make([]int64, len(r.scans())), make([]int64, len(r.scans()))
	for i := range r.sum {
		v, err := r.r.Get(state.Operator, e.Query, []byte{byte(i)})
		if err != nil {
			return err
		}
		if v != nil {
			r.sum[i], r.rows[i] = int64(binary.BigEndian.Uint64(v)), int64(binary.BigEndian.Uint64(v[8:]))
		}
	}
	return nil
}

func (r *sums) Next(ctx context.Context) (*column.Batch, error) {
	if r.done {
		return nil, nil
	}
	r.done = true
	for i, s := range r.scans() {
		for {
			in, err := s.next(ctx)
			if err != nil {
				return nil, err
			}
			if in == nil {
				break
			}
			for _, v := range in.Batch.Cols[0].(*column.Of[int64]).Values {
				r.sum[i] += v
				r.rows[i]++
			}
			s.recycle(in)
			if r.limit {
				break
			}
		}
		v := binary.BigEndian.AppendUint64(nil, uint64(r.sum[i]))
		v = binary.BigEndian.AppendUint64(v, uint64(r.rows[i]))
		r.e.Txn.Put(state.Operator, r.e.Query, []byte{byte(i)}, v)
		r.e.Txn.Put(state.Result, r.e.Query, []byte{byte(i)}, []byte(fmt.Sprintf("%d/%d", r.sum[i], r.rows[i])))
	}
	return &column.Batch{Rows: 1}, nil
}

func (r *sums) Bounds() exec.Bounds { return exec.Bounds{} }
func (r *sums) Close() error        { return nil }

const viewID = 100

// rig is a query under test with what it stands on.
type rig struct {
	t       *testing.T
	store   *state.Store
	log     *Log
	mem     *memory
	fail    *failpoint.Set
	streams []*catalog.Stream
	rows    int64
	limit   bool
	q       *Query
}

func numbers(id catalog.ID, name, conn string) *catalog.Stream {
	return &catalog.Stream{
		Object: catalog.Object{ID: id, Name: name}, Connector: conn, Options: map[string]string{},
		Columns: []catalog.Column{{Name: "v", Type: types.Of(types.Int8)}, {Name: "page", Type: types.Of(types.Text)}},
	}
}

func newRig(t *testing.T, streams ...*catalog.Stream) *rig {
	t.Helper()
	r := &rig{t: t, store: testStore(t), mem: newMemory(), fail: &failpoint.Set{}, streams: streams}
	r.log, _ = testLog(t, r.store)
	return r
}

func (r *rig) config() Config {
	plan := &physicalplan.Plan{Fingerprint: "f1"}
	for _, s := range r.streams {
		plan.Scans = append(plan.Scans, &physicalplan.StreamScan{Stream: s, Ords: []int{0}})
	}
	return Config{
		View: &catalog.MaterializedView{Object: catalog.Object{ID: viewID, Name: "r"}}, Plan: plan, Store: r.store, Log: r.log,
		Sources: connector.Registry{"memory": r.mem.driver()}, Clock: clock.NewFake(noon), MaxRows: r.rows, Fail: r.fail,
		build: func(_ *physicalplan.Plan, env *exec.Env) (*exec.Query, error) {
			return &exec.Query{Root: &sums{scans: func() []*scan { return r.q.scans }, r: env.Reader, limit: r.limit}}, nil
		},
	}
}

// start opens the query from what is stored.
func (r *rig) start() *Query {
	r.t.Helper()
	q, err := New(context.Background(), r.config())
	if err != nil {
		r.t.Fatal(err)
	}
	r.q = q
	return q
}

// settle steps until there is nothing left to do.
func (r *rig) settle() {
	r.t.Helper()
	for range 1000 {
		p, err := r.q.Step(context.Background())
		if err != nil {
			r.t.Fatal(err)
		}
		if p.Epoch == 0 {
			return
		}
	}
	r.t.Fatal("does not settle")
}

// result returns the stored "sum/rows" of each scan.
func (r *rig) result() string {
	r.t.Helper()
	out := ""
	if err := r.store.Scan(state.Result, viewID, nil, nil, func(_, v []byte) bool {
		out += string(v) + " "
		return true
	}); err != nil {
		r.t.Fatal(err)
	}
	return out
}

func watermarkOn(column int) *catalog.Watermark {
	return &catalog.Watermark{Column: column, Delay: types.IntervalValue{Months: 1, Micros: 60e6}}
}
