package exec

import (
	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
	"wmsql/types"
)

// grouping folds batches into groups: one worker's scratch memory and what it knows of the plan.
type grouping struct {
	node   *physicalplan.Grouping
	ctx    *expr.Context
	layout *keyLayout
	keys   []int        // ordinals of the keys that are encoded
	outs   []types.Type // of the keys, then of the aggregates

	near    bool    // small keys are found without encoding: see nearKeys
	keys64  []int64 // of the batch, when they are; nil: encoded
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
		mk := expr.NewAccumulator
		if g.node.Retracts {
			mk = expr.NewRetracting
		}
		out.accs = append(out.accs, mk(a.Agg, g.ctx))
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
	if g.keys64 = nil; g.near {
		g.keys64 = nearKeys(g.keyCols)
	}
	if g.keys64 == nil {
		g.layout.encode(&g.set, g.keyCols, b.Rows)
	}
}

// add folds rows of b (nil: all), whose keys encode has read, into to. It returns the group of each row until the next call.
func (g *grouping) add(to *groups, b *column.Batch, rows []int32) ([]int32, error) {
	slots := g.place(to, b, rows)
	return slots, g.fold(to.accs, to.table.len(), b, slots, rows, false)
}

// place finds the groups of rows of b (nil: all), whose keys encode has read, and makes those that are new.
func (g *grouping) place(to *groups, b *column.Batch, rows []int32) []int32 {
	if to.fixed == nil {
		g.noteFixed(to, b, rows)
	}
	g.locate(to, b, rows)
	return g.slots
}

// locate fills slots with the groups of the rows, whose keys encode has read, and makes those that are new.
func (g *grouping) locate(to *groups, b *column.Batch, rows []int32) {
	g.find(to, rows, b.Rows)
	for _, c := range g.layout.lossy {
		for _, i := range to.table.added {
			to.shown[c].AppendFrom(g.keyCols[c], int(i))
		}
	}
}

// exists makes the groups of b's rows without counting the rows.
func (g *grouping) exists(to *groups, b *column.Batch) {
	g.encode(b)
	g.locate(to, b, nil)
}

// fold folds rows of b (nil: all) into the slots, one a row, of accumulators that are to have n of them; undo takes them out again.
func (g *grouping) fold(accs []expr.Accumulator, n int, b *column.Batch, of, rows []int32, undo bool) error {
	for k, a := range g.node.Aggs {
		accs[k].Resize(n)
		slots, rows := of, rows
		if a.Filter >= 0 {
			slots, rows = g.filtered(b.Cols[a.Filter].(*column.Of[bool]), of, rows, b.Rows)
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
		change := accs[k].Add
		if undo {
			change = accs[k].Retract
		}
		if err := change(slots, rows, g.args); err != nil {
			return err
		}
	}
	return nil
}

// find fills slots with the groups of the rows. Without encoded keys there is one group.
func (g *grouping) find(to *groups, rows []int32, n int) {
	if g.keys64 != nil && rows == nil {
		g.slots = to.near.find(g.slots[:0], g.keys64, &to.table)
		return
	}
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

// filtered returns the rows for which v is true, and their slots among of.
func (g *grouping) filtered(v *column.Of[bool], of, rows []int32, n int) (slots, out []int32) {
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
			g.fslots = append(g.fslots, of[j])
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

// merge folds the groups of from at slots into to, and returns the groups of to that it touched until the next call.
func (g *grouping) merge(to, from *groups, slots []int32) ([]int32, error) {
	if to.fixed == nil {
		to.fixed = from.fixed
	}
	g.slots = to.table.find(g.slots[:0], &from.table.keys, slots, 0)
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
		if err := acc.Merge(g.slots, from.accs[k], slots); err != nil {
			return nil, err
		}
	}
	return g.slots, nil
}
