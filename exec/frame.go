package exec

import (
	"sort"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// frame says which rows around a row a window function sees.
type frame struct {
	f          *logicalplan.Frame
	desc       bool // of the ORDER BY key, for range offsets
	start, end *frameOffset
}

// frameOffset is the offset of one end: a number of rows or groups, or the value at the frame's edge for range.
type frameOffset struct {
	value *exprs // the offset
	edge  *exprs // range: the edge, then the key in the edge's type
	// beyond is what stands for an edge that is out of the range of times: a time before all others, or after all. Nil: it is an error.
	beyond *int64
}

// frame compiles a frame; nil is Postgres's default: from the partition's start to the last peer.
func (b *builder) frame(n *physicalplan.Over, f *logicalplan.Frame, layout []expr.ColumnID) (*frame, error) {
	if f == nil {
		f = &logicalplan.Frame{Unit: "range", StartKind: "unbounded preceding", EndKind: "current row"}
	}
	out := &frame{f: f}
	if f.Unit == "groups" && len(n.OrderBy) == 0 {
		return nil, sqlerr.Newf(sqlerr.WindowingError, "GROUPS mode requires an ORDER BY clause")
	}
	if f.Unit == "range" && (f.Start != nil || f.End != nil) {
		if len(n.OrderBy) != 1 {
			return nil, sqlerr.Newf(sqlerr.WindowingError, "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column")
		}
		out.desc = n.OrderBy[0].Desc
	}
	var err error
	if out.start, err = b.frameOffset(n, f, f.Start, f.StartKind, layout); err != nil {
		return nil, err
	}
	out.end, err = b.frameOffset(n, f, f.End, f.EndKind, layout)
	return out, err
}

func (b *builder) frameOffset(n *physicalplan.Over, f *logicalplan.Frame, x expr.Expr, kind string, layout []expr.ColumnID) (*frameOffset, error) {
	if x == nil {
		return nil, nil
	}
	o := &frameOffset{}
	var err error
	if o.value, err = b.exprs([]expr.Expr{x}, layout); err != nil || f.Unit != "range" {
		return o, err
	}
	op := "+"
	if (kind == "preceding") != n.OrderBy[0].Desc {
		op = "-"
	}
	key := n.OrderBy[0].X
	if key.Type().Same(types.Of(types.Time)) {
		if key, x, err = sinceMidnight(key, x); err != nil {
			return nil, err
		}
	}
	edge, err := expr.NewOp(op, key, x)
	if err != nil {
		return nil, err
	}
	cast, err := expr.NewCast(key, edge.Type(), expr.Implicit)
	if err != nil {
		return nil, err
	}
	if b.env.Query != 0 && (edge.Type().Kind == types.TimestampTZ || edge.Type().Kind == types.Timestamp) {
		o.beyond = new(int64(types.Infinity))
		if op == "-" {
			*o.beyond = int64(types.NegInfinity)
		}
	}
	o.edge, err = b.exprs([]expr.Expr{edge, cast}, layout)
	return o, err
}

// sinceMidnight makes intervals of a time and of an offset, for the edge may lie beyond midnight. Of the offset neither months nor days count.
func sinceMidnight(key, x expr.Expr) (since, offset expr.Expr, err error) {
	if since, err = expr.NewCast(key, types.Of(types.Interval), expr.Explicit); err != nil {
		return nil, nil, err
	}
	days := types.Type{Kind: types.Interval, Mod: types.IntervalMod(types.IntervalFields("year to day"), types.IntervalAllPrecision)}
	if offset, err = expr.NewCast(x, days, expr.Explicit); err != nil {
		return nil, nil, err
	}
	offset, err = expr.NewOp("-", x, offset)
	return since, offset, err
}

// edges computes the edge and the key of every row. In a continuous query no row's time stops the query: an edge that no time can say
// is before, or after, all times.
func (o *frameOffset) edges(b *column.Batch) ([]column.Vector, error) {
	v, err := o.edge.eval(nil, b)
	if err == nil || o.beyond == nil {
		return v, err
	}
	t := o.edge.src[0].Type()
	out := [2]column.Builder{column.NewBuilder(t, b.Rows), column.NewBuilder(t, b.Rows)}
	for i := range b.Rows {
		row := b.Slice(i, i+1)
		if v, err = o.edge.eval(v[:0], row); err == nil {
			out[0].AppendVector(v[0])
			out[1].AppendVector(v[1])
			continue
		}
		key, err := o.edge.evs[1].Eval(row)
		if err != nil {
			return nil, err
		}
		out[0].AppendDatum(*o.beyond)
		out[1].AppendVector(key)
	}
	return []column.Vector{out[0].Build(), out[1].Build()}, nil
}

// frameBounds is the frame [lo, hi) of every row, before exclusion.
type frameBounds struct {
	lo, hi  []int32
	exclude string
}

func (b *frameBounds) excludes() bool { return b.exclude != "" && b.exclude != "no others" }

// rows appends the rows of row i's frame.
func (b *frameBounds) rows(dst []int32, s *sortedRows, i int32) []int32 {
	p := s.peers[i]
	for r := b.lo[i]; r < b.hi[i]; r++ {
		peer := r >= p.start && r < p.end
		switch {
		case b.exclude == "current row" && r == i, b.exclude == "group" && peer, b.exclude == "ties" && peer && r != i:
			continue
		}
		dst = append(dst, r)
	}
	return dst
}

// bounds computes the frames of all rows.
func (f *frame) bounds(s *sortedRows) (*frameBounds, error) {
	n := s.rows.Rows
	out := &frameBounds{lo: make([]int32, n), hi: make([]int32, n), exclude: f.f.Exclude}
	if err := f.ends(s, out.lo, f.f.StartKind, f.start, false); err != nil {
		return nil, err
	}
	return out, f.ends(s, out.hi, f.f.EndKind, f.end, true)
}

// ends fills one end of every frame: its first row, or with last the row after its last.
func (f *frame) ends(s *sortedRows, dst []int32, kind string, o *frameOffset, last bool) error {
	var off, edge, key column.Vector
	if o != nil {
		v, err := o.value.eval(nil, s.rows)
		if err != nil {
			return err
		}
		off = v[0]
		if err := checkOffsets(off, last); err != nil {
			return err
		}
		if o.edge != nil {
			if v, err = o.edges(s.rows); err != nil {
				return err
			}
			edge, key = v[0], v[1]
		}
	}
	for i := range dst {
		r := int32(i)
		switch {
		case kind == "unbounded preceding":
			dst[i] = s.from[i]
		case kind == "unbounded following":
			dst[i] = s.to[i]
		case kind == "current row":
			dst[i] = f.current(s, r, last)
		case edge != nil:
			dst[i] = f.byRange(s, r, edge, key, last)
		default:
			by := off.(*column.Of[int64]).Values[i]
			if kind == "preceding" {
				by = -by
			}
			dst[i] = f.byCount(s, r, by, last)
		}
	}
	return nil
}

// current is an end at the current row: the row itself, or the edge of its peers.
func (f *frame) current(s *sortedRows, i int32, last bool) int32 {
	switch {
	case f.f.Unit == "rows" && last:
		return i + 1
	case f.f.Unit == "rows":
		return i
	case last:
		return s.peers[i].end
	}
	return s.peers[i].start
}

// byCount is an end so many rows or groups away, within the partition.
func (f *frame) byCount(s *sortedRows, i int32, by int64, last bool) int32 {
	if f.f.Unit == "rows" {
		at := int64(i) + by
		if last {
			at++
		}
		return int32(min(max(at, int64(s.from[i])), int64(s.to[i])))
	}
	p := s.peers[i]
	at := int64(p.at) + by
	if last {
		at++
	}
	first, after := p.at-p.number, s.peers[s.to[i]-1].at+1
	return s.groups[min(max(at, int64(first)), int64(after))]
}

// byRange is an end at a value: the first row whose key is not before the edge, or with last the first row whose key is after it.
// For a NULL key the frame's ends are its peers'.
func (f *frame) byRange(s *sortedRows, i int32, edge, key column.Vector, last bool) int32 {
	if key.IsNull(int(i)) {
		return f.current(s, i, last)
	}
	from, to := s.from[i], s.to[i]
	for from < to && key.IsNull(int(from)) {
		from = s.peers[from].end
	}
	for from < to && key.IsNull(int(to-1)) {
		to = s.peers[to-1].start
	}
	return from + int32(sort.Search(int(to-from), func(k int) bool {
		c := column.Compare(key, int(from)+k, edge, int(i))
		if f.desc {
			c = -c
		}
		return c > 0 || c == 0 && !last
	}))
}

// checkOffsets refuses what Postgres refuses.
func checkOffsets(v column.Vector, last bool) error {
	which := "starting"
	if last {
		which = "ending"
	}
	for i := range v.Len() {
		if v.IsNull(i) {
			return sqlerr.Newf(sqlerr.NullNotAllowed, "frame %s offset must not be null", which)
		}
	}
	zero := column.NewBuilder(v.Type(), 1)
	if err := zero.AppendText([]byte("0"), types.UTC); err != nil {
		return nil // a type whose sign is checked by its arithmetic
	}
	z := zero.Build()
	for i := range v.Len() {
		if column.Compare(v, i, z, 0) < 0 {
			return sqlerr.Newf("22013", "frame %s offset must not be negative", which)
		}
	}
	return nil
}
