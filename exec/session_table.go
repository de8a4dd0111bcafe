package exec

import (
	"slices"

	"wmsql/column"
	"wmsql/expr"
)

// sessionTable is the open sessions of all keys, their accumulators as columns with one slot a session.
//
// The sessions of one key neither overlap nor touch: a span that reaches one joins it, and one that reaches several makes them one.
type sessionTable struct {
	g     *grouping
	keys  *groups   // the keys; no accumulators
	of    [][]int32 // of each key: its sessions, oldest first
	slots []session
	accs  []expr.Accumulator
	spare []int32 // slots that are free
	live  int
	bare  int // keys without a session

	touched []int32   // slots changed since the last clean; some may be free again
	retired []retired // rows of the result, and stored sessions, that are out of date

	rowSlots []int32 // scratch
	rowNums  []int32
}

// session is one slot.
type session struct {
	span
	key     int32
	used    bool
	changed bool  // since the last clean
	due     int64 // the bucket of ends in which it waits for its end
	shown   span  // the row it has in the result; empty if none
	stored  int64 // the start under which it is stored
	inStore bool
}

// retired is what a session was before it grew or became part of another.
type retired struct {
	key     int32
	shown   span
	stored  int64
	inStore bool
}

func (s span) empty() bool { return s.end <= s.start }

func newSessionTable(g *grouping) *sessionTable {
	t := &sessionTable{g: g, keys: g.newGroups()}
	t.accs, t.keys.accs = t.keys.accs, nil
	return t
}

// add folds the rows of b, whose spans are given.
func (t *sessionTable) add(b *column.Batch, starts, ends []int64) error {
	t.g.encode(b)
	t.g.find(t.keys, nil, b.Rows)
	for _, c := range t.g.layout.lossy {
		for _, i := range t.keys.table.added {
			t.keys.shown[c].AppendFrom(t.g.keyCols[c], int(i))
		}
	}
	for len(t.of) < t.keys.table.len() {
		t.of = append(t.of, nil)
		t.bare++
	}
	t.rowSlots, t.rowNums = t.rowSlots[:0], t.rowNums[:0]
	for i, key := range t.g.slots {
		s := span{starts[i], ends[i]}
		from, to := t.reached(key, s)
		if to-from > 1 { // what was put into those sessions must be in them before they become one
			if err := t.fold(b); err != nil {
				return err
			}
			if err := t.unite(key, from, to); err != nil {
				return err
			}
			to = from + 1
		}
		slot := t.extend(key, from, to, s)
		t.rowSlots, t.rowNums = append(t.rowSlots, slot), append(t.rowNums, int32(i))
	}
	return t.fold(b)
}

// fold adds the rows that have a slot to the accumulators.
func (t *sessionTable) fold(b *column.Batch) error {
	if len(t.rowNums) == 0 {
		return nil
	}
	err := t.g.fold(t.accs, len(t.slots), b, t.rowSlots, t.rowNums, false)
	t.rowSlots, t.rowNums = t.rowSlots[:0], t.rowNums[:0]
	return err
}

// reached returns which sessions of a key, from to to, the span overlaps or touches.
func (t *sessionTable) reached(key int32, s span) (from, to int) {
	of := t.of[key]
	if n := len(of); n == 0 || t.slots[of[n-1]].end < s.start { // after all of them: the usual case
		return n, n
	}
	from, _ = slices.BinarySearchFunc(of, s.start, func(slot int32, at int64) int {
		if t.slots[slot].end < at {
			return -1
		}
		return 1
	})
	for to = from; to < len(of) && t.slots[of[to]].start <= s.end; to++ {
	}
	return from, to
}

// extend makes session number from of a key hold s too, or a new session if none was reached, and returns its slot.
func (t *sessionTable) extend(key int32, from, to int, s span) int32 {
	if from == to {
		slot := t.take(key)
		t.slots[slot].span = s
		if len(t.of[key]) == 0 {
			t.bare--
		}
		t.of[key] = slices.Insert(t.of[key], from, slot)
		t.touch(slot)
		return slot
	}
	slot := t.of[key][from]
	x := &t.slots[slot]
	x.start, x.end = min(x.start, s.start), max(x.end, s.end)
	t.touch(slot)
	return slot
}

// unite makes sessions from to to of a key one, the first of them.
func (t *sessionTable) unite(key int32, from, to int) error {
	of := t.of[key]
	first := of[from]
	for _, slot := range of[from+1 : to] {
		for _, a := range t.accs {
			a.Resize(len(t.slots))
			if err := a.Merge([]int32{first}, a, []int32{slot}); err != nil {
				return err
			}
		}
		t.slots[first].end = max(t.slots[first].end, t.slots[slot].end)
		x := t.slots[slot]
		t.retire(x, x.inStore)
		t.release(slot)
	}
	t.touch(first)
	t.of[key] = slices.Delete(of, from+1, to)
	return nil
}

// retire notes the row that x has in the result, and if store the stored form of it, as out of date.
func (t *sessionTable) retire(x session, store bool) {
	if !x.shown.empty() || store {
		t.retired = append(t.retired, retired{key: x.key, shown: x.shown, stored: x.stored, inStore: store})
	}
}

func (t *sessionTable) touch(slot int32) {
	if x := &t.slots[slot]; !x.changed {
		x.changed = true
		t.touched = append(t.touched, slot)
	}
}

// take makes an empty session of a key.
func (t *sessionTable) take(key int32) int32 {
	t.live++
	fresh := session{key: key, used: true, due: noBucket}
	if n := len(t.spare); n > 0 {
		slot := t.spare[n-1]
		t.spare = t.spare[:n-1]
		fresh.changed = t.slots[slot].changed // it is among the touched ones already
		t.slots[slot] = fresh
		return slot
	}
	t.slots = append(t.slots, fresh)
	return int32(len(t.slots) - 1)
}

// release frees a slot.
func (t *sessionTable) release(slot int32) {
	for _, a := range t.accs {
		a.Resize(len(t.slots))
		a.Reset(slot)
	}
	t.slots[slot] = session{changed: t.slots[slot].changed}
	t.spare = append(t.spare, slot)
	t.live--
}

// remove takes away a session that has ended. Sessions of a key end in their order, so those that have are the first ones.
func (t *sessionTable) remove(slot int32) {
	key := t.slots[slot].key
	t.release(slot)
	of := t.of[key]
	for len(of) > 0 && !t.slots[of[0]].used {
		of = of[1:]
	}
	if len(of) == 0 && t.of[key] != nil {
		of = nil
		t.bare++
	}
	t.of[key] = of
}

// clean forgets what changed, and keys that have had no session for long.
func (t *sessionTable) clean() {
	for _, slot := range t.touched {
		t.slots[slot].changed = false
	}
	t.touched, t.retired = t.touched[:0], t.retired[:0]
	if n := t.keys.table.len(); t.bare <= 100 || t.bare <= n/2 || len(t.g.keys) == 0 {
		return
	}
	var left []int32
	var of [][]int32
	for key, slots := range t.of {
		if len(slots) == 0 {
			continue
		}
		for _, s := range slots {
			t.slots[s].key = int32(len(left))
		}
		left, of = append(left, int32(key)), append(of, slots)
	}
	t.keys.keep(left)
	t.of, t.bare = of, 0
}

// bytes estimates the memory held.
func (t *sessionTable) bytes() int64 {
	n := t.keys.bytes() + 88*int64(cap(t.slots)) + 28*int64(len(t.of)) + 4*int64(t.live)
	for _, a := range t.accs {
		n += a.Bytes()
	}
	return n
}
