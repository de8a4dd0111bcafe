package exec

import (
	"context"
	"slices"

	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/types"
)

// join holds its right side in memory and streams the left one past it. NULL keys match nothing. Pairs with equal keys (all pairs
// if there are no keys) are candidates; those that pass the rest of the condition are matches. A right side that does not fit is
// joined part by part: see joinSpill.
type join struct {
	left, right Operator
	node        *physicalplan.HashJoin
	lkeys       *exprs
	rkeys       *exprs
	on          *cond // nil: no rest
	layout      *keyLayout
	limit       int64    // bytes of the right side
	split       splitter // of rows whose keys cannot be computed
	pairs       splitter // of pairs for which the rest cannot be told, and of right rows
	spill       *joinSpill
	shared      *joinBuild

	table   *joinTable
	source  rows   // the left rows that go past the table; nil: none
	built   bool   // the right side was read
	matched []bool // full join: right rows that had a match
	twice   bool   // single join: a left row had two
	tail    chunks // full join: the right rows without one
	probe   probe
}

// probe is the state of one left batch.
type probe struct {
	b        *column.Batch
	set      keySet
	cols     []column.Vector
	row      int   // next left row
	chain    int32 // next candidate of row - 1, -1 if there is none
	hit      []bool
	l, r     []int32 // candidate pairs
	selected []int32
}

// Begin forgets both sides.
func (j *join) Begin(ctx context.Context, e *Epoch) error {
	j.table, j.source, j.built, j.tail, j.matched, j.twice = nil, nil, false, chunks{}, nil, false
	j.shared.begin(j)
	j.probe.b = nil
	if err := j.spill.begin(); err != nil {
		return err
	}
	return j.beginSides(ctx, e)
}

// beginSides readies the condition and both inputs.
func (j *join) beginSides(ctx context.Context, e *Epoch) error {
	for _, x := range []*exprs{j.lkeys, j.rkeys} {
		if err := x.begin(); err != nil {
			return err
		}
	}
	if j.on != nil {
		if err := j.on.begin(); err != nil {
			return err
		}
	}
	if err := j.left.Begin(ctx, e); err != nil {
		return err
	}
	return j.right.Begin(ctx, e)
}

// Next reads the right side when first called, and joins left rows.
func (j *join) Next(ctx context.Context) (*column.Batch, error) {
	if !j.built {
		j.built = true
		if err := j.shared.run(ctx, j); err != nil {
			return nil, err
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if b := j.tail.next(); b != nil {
			return b, nil
		}
		switch {
		case j.source == nil:
			if more, err := j.spill.turn(ctx); !more || err != nil {
				return nil, err
			}
		case j.probe.b == nil:
			if err := j.open(ctx); err != nil {
				return nil, err
			}
		default:
			out, err := j.step()
			if err != nil || out != nil && out.Rows > 0 {
				return out, err
			}
		}
	}
}

// build reads the right side.
func (j *join) build(ctx context.Context) error {
	c := newCollector(j.node.Right.Schema(), 0)
	for {
		b, err := j.right.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			j.source = j.left
			return j.index(c.take())
		}
		if err := c.add(b); err != nil {
			return err
		}
		if j.limit > 0 && c.bytes() > j.limit {
			return j.spill.divide(ctx, c)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// index makes b the right rows in memory.
func (j *join) index(b *column.Batch) error {
	cols, b, err := j.pairs.evals(nil, j.rkeys, b)
	if err != nil {
		return err
	}
	j.hold(b, cols)
	return nil
}

// hold makes b the right rows in memory; cols are their keys.
func (j *join) hold(b *column.Batch, cols []column.Vector) {
	j.table = &joinTable{}
	j.table.build(b, cols, j.layout)
	if j.node.Kind == logicalplan.FullJoin {
		j.matched = make([]bool, b.Rows)
	}
}

// open takes the next left batch.
func (j *join) open(ctx context.Context) error {
	b, err := j.source.Next(ctx)
	if err != nil {
		return err
	}
	if b == nil {
		j.source = nil
		j.finish()
		return nil
	}
	p := &j.probe
	if p.cols, b, err = j.split.evals(p.cols[:0], j.lkeys, b); err != nil || b.Rows == 0 {
		return err
	}
	if j.table.encodes() {
		j.layout.encode(&p.set, p.cols, b.Rows)
	}
	p.b, p.row, p.chain = b, 0, -1
	p.hit = append(p.hit[:0], make([]bool, b.Rows)...)
	return nil
}

// step joins candidates until a batch is full or the left batch is through; then it adds the left rows without a match.
func (j *join) step() (*column.Batch, error) {
	p := &j.probe
	p.l, p.r = p.l[:0], p.r[:0]
	j.candidates()
	out, err := j.matches()
	if err != nil {
		return nil, err
	}
	if p.row == p.b.Rows && p.chain < 0 {
		last, err := j.spill.seen(p.hit)
		if err != nil {
			return nil, err
		}
		if last {
			out = j.lonely(out)
		}
		p.b = nil
	}
	return out, nil
}

// candidates collects pairs, about a batch of them.
func (j *join) candidates() {
	p := &j.probe
	if p.row == 0 && p.chain < 0 {
		var ok bool
		if p.l, p.r, ok = j.table.firsts(p.l, p.r, p.cols); ok {
			p.row = p.b.Rows
			return
		}
	}
	for len(p.l) < column.MaxRows {
		if p.chain >= 0 {
			p.l, p.r = append(p.l, int32(p.row-1)), append(p.r, p.chain)
			p.chain = j.table.next(p.chain)
			continue
		}
		if p.row == p.b.Rows {
			break
		}
		p.chain = j.table.first(&p.set, p.cols, p.row)
		p.row++
	}
}

// matches tests the candidates and returns the joined rows; semi and anti joins only note them.
func (j *join) matches() (*column.Batch, error) {
	p := &j.probe
	if len(p.l) == 0 {
		return nil, nil
	}
	test := j.node.Kind.Tests()
	var pairs *column.Batch
	if !test || j.on != nil {
		pairs = j.paired(p.l, p.r)
	}
	if j.on != nil {
		sel, err := j.pairs.selects(p.selected[:0], j.on, pairs)
		if err != nil {
			return nil, err
		}
		p.selected = sel
		j.note(sel)
		if len(sel) < pairs.Rows && !test {
			pairs = pairs.Take(sel)
		}
	} else {
		j.noteAll()
	}
	if j.twice {
		return nil, errTwoRows()
	}
	if test {
		return nil, nil
	}
	return pairs, nil
}

// note marks the rows of these pairs as matched, unless nobody asks.
func (j *join) note(pairs []int32) {
	if j.node.Kind == logicalplan.InnerJoin {
		return
	}
	for _, k := range pairs {
		j.match(k)
	}
}

// noteAll marks the rows of all pairs.
func (j *join) noteAll() {
	if j.node.Kind == logicalplan.InnerJoin {
		return
	}
	for k := range j.probe.l {
		j.match(int32(k))
	}
}

// match marks the rows of pair k.
func (j *join) match(k int32) {
	p := &j.probe
	j.twice = j.twice || p.hit[p.l[k]] && j.node.Kind == logicalplan.SingleJoin
	p.hit[p.l[k]] = true
	if j.matched != nil {
		j.matched[p.r[k]] = true
	}
}

// paired builds rows of both sides.
func (j *join) paired(l, r []int32) *column.Batch {
	p := &j.probe
	out := &column.Batch{Schema: j.node.Schem, Rows: len(l)}
	each := len(l) == p.b.Rows && p.row == p.b.Rows && ascending(l) // the left rows as they are
	for _, v := range p.b.Cols {
		if !each {
			v = v.Take(l)
		}
		out.Cols = append(out.Cols, v)
	}
	for _, v := range j.table.rows.Cols {
		out.Cols = append(out.Cols, v.Take(r))
	}
	return out
}

// ascending reports whether idx is 0, 1, 2, ...
func ascending(idx []int32) bool {
	for i, x := range idx {
		if int(x) != i {
			return false
		}
	}
	return true
}

// lonely adds to out the left rows that the kind of join wants for having no match, or for a semi join having one; a mark join wants all.
func (j *join) lonely(out *column.Batch) *column.Batch {
	want := j.node.Kind == logicalplan.SemiJoin
	p := &j.probe
	switch j.node.Kind {
	case logicalplan.InnerJoin:
		return out
	case logicalplan.MarkJoin:
		marked := &column.Batch{Schema: j.node.Schem, Rows: p.b.Rows}
		mark := &column.Of[bool]{T: types.Of(types.Bool), Values: slices.Clone(p.hit)}
		marked.Cols = append(append(marked.Cols, p.b.Cols...), mark)
		return marked
	}
	p.l = p.l[:0]
	for i, hit := range p.hit {
		if hit == want {
			p.l = append(p.l, int32(i))
		}
	}
	if len(p.l) == 0 {
		return out
	}
	rows := p.b.Take(p.l)
	rows.Schema, rows.Ops = j.node.Schem, nil
	if !j.node.Kind.Tests() {
		for _, f := range j.node.Right.Schema().Fields {
			rows.Cols = append(rows.Cols, column.Const(f.Type, nil, rows.Rows))
		}
	}
	if out == nil || out.Rows == 0 {
		return rows
	}
	return column.Concat(j.node.Schem, []*column.Batch{out, rows})
}

// finish readies the right rows that had no match in a full join.
func (j *join) finish() {
	if j.matched == nil {
		return
	}
	var idx []int32
	for i, m := range j.matched {
		if !m {
			idx = append(idx, int32(i))
		}
	}
	out := &column.Batch{Schema: j.node.Schem, Rows: len(idx)}
	for _, f := range j.node.Left.Schema().Fields {
		out.Cols = append(out.Cols, column.Const(f.Type, nil, len(idx)))
	}
	for _, v := range j.table.rows.Cols {
		out.Cols = append(out.Cols, v.Take(idx))
	}
	j.tail = chunks{b: out}
}

// Bounds is the left side's: the right one is a table.
func (j *join) Bounds() Bounds { return j.left.Bounds() }

// Close closes both sides.
func (j *join) Close() error {
	j.table, j.source, j.tail = nil, nil, chunks{}
	return closeAll([]Operator{j.left, j.right})
}
