package datagen

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/types"
)

// tick is how often paced rows come.
const tick = 10 * time.Millisecond

// source makes the rows of one stream.
type source struct {
	cfg   *config
	clock func() time.Time
	pool  sync.Pool // of *batch

	mu    sync.Mutex
	pos   position
	began time.Time // when the rows from first on began to come
	first int64
	left  int64 // rows of the epoch
}

// position is what an Offset holds.
type position struct {
	Row   int64 `json:"row"`   // to make next
	Start int64 `json:"start"` // event time of row 0, µs
}

// batch is a batch with the memory it lies in.
type batch struct {
	connector.Batch
	builders []column.Builder
}

func open(spec connector.Spec, from connector.Offset) (*source, error) {
	c, err := parse(spec)
	if err != nil {
		return nil, err
	}
	s := &source{cfg: c, clock: spec.Now}
	if s.clock == nil {
		s.clock = time.Now
	}
	s.began = s.clock()
	s.pos.Start = int64(c.start)
	if c.now {
		s.pos.Start = s.began.UnixMicro()
	}
	if from != "" {
		if err := json.Unmarshal([]byte(from), &s.pos); err != nil {
			return nil, sqlerr.Newf(sqlerr.DataCorrupted, "not an offset of made-up rows: %s", from)
		}
	}
	s.first = s.pos.Row
	s.pool.New = func() any { return &batch{builders: column.NewBuilders(c.schema, column.MaxRows)} }
	return s, nil
}

// due returns the row up to which rows have come by now.
func (s *source) due() int64 {
	if s.cfg.rate == 0 {
		return s.cfg.rows
	}
	n := s.clock().Sub(s.began).Seconds() * s.cfg.rate
	return min(s.first+int64(min(n, math.MaxInt32*1000)), s.cfg.rows)
}

// Wait returns when a row is due.
func (s *source) Wait(ctx context.Context) error {
	for {
		s.mu.Lock()
		ready := s.due() > s.pos.Row
		ended := s.pos.Row >= s.cfg.rows
		s.mu.Unlock()
		if ready {
			return nil
		}
		var wake <-chan time.Time
		if !ended {
			wake = time.After(tick)
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Begin starts an epoch. A row counts 100 bytes.
func (s *source) Begin(b connector.Bounds) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = math.MaxInt64
	if b.Rows > 0 {
		s.left = b.Rows
	}
	if b.Bytes > 0 {
		s.left = min(s.left, max(b.Bytes/100, 1))
	}
	return nil
}

// Next makes the next rows.
func (s *source) Next(context.Context) (*connector.Batch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lo := s.pos.Row
	n := min(s.left, s.due()-lo, column.MaxRows)
	if n <= 0 {
		s.left = 0 // the epoch has ended, though rows become due before the next Begin
		return nil, nil
	}
	b := s.pool.Get().(*batch)
	for i, g := range s.cfg.columns {
		g(b.builders[i], lo, lo+n, s.pos.Start)
	}
	b.Batch = connector.Batch{Batch: column.Batch{Schema: s.cfg.schema, Rows: int(n)}, Arrival: types.MicroTime(s.clock().UnixMicro()), Home: b}
	for _, x := range b.builders {
		b.Cols = append(b.Cols, x.View())
	}
	s.pos.Row += n
	s.left -= n
	return &b.Batch, nil
}

// Recycle takes a batch back.
func (s *source) Recycle(b *connector.Batch) {
	own, ok := b.Home.(*batch)
	if !ok {
		return
	}
	for _, x := range own.builders {
		x.Reset()
	}
	b.Home = nil
	s.pool.Put(own)
}

// Offset is the number of the next row, and the event time that row 0 has.
func (s *source) Offset() connector.Offset {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pos.offset()
}

func (p position) offset() connector.Offset {
	return connector.Offset(fmt.Sprintf(`{"row":%d,"start":%d}`, p.Row, p.Start))
}

// Rejected is empty: made-up rows are rows.
func (s *source) Rejected() []connector.Rejected { return nil }

// End is the row that is due now. Rows without a pace and without an end have none: it is where the source stands.
func (s *source) End(context.Context) (connector.Offset, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pos
	if due := s.due(); due < math.MaxInt64 {
		p.Row = due
	}
	return p.offset(), nil
}

// Reached reports whether position at has come to end.
func (s *source) Reached(at, end connector.Offset) bool {
	var a, e position
	return json.Unmarshal([]byte(at), &a) == nil && json.Unmarshal([]byte(end), &e) == nil && a.Row >= e.Row
}

// Release does nothing.
func (s *source) Release(connector.Offset) error { return nil }

// Status says which row is next.
func (s *source) Status() []connector.SplitStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := connector.SplitStatus{Split: "rows", Offset: strconv.FormatInt(s.pos.Row, 10), Lag: -1}
	if due := s.due(); due < math.MaxInt64 {
		st.Lag = due - s.pos.Row
	}
	if s.pos.Row > 0 {
		st.Newest = types.MicroTime(s.pos.Start + (s.pos.Row-1)*s.cfg.step)
	}
	return []connector.SplitStatus{st}
}

// Close does nothing: nothing runs.
func (s *source) Close() error { return nil }
