package exec

import (
	"encoding/binary"
	"hash/fnv"
	"sync"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// lateRows keeps the rows that are late for one stateful operator and hands them out again in an epoch that refreshes. The copies of
// the operators that test for lateness share it.
type lateRows struct {
	table  uint32
	schema *types.Schema // of the rows
	layout uint64
	aside  *aside
	env    *Env
	count  *lateCount
	from   types.MicroTime // closed windows that ended after it are kept; set by the aggregate

	mu    sync.Mutex
	epoch int64 // that the rows were last handed out in
}

// refreshMax bounds the late rows of one refresh: they are in memory. What is over is left for the next one.
const refreshMax = 1 << 20

// layoutOf tells rows of other columns apart.
func layoutOf(s *types.Schema) uint64 {
	h := fnv.New64a()
	for _, f := range s.Fields {
		_, _ = h.Write([]byte(f.Name + "\x00" + f.Type.String() + "\x00")) // cannot fail
	}
	return h.Sum64()
}

// put keeps row i of b, showing the columns at shown (nil: all).
func (k *lateRows) put(b *column.Batch, i int, shown []int, r LateRow) {
	r.table, r.layout, r.cells = k.table, k.layout, column.AppendRow(nil, b.Cols, i)
	k.aside.late(b, i, shown, &r)
}

// again is late rows on their way through once more.
type again struct {
	batches []*column.Batch
	marks   [][]types.MicroTime // of each batch: the watermarks that the rows were late by
}

// next returns the next batch, nil at the end.
func (a *again) next() (*column.Batch, []types.MicroTime) {
	if a == nil || len(a.batches) == 0 {
		return nil, nil
	}
	b, m := a.batches[0], a.marks[0]
	a.batches, a.marks = a.batches[1:], a.marks[1:]
	return b, m
}

// open returns the rows that a refresh adds, and marks them as added. The first worker that asks gets them all.
func (k *lateRows) open(e *Epoch) (*again, error) {
	if k == nil {
		return nil, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.epoch == e.ID {
		return nil, nil
	}
	k.epoch = e.ID
	k.count.corrected.Store(0)
	k.count.tooOld.Store(0)
	if !e.Refresh {
		return nil, nil
	}
	c := &againCollector{k: k, bs: column.NewBuilders(k.schema, 64)}
	var bad error
	err := scanLate(k.env.Reader, e.Query, func(key []byte, r *LateRow) bool {
		if r.Corrected != 0 {
			return true
		}
		if r.table != k.table || r.layout != k.layout || r.Expires <= k.from {
			k.count.tooOld.Add(1)
			return true
		}
		if bad = c.add(r); bad != nil {
			return false
		}
		k.aside.mu.Lock()
		e.Txn.Put(state.Late, e.Query, append(key, lateMark), binary.AppendVarint(nil, e.ID))
		k.aside.mu.Unlock()
		return k.count.corrected.Add(1) < refreshMax
	})
	if bad != nil {
		err = bad
	}
	c.flush()
	return &c.out, err
}

// againCollector puts decoded rows into batches.
type againCollector struct {
	k     *lateRows
	bs    []column.Builder
	marks []types.MicroTime
	out   again
}

func (c *againCollector) add(r *LateRow) error {
	if _, err := column.DecodeRow(c.bs, r.cells); err != nil {
		return err
	}
	if c.marks = append(c.marks, r.Watermark); len(c.marks) == column.MaxRows {
		c.flush()
	}
	return nil
}

func (c *againCollector) flush() {
	if len(c.marks) == 0 {
		return
	}
	b := column.BuildBatch(c.k.schema, c.bs)
	b.Rows = len(c.marks)
	c.out.batches, c.out.marks = append(c.out.batches, b), append(c.out.marks, c.marks)
	c.marks = nil
}
