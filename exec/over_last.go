package exec

import (
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// lastRows is the last rows of every partition that have left an overTime's memory: as many as a later row may reach back to by number, and
// as many as wait for a later row. They are only in the store.
type lastRows struct {
	node  *physicalplan.OverTime
	env   *Env
	rows  int64           // in the store, those whose TTL has passed too until they are swept
	done  map[string]bool // partitions written in this epoch, by their keys
	of    int64           // the epoch of done
	swept types.MicroTime
	next  []byte // where the next sweep begins
}

// sweepMax is how many partitions an epoch looks at for those whose TTL has passed.
const sweepMax = 1024

// key is where the rows of a partition lie.
func (l *lastRows) key(partition []byte, end types.MicroTime) []byte {
	return append(binary.BigEndian.AppendUint64(append(tableKey(l.node.State), overByNumber), orderedTime(end)), partition...)
}

// read appends the rows of a partition to r, and returns how many are stored.
func (l *lastRows) read(r *readyRows, partition []byte, end types.MicroTime, e *Epoch) (int, error) {
	v, err := l.env.Reader.Get(state.Operator, e.Query, l.key(partition, end))
	if err != nil || v == nil {
		return 0, err
	}
	n, d, err := l.head(v, e)
	if err != nil || d == nil {
		return n, err
	}
	return n, l.decode(r, n, d)
}

// head reads what stands before the rows; d is nil if their TTL has passed.
func (l *lastRows) head(v []byte, e *Epoch) (n int, d *decoder, err error) {
	d = &decoder{data: v}
	if d.byte() != overVersion {
		return 0, nil, damaged("last rows")
	}
	changed := d.varint()
	n = int(d.uvarint())
	if d.err != nil {
		return 0, nil, d.err
	}
	if l.node.TTL > 0 && plusMicros(changed, l.node.TTL) <= int64(e.Now) {
		return n, nil, nil
	}
	return n, d, nil
}

func (l *lastRows) decode(r *readyRows, n int, d *decoder) error {
	for range n {
		rest, err := column.DecodeRow(r.bs, d.data)
		if err != nil {
			return err
		}
		d.data = rest
		r.emit, r.rows = append(r.emit, false), r.rows+1
	}
	times := r.bs[l.node.Time].View().(*column.Of[int64]).Values
	r.times = append(r.times, times[len(r.times):r.rows]...)
	return nil
}

// write stores the last rows of r from one on as those of a partition that had old ones, unless it has ended.
func (l *lastRows) write(r *readyRows, from, old int, key []byte, ended bool, e *Epoch) error {
	l.note(key, e)
	l.rows -= int64(old)
	if ended {
		e.Txn.Delete(state.Operator, e.Query, key)
		return nil
	}
	from = max(from, r.rows-l.node.Last-l.node.Lead)
	v := binary.AppendVarint([]byte{overVersion}, int64(e.Now))
	v = binary.AppendUvarint(v, uint64(r.rows-from))
	cols := make([]column.Vector, len(r.bs))
	for c, b := range r.bs {
		cols[c] = b.View()
	}
	for i := from; i < r.rows; i++ {
		v = column.AppendRow(v, cols, i)
	}
	e.Txn.Put(state.Operator, e.Query, key, v)
	l.rows += int64(r.rows - from)
	return nil
}

// note says that a partition was written in this epoch.
func (l *lastRows) note(key []byte, e *Epoch) {
	if l.of != e.ID || l.done == nil {
		l.of, l.done = e.ID, map[string]bool{}
	}
	l.done[string(key)] = true
}

// end frees the partitions that have ended; the rows that wait in them come out.
func (l *lastRows) end(r *readyRows, w types.MicroTime, e *Epoch) error {
	lo, hi := l.key(nil, types.MinTime), successor(l.key(nil, w))
	var bad error
	found := false
	err := l.env.Reader.Scan(state.Operator, e.Query, lo, hi, func(key, v []byte) bool {
		found = true
		if l.of == e.ID && l.done[string(key)] {
			return true
		}
		n, d, err := l.head(v, e)
		l.rows -= int64(n)
		if err == nil && d != nil && l.node.Lead > 0 {
			err = l.decode(r, n, d)
			for i := r.rows - min(n, l.node.Lead); i < r.rows && err == nil; i++ {
				r.emit[i] = true
			}
		}
		bad = err
		return bad == nil
	})
	if found {
		e.Txn.DeleteRange(state.Operator, e.Query, lo, hi)
	}
	if err == nil {
		err = bad
	}
	return err
}

// wake is when an epoch is due for the TTL alone.
func (l *lastRows) wake() types.MicroTime {
	if l.node.TTL == 0 || l.rows == 0 {
		return types.Infinity
	}
	return types.MicroTime(plusMicros(int64(l.swept), max(1, l.node.TTL/ttlSlack)))
}

// sweep frees some of the partitions whose TTL has passed.
func (l *lastRows) sweep(e *Epoch) error {
	if l.swept = e.Now; l.node.TTL == 0 || l.rows == 0 {
		return nil
	}
	lo := append(tableKey(l.node.State), overByNumber)
	hi := successor(lo)
	if l.next == nil {
		l.next = lo
	}
	seen := 0
	var bad error
	var after []byte
	err := l.env.Reader.Scan(state.Operator, e.Query, l.next, hi, func(key, v []byte) bool {
		if seen++; seen > sweepMax {
			after = slices.Clone(key)
			return false
		}
		if l.of == e.ID && l.done[string(key)] {
			return true
		}
		n, d, err := l.head(v, e)
		if bad = err; bad != nil {
			return false
		}
		if d == nil {
			l.rows -= int64(n)
			e.Txn.Delete(state.Operator, e.Query, slices.Clone(key))
		}
		return true
	})
	l.next = after
	if err == nil {
		err = bad
	}
	return err
}
