package expr

import (
	"encoding/binary"

	"wmsql/column"
	"wmsql/types"
)

// distinctAccumulator feeds each combination of argument values to an aggregate once a slot. The sets are exact; they
// count how often a combination came, so that it can be retracted.
type distinctAccumulator struct {
	inner Accumulator
	agg   *Aggregate
	site  *aggSite
	seen  []*distinctSet // per slot
	lossy bool           // the key does not tell the arguments exactly: 1.0 and 1.00 are one numeric
	bytes int64          // of the keys and rows
	key   []byte
	keep  []int32 // slots and rows to hand on
	rows  []int32

	fresh []distinctEntry // restored combinations to hand on, and their slots
	slots []int32
}

// distinctSet is the combinations of a slot. The entries lie in the order they came, so that a set is written without
// sorting and yet always the same.
type distinctSet struct {
	at      map[string]int32 // place in entries, by key
	entries []distinctEntry
}

// distinctEntry is one combination of arguments: its key, how many rows had it and, where the key is not enough, the first
// one's arguments in the row codec.
type distinctEntry struct {
	key string
	n   int64
	row string
}

func (e *distinctEntry) bytes() int64 { return int64(len(e.key) + len(e.row)) }

func newDistinctAccumulator(a *Aggregate, s *aggSite) Accumulator {
	d := &distinctAccumulator{inner: a.Func.make(s), agg: a, site: s}
	for _, t := range s.args {
		switch t.Layout() {
		case types.LayoutInt64, types.LayoutBool:
		case types.LayoutBytes:
			d.lossy = d.lossy || t.Kind == types.BPChar || t.Kind == types.JSONB
		default:
			d.lossy = true
		}
	}
	return d
}

// Resize makes n slots exist.
func (d *distinctAccumulator) Resize(n int) {
	d.inner.Resize(n)
	for len(d.seen) < n {
		d.seen = append(d.seen, nil)
	}
}

// Add hands on the rows whose arguments are new to their slot.
func (d *distinctAccumulator) Add(slots, rows []int32, args []column.Vector) error {
	return d.feed(slots, rows, args, 1, d.inner.Add)
}

// Retract hands on the rows that were the last with their arguments in their slot.
func (d *distinctAccumulator) Retract(slots, rows []int32, args []column.Vector) error {
	return d.feed(slots, rows, args, -1, d.inner.Retract)
}

func (d *distinctAccumulator) feed(slots, rows []int32, args []column.Vector, by int64, to func([]int32, []int32, []column.Vector) error) error {
	args = args[:len(d.agg.Args)]
	d.keep, d.rows = d.keep[:0], d.rows[:0]
	for k, slot := range slots {
		i := rowAt(rows, k)
		if d.count(slot, args, i, by) {
			d.keep, d.rows = append(d.keep, slot), append(d.rows, int32(i))
		}
	}
	return to(d.keep, d.rows, args)
}

// count changes how often a combination came and reports whether that made it appear or disappear.
func (d *distinctAccumulator) count(slot int32, args []column.Vector, i int, by int64) bool {
	d.key = d.key[:0]
	for _, v := range args {
		if v.IsNull(i) && len(args) == 1 {
			return false // no aggregate of one argument that comes here minds a NULL
		}
		d.key = column.AppendKey(d.key, v, i, false)
	}
	set := d.set(slot)
	at, ok := set.at[string(d.key)]
	if !ok {
		e := distinctEntry{key: string(d.key), n: by}
		if d.lossy {
			e.row = string(column.AppendRow(nil, args, i))
		}
		d.insert(set, e)
		return true
	}
	e := &set.entries[at]
	if e.n += by; e.n != 0 {
		return false
	}
	d.remove(set, at)
	return true
}

func (d *distinctAccumulator) set(slot int32) *distinctSet {
	if d.seen[slot] == nil {
		d.seen[slot] = &distinctSet{at: map[string]int32{}}
	}
	return d.seen[slot]
}

func (d *distinctAccumulator) insert(set *distinctSet, e distinctEntry) {
	set.at[e.key] = int32(len(set.entries))
	set.entries = append(set.entries, e)
	d.bytes += e.bytes()
}

// remove puts the last entry where the one that goes was.
func (d *distinctAccumulator) remove(set *distinctSet, at int32) {
	e, last := set.entries[at], len(set.entries)-1
	d.bytes -= e.bytes()
	set.entries[at] = set.entries[last]
	set.at[set.entries[at].key] = at
	set.entries[last] = distinctEntry{}
	set.entries = set.entries[:last]
	delete(set.at, e.key)
}

// Merge adds the combinations of another accumulator's slots.
func (d *distinctAccumulator) Merge(slots []int32, other Accumulator, from []int32) error {
	o := other.(*distinctAccumulator)
	for k, slot := range slots {
		set := o.seen[from[k]]
		if set == nil {
			continue
		}
		for _, e := range set.entries {
			if err := d.restore(slot, e); err != nil {
				return err
			}
		}
	}
	return d.handOn()
}

// restore adds a combination known by its key; handOn must follow.
func (d *distinctAccumulator) restore(slot int32, e distinctEntry) error {
	set := d.set(slot)
	if at, ok := set.at[e.key]; ok {
		set.entries[at].n += e.n
		return nil
	}
	d.insert(set, e)
	d.slots, d.fresh = append(d.slots, slot), append(d.fresh, e)
	if len(d.fresh) < column.MaxRows {
		return nil
	}
	return d.handOn()
}

// handOn gives the restored combinations to the aggregate.
func (d *distinctAccumulator) handOn() error {
	args, err := d.arguments(d.fresh)
	if err == nil && len(d.fresh) > 0 {
		err = d.inner.Add(d.slots, nil, args)
	}
	clear(d.fresh)
	d.slots, d.fresh = d.slots[:0], d.fresh[:0]
	return err
}

// arguments returns the arguments of combinations.
func (d *distinctAccumulator) arguments(entries []distinctEntry) ([]column.Vector, error) {
	builders := make([]column.Builder, len(d.site.args))
	for i, t := range d.site.args {
		builders[i] = column.NewBuilder(t, len(entries))
	}
	for i := range entries {
		if d.lossy {
			if _, err := column.DecodeRow(builders, append(d.key[:0], entries[i].row...)); err != nil {
				return nil, err
			}
			continue
		}
		d.key = append(d.key[:0], entries[i].key...)
		rest := d.key
		for _, b := range builders {
			var err error
			if rest, err = column.DecodeKey(b, rest, false); err != nil {
				return nil, err
			}
		}
	}
	args := make([]column.Vector, len(builders))
	for i, b := range builders {
		args[i] = b.Build()
	}
	return args, nil
}

// Result appends the value of each slot.
func (d *distinctAccumulator) Result(b column.Builder, slots []int32) error {
	return d.inner.Result(b, slots)
}

// Encode appends the combinations of a slot; the aggregate's own state follows from them.
func (d *distinctAccumulator) Encode(dst []byte, slot int32) []byte {
	var entries []distinctEntry
	if set := d.seen[slot]; set != nil {
		entries = set.entries
	}
	dst = binary.AppendUvarint(append(dst, stateVersion), uint64(len(entries)))
	for i := range entries {
		e := &entries[i]
		dst = binary.AppendVarint(dst, e.n)
		dst = append(binary.AppendUvarint(dst, uint64(len(e.key))), e.key...)
		dst = append(binary.AppendUvarint(dst, uint64(len(e.row))), e.row...)
	}
	return dst
}

// Decode reads what Encode wrote.
func (d *distinctAccumulator) Decode(slot int32, data []byte) ([]byte, error) {
	data, err := checkVersion(data)
	if err != nil {
		return nil, err
	}
	d.Reset(slot)
	total, k := binary.Uvarint(data)
	if k <= 0 {
		return nil, errBadState()
	}
	data = data[k:]
	for range total {
		var e distinctEntry
		var key, row []byte
		ok := false
		if data, ok = decodeVarint(&e.n, data); ok {
			key, data, ok = readBytes(data)
		}
		if ok {
			row, data, ok = readBytes(data)
		}
		if !ok {
			return nil, errBadState()
		}
		e.key, e.row = string(key), string(row)
		if err := d.restore(slot, e); err != nil {
			return nil, err
		}
	}
	return data, d.handOn()
}

// Move makes slot to hold what slot from held.
func (d *distinctAccumulator) Move(to, from int32) {
	if to != from {
		d.inner.Move(to, from)
		d.forget(to)
		d.seen[to], d.seen[from] = d.seen[from], nil
	}
}

// Reset empties a slot.
func (d *distinctAccumulator) Reset(slot int32) {
	d.inner.Reset(slot)
	d.forget(slot)
}

func (d *distinctAccumulator) forget(slot int32) {
	if set := d.seen[slot]; set != nil {
		for i := range set.entries {
			d.bytes -= set.entries[i].bytes()
		}
	}
	d.seen[slot] = nil
}

// entryBytes estimates what a combination takes beside its key and row: its entry and its place in the map.
const entryBytes = 100

// Bytes estimates the memory held.
func (d *distinctAccumulator) Bytes() int64 {
	n := d.inner.Bytes() + d.bytes + 8*int64(cap(d.seen))
	for _, set := range d.seen {
		if set != nil {
			n += entryBytes * int64(len(set.entries))
		}
	}
	return n
}
