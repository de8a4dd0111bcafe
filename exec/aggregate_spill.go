package exec

import (
	"wmsql/catalog"
	"wmsql/state"
	"wmsql/types"
)

// Under a bound on memory an aggregate works with groups of which only a part fits:
//
//   - Rows for a bucket that is only in the store are folded into groups of their own, its delta. At the end of the epoch the cold
//     buckets are settled one by one: read, merged with their delta, put out, written, and let go again. One of which nothing is
//     put out yet is not even read: its delta is stored beside it and merged when it is.
//   - A window that has grown too large is divided into shards of its keys, each a bucket, so that one at a time fits.
//   - What the watermark frees at once may be more than one commit can hold. The rest of it is held back for the next epochs: late
//     rows are refused as if it were closed, and the operators above see the watermark only as far as this one has come.

// Parts of the operator's memory.
const (
	divideAt = 8 // a window larger than 1/divideAt of it is divided
	holdAt   = 8 // an epoch that has written 1/holdAt of it closes no further window
)

// spills reports whether groups may leave memory.
func (a *streamAggregate) spills() bool {
	_, live := a.env.Reader.(*state.Store)
	return live && a.env.Memory > 0
}

// target returns the groups that an epoch's rows of a bucket are folded into: the bucket's, new if need be, or its delta.
func (a *streamAggregate) target(id bucketID) (*bucket, error) {
	b := a.buckets[id]
	if b == nil || !b.cold() || a.wholly() {
		return a.bucket(id)
	}
	if b.delta == nil {
		b.delta = &bucket{id: id, groups: a.merger.newGroups()}
	}
	b.epoch = a.epoch.ID
	return b.delta, nil
}

// wholly reports whether rows must meet all that their group holds: to know that it is dead, or what it was before.
func (a *streamAggregate) wholly() bool {
	return a.node.TTL > 0 || a.node.Retracts || a.node.Changes
}

// warm returns a bucket to memory, with what the epoch brought.
func (a *streamAggregate) warm(b *bucket) error {
	if b.cold() {
		if err := a.load(b); err != nil {
			return err
		}
		a.hot += b.size
	}
	d := b.delta
	if d == nil {
		return nil
	}
	b.delta = nil
	return a.absorb(b, d, upTo(nil, d.table.len()))
}

// absorb folds groups of another bucket into b, and notes them as changed.
func (a *streamAggregate) absorb(b, from *bucket, slots []int32) error {
	to, err := a.fold(b, from, slots)
	if err == nil {
		b.touch(to, a.epoch.ID)
	}
	return err
}

// fold folds groups of another bucket into b, and returns which of b's they are until the next call.
func (a *streamAggregate) fold(b, from *bucket, slots []int32) ([]int32, error) {
	to, err := a.merger.merge(b.groups, from.groups, slots)
	if err == nil && from.expires != nil {
		for _, i := range b.table.added {
			b.expires = append(b.expires, from.expires[i])
		}
	}
	return to, err
}

// writeDelta stores what the epoch brought to a cold bucket without reading it, where nothing has to be put out of it. Now and then
// it is read all the same, and written anew, as long as the commit has room.
func (a *streamAggregate) writeDelta(t *task) bool {
	b := t.b
	if !a.spills() || a.node.Mode != catalog.Append || t.emit || t.drop != dropNone || !b.cold() {
		return false
	}
	if b.deltas >= deltasMax && !a.fullCommit() {
		return false
	}
	d := b.delta
	b.delta = nil
	b.live += d.table.len()
	d.live = b.live
	b.deltas++
	a.writeChunks(b, d, upTo(nil, d.table.len()), deltaVersion)
	return true
}

// settle ends the epoch for the bucket of a task: it is freed or written, and leaves memory if it was read for this alone.
func (a *streamAggregate) settle(t *task) error {
	if t.b == nil {
		return nil
	}
	if err := a.drop(*t); err != nil {
		return err
	}
	if t.drop == dropAll {
		a.closed++
		t.b.release()
		return nil
	}
	b := t.b
	if b.cold() || b.epoch != a.epoch.ID {
		return nil
	}
	before := b.size
	if err := a.store(b); err != nil {
		return err
	}
	if a.hot += b.size - before; t.read && a.spills() && a.hot > a.env.Memory {
		a.hot -= b.size
		b.release()
	}
	return nil
}

// store writes what changed in b, and divides a window that has become too large.
func (a *streamAggregate) store(b *bucket) error {
	if err := a.write(b); err != nil {
		return err
	}
	b.size = b.bytes()
	if !a.spills() || b.size <= a.env.Memory/divideAt || !a.divisible(b) {
		return nil
	}
	return a.divide(b)
}

// divisible reports whether b is a window that may be divided. Panes are merged as wholes.
func (a *streamAggregate) divisible(b *bucket) bool {
	return len(a.merger.keys) > 0 && a.node.Expires >= 0 && a.node.ByWindow && !a.wholly() && a.node.Panes == nil && b.id.shard == 0
}

// divide makes shards of a window.
func (a *streamAggregate) divide(b *bucket) error {
	var slots [windowShards][]int32
	for s := range b.table.len() {
		k := windowShard(b.table.keys.key(s)) - wholeShards
		slots[k] = append(slots[k], int32(s))
	}
	a.divided[b.id.end] = true
	a.free(b)
	for k, of := range slots {
		if len(of) == 0 {
			continue
		}
		part := &bucket{id: bucketID{b.id.end, wholeShards + uint8(k)}, groups: a.merger.newGroups()}
		if err := a.absorb(part, b, of); err != nil {
			return err
		}
		a.buckets[part.id] = part
		if err := a.write(part); err != nil {
			return err
		}
		part.size = part.bytes()
	}
	b.release()
	return nil
}

// noteDivided notes on reading the index that a window is divided.
func (a *streamAggregate) noteDivided(id bucketID) {
	if id.shard >= wholeShards {
		a.divided[id.end] = true
	}
}

// hold stops closing windows at tasks[0] when the epoch has written enough, and closed something, so that it comes to an end. The rows
// that came to them are settled all the same.
func (a *streamAggregate) hold(tasks []task) {
	first := tasks[0].b
	if first == nil || first.reopened || tasks[0].drop != dropAll || !a.holds() || a.closed == 0 || !a.fullCommit() {
		return
	}
	a.heldAt = first.id.end - 1
	a.now.expired = min(a.now.expired, a.heldAt)
	for i := range tasks {
		tasks[i].emit, tasks[i].drop = false, dropNone
	}
}

// fullCommit reports whether the epoch has written enough for one commit: what can wait for the next ones does.
func (a *streamAggregate) fullCommit() bool {
	return int64(a.epoch.Txn.Size()) > a.env.Memory/holdAt
}

// holds reports whether the closing of windows may be put off.
func (a *streamAggregate) holds() bool {
	return a.spills() && a.node.Mode == catalog.Append && a.node.ByWindow && a.node.Panes == nil && !a.node.Whole
}

// readyHold finds out how far the epochs before have come.
func (a *streamAggregate) readyHold() {
	a.lateAt, a.heldAt, a.closed = types.Infinity, types.Infinity, 0
	if !a.holds() {
		return
	}
	late := a.workers[0].in.Bounds().LateUpTo
	for id := range a.buckets {
		if id.end <= late {
			a.lateAt = min(a.lateAt, id.end-1)
		}
	}
}

// held reports whether something was held back.
func (a *streamAggregate) held() bool { return a.heldAt != types.Infinity }

// Bounds is the input's, as far as this operator has come: what is put out was final under the same watermark.
func (a *streamAggregate) Bounds() Bounds {
	in := a.workers[0].in.Bounds()
	return Bounds{LateUpTo: min(in.LateUpTo, a.lateAt), EvictUpTo: min(in.EvictUpTo, a.heldAt)}
}
