package exec

import (
	"math"
	"slices"

	"wmsql/column"
	"wmsql/types"
)

// joinProbe is one batch on its way past what the other side has kept: bucket by bucket, and within a bucket row by row.
type joinProbe struct {
	side  *joinSide
	batch *column.Batch
	cols  []column.Vector // keys
	set   keySet
	times *column.Of[int64] // nil: without a range
	hit   []bool            // rows that had a match
	todo  []*joinBucket
	row   int   // next row, for the first bucket of todo
	chain int32 // next candidate of row - 1, -1 if there is none
	own   []int32
	other []int32
	sel   []int32
	home  *joinBucket // where the last row was stored
}

// open begins a batch.
func (p *joinProbe) open(j *streamJoin, s *joinSide, b *column.Batch) error {
	var err error
	if p.cols, b, err = s.split.evals(p.cols[:0], s.keys, b); err != nil || b.Rows == 0 {
		return err
	}
	s.layout.encode(&p.set, p.cols, b.Rows)
	p.side, p.batch, p.home = s, b, nil
	p.hit = append(p.hit[:0], make([]bool, b.Rows)...)
	lo, hi := int64(types.MinTime), int64(types.Infinity)
	p.times = nil
	if j.node.Range != nil {
		p.times = b.Cols[s.node.Time].(*column.Of[int64])
		lo, hi = math.MaxInt64, math.MinInt64
		for i, t := range p.times.Values {
			if !p.times.IsNull(i) {
				lo, hi = min(lo, t), max(hi, t)
			}
		}
		lo, _ = p.partners(lo)
		_, hi = p.partners(hi)
	}
	p.todo = j.sides[1-s.at].between(p.todo[:0], lo, hi)
	return p.turn()
}

// partners is between which times a partner of a row with time t lies.
func (p *joinProbe) partners(t int64) (lo, hi int64) {
	r := p.side.j.node.Range
	lo, hi = r.Lo, r.Hi
	if p.side.at == 1 {
		lo, hi = -hi, -lo
	}
	if lo != -math.MaxInt64 {
		lo = plusMicros(t, lo)
	}
	if hi != math.MaxInt64 {
		hi = plusMicros(t, hi)
	}
	return lo, hi
}

// turn readies the next bucket that has something.
func (p *joinProbe) turn() error {
	p.row, p.chain = 0, -1
	for len(p.todo) > 0 && p.todo[0].live == 0 {
		p.todo = p.todo[1:]
	}
	if len(p.todo) > 0 && p.todo[0].cold() {
		b := p.todo[0]
		return b.side.load(b)
	}
	return nil
}

// next joins until it has rows to return; nil when the batch is through, and kept.
func (p *joinProbe) next(j *streamJoin) (*column.Batch, error) {
	for len(p.todo) > 0 {
		b := p.todo[0]
		p.candidates(b)
		out, err := p.matches(j, b)
		if err != nil {
			return nil, err
		}
		if p.row == p.batch.Rows && p.chain < 0 {
			p.todo = p.todo[1:]
			if err := p.turn(); err != nil {
				return nil, err
			}
		}
		if out != nil {
			return out, nil
		}
	}
	return p.close(j)
}

// candidates collects pairs with equal keys whose times are in range, at most a batch of them.
func (p *joinProbe) candidates(b *joinBucket) {
	p.own, p.other = p.own[:0], p.other[:0]
	var kept []int64
	if p.times != nil {
		kept = b.rows()[b.side.node.Time].(*column.Of[int64]).Values
	}
	from, to := int64(b.begins()), int64(b.end)
	free := b.side.node.FreeAfter
	once := p.side.j.once(p.side.at)
	for len(p.own) < column.MaxRows {
		i := p.row - 1
		if p.chain < 0 {
			if i++; i == p.batch.Rows {
				return
			}
			p.row++
			if anyNull(p.cols, i) || once && p.hit[i] {
				continue
			}
			if p.times != nil {
				if p.times.IsNull(i) {
					continue
				}
				if lo, hi := p.partners(p.times.Values[i]); b.side.node.Frees && to != int64(types.Infinity) &&
					(plusMicros(hi, free) < from || plusMicros(lo, free) > to) {
					continue
				}
			}
			p.chain = b.first(&p.set, i)
			continue
		}
		r := p.chain
		p.chain = b.links[r]
		if b.dead.has(r) {
			continue
		}
		if p.times != nil {
			if lo, hi := p.partners(p.times.Values[i]); kept[r] < lo || kept[r] > hi {
				continue
			}
		}
		p.own, p.other = append(p.own, int32(i)), append(p.other, r)
	}
}

// matches tests the pairs and returns what comes of them.
func (p *joinProbe) matches(j *streamJoin, b *joinBucket) (*column.Batch, error) {
	if len(p.own) == 0 {
		return nil, nil
	}
	var pairs *column.Batch
	if j.on != nil || !j.tests() {
		pairs = p.pairs(j, b)
	}
	if j.on != nil {
		sel, err := j.split.selects(p.sel[:0], j.on, pairs)
		if err != nil {
			return nil, err
		}
		p.sel = sel
		if len(sel) < len(p.own) {
			for to, k := range sel {
				p.own[to], p.other[to] = p.own[k], p.other[k]
			}
			p.own, p.other = p.own[:len(sel)], p.other[:len(sel)]
			pairs = pairs.Take(sel)
		}
	}
	once := j.once(b.side.at)
	first := p.other[:0]
	for k, i := range p.own {
		p.hit[i] = true
		r := p.other[k]
		if b.match(r, once) {
			first = append(first, r)
		}
	}
	switch {
	case !j.tests():
		return pairs, nil
	case !once || j.node.Kind != semi || len(first) == 0:
		return nil, nil
	}
	return j.lonely(b.side.at, takeAll(b.rows(), first), len(first)), nil
}

// pairs builds rows of both sides.
func (p *joinProbe) pairs(j *streamJoin, b *joinBucket) *column.Batch {
	own, other := takeAll(p.batch.Cols, p.own), takeAll(b.rows(), p.other)
	out := &column.Batch{Schema: j.node.Schem, Rows: len(p.own)}
	if p.side.at == 0 {
		out.Cols = slices.Concat(own, other)
	} else {
		out.Cols = slices.Concat(other, own)
	}
	return out
}

func takeAll(cols []column.Vector, idx []int32) []column.Vector {
	out := make([]column.Vector, len(cols), 2*len(cols)+4)
	for c, v := range cols {
		out[c] = v.Take(idx)
	}
	return out
}

// close keeps the batch's rows, and returns those that come out for having a match (semi join).
func (p *joinProbe) close(j *streamJoin) (*column.Batch, error) {
	s, b := p.side, p.batch
	p.own = p.own[:0]
	for i := range b.Rows {
		if p.hit[i] && j.node.Kind == semi {
			p.own = append(p.own, int32(i))
		}
		if err := s.store(p, i, p.hit[i]); err != nil {
			return nil, err
		}
	}
	var out *column.Batch
	if s.at == 0 && len(p.own) > 0 {
		out = j.lonely(0, takeAll(b.Cols, p.own), len(p.own))
	}
	p.batch, p.home = nil, nil
	return out, nil
}
