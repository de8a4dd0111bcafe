package exec

import (
	"wmsql/column"
	"wmsql/expr"
)

// groups is the groups of an aggregate, or of one window of it: keys, and accumulators as columns.
type groups struct {
	table groupTable
	accs  []expr.Accumulator
	shown []column.Builder // the first value of each lossy key column, nil for the others; see keyLayout.lossy
	fixed []fixedKey       // the keys that are the same in all groups
	near  nearTable        // where small keys are found
}

// fixedKey is a window bound.
type fixedKey struct {
	value int64
	null  bool
}

// bytes estimates the memory held.
func (g *groups) bytes() int64 {
	n := g.table.bytes() + 200
	for _, a := range g.accs {
		n += a.Bytes()
	}
	return n
}

// keep keeps only the groups at the given numbers, ascending.
func (g *groups) keep(slots []int32) {
	for k, c := range g.shown {
		if c != nil {
			g.shown[k] = column.NewBuilder(c.Type(), len(slots))
			v := c.View()
			for _, s := range slots {
				g.shown[k].AppendFrom(v, int(s))
			}
		}
	}
	for _, a := range g.accs {
		for to, from := range slots {
			if to != int(from) {
				a.Move(int32(to), from)
			}
		}
		for s := len(slots); s < g.table.len(); s++ {
			a.Reset(int32(s))
		}
	}
	g.table.keep(slots)
}

// reset forgets all groups and keeps the memory.
func (g *groups) reset() {
	for _, a := range g.accs {
		for s := range g.table.len() {
			a.Reset(int32(s))
		}
	}
	for _, b := range g.shown {
		if b != nil {
			b.Reset()
		}
	}
	g.table.reset()
	g.fixed = nil
}

// upTo returns 0, 1, ... n-1, in the memory of dst where it suffices.
func upTo(dst []int32, n int) []int32 {
	for i := len(dst); i < n; i++ {
		dst = append(dst, int32(i))
	}
	return dst[:n]
}
