package exec

import (
	"bytes"
	"context"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// topN keeps the first rows of every partition up to date. The rows of an epoch are gathered by partition; at its end each partition that
// had some is read from the store, changed, compared with what it was, and written back. In memory are an epoch's rows only.
//
// Rows of equal order stay in the order of arrival.
type topN struct {
	in     Operator
	node   *physicalplan.TopN
	env    *Env
	count  *lateCount
	layout *keyLayout

	keys    groupTable
	news    [][]topChange // of each partition
	ends    []types.MicroTime
	rows    int64            // in the store
	written map[string]int64 // rows of the partitions that this epoch has written, which the reader does not see yet
	swept   types.MicroTime
	next    []byte // where the next sweep begins
	loaded  bool
	drained bool
	epoch   *Epoch
	bs      []column.Builder
	ops     []column.Op
	out     chunks
	stats   OperatorStats
	set     keySet
}

// topRow is a row with the bytes that order it.
type topRow struct{ order, row []byte }

// topChange is a row that came, or that is taken back.
type topChange struct {
	topRow
	gone bool
}

func (b *builder) topN(n *physicalplan.TopN) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	ts := schemaTypes(n.Input.Schema())
	var keys []types.Type
	for _, o := range n.On {
		keys = append(keys, ts[o])
	}
	t := &topN{in: in, node: n, env: b.env, count: b.lateCount(n.State), layout: newKeyLayout(keys)}
	b.q.stats = append(b.q.stats, t.operatorStats)
	b.q.wakes = append(b.q.wakes, t.wake)
	return t, nil
}

// Begin reads the header at the first epoch.
func (t *topN) Begin(ctx context.Context, e *Epoch) error {
	t.epoch, t.drained, t.out = e, false, chunks{}
	t.keys, t.news, t.ends, t.written = groupTable{}, nil, nil, map[string]int64{}
	t.bs, t.ops = column.NewBuilders(t.node.Schem, 0), nil
	t.count.rows.Store(0)
	t.stats = OperatorStats{}
	if err := t.in.Begin(ctx, e); err != nil {
		return err
	}
	if t.loaded {
		return nil
	}
	t.loaded = true
	return t.load()
}

// Next drains the input when first called, and returns the next changes.
func (t *topN) Next(ctx context.Context) (*column.Batch, error) {
	for !t.drained {
		b, err := t.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b != nil {
			t.gather(b)
			continue
		}
		t.drained = true
		if err := t.finish(); err != nil {
			return nil, err
		}
	}
	return t.out.next(), nil
}

// gather notes the rows of b by partition.
func (t *topN) gather(b *column.Batch) {
	var cols []column.Vector
	for _, o := range t.node.On {
		cols = append(cols, b.Cols[o])
	}
	t.layout.encode(&t.set, cols, b.Rows)
	for i, slot := range t.keys.find(nil, &t.set, nil, b.Rows) {
		if int(slot) == len(t.news) {
			t.news = append(t.news, nil)
			t.ends = append(t.ends, t.endOf(b, i))
		}
		c := topChange{topRow: topRow{t.order(b, i), column.AppendRow(nil, b.Cols, i)}}
		c.gone = b.Ops != nil && b.Ops[i].Removes()
		t.news[slot] = append(t.news[slot], c)
	}
	t.stats.RowsUpdated += int64(b.Rows)
}

// order is the bytes that order row i.
func (t *topN) order(b *column.Batch, i int) []byte {
	var key []byte
	for k, o := range t.node.Order {
		null, desc := b.Cols[o].IsNull(i), t.node.Desc[k]
		if t.node.First[k] != desc { // not where the key puts NULLs by itself
			if null == t.node.First[k] {
				key = append(key, 0)
			} else {
				key = append(key, 1)
			}
		}
		key = column.AppendKey(key, b.Cols[o], i, desc)
	}
	return key
}

// endOf is when the partition of row i is freed.
func (t *topN) endOf(b *column.Batch, i int) types.MicroTime {
	if t.node.End < 0 {
		return types.Infinity
	}
	v := b.Cols[t.node.End].(*column.Of[int64])
	if v.IsNull(i) {
		return types.Infinity
	}
	return types.MicroTime(plusMicros(v.Values[i], t.node.EndAfter))
}

// finish changes the partitions, and frees those that the watermark has passed.
func (t *topN) finish() error {
	for slot := range t.news {
		if err := t.change(slot); err != nil {
			return err
		}
	}
	t.news = nil
	if err := t.free(t.Bounds().EvictUpTo); err != nil {
		return err
	}
	if err := t.sweep(); err != nil {
		return err
	}
	t.storeHeader()
	t.stats.RowsTotal = t.rows
	if len(t.ops) > 0 {
		t.out.b = column.BuildBatch(t.node.Schem, t.bs)
		t.out.b.Rows, t.out.b.Ops = len(t.ops), t.ops
		t.stats.RowsOut = int64(len(t.ops))
	}
	return nil
}

// change applies an epoch's rows to their partition.
func (t *topN) change(slot int) error {
	key := t.key(t.keys.keys.key(slot), t.ends[slot])
	old, dead, err := t.read(key)
	if err != nil {
		return err
	}
	var rows []topRow
	if !dead {
		rows = slices.Clone(old)
	}
	for _, c := range t.news[slot] {
		if !c.gone {
			rows = append(rows, c.topRow)
			continue
		}
		at := slices.IndexFunc(rows, func(r topRow) bool { return bytes.Equal(r.row, c.row) })
		if at >= 0 {
			rows = slices.Delete(rows, at, at+1)
		}
	}
	slices.SortStableFunc(rows, func(x, y topRow) int { return bytes.Compare(x.order, y.order) })
	if !t.node.All && int64(len(rows)) > t.node.Count {
		rows = rows[:t.node.Count]
	}
	if err := t.differ(old, rows); err != nil {
		return err
	}
	t.write(key, rows, len(old))
	return nil
}

// differ puts out the places among the first rows that have another row now.
func (t *topN) differ(old, now []topRow) error {
	for i := range max(len(old), len(now)) {
		if int64(i) == t.node.Count {
			break
		}
		had, has := i < len(old), i < len(now)
		if had && has && bytes.Equal(old[i].row, now[i].row) {
			continue
		}
		before, after := column.Delete, column.Insert
		if had && has {
			before, after = column.UpdateBefore, column.UpdateAfter
		}
		if had {
			if err := t.emit(old[i], i, before); err != nil {
				return err
			}
		}
		if has {
			if err := t.emit(now[i], i, after); err != nil {
				return err
			}
		}
	}
	return nil
}

// emit puts out a row at its place.
func (t *topN) emit(r topRow, place int, op column.Op) error {
	last := len(t.bs) - 1
	if _, err := column.DecodeRow(t.bs[:last], r.row); err != nil {
		return err
	}
	t.bs[last].(*column.FixedBuilder[int64]).Append(int64(place) + 1)
	t.ops = append(t.ops, op)
	return nil
}

// Bounds is the input's.
func (t *topN) Bounds() Bounds { return t.in.Bounds() }

// Close closes the input.
func (t *topN) Close() error {
	t.out = chunks{}
	return t.in.Close()
}

func (t *topN) operatorStats() OperatorStats {
	s := t.stats
	s.Name, s.Title, s.Table = "topN", t.node.Title(), t.node.State
	s.RowsTotal = t.rows
	s.RowsDropped = t.count.rows.Load()
	s.Bounds = t.Bounds()
	return s
}
