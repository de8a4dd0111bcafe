package exec

import (
	"cmp"
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// waiting is rows that wait for the watermark to pass their time, in buckets by time. What an epoch adds to a bucket goes out as chunks:
//
//	key    table, 0, bucket end, epoch, part
//	value  version, rows in the bucket after this chunk, rows in the chunk, the rows
//
// A bucket that the watermark has passed is one range deletion; one that it is in the middle of is written anew.
type waiting struct {
	j       *asOfStream
	time    int // ordinal
	buckets map[types.MicroTime]*waitingBucket
	rows    int
}

// waitingBucket is the rows of one span of time.
type waitingBucket struct {
	w      *waiting
	end    types.MicroTime  // the last µs of the span
	cols   []column.Builder // nil: the rows are only in the store
	live   int
	stored int // leading rows that are in the store
	chunks int
	warmth
}

const waitingVersion = 1

func (b *waitingBucket) cold() bool      { return b.cols == nil }
func (b *waitingBucket) place() bucketID { return bucketID{end: b.end} }
func (b *waitingBucket) release()        { b.cols, b.size = nil, 0 }

func (b *waitingBucket) rows() *column.Batch {
	out := &column.Batch{Schema: b.w.j.node.Left.Schema(), Rows: b.live}
	for _, c := range b.cols {
		out.Cols = append(out.Cols, c.View())
	}
	return out
}

// endOf is the end of the bucket of a time.
func (w *waiting) endOf(t int64) types.MicroTime {
	span := w.j.node.Span
	if t > int64(types.Infinity)-2*span || t < int64(types.MinTime)+2*span {
		return types.Infinity
	}
	return types.MicroTime(floorTo(t, 0, span) + span - 1)
}

// bucket returns a bucket with its rows in memory, new if need be.
func (w *waiting) bucket(end types.MicroTime) (*waitingBucket, error) {
	b := w.buckets[end]
	if b == nil {
		b = &waitingBucket{w: w, end: end, cols: column.NewBuilders(w.j.node.Left.Schema(), 0)}
		w.buckets[end] = b
	}
	if b.cold() {
		return b, b.load()
	}
	return b, nil
}

// add keeps row i of a batch with time t.
func (w *waiting) add(from *column.Batch, i int, t int64) error {
	b, err := w.bucket(w.endOf(t))
	if err != nil {
		return err
	}
	for c, v := range from.Cols {
		b.cols[c].AppendFrom(v, i)
	}
	b.live++
	b.epoch = w.j.epoch.ID
	w.rows++
	return nil
}

// due lists the buckets that hold rows at or before the watermark, by their end.
func (w *waiting) due(upTo types.MicroTime) []*waitingBucket {
	var out []*waitingBucket
	for _, b := range w.buckets {
		if upTo != types.MinTime && (b.end == types.Infinity || int64(b.end)-w.j.node.Span < int64(upTo)) {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(x, y *waitingBucket) int { return cmp.Compare(x.end, y.end) })
	return out
}

// take returns the rows of b at or before the watermark, in the order they came, and keeps the others. The rows are a copy.
func (b *waitingBucket) take(upTo types.MicroTime) (*column.Batch, error) {
	if b.cold() {
		if err := b.load(); err != nil {
			return nil, err
		}
	}
	all := b.rows()
	var gone, left []int32
	for i, t := range all.Cols[b.w.time].(*column.Of[int64]).Values {
		if t <= int64(upTo) {
			gone = append(gone, int32(i))
		} else {
			left = append(left, int32(i))
		}
	}
	if len(gone) == 0 {
		return nil, nil
	}
	out := all.Take(gone)
	b.w.rows -= len(gone)
	b.w.j.stats.RowsRemoved += int64(len(gone))
	b.forget()
	if len(left) == 0 {
		delete(b.w.buckets, b.end)
		return out, nil
	}
	rest := all.Take(left)
	b.cols = column.NewBuilders(rest.Schema, len(left))
	for c, v := range rest.Cols {
		b.cols[c].AppendVector(v)
	}
	b.live, b.epoch = len(left), b.w.j.epoch.ID
	return out, nil
}

// forget takes the chunks of b out of the store.
func (b *waitingBucket) forget() {
	if b.chunks > 0 {
		lo := b.key()
		b.w.j.epoch.Txn.DeleteRange(state.Operator, b.w.j.epoch.Query, lo, successor(lo))
	}
	b.stored, b.chunks = 0, 0
}

func (b *waitingBucket) key() []byte {
	return binary.BigEndian.AppendUint64(append(tableKey(b.w.j.node.State), 0), orderedTime(b.end))
}

// waitingKeyLen is the length of what key returns.
const waitingKeyLen = 4 + 1 + 8

// write stores what is new in b.
func (b *waitingBucket) write() {
	rows, e := b.rows(), b.w.j.epoch
	for part := uint32(0); b.stored < b.live; part++ {
		var body []byte
		n := b.stored
		for ; n < b.live && len(body) < chunkBytes; n++ {
			body = column.AppendRow(body, rows.Cols, n)
		}
		v := binary.AppendUvarint([]byte{waitingVersion}, uint64(b.live))
		v = binary.AppendUvarint(v, uint64(n-b.stored))
		key := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(b.key(), uint64(e.ID)), part)
		e.Txn.Put(state.Operator, e.Query, key, append(v, body...))
		b.chunks++
		b.stored = n
	}
	b.size = 200
	for _, v := range rows.Cols {
		b.size += vectorBytes(v)
	}
}

// readIndex finds out how many rows every bucket has; the rows are read when they are needed.
func (w *waiting) readIndex(query uint32) error {
	var bad error
	lo := append(tableKey(w.j.node.State), 0)
	err := w.j.env.Reader.Scan(state.Operator, query, lo, successor(lo), func(key, value []byte) bool {
		d := decoder{data: value}
		if len(key) < waitingKeyLen || d.byte() != waitingVersion {
			bad = damaged("ASOF join")
			return false
		}
		end := timeOf(binary.BigEndian.Uint64(key[5:]))
		b := w.buckets[end]
		if b == nil {
			b = &waitingBucket{w: w, end: end}
			w.buckets[end] = b
		}
		b.live = int(d.uvarint())
		b.chunks++
		bad = d.err
		return bad == nil
	})
	for _, b := range w.buckets {
		w.rows += b.live
	}
	if err == nil {
		err = bad
	}
	return err
}

// load reads the rows of a cold bucket.
func (b *waitingBucket) load() error {
	b.cols = column.NewBuilders(b.w.j.node.Left.Schema(), 0)
	b.live, b.chunks = 0, 0
	lo := b.key()
	var bad error
	err := b.w.j.env.Reader.Scan(state.Operator, b.w.j.epoch.Query, lo, successor(lo), func(_, value []byte) bool {
		d := decoder{data: value}
		if d.byte() != waitingVersion {
			bad = damaged("ASOF join")
			return false
		}
		d.uvarint() // rows in the bucket
		for n := d.uvarint(); n > 0 && d.err == nil; n-- {
			if d.data, bad = column.DecodeRow(b.cols, d.data); bad != nil {
				return false
			}
			b.live++
		}
		b.chunks++
		bad = d.err
		return bad == nil
	})
	b.stored = b.live
	if err == nil {
		err = bad
	}
	return err
}
