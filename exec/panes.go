package exec

import (
	"slices"

	"wmsql/catalog"
	"wmsql/physicalplan"
	"wmsql/types"
)

// A sliding window's groups are kept by pane, a piece of one slide: a row is folded once, not once for each window that holds it.
// The bucket of a pane is named by the end of the last window that covers it, when the pane can be freed. What is put out is
// windows, merged from their panes.

// windows lists the windows that the epoch puts out, earliest first: in append mode those that the watermark has reached, in update
// mode the open ones with a touched pane. A window that was closed before is not put out again, though a row that was
// late for it alone came into one of its panes.
func (a *streamAggregate) windows(upTo types.MicroTime) []task {
	p := a.node.Panes
	reach := types.MicroTime(p.Size - p.Slide)
	wanted := map[types.MicroTime]bool{}
	a.emit.panes = a.emit.panes[:0]
	for _, b := range a.buckets {
		a.emit.panes = append(a.emit.panes, b.id.end)
		if a.onlyTouched() && b.epoch != a.epoch.ID {
			continue
		}
		for end := b.id.end - reach; end <= b.id.end; end += types.MicroTime(p.Slide) {
			if end > a.past.expired && (a.node.Mode == catalog.Update || end <= upTo) {
				wanted[end] = true
			}
		}
	}
	slices.Sort(a.emit.panes)
	out := make([]task, 0, len(wanted))
	for end := range wanted {
		out = append(out, task{end: end, emit: true})
	}
	slices.SortFunc(out, func(x, y task) int { return int(min(max(x.end-y.end, -1), 1)) })
	return out
}

// onlyTouched says that the epoch puts out the groups that it changed, and no others.
func (a *streamAggregate) onlyTouched() bool {
	return a.node.Mode == catalog.Update && !a.reissues()
}

// reissues says that the epoch puts out all open groups. An operator above that takes back what it was given has them already.
func (a *streamAggregate) reissues() bool { return a.epoch.Reissue && !a.node.Changes }

// assemble merges the groups of the window that ends at end: all of them, in update mode those with a touched pane.
func (a *streamAggregate) assemble(end types.MicroTime) error {
	e := &a.emit
	if e.win == nil {
		e.win = a.merger.newGroups()
	}
	e.win.reset()
	panes, err := a.panesOf(end)
	if err != nil {
		return err
	}
	if a.onlyTouched() {
		for _, b := range panes {
			if b.epoch == a.epoch.ID {
				a.merger.addKeys(e.win, b.groups, b.touched(nil))
			}
		}
	}
	for _, b := range panes {
		if a.onlyTouched() {
			err = a.merger.mergeKnown(e.win, b.groups)
		} else {
			a.all = upTo(a.all, max(len(a.all), b.table.len()))
			_, err = a.merger.merge(e.win, b.groups, a.all[:b.table.len()])
		}
		if err != nil {
			return err
		}
	}
	e.win.fixed = fixedOf(a.node.Panes, end)
	return nil
}

// panesOf returns the panes that the window covers, earliest first, with their groups in memory.
func (a *streamAggregate) panesOf(end types.MicroTime) ([]*bucket, error) {
	p := a.node.Panes
	var out []*bucket
	from, _ := slices.BinarySearch(a.emit.panes, end)
	for _, last := range a.emit.panes[from:] {
		if last-end >= types.MicroTime(p.Size) {
			break
		}
		b := a.buckets[bucketID{end: last}]
		if b == nil {
			continue
		}
		if err := a.warm(b); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// fixedOf returns the keys that are bounds of the window that ends at end.
func fixedOf(p *physicalplan.Panes, end types.MicroTime) []fixedKey {
	out := []fixedKey{}
	for _, r := range p.Roles {
		at := int64(end)
		switch r {
		case physicalplan.WindowStart:
			at -= p.Size
		case physicalplan.WindowTime:
			at--
		}
		out = append(out, fixedKey{value: at})
	}
	return out
}

// addKeys makes the keys of from at slots groups of to, still empty.
func (g *grouping) addKeys(to, from *groups, slots []int32) {
	if len(g.keys) == 0 {
		to.table.one(nil)
		return
	}
	g.slots = to.table.find(g.slots[:0], &from.table.keys, slots, 0)
	for _, c := range g.layout.lossy {
		v := from.shown[c].View()
		for _, i := range to.table.added {
			to.shown[c].AppendFrom(v, int(i))
		}
	}
}

// mergeKnown folds the groups of from that to has too into to.
func (g *grouping) mergeKnown(to, from *groups) error {
	g.slots, g.frows = g.slots[:0], g.frows[:0]
	for s := range to.table.len() {
		if f := from.table.lookup(&to.table.keys, s); f >= 0 {
			g.slots, g.frows = append(g.slots, int32(s)), append(g.frows, f)
		}
	}
	for k, acc := range to.accs {
		acc.Resize(to.table.len())
		from.accs[k].Resize(from.table.len())
		if err := acc.Merge(g.slots, from.accs[k], g.frows); err != nil {
			return err
		}
	}
	return nil
}
