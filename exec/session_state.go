package exec

import (
	"encoding/binary"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// The stored form of sessions, one value each:
//
//	key    table, key columns, start
//	value  version, end, the bounds of its row in the result, key columns as they are shown, accumulators
const sessionVersion = 1

// finish stores what changed and frees what ended.
func (a *sessionAggregate) finish() {
	t := a.table
	for _, slot := range a.expired {
		x := &t.slots[slot]
		if x.inStore {
			a.erase(x.key, x.stored)
		}
		t.remove(slot)
	}
	for _, r := range t.retired {
		if r.inStore {
			a.erase(r.key, r.stored)
		}
	}
	for _, slot := range t.touched {
		x := &t.slots[slot]
		if !x.used {
			continue
		}
		if x.inStore && x.stored != x.start {
			a.erase(x.key, x.stored)
		}
	}
	// Erased first: a session may come to where another one was.
	for _, slot := range t.touched {
		if x := &t.slots[slot]; x.used {
			a.epoch.Txn.Put(state.Operator, a.epoch.Query, a.sessionKey(x.key, x.start), a.encode(slot))
			x.inStore, x.stored = true, x.start
		}
	}
	a.stats.RowsRemoved = int64(len(a.expired))
	t.clean()
	a.stats.RowsTotal, a.stats.StateBytes = int64(t.live), t.bytes()
}

func (a *sessionAggregate) erase(key int32, start int64) {
	a.epoch.Txn.Delete(state.Operator, a.epoch.Query, a.sessionKey(key, start))
}

func (a *sessionAggregate) sessionKey(key int32, start int64) []byte {
	k := append(tableKey(a.node.State), a.table.keys.table.keys.key(int(key))...)
	return binary.BigEndian.AppendUint64(k, orderedTime(types.MicroTime(start)))
}

func (a *sessionAggregate) encode(slot int32) []byte {
	t := a.table
	x := &t.slots[slot]
	v := binary.AppendVarint([]byte{sessionVersion}, x.end)
	v = binary.AppendVarint(binary.AppendVarint(v, x.shown.start), x.shown.end)
	if lossy := t.g.layout.lossy; len(lossy) > 0 {
		var shown []column.Vector
		for _, c := range lossy {
			shown = append(shown, t.keys.shown[c].View())
		}
		v = column.AppendRow(v, shown, int(x.key))
	}
	for _, acc := range t.accs {
		acc.Resize(len(t.slots))
		v = acc.Encode(v, slot)
	}
	return v
}

// load reads all sessions.
func (a *sessionAggregate) load(query uint32) error {
	var shown []column.Builder
	for _, c := range a.table.g.layout.lossy {
		shown = append(shown, column.NewBuilder(a.table.g.layout.types[c], 1))
	}
	lo := tableKey(a.node.State)
	var bad error
	err := a.env.Reader.Scan(state.Operator, query, lo, successor(lo), func(key, value []byte) bool {
		bad = a.read(key[len(lo):], value, shown)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	a.table.clean()
	return err
}

// read takes one stored session.
func (a *sessionAggregate) read(key, value []byte, shown []column.Builder) error {
	t := a.table
	d := decoder{data: value}
	if d.byte() != sessionVersion || len(key) < 8 {
		return damaged("session")
	}
	n := len(key) - 8
	x := session{used: true, inStore: true, due: noBucket, stored: int64(timeOf(binary.BigEndian.Uint64(key[n:])))}
	x.span = span{x.stored, d.varint()}
	x.shown = span{d.varint(), d.varint()}
	x.key = t.keys.table.one(key[:n])
	fresh := len(t.keys.table.added) > 0
	if d.err == nil && shown != nil {
		rest, err := column.DecodeRow(shown, d.data)
		if err != nil {
			return err
		}
		d.data = rest
		for k, c := range t.g.layout.lossy {
			if fresh {
				t.keys.shown[c].AppendVector(shown[k].View())
			}
			shown[k].Reset()
		}
	}
	if fresh {
		t.of = append(t.of, nil)
	}
	slot := int32(len(t.slots))
	t.slots = append(t.slots, x)
	t.live++
	t.of[x.key] = append(t.of[x.key], slot) // stored by start: the oldest comes first
	a.wait(slot)
	for _, acc := range t.accs {
		acc.Resize(len(t.slots))
		rest, err := acc.Decode(slot, d.data)
		if err != nil {
			return err
		}
		d.data = rest
	}
	return d.err
}
