package exec

import (
	"context"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
)

// distinct passes the first row of each key: of all columns, or of those of DISTINCT ON. When it may remember no more keys, it goes on with
// those it knows, and rows of other keys wait in parts on disk until the input is through. Rows that come sorted by the key need no
// memory: a key that is past does not come again.
type distinct struct {
	in     Operator
	node   *physicalplan.Distinct
	layout *keyLayout
	budget budget
	spill  *spill
	sorted bool

	source rows // in, or a part
	depth  int
	rest   *division // nil while all keys are remembered
	queue  []distinctPart
	part   *spillRun // that source reads

	seen  groupTable
	set   keySet
	cols  []column.Vector
	slots []int32
	keep  []int32
}

// distinctPart is rows whose keys were not remembered.
type distinctPart struct {
	run   *spillRun
	depth int
}

func newDistinct(in Operator, n *physicalplan.Distinct, limit int64, s *spill) *distinct {
	d := &distinct{in: in, node: n, budget: budget{limit: limit}, spill: s, sorted: sortedBy(n.Input, n.On)}
	ts := schemaTypes(n.Input.Schema())
	var keys = ts[:0:0]
	for _, o := range n.On {
		keys = append(keys, ts[o])
	}
	d.layout = newKeyLayout(keys)
	return d
}

// sortedBy reports whether the rows of n come ordered by the columns at on, in any order of these.
func sortedBy(n physicalplan.Node, on []int) bool {
	s, ok := n.(*physicalplan.Sort)
	if !ok || len(s.Keys) < len(on) {
		return false
	}
	found := map[int]bool{}
	for _, k := range s.Keys[:len(on)] {
		c, ok := k.X.(*expr.Column)
		if !ok {
			return false
		}
		found[indexOf(n.Layout(), c.ID)] = true
	}
	for _, o := range on {
		if !found[o] {
			return false
		}
	}
	return true
}

// Begin forgets the keys.
func (d *distinct) Begin(ctx context.Context, e *Epoch) error {
	d.seen.reset()
	d.source, d.depth, d.rest, d.queue, d.part = d.in, 0, nil, nil, nil
	return d.in.Begin(ctx, e)
}

// Next returns the next batch with a new key.
func (d *distinct) Next(ctx context.Context) (*column.Batch, error) {
	for d.source != nil {
		b, err := d.source.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			if err := d.turn(); err != nil {
				return nil, err
			}
			continue
		}
		if b.Rows == 0 {
			continue
		}
		out, err := d.fresh(b)
		if out != nil || err != nil {
			return out, err
		}
	}
	return nil, nil
}

// fresh returns the rows of b with a new key, nil if there are none.
func (d *distinct) fresh(b *column.Batch) (*column.Batch, error) {
	d.cols = d.cols[:0]
	for _, o := range d.node.On {
		d.cols = append(d.cols, b.Cols[o])
	}
	d.layout.encode(&d.set, d.cols, b.Rows)
	if d.rest != nil {
		return nil, d.postpone(b)
	}
	d.slots = d.seen.find(d.slots[:0], &d.set, nil, b.Rows)
	d.keep = append(d.keep[:0], d.seen.added...)
	if d.sorted {
		d.seen.reset()
		d.seen.one(d.set.key(b.Rows - 1))
	} else if err := d.budget.check(d.seen.bytes()); err != nil {
		if !d.spill.able() || d.depth == partDepth {
			return nil, err
		}
		if err := d.divide(); err != nil {
			return nil, err
		}
	}
	switch len(d.keep) {
	case 0:
		return nil, nil
	case b.Rows:
		return b, nil
	}
	return b.Take(d.keep), nil
}

// divide makes parts for the rows of further keys.
func (d *distinct) divide() error {
	f, err := d.spill.create(d.node)
	if err != nil {
		return err
	}
	d.rest = newDivision(f, d.node.Input.Schema(), d.depth, d.budget.limit)
	return nil
}

// postpone gives the rows of b whose keys are not remembered to their parts.
func (d *distinct) postpone(b *column.Batch) error {
	d.keep = d.keep[:0]
	for i := range b.Rows {
		if d.seen.lookup(&d.set, i) < 0 {
			d.keep = append(d.keep, int32(i))
		}
	}
	if len(d.keep) == 0 {
		return nil
	}
	return d.rest.add(b, d.set.hashes, d.keep)
}

// turn goes on with the next part.
func (d *distinct) turn() error {
	if d.part != nil {
		if err := d.part.done(); err != nil {
			return err
		}
	}
	if d.rest != nil {
		if err := d.rest.finish(); err != nil {
			return err
		}
		for _, r := range d.rest.runs {
			d.queue = append(d.queue, distinctPart{r, d.depth + 1})
		}
	}
	d.source, d.rest, d.part = nil, nil, nil
	if len(d.queue) > 0 {
		next := d.queue[len(d.queue)-1]
		d.queue = d.queue[:len(d.queue)-1]
		d.source, d.part, d.depth = next.run.reader(), next.run, next.depth
		d.seen = groupTable{}
	}
	return nil
}

// Bounds is the input's.
func (d *distinct) Bounds() Bounds { return d.in.Bounds() }

// Close closes the input.
func (d *distinct) Close() error {
	d.seen = groupTable{}
	return d.in.Close()
}
