package exec

import (
	"maps"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// overRows is the rows of an overTime that are in memory: those that have not come out yet, and those that the frame of a later row may
// reach. They are found by partition, and freed by the bucket of the time until which they are kept.
type overRows struct {
	node    *physicalplan.OverTime
	cols    []column.Builder
	cached  []column.Vector // of cols; nil after a change
	times   []int64
	until   []int64 // a row is freed when the watermark is there
	slot    []int32 // partitions of the rows
	keys    groupTable
	of      [][]int32 // rows of each partition by time, then arrival
	ends    []types.MicroTime
	buckets map[types.MicroTime]*overBucket
	pending []int32 // rows that have not come out, in the order of arrival
	soonest int64   // no pending row is before it
	dead    int
	found   []int32
	noted   []bool // of each partition, scratch
}

// overBucket is rows that are freed within one span of time.
type overBucket struct {
	end    types.MicroTime // the last µs of the span
	rows   []int32         // in the order of arrival
	fresh  int             // the last so many of them are not in the store yet
	chunks int             // in the store
}

func newOverRows(n *physicalplan.OverTime) *overRows {
	return &overRows{node: n, cols: column.NewBuilders(n.Input.Schema(), 0), buckets: map[types.MicroTime]*overBucket{}, soonest: int64(types.Infinity)}
}

// add appends the rows of b, whose partitions are in set. Those after out are pending. Rows of a stored bucket go there, others into the
// bucket of their time.
func (r *overRows) add(b *column.Batch, set *keySet, out int64, stored *overBucket) {
	first := int32(len(r.times))
	for c, v := range b.Cols {
		r.cols[c].AppendVector(v)
	}
	r.cached = nil
	times := b.Cols[r.node.Time].(*column.Of[int64]).Values
	r.found = r.keys.find(r.found[:0], set, nil, b.Rows)
	for i, slot := range r.found {
		row, t := first+int32(i), times[i]
		if int(slot) == len(r.of) {
			r.of = append(r.of, nil)
			r.ends = append(r.ends, r.endOf(b, i))
		}
		until := r.untilOf(b, i)
		r.times, r.until, r.slot = append(r.times, t), append(r.until, until), append(r.slot, slot)
		r.insert(slot, row, t)
		if t > out {
			r.pending = append(r.pending, row)
			r.soonest = min(r.soonest, t)
		}
		if stored == nil {
			to := r.bucket(until)
			to.rows = append(to.rows, row)
			to.fresh++
			continue
		}
		to := r.buckets[stored.end]
		if to == nil {
			to = &overBucket{end: stored.end, fresh: stored.fresh, chunks: stored.chunks}
			r.buckets[stored.end] = to
		}
		to.rows = append(to.rows, row)
	}
}

// insert puts a row behind those of its partition that are not after it.
func (r *overRows) insert(slot, row int32, t int64) {
	list := r.of[slot]
	at := len(list)
	if at > 0 && r.times[list[at-1]] > t {
		at, _ = slices.BinarySearchFunc(list, t, func(x int32, t int64) int {
			if r.times[x] <= t {
				return -1
			}
			return 1
		})
	}
	r.of[slot] = slices.Insert(list, at, row)
}

// endOf is when the partition of row i has had all its rows.
func (r *overRows) endOf(b *column.Batch, i int) types.MicroTime {
	if r.node.End < 0 {
		return types.Infinity
	}
	v := b.Cols[r.node.End].(*column.Of[int64])
	if v.IsNull(i) {
		return types.Infinity
	}
	return types.MicroTime(plusMicros(v.Values[i], r.node.EndAfter))
}

// untilOf is the watermark at which row i of b is freed.
func (r *overRows) untilOf(b *column.Batch, i int) int64 {
	if r.node.Keep < 0 {
		return int64(r.endOf(b, i))
	}
	return plusMicros(b.Cols[r.node.Time].(*column.Of[int64]).Values[i], r.node.Keep+r.node.TimeAfter)
}

// bucket is the bucket of a row that is kept until t.
func (r *overRows) bucket(t int64) *overBucket {
	end := types.Infinity
	if span := r.node.Span; t < int64(types.Infinity)-2*span && t > int64(types.MinTime)+2*span {
		end = types.MicroTime(floorTo(t, 0, span) + span - 1)
	}
	b := r.buckets[end]
	if b == nil {
		b = &overBucket{end: end}
		r.buckets[end] = b
	}
	return b
}

// ripe returns the partitions of the pending rows up to limit, which are not pending any more.
func (r *overRows) ripe(limit int64) []int32 {
	if limit < r.soonest {
		return nil
	}
	var out []int32
	r.noted = append(r.noted, make([]bool, len(r.of)-len(r.noted))...)
	left := r.pending[:0]
	r.soonest = int64(types.Infinity)
	for _, row := range r.pending {
		if t := r.times[row]; t > limit {
			left = append(left, row)
			r.soonest = min(r.soonest, t)
			continue
		}
		slot := r.slot[row]
		if !r.noted[slot] {
			r.noted[slot] = true
			out = append(out, slot)
		}
	}
	r.pending = left
	for _, slot := range out {
		r.noted[slot] = false
	}
	return out
}

// evict takes out the rows that are kept until w or less, and returns them by partition, in order. drop is told which buckets are empty
// then.
func (r *overRows) evict(w types.MicroTime, drop func(*overBucket)) map[int32][]int32 {
	out := map[int32][]int32{}
	for _, b := range r.ordered() {
		if int64(b.end)-r.node.Span >= int64(w) && b.end != types.Infinity {
			break
		}
		stored := len(b.rows) - b.fresh
		left := b.rows[:0]
		fresh := 0
		for k, row := range b.rows {
			if r.until[row] > int64(w) {
				left = append(left, row)
				if k >= stored {
					fresh++
				}
				continue
			}
			slot := r.slot[row]
			out[slot] = append(out[slot], row)
		}
		b.rows, b.fresh = left, fresh
		if len(left) == 0 {
			drop(b)
			delete(r.buckets, b.end)
		}
	}
	for slot, gone := range out {
		n := len(gone)
		out[slot] = slices.Clone(r.of[slot][:n])
		r.of[slot] = r.of[slot][n:]
		r.dead += n
	}
	return out
}

// ordered is the buckets by time.
func (r *overRows) ordered() []*overBucket {
	var out []*overBucket
	for _, end := range slices.Sorted(maps.Keys(r.buckets)) {
		out = append(out, r.buckets[end])
	}
	return out
}

// wasteful reports whether most rows in memory were freed.
func (r *overRows) wasteful() bool { return r.dead > column.MaxRows && 2*r.dead > len(r.times) }

// live is how many rows are held.
func (r *overRows) live() int64 { return int64(len(r.times) - r.dead) }

// view is the columns of all rows.
func (r *overRows) view() []column.Vector {
	if r.cached == nil {
		for _, c := range r.cols {
			r.cached = append(r.cached, c.View())
		}
	}
	return r.cached
}

// copyTo appends a row to what is computed now.
func (r *overRows) copyTo(to *readyRows, row int32) {
	for c, v := range r.view() {
		to.bs[c].AppendFrom(v, int(row))
	}
	to.times, to.emit, to.rows = append(to.times, r.times[row]), append(to.emit, false), to.rows+1
}

// bytes estimates the memory held.
func (r *overRows) bytes() int64 {
	n := r.keys.bytes() + int64(len(r.times))*(8+8+4+4+4) + 64*int64(len(r.of))
	for _, v := range r.view() {
		n += vectorBytes(v)
	}
	return n
}
