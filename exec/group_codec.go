package exec

import (
	"encoding/binary"

	"wmsql/column"
)

// A stored group begins with its key: length, bytes, and a row of the columns of which the key loses something.

// shownOf is the columns of which keys lose something, nil if there are none.
func (g *grouping) shownOf(from *groups) []column.Vector {
	var out []column.Vector
	for _, c := range g.layout.lossy {
		out = append(out, from.shown[c].View())
	}
	return out
}

// shownBuilders is scratch for readKey.
func (g *grouping) shownBuilders() []column.Builder {
	var out []column.Builder
	for _, c := range g.layout.lossy {
		out = append(out, column.NewBuilder(g.layout.types[c], 1))
	}
	return out
}

// appendKey appends the key of the group at slot.
func (g *grouping) appendKey(dst []byte, from *groups, shown []column.Vector, slot int32) []byte {
	key := from.table.keys.key(int(slot))
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = append(dst, key...)
	if shown != nil {
		dst = column.AppendRow(dst, shown, int(slot))
	}
	return dst
}

// readKey reads a key and returns the group of to that has it, a new one if none has.
func (g *grouping) readKey(d *decoder, to *groups, shown []column.Builder) (slot int32, err error) {
	key := d.bytes(d.uvarint())
	if d.err != nil {
		return 0, d.err
	}
	slot = to.table.one(key)
	fresh := len(to.table.added) > 0
	if shown == nil {
		return slot, nil
	}
	if d.data, err = column.DecodeRow(shown, d.data); err != nil {
		return 0, err
	}
	for k, c := range g.layout.lossy {
		if fresh {
			to.shown[c].AppendVector(shown[k].View())
		}
		shown[k].Reset()
	}
	return slot, nil
}
