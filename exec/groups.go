package exec

import (
	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
	"wmsql/types"
)

// groups is the groups of an aggregate, or of one window of it: keys, and accumulators as columns.
type groups struct {
	table groupTable
	accs  []expr.Accumulator
	shown []column.Builder // the first value of each lossy key column, nil for the others; see keyLayout.lossy
	fixed []fixedKey       // the keys that are the same in all groups
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

// grouping folds batches into groups: one worker's scratch memory and what it knows of the plan.
type grouping struct {
	node   *physicalplan.Grouping
	ctx    *expr.Context
	layout *keyLayout
	keys   []int        // ordinals of the keys that are encoded
	outs   []types.Type // of the keys, then of the aggregates

	set     keySet
	keyCols []column.Vector
	args    []column.Vector
	slots   []int32
	fslots  []int32
	frows   []int32
}

func newGrouping(n *physicalplan.Grouping, in, out *types.Schema, ctx *expr.Context) *grouping {
	g := &grouping{node: n, ctx: ctx}
	var ts []types.Type
	for i, k := range n.Keys {
		if !n.Fixed[i] {
			g.keys = append(g.keys, k)
			ts = append(ts, in.Fields[k].Type)
		}
	}
	for _, f := range out.Fields {
		g.outs = append(g.outs, f.Type)
	}
	g.layout = newKeyLayout(ts)
	return g
}

func (g *grouping) newGroups() *groups {
	out := &groups{}
	for _, a := range g.node.Aggs {
		out.accs = append(out.accs, expr.NewAccumulator(a.Agg, g.ctx))
	}
	if len(g.layout.lossy) > 0 {
		out.shown = make([]column.Builder, len(g.layout.types))
		for _, c := range g.layout.lossy {
			out.shown[c] = column.NewBuilder(g.layout.types[c], 0)
		}
	}
	return out
}

// encode readies the keys of b for add.
func (g *grouping) encode(b *column.Batch) {
	if len(g.keys) == 0 {
		return
	}
	g.keyCols = g.keyCols[:0]
	for _, k := range g.keys {
		g.keyCols = append(g.keyCols, b.Cols[k])
	}
	g.layout.encode(&g.set, g.keyCols, b.Rows)
}

// add folds rows of b (nil: all), whose keys encode has read, into to. It returns the group of each row until the next call.
func (g *grouping) add(to *groups, b *column.Batch, rows []int32) ([]int32, error) {
	if to.fixed == nil {
		g.noteFixed(to, b, rows)
	}
	g.find(to, rows, b.Rows)
	for _, c := range g.layout.lossy {
		for _, i := range to.table.added {
			to.shown[c].AppendFrom(g.keyCols[c], int(i))
		}
	}
	n := to.table.len()
	for k, a := range g.node.Aggs {
		to.accs[k].Resize(n)
		slots, rows := g.slots, rows
		if a.Filter >= 0 {
			slots, rows = g.filtered(b.Cols[a.Filter].(*column.Of[bool]), rows, b.Rows)
			if len(slots) == 0 {
				continue
			}
		}
		g.args = g.args[:0]
		for _, c := range a.Args {
			g.args = append(g.args, b.Cols[c])
		}
		for _, c := range a.Order {
			g.args = append(g.args, b.Cols[c])
		}
		if err := to.accs[k].Add(slots, rows, g.args); err != nil {
			return nil, err
		}
	}
	return g.slots, nil
}

// find fills slots with the groups of the rows. Without encoded keys there is one group.
func (g *grouping) find(to *groups, rows []int32, n int) {
	if len(g.keys) > 0 {
		g.slots = to.table.find(g.slots[:0], &g.set, rows, n)
		return
	}
	if rows != nil {
		n = len(rows)
	}
	had := to.table.len()
	to.table.one(nil)
	if to.table.added = to.table.added[:0]; had == 0 {
		first := int32(0)
		if rows != nil {
			first = rows[0]
		}
		to.table.added = append(to.table.added, first)
	}
	if cap(g.slots) < n {
		g.slots = make([]int32, n)
	}
	g.slots = g.slots[:n]
	clear(g.slots)
}

// filtered returns the rows for which v is true, and their groups.
func (g *grouping) filtered(v *column.Of[bool], rows []int32, n int) (slots, out []int32) {
	g.fslots, g.frows = g.fslots[:0], g.frows[:0]
	if rows != nil {
		n = len(rows)
	}
	for j := range n {
		i := int32(j)
		if rows != nil {
			i = rows[j]
		}
		if v.Values[i] && (v.Nulls == nil || !v.Nulls[i]) {
			g.fslots = append(g.fslots, g.slots[j])
			g.frows = append(g.frows, i)
		}
	}
	return g.fslots, g.frows
}

// noteFixed takes the fixed keys from the first row.
func (g *grouping) noteFixed(to *groups, b *column.Batch, rows []int32) {
	if b.Rows == 0 || rows != nil && len(rows) == 0 {
		return
	}
	i := 0
	if rows != nil {
		i = int(rows[0])
	}
	to.fixed = []fixedKey{}
	for k, c := range g.node.Keys {
		if g.node.Fixed[k] {
			v := b.Cols[c].(*column.Of[int64])
			to.fixed = append(to.fixed, fixedKey{v.Values[i], v.IsNull(i)})
		}
	}
}

// merge folds all groups of from into to, and returns the groups of to that it touched until the next call.
func (g *grouping) merge(to, from *groups, all []int32) ([]int32, error) {
	if to.fixed == nil {
		to.fixed = from.fixed
	}
	g.slots = to.table.find(g.slots[:0], &from.table.keys, nil, from.table.len())
	for _, c := range g.layout.lossy {
		v := from.shown[c].View()
		for _, i := range to.table.added {
			to.shown[c].AppendFrom(v, int(i))
		}
	}
	n := to.table.len()
	for k, acc := range to.accs {
		acc.Resize(n)
		from.accs[k].Resize(from.table.len())
		if err := acc.Merge(g.slots, from.accs[k], all[:from.table.len()]); err != nil {
			return nil, err
		}
	}
	return g.slots, nil
}

// result appends the rows of the groups at slots to the builders: keys, then aggregates.
func (g *grouping) result(bs []column.Builder, from *groups, slots []int32) error {
	fixed, coded := 0, 0
	dec := make([]column.Builder, len(g.layout.forms))
	for k := range g.node.Keys {
		if g.node.Fixed[k] {
			appendFixed(bs[k].(*column.FixedBuilder[int64]), from.fixed[fixed], len(slots))
			fixed++
			continue
		}
		dec[coded] = bs[k]
		coded++
	}
	if err := g.decodeKeys(dec, from, slots); err != nil {
		return err
	}
	n := from.table.len()
	for k, acc := range from.accs {
		acc.Resize(n)
		if err := acc.Result(bs[len(g.node.Keys)+k], slots); err != nil {
			return err
		}
	}
	return nil
}

// decodeKeys appends the encoded keys; lossy columns are shown as they came first.
func (g *grouping) decodeKeys(bs []column.Builder, from *groups, slots []int32) error {
	if len(bs) == 0 {
		return nil
	}
	target := bs
	if len(g.layout.lossy) > 0 {
		target = make([]column.Builder, len(bs))
		copy(target, bs)
		for _, c := range g.layout.lossy {
			target[c] = column.NewBuilder(g.layout.types[c], len(slots))
			v := from.shown[c].View()
			for _, s := range slots {
				bs[c].AppendFrom(v, int(s))
			}
		}
	}
	for _, s := range slots {
		if err := g.layout.decode(target, from.table.keys.key(int(s))); err != nil {
			return err
		}
	}
	return nil
}

func appendFixed(b *column.FixedBuilder[int64], k fixedKey, n int) {
	for range n {
		if k.null {
			b.AppendNull()
		} else {
			b.Append(k.value)
		}
	}
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
