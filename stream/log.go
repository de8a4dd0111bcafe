package stream

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"time"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/internal/clock"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// Log is the columnar log of the internal streams. A transaction's rows, of all streams, get one commit number.
//
// Commits are ordered by mu and take effect in that order, but wait for the disk together: many small INSERTs share a
// sync. Readers see a transaction once it is on disk.
type Log struct {
	store *state.Store
	clock clock.Clock

	mu       sync.Mutex           // orders commits
	last     int64                // newest commit number given out
	lastTime int64                // arrival times of the log never go back
	rows     map[catalog.ID]int64 // ever written to each stream

	pub     sync.Mutex  // guards what readers see
	waiting []logCommit // what was committed and is not known to be on disk, in order
	head    int64
	ends    map[catalog.ID]logEnd
	changed chan struct{} // closed and replaced when head moves
}

// logCommit is a commit and where it ends the streams that it wrote to.
type logCommit struct {
	commit int64
	ends   map[catalog.ID]logEnd
}

// logEnd is the newest that a stream has.
type logEnd struct {
	commit int64 // 0 if the stream has nothing
	rows   int64 // ever written to it
	time   types.MicroTime
}

// headKey, of object 0 in the log's space, holds the newest commit number: it must not go back when all is trimmed.
var headKey = []byte("head")

// OpenLog returns the log kept in a store.
func OpenLog(s *state.Store, c clock.Clock) (*Log, error) {
	v, err := s.Get(state.Log, 0, headKey)
	if err != nil {
		return nil, err
	}
	l := &Log{store: s, clock: c, rows: map[catalog.ID]int64{}, ends: map[catalog.ID]logEnd{}, changed: make(chan struct{})}
	if v == nil {
		return l, nil
	}
	if err := l.load(); err != nil {
		return nil, err
	}
	if len(v) != 16 {
		return nil, sqlerr.Newf(sqlerr.DataCorrupted, "the log of internal streams is damaged: its head has %d bytes", len(v))
	}
	l.last = int64(binary.BigEndian.Uint64(v))
	l.lastTime = int64(binary.BigEndian.Uint64(v[8:]))
	l.head = l.last
	return l, nil
}

// Append is rows of a transaction for one stream. Schema is PhysicalSchema of the stream.
type Append struct {
	Stream catalog.ID
	Schema *types.Schema
	Batch  *column.Batch
}

// Commit stores the batches as one transaction together with what txn holds already, synced, and wakes the readers.
func (l *Log) Commit(txn state.Txn, batches []Append) error {
	chunks, err := encodeChunks(batches)
	if err != nil {
		txn.Abort()
		return err
	}
	if len(chunks) == 0 {
		return txn.Commit(true)
	}
	commit, wait, err := l.apply(txn, chunks)
	if err != nil {
		return err
	}
	if err := wait(); err != nil {
		return err
	}
	l.publish(commit)
	return nil
}

// apply numbers the chunks and gives the transaction to the store, which has it on disk once wait returns.
func (l *Log) apply(txn state.Txn, chunks []chunk) (int64, func() error, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	commit, now := l.last+1, max(l.clock.Now().UnixMicro(), l.lastTime)
	ends := map[catalog.ID]logEnd{}
	for part, c := range chunks {
		end, ok := ends[c.stream]
		if !ok {
			end = logEnd{commit: commit, rows: l.rows[c.stream], time: types.MicroTime(now)}
		}
		c.stamp(now, end.rows)
		txn.Put(state.Log, uint32(c.stream), chunkKey(commit, part, c.rows), c.value)
		end.rows += int64(c.rows)
		ends[c.stream] = end
	}
	head := binary.BigEndian.AppendUint64(make([]byte, 0, 16), uint64(commit))
	txn.Put(state.Log, 0, headKey, binary.BigEndian.AppendUint64(head, uint64(now)))
	wait, err := txn.CommitNoWait()
	if err != nil {
		return 0, nil, err
	}
	l.last, l.lastTime = commit, now
	for id, end := range ends {
		l.rows[id] = end.rows
	}
	l.pub.Lock()
	l.waiting = append(l.waiting, logCommit{commit, ends})
	l.pub.Unlock()
	return commit, wait, nil
}

// publish shows a durable transaction to the readers, and all before it. The syncs of two transactions may be told in any order; the
// later commit being on disk means that the earlier one is too, and a reader that sees the head has to see all that lies before it.
func (l *Log) publish(commit int64) {
	l.pub.Lock()
	defer l.pub.Unlock()
	l.head = max(l.head, commit)
	n := 0
	for n < len(l.waiting) && l.waiting[n].commit <= commit {
		maps.Copy(l.ends, l.waiting[n].ends)
		n++
	}
	l.waiting = slices.Delete(l.waiting, 0, n)
	close(l.changed)
	l.changed = make(chan struct{})
}

// Head is the newest commit number.
func (l *Log) Head() int64 {
	l.pub.Lock()
	defer l.pub.Unlock()
	return l.head
}

// end returns the newest that a stream has, and a channel that is closed when anything is committed.
func (l *Log) end(stream catalog.ID) (logEnd, <-chan struct{}) {
	l.pub.Lock()
	defer l.pub.Unlock()
	return l.ends[stream], l.changed
}

// load reads where every stream ends.
func (l *Log) load() error {
	streams, err := l.store.Objects(state.Log)
	if err != nil {
		return err
	}
	for _, id := range streams {
		if id == 0 {
			continue // the log's own keys
		}
		end, err := l.readEnd(catalog.ID(id))
		if err != nil {
			return err
		}
		l.ends[catalog.ID(id)] = end
		l.rows[catalog.ID(id)] = end.rows
	}
	return nil
}

// readEnd reads the newest chunk of a stream.
func (l *Log) readEnd(stream catalog.ID) (end logEnd, err error) {
	it, err := l.store.Iter(state.Log, uint32(stream), nil, nil, true)
	if err != nil {
		return logEnd{}, err
	}
	if it.Next() {
		var k chunkID
		var h chunkHeader
		if k, err = parseKey(it.Key()); err == nil {
			h, _, err = parseChunk(it.Value())
		}
		end = logEnd{commit: k.commit, rows: h.firstRow + int64(k.rows), time: types.MicroTime(h.time)}
	}
	if e := it.Close(); e != nil {
		return logEnd{}, e
	}
	return end, err
}

// waitAfter returns when a stream has rows of a later commit than at, or when ctx ends.
func (l *Log) waitAfter(ctx context.Context, stream catalog.ID, at int64) error {
	for {
		end, changed := l.end(stream)
		if end.commit > at {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Drop forgets a stream's log.
func (l *Log) Drop(txn state.Txn, stream catalog.ID) {
	txn.DeleteRange(state.Log, uint32(stream), nil, nil)
}

// Trim drops what is older than retention and already read by every query of the stream.
func (l *Log) Trim(stream catalog.ID, olderThan time.Time) error {
	upTo, err := l.readByAll(stream)
	if err != nil {
		return err
	}
	last := int64(0)
	var bad error
	err = l.store.Scan(state.Log, uint32(stream), nil, chunkKey(upTo+1, 0, 0), func(key, value []byte) bool {
		k, err := parseKey(key)
		h, _, err2 := parseChunk(value)
		if err != nil || err2 != nil || h.time >= olderThan.UnixMicro() {
			bad = firstOf(err, err2)
			return false
		}
		last = k.commit
		return true
	})
	if err := firstOf(err, bad); err != nil || last == 0 {
		return err
	}
	txn := l.store.Begin()
	txn.DeleteRange(state.Log, uint32(stream), nil, chunkKey(last+1, 0, 0))
	return txn.Commit(false)
}

// readByAll returns the commit up to which every query of a stream has read it: also those that do not run now.
func (l *Log) readByAll(stream catalog.ID) (int64, error) {
	upTo := l.Head()
	queries, err := l.store.Objects(state.Offsets)
	if err != nil {
		return 0, err
	}
	for _, q := range queries {
		p, err := readPosition(l.store, catalog.ID(q))
		if err != nil {
			return 0, err
		}
		if p == nil {
			continue
		}
		for _, s := range p.Scans {
			if s.Stream != stream {
				continue
			}
			at, err := parseLogOffset(s.Offset)
			if err != nil {
				return 0, err
			}
			upTo = min(upTo, at)
		}
	}
	return upTo, nil
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
