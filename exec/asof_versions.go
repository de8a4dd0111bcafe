package exec

import (
	"encoding/binary"
	"math"
	"slices"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// versions is the right side of an ASOF join of streams: of each key the rows that left rows to come may belong to, by time. All of them
// are in memory; in the store each is a value of its own.
//
//	key    table, 1, the key's bytes, time
//	value  version, processing time at which it came, the row
type versions struct {
	j    *asOfStream
	keys groupTable
	of   [][]asOfVersion // of each key, oldest first
	came []int64         // processing time of each key's last row
	old  map[int32]bool  // keys with more than one version: a watermark may free all but the last

	oldest int64 // no key's last row came before
	live   int   // versions
	dead   int   // keys without one
	bytes  int64
}

// asOfVersion is a row and its time.
type asOfVersion struct {
	at  int64
	row []byte // in the row codec
}

const (
	versionsVersion = 1
	versionOverhead = 64 // bytes of memory beside the row
)

func newVersions(j *asOfStream) *versions {
	return &versions{j: j, old: map[int32]bool{}, oldest: math.MaxInt64}
}

// load reads what is stored.
func (v *versions) load(query uint32) error {
	var bad error
	lo := append(tableKey(v.j.node.State), 1)
	err := v.j.env.Reader.Scan(state.Operator, query, lo, successor(lo), func(key, value []byte) bool {
		d := decoder{data: value}
		if len(key) < len(lo)+8 || d.byte() != versionsVersion {
			bad = damaged("ASOF join")
			return false
		}
		came := d.varint()
		if bad = d.err; bad != nil {
			return false
		}
		g := v.slot(key[len(lo) : len(key)-8])
		at := int64(timeOf(binary.BigEndian.Uint64(key[len(key)-8:])))
		v.put(g, asOfVersion{at, slices.Clone(d.data)}, came)
		return true
	})
	if err == nil {
		err = bad
	}
	return err
}

func (v *versions) slot(key []byte) int32 {
	g := v.keys.one(key)
	if int(g) == len(v.of) {
		v.of, v.came = append(v.of, nil), append(v.came, math.MinInt64)
	}
	return g
}

// add keeps and stores the rows of b; cols are their keys, and behind them their times.
func (v *versions) add(b *column.Batch, cols []column.Vector, e *Epoch) {
	last := len(cols) - 1
	times := cols[last].(*column.Of[int64])
	v.j.set.reset()
	if last > 0 {
		v.j.layout.encode(&v.j.set, cols[:last], b.Rows)
	}
	for i := range b.Rows {
		if anyNull(cols, i) {
			continue
		}
		var key []byte
		if last > 0 {
			key = v.j.set.key(i)
		}
		row := column.AppendRow(nil, b.Cols, i)
		v.put(v.slot(key), asOfVersion{times.Values[i], row}, int64(e.Now))
		value := binary.AppendVarint([]byte{versionsVersion}, int64(e.Now))
		e.Txn.Put(state.Operator, e.Query, v.storeKey(key, times.Values[i]), append(value, row...))
		v.j.stats.RowsUpdated++
	}
}

// put takes a version in; it replaces one of the same time.
func (v *versions) put(g int32, x asOfVersion, came int64) {
	of := v.of[g]
	if len(of) == 0 && v.came[g] != math.MinInt64 {
		v.dead--
	}
	at, found := slices.BinarySearchFunc(of, x.at, func(y asOfVersion, t int64) int { return compareInt(y.at, t) })
	v.bytes += int64(len(x.row)) + versionOverhead
	if found {
		v.bytes -= int64(len(of[at].row)) + versionOverhead
		of[at] = x
	} else {
		v.of[g] = slices.Insert(of, at, x)
		v.live++
	}
	if len(v.of[g]) > 1 {
		v.old[g] = true
	}
	v.came[g] = max(v.came[g], came)
	v.oldest = min(v.oldest, v.came[g])
}

func compareInt(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// find returns the row of key i of set that holds at t, nil if there is none.
func (v *versions) find(key []byte, t int64, strict bool) []byte {
	g := v.keys.has(key)
	if g < 0 {
		return nil
	}
	of := v.of[g]
	for i := len(of) - 1; i >= 0; i-- {
		if of[i].at < t || of[i].at == t && !strict {
			return of[i].row
		}
	}
	return nil
}

// prune frees the versions that no row after the watermark belongs to.
func (v *versions) prune(upTo types.MicroTime, e *Epoch) {
	for g := range v.old {
		of := v.of[g]
		n, _ := slices.BinarySearchFunc(of, int64(upTo), func(y asOfVersion, t int64) int {
			if y.at <= t {
				return -1
			}
			return 1
		})
		if n > 1 {
			v.free(g, n-1, e)
		}
		if len(v.of[g]) < 2 {
			delete(v.old, g)
		}
	}
}

// free takes away the first n versions of a key.
func (v *versions) free(g int32, n int, e *Epoch) {
	of := v.of[g]
	for _, x := range of[:n] {
		e.Txn.Delete(state.Operator, e.Query, v.storeKey(v.keys.keys.key(int(g)), x.at))
		v.bytes -= int64(len(x.row)) + versionOverhead
	}
	v.live -= n
	v.j.stats.RowsRemoved += int64(n)
	v.of[g] = slices.Delete(of, 0, n)
}

// expire forgets the keys of which no row came for the TTL.
func (v *versions) expire(e *Epoch) {
	ttl := v.j.node.TTL
	cut := int64(e.Now) - ttl
	if ttl == 0 || v.oldest > cut {
		return
	}
	v.oldest = math.MaxInt64
	for g := range v.of {
		switch {
		case len(v.of[g]) == 0:
		case v.came[g] > cut:
			v.oldest = min(v.oldest, v.came[g])
		default:
			v.free(int32(g), len(v.of[g]), e)
			delete(v.old, int32(g))
			v.dead++
		}
	}
	if 2*v.dead > len(v.of) {
		v.compact()
	}
}

// compact takes the keys without a version out of memory.
func (v *versions) compact() {
	var left []int32
	old := map[int32]bool{}
	for g := range v.of {
		if len(v.of[g]) == 0 {
			continue
		}
		to := int32(len(left))
		if v.old[int32(g)] {
			old[to] = true
		}
		v.of[to], v.came[to] = v.of[g], v.came[g]
		left = append(left, int32(g))
	}
	v.keys.keep(left)
	clear(v.of[len(left):])
	v.of, v.came, v.old, v.dead = v.of[:len(left)], v.came[:len(left)], old, 0
}

// wake is when an epoch is due for the TTL alone.
func (v *versions) wake() types.MicroTime {
	if v.j.node.TTL == 0 || v.live == 0 {
		return types.Infinity
	}
	return types.MicroTime(plusMicros(v.oldest, v.j.node.TTL+v.j.node.TTL/ttlSlack))
}

func (v *versions) storeKey(key []byte, at int64) []byte {
	k := append(append(tableKey(v.j.node.State), 1), key...)
	return binary.BigEndian.AppendUint64(k, orderedTime(types.MicroTime(at)))
}
