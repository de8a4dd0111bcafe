package stream

import (
	"context"
	"math"
	"strconv"
	"sync/atomic"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// Earliest is the offset before everything that an internal stream holds. An offset of the log is the number of
// the last commit that was read, in decimals.
const Earliest connector.Offset = "0"

// logSource reads an internal stream. An epoch ends between two transactions: where the bound on rows or bytes falls within
// one, it is read to its end.
type logSource struct {
	log    *Log
	stream catalog.ID
	full   *types.Schema
	read   []int
	out    *types.Schema

	at       atomic.Int64 // last commit read
	rowsRead atomic.Int64 // rows of the stream up to at
	newest   atomic.Int64 // arrival of the last row read, µs

	it          state.Iterator // of the epoch
	peeked      bool           // it stands on a chunk that was not handed out
	cut         int64
	rows, bytes int64 // left of the bounds
}

// Source reads an internal stream; it implements connector.Source.
func (l *Log) Source(spec connector.Spec, stream catalog.ID, from connector.Offset) (connector.Source, error) {
	at, err := l.start(spec, stream, from)
	if err != nil {
		return nil, err
	}
	s := &logSource{log: l, stream: stream, full: spec.Schema, read: spec.Read, out: project(spec.Schema, spec.Read)}
	s.at.Store(at)
	return s, s.countRead()
}

func project(s *types.Schema, ords []int) *types.Schema {
	out := &types.Schema{Fields: make([]types.Field, len(ords))}
	for i, o := range ords {
		out.Fields[i] = s.Fields[o]
	}
	return out
}

// start returns the commit after which a source begins.
func (l *Log) start(spec connector.Spec, stream catalog.ID, from connector.Offset) (int64, error) {
	if from != "" {
		return parseLogOffset(from)
	}
	o := logOptions(spec)
	if err := o.Err(); err != nil {
		return 0, err
	}
	switch o.Text("start", "earliest") {
	case "earliest":
		return 0, nil
	case "latest":
		return l.Head(), nil
	}
	t, ok := o.Time("start")
	if !ok {
		return 0, badStart(o.Text("start", ""))
	}
	return l.commitBefore(stream, t)
}

func logOptions(spec connector.Spec) *connector.Options {
	return connector.NewOptions(spec, []string{"start"})
}

func badStart(v string) error {
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for option \"start\": %q", v).
		WithHint("It is earliest, latest or a timestamp.")
}

// commitBefore returns the last commit that came before t.
func (l *Log) commitBefore(stream catalog.ID, t types.MicroTime) (int64, error) {
	at := int64(0)
	var bad error
	err := l.store.Scan(state.Log, uint32(stream), nil, nil, func(key, value []byte) bool {
		k, err := parseKey(key)
		h, _, err2 := parseChunk(value)
		if bad = firstOf(err, err2); bad != nil || h.time >= int64(t) {
			return false
		}
		at = k.commit
		return true
	})
	return at, firstOf(err, bad)
}

// countRead finds out how many rows lie before the source's position, for the lag.
func (s *logSource) countRead() error {
	end, _ := s.log.end(s.stream)
	s.rowsRead.Store(end.rows)
	var bad error
	err := s.log.store.Scan(state.Log, uint32(s.stream), chunkKey(s.at.Load()+1, 0, 0), nil, func(_, value []byte) bool {
		var h chunkHeader
		if h, _, bad = parseChunk(value); bad == nil {
			s.rowsRead.Store(h.firstRow)
		}
		return false
	})
	return firstOf(err, bad)
}

// Wait returns when the stream has rows after the source's position.
func (s *logSource) Wait(ctx context.Context) error {
	return s.log.waitAfter(ctx, s.stream, s.at.Load())
}

// Begin starts an epoch.
func (s *logSource) Begin(b connector.Bounds) error {
	if err := s.closeIter(); err != nil {
		return err
	}
	s.cut = b.Cut
	if s.cut == 0 {
		s.cut = s.log.Head()
	}
	s.rows, s.bytes = unlimited(b.Rows), unlimited(b.Bytes)
	if end, _ := s.log.end(s.stream); end.commit <= s.at.Load() {
		s.at.Store(max(s.at.Load(), s.cut))
		return nil
	}
	it, err := s.log.store.Iter(state.Log, uint32(s.stream), chunkKey(s.at.Load()+1, 0, 0), chunkKey(s.cut+1, 0, 0), false)
	s.it = it
	return err
}

func unlimited(n int64) int64 {
	if n <= 0 {
		return math.MaxInt64
	}
	return n
}

// Next returns up to column.MaxRows rows, of several small transactions or of a part of a large one.
func (s *logSource) Next(context.Context) (*connector.Batch, error) {
	if s.it == nil {
		return nil, nil
	}
	var parts []*column.Batch
	var times []int64
	total := 0
	for {
		k, ok, err := s.peek()
		if err != nil {
			return nil, err
		}
		done := !ok || k.commit != s.at.Load() && (s.rows <= 0 || s.bytes <= 0)
		if done || total > 0 && total+k.rows > column.MaxRows {
			if done {
				err = s.finish(!ok)
			}
			if err != nil || total == 0 {
				return nil, err
			}
			break
		}
		b, t, err := s.take(k)
		if err != nil {
			return nil, err
		}
		parts, total = append(parts, b), total+b.Rows
		for range b.Rows {
			times = append(times, t)
		}
	}
	out := &connector.Batch{Arrivals: times, Arrival: types.MicroTime(times[total-1])}
	out.Batch = *parts[0]
	if len(parts) > 1 {
		out.Batch = *column.Concat(s.out, parts)
	}
	s.newest.Store(times[total-1])
	return out, nil
}

// peek returns the next chunk without handing it out.
func (s *logSource) peek() (chunkID, bool, error) {
	if !s.peeked && !s.it.Next() {
		return chunkID{}, false, nil
	}
	s.peeked = true
	k, err := parseKey(s.it.Key())
	return k, err == nil, err
}

// take decodes the wanted columns of the chunk that was peeked at.
func (s *logSource) take(k chunkID) (*column.Batch, int64, error) {
	value := s.it.Value()
	h, data, err := parseChunk(value)
	if err != nil {
		return nil, 0, err
	}
	b, err := column.DecodeBatch(s.full, data, s.read)
	if err != nil {
		return nil, 0, err
	}
	if b.Rows != k.rows {
		return nil, 0, badChunk("a chunk of %d rows should have %d", b.Rows, k.rows)
	}
	out := &column.Batch{Schema: s.out, Rows: b.Rows, Cols: make([]column.Vector, len(s.read))}
	for i, o := range s.read {
		out.Cols[i] = b.Cols[o]
	}
	s.peeked = false
	s.rows -= int64(k.rows)
	s.bytes -= int64(len(value))
	s.at.Store(k.commit)
	s.rowsRead.Store(h.firstRow + int64(k.rows))
	return out, h.time, nil
}

// finish ends the epoch; with all rows up to the cut read, the cut is the position.
func (s *logSource) finish(all bool) error {
	err := s.closeIter()
	if err == nil && all {
		s.at.Store(max(s.at.Load(), s.cut))
	}
	return err
}

func (s *logSource) closeIter() error {
	it := s.it
	s.it, s.peeked = nil, false
	if it == nil {
		return nil
	}
	return it.Close()
}

// Recycle does nothing: the rows were decoded for this batch alone.
func (s *logSource) Recycle(*connector.Batch) {}

// Offset is the last commit read.
func (s *logSource) Offset() connector.Offset { return logOffset(s.at.Load()) }

// Rejected returns nothing: what is in the log are rows.
func (s *logSource) Rejected() []connector.Rejected { return nil }

// End returns the stream's newest commit.
func (s *logSource) End(context.Context) (connector.Offset, error) {
	end, _ := s.log.end(s.stream)
	return logOffset(end.commit), nil
}

// Reached reports whether at is end or later.
func (s *logSource) Reached(at, end connector.Offset) bool {
	a, err := parseLogOffset(at)
	e, err2 := parseLogOffset(end)
	return err == nil && err2 == nil && a >= e
}

// Release does nothing: Trim asks the stored positions of the queries.
func (s *logSource) Release(connector.Offset) error { return nil }

// Status tells how many rows wait.
func (s *logSource) Status() []connector.SplitStatus {
	end, _ := s.log.end(s.stream)
	lag := max(0, end.rows-s.rowsRead.Load())
	return []connector.SplitStatus{{Split: "log", Offset: string(s.Offset()), Lag: lag, Newest: types.MicroTime(s.newest.Load())}}
}

// Close frees the source.
func (s *logSource) Close() error { return s.closeIter() }

func logOffset(commit int64) connector.Offset {
	return connector.Offset(strconv.FormatInt(commit, 10))
}

func parseLogOffset(o connector.Offset) (int64, error) {
	if o == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(string(o), 10, 64)
	if err != nil || n < 0 {
		return 0, sqlerr.Newf(sqlerr.DataCorrupted, "offset %q of an internal stream is damaged", string(o))
	}
	return n, nil
}
