package exec

import (
	"context"

	"wmsql/column"
	"wmsql/types"
)

// mergeWidth is how many sorted runs are merged at once: one batch of each is in memory.
const mergeWidth = 64

// merge passes the rows of sorted runs in order. Of equal rows those of an earlier run come first.
type merge struct {
	heads []*mergeHead // a heap: the run whose row is next is the first
	order []keyOrder
	wide  *types.Schema // the rows' columns, then the keys
	out   *types.Schema
	bs    []column.Builder
	rows  int // of a batch
	left  int // rows still wanted; -1: all
	begun bool
}

// mergeHead is a run and its next row.
type mergeHead struct {
	number int
	in     *runReader
	b      *column.Batch
	row    int
	keys   []column.Vector
}

func newMerge(runs []*spillRun, wide, out *types.Schema, order []keyOrder, keep int) *merge {
	m := &merge{order: order, wide: wide, out: out, rows: column.MaxRows, left: keep}
	for i, r := range runs {
		m.heads = append(m.heads, &mergeHead{number: i, in: r.reader()})
	}
	m.bs = column.NewBuilders(wide, 0)
	return m
}

// Next returns the next rows without their keys, nil at the end.
func (m *merge) Next(ctx context.Context) (*column.Batch, error) {
	b, err := m.wideNext(ctx)
	if b == nil || err != nil {
		return nil, err
	}
	return &column.Batch{Schema: m.out, Cols: b.Cols[:len(m.out.Fields)], Rows: b.Rows}, nil
}

// wideNext returns the next rows with their keys.
func (m *merge) wideNext(ctx context.Context) (*column.Batch, error) {
	if !m.begun {
		m.begun = true
		if err := m.fill(ctx); err != nil {
			return nil, err
		}
	}
	n := 0
	for ; n < m.rows && len(m.heads) > 0 && m.left != 0; n++ {
		h := m.heads[0]
		for c, b := range m.bs {
			b.AppendFrom(h.b.Cols[c], h.row)
		}
		m.left--
		if h.row++; h.row == h.b.Rows {
			more, err := m.load(ctx, h)
			if err != nil {
				return nil, err
			}
			if !more {
				last := len(m.heads) - 1
				m.heads[0] = m.heads[last]
				m.heads = m.heads[:last]
			}
		}
		m.down(0)
	}
	if n == 0 {
		return nil, nil
	}
	return column.BuildBatch(m.wide, m.bs), nil
}

// fill reads the first batch of each run and orders the heap.
func (m *merge) fill(ctx context.Context) error {
	live := m.heads[:0]
	for _, h := range m.heads {
		more, err := m.load(ctx, h)
		if err != nil {
			return err
		}
		if more {
			live = append(live, h)
		}
	}
	m.heads = live
	for i := len(m.heads)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return nil
}

func (m *merge) load(ctx context.Context, h *mergeHead) (bool, error) {
	b, err := h.in.Next(ctx)
	if b == nil || err != nil {
		return false, err
	}
	h.b, h.row, h.keys = b, 0, b.Cols[len(m.out.Fields):]
	return true, nil
}

// down lets the head at i sink to its place.
func (m *merge) down(i int) {
	for {
		least := i
		for _, c := range []int{2*i + 1, 2*i + 2} {
			if c < len(m.heads) && m.before(m.heads[c], m.heads[least]) {
				least = c
			}
		}
		if least == i {
			return
		}
		m.heads[i], m.heads[least] = m.heads[least], m.heads[i]
		i = least
	}
}

func (m *merge) before(a, b *mergeHead) bool {
	for k, o := range m.order {
		if c := o.compare(a.keys[k], a.row, b.keys[k], b.row); c != 0 {
			return c < 0
		}
	}
	return a.number < b.number
}

// compare orders row i of a against row j of b.
func (o keyOrder) compare(a column.Vector, i int, b column.Vector, j int) int {
	an, bn := a.IsNull(i), b.IsNull(j)
	switch {
	case an && bn:
		return 0
	case an != bn:
		if an == o.first {
			return -1
		}
		return 1
	case o.desc:
		return -column.Compare(a, i, b, j)
	}
	return column.Compare(a, i, b, j)
}
