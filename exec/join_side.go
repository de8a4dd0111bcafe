package exec

import (
	"cmp"
	"context"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// joinSide is one side of a streamJoin: what it has kept, in buckets by when rows expire.
type joinSide struct {
	j      *streamJoin
	at     int // 0: left, 1: right
	node   *physicalplan.JoinSide
	in     Operator
	keys   *exprs
	conds  *cond // nil: none
	layout *keyLayout

	buckets  map[types.MicroTime]*joinBucket // by their end
	lateUpTo types.MicroTime
	drained  bool
	sel      []int32
	rest     []int32
	split    splitter // of rows whose keys cannot be computed
}

func (s *joinSide) begin(ctx context.Context, e *Epoch) error {
	s.drained = false
	if err := s.keys.begin(); err != nil {
		return err
	}
	if s.conds != nil {
		if err := s.conds.begin(); err != nil {
			return err
		}
	}
	return s.in.Begin(ctx, e)
}

// next returns the next batch with a row that may find a partner, or be put out without one when it is freed.
func (s *joinSide) next(ctx context.Context) (*column.Batch, error) {
	for {
		b, err := s.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			s.drained = true
			return nil, nil
		}
		b = s.onTime(b)
		if b.Rows == 0 {
			continue
		}
		if b, err = s.possible(b); err != nil || b.Rows > 0 {
			return b, err
		}
	}
}

// onTime drops late rows.
func (s *joinSide) onTime(b *column.Batch) *column.Batch {
	if s.node.Time < 0 || s.lateUpTo == types.MinTime {
		return b
	}
	v := b.Cols[s.node.Time].(*column.Of[int64])
	s.sel = appendOnTime(s.sel[:0], v.Values, v.Nulls, expiredBy(s.lateUpTo, s.node.LateAfter))
	if len(s.sel) == b.Rows {
		return b
	}
	s.j.stats.RowsDropped += int64(b.Rows - len(s.sel))
	if s.node.KeepLate {
		k := 0
		for i := range b.Rows {
			if k < len(s.sel) && s.sel[k] == int32(i) {
				k++
				continue
			}
			s.j.aside.late(b, i, s.node.Shown, &LateRow{EventTime: types.MicroTime(v.Values[i]), Watermark: s.lateUpTo})
		}
	}
	return b.Take(s.sel)
}

// possible parts off the rows that the conditions on their own side keep from having a partner: they are put out at once, if the
// join keeps the side.
func (s *joinSide) possible(b *column.Batch) (*column.Batch, error) {
	if s.conds == nil {
		return b, nil
	}
	var err error
	if s.sel, err = s.j.split.selects(s.sel[:0], s.conds, b); err != nil || len(s.sel) == b.Rows {
		return b, err
	}
	if s.node.Keep {
		s.rest = s.rest[:0]
		for i, k := int32(0), 0; int(i) < b.Rows; i++ {
			if k < len(s.sel) && s.sel[k] == i {
				k++
				continue
			}
			s.rest = append(s.rest, i)
		}
		r := b.Take(s.rest)
		s.j.queue = append(s.j.queue, s.j.lonely(s.at, r.Cols, r.Rows))
	}
	return b.Take(s.sel), nil
}

// endOf is the end of the bucket of a row with event time t.
func (s *joinSide) endOf(t int64) types.MicroTime {
	if !s.node.Frees {
		return types.Infinity
	}
	return s.spanEnd(plusMicros(t, s.node.FreeAfter))
}

// spanEnd is the end of the span that holds an expiry.
func (s *joinSide) spanEnd(expiry int64) types.MicroTime {
	span := s.j.node.Span
	switch {
	case expiry >= int64(types.Infinity)-2*span:
		return types.Infinity
	case expiry < int64(types.MinTime)+2*span:
		return types.MinTime + types.MicroTime(2*span)
	}
	return types.MicroTime(floorTo(expiry, 0, span) + span - 1)
}

// between lists the buckets in which rows with a time from lo to hi may lie, in order.
func (s *joinSide) between(dst []*joinBucket, lo, hi int64) []*joinBucket {
	from, to := types.MinTime, types.Infinity
	if s.node.Frees && s.j.node.Range != nil {
		from, to = s.endOf(lo), s.endOf(hi)
	}
	for end, b := range s.buckets {
		if end >= from && end <= to || end == types.Infinity {
			dst = append(dst, b)
		}
	}
	slices.SortFunc(dst, func(x, y *joinBucket) int { return cmp.Compare(x.end, y.end) })
	return dst
}

// store keeps row i of the batch, whose key is key i of set, if there is something to wait for; hit says that it has had a match.
func (s *joinSide) store(p *joinProbe, i int, hit bool) error {
	null := anyNull(p.cols, i)
	if null && !s.node.Keep || hit && s.j.once(s.at) {
		return nil
	}
	if s.node.Frees && s.hopeless(p.batch, i) {
		if s.node.Keep && !hit {
			r := p.batch.Take([]int32{int32(i)})
			s.j.queue = append(s.j.queue, s.j.lonely(s.at, r.Cols, 1))
		}
		return nil
	}
	end := s.rowEnd(p.batch, i)
	b := p.home
	if b == nil || b.end != end {
		if b = s.buckets[end]; b == nil {
			b = newJoinBucket(s, end)
			s.buckets[end] = b
		}
		if b.cold() {
			if err := s.load(b); err != nil {
				return err
			}
		}
		p.home = b
	}
	b.add(p, i, null, hit)
	b.epoch = s.j.epoch.ID
	s.j.stats.RowsUpdated++
	return nil
}

// joinTTLParts is into how many buckets the life of a row under a TTL is cut. Each is looked into for every row of the other side, and
// rows that came within one go together: the first of them by that part of the TTL late.
const joinTTLParts = 16

// ttlEnd is the end of the bucket of a row that comes now.
func (s *joinSide) ttlEnd(now types.MicroTime) types.MicroTime {
	span := max(s.node.TTL/joinTTLParts, 1)
	return types.MicroTime(floorTo(int64(now)+s.node.TTL+span-1, 0, span))
}

// wake is when an epoch is due for the TTL alone.
func (s *joinSide) wake() types.MicroTime {
	out := types.Infinity
	if s.node.TTL > 0 {
		for end := range s.buckets {
			out = min(out, end)
		}
	}
	return out
}

// hopeless reports whether row i can find no partner among rows to come: it has no event time, or every partner would be late.
func (s *joinSide) hopeless(b *column.Batch, i int) bool {
	v := b.Cols[s.node.Time].(*column.Of[int64])
	return v.IsNull(i) || plusMicros(v.Values[i], s.node.FreeAfter) <= int64(s.lateUpTo)
}

// rowEnd is the end of the bucket of row i.
func (s *joinSide) rowEnd(b *column.Batch, i int) types.MicroTime {
	if s.node.TTL > 0 {
		return s.ttlEnd(s.j.epoch.Now)
	}
	if s.node.Time < 0 || b.Cols[s.node.Time].IsNull(i) {
		return types.Infinity
	}
	return s.endOf(b.Cols[s.node.Time].(*column.Of[int64]).Values[i])
}
