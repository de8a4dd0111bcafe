package stream

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/connector"
	"wmsql/exec"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// resultSource follows a view's result: first the rows that are there, as of one epoch of the view and in one micro-batch, then what
// each later epoch changed. Its offset is the last epoch of the view that was read. With the rows comes the watermark that they are under.
type resultSource struct {
	results     *Results
	view, query catalog.ID
	full, out   *types.Schema // of the view, of what is read
	read        []int

	at   atomic.Int64 // last epoch read, or unread
	mark atomic.Int64 // watermark handed out last, a types.MicroTime

	// Of the epoch.
	present *presentResult // the rows that are there
	start   int64          // the epoch that they are of
	changes *exec.ChangesReader
	carried types.MicroTime
	inside  bool  // there may be more rows of the view's epoch
	left    int64 // of the bound on rows
}

// source opens a scan of a view's result.
func (r *Results) source(p *physicalplan.StreamScan, query catalog.ID, from connector.Offset) (connector.Source, error) {
	at, mark, err := parseResultOffset(from)
	if err != nil {
		return nil, err
	}
	s := &resultSource{results: r, view: p.View.ID, query: query, read: p.Ords, full: PhysicalSchema(p.Stream)}
	s.out = project(s.full, p.Ords)
	s.at.Store(at)
	s.mark.Store(int64(mark))
	return s, nil
}

// Wait returns when the view has come further.
func (s *resultSource) Wait(ctx context.Context) error {
	return s.results.await(ctx, s.view, func(v *followedView) bool { return v.head > s.at.Load() })
}

// Begin opens what is there now.
func (s *resultSource) Begin(b connector.Bounds) error {
	if err := s.Close(); err != nil {
		return err
	}
	s.left, s.inside = b.Rows, false
	if b.Rows <= 0 {
		s.left = math.MaxInt64
	}
	var err error
	if at := s.at.Load(); at != unread {
		if s.results.head(s.view) > at {
			s.changes, err = exec.ReadChanges(s.results.store, s.view, s.full, s.read, at)
		}
		return err
	}
	if s.present, err = s.results.present(s.view, s.read); err != nil {
		return err
	}
	s.start, s.carried = s.present.epoch, s.present.mark
	return nil
}

// Next returns rows of the present result, then of the changes: those of one epoch of the view are never parted.
func (s *resultSource) Next(context.Context) (*connector.Batch, error) {
	switch {
	case s.present != nil:
		return s.standing()
	case s.changes != nil:
		return s.change()
	}
	return nil, nil
}

func (s *resultSource) standing() (*connector.Batch, error) {
	b, err := s.present.rows.Next()
	if b != nil || err != nil {
		return s.batch(b), err
	}
	s.at.Store(s.start)
	if err := s.Close(); err != nil || int64(s.carried) == s.mark.Load() {
		return nil, err
	}
	return s.batch(&column.Batch{Cols: emptyColumns(s.out)}), nil
}

func (s *resultSource) change() (*connector.Batch, error) {
	for {
		if s.inside {
			b, err := s.changes.Next()
			if b != nil || err != nil {
				return s.batch(b), err
			}
			s.inside = false
		}
		if s.left <= 0 {
			return nil, s.Close()
		}
		h, ok, err := s.changes.Epoch()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, s.Close()
		}
		if at := s.at.Load(); h.Epoch != at+1 {
			return nil, sqlerr.Newf(sqlerr.DataCorrupted, "the changes of view %d are lost between its epochs %d and %d", s.view, at, h.Epoch)
		}
		s.at.Store(h.Epoch)
		s.carried, s.inside, s.left = h.Mark, h.Rows > 0, s.left-h.Rows
		if h.Rows == 0 && int64(h.Mark) != s.mark.Load() {
			return s.batch(&column.Batch{Cols: emptyColumns(s.out)}), nil
		}
	}
}

// batch hands rows out with the watermark that they are under; nil stays nil.
func (s *resultSource) batch(b *column.Batch) *connector.Batch {
	if b == nil {
		return nil
	}
	s.mark.Store(int64(s.carried))
	b.Schema = s.out
	return &connector.Batch{Batch: *b, Carried: s.carried}
}

func emptyColumns(s *types.Schema) []column.Vector {
	var out []column.Vector
	for _, b := range column.NewBuilders(s, 0) {
		out = append(out, b.Build())
	}
	return out
}

// Recycle does nothing: the rows were decoded for this batch alone.
func (s *resultSource) Recycle(*connector.Batch) {}

// Offset is the last epoch of the view that was read.
func (s *resultSource) Offset() connector.Offset {
	return resultOffset(s.at.Load(), types.MicroTime(s.mark.Load()))
}

// Rejected returns nothing: a result holds rows.
func (s *resultSource) Rejected() []connector.Rejected { return nil }

// End is the newest epoch of the view.
func (s *resultSource) End(context.Context) (connector.Offset, error) {
	return resultOffset(s.results.head(s.view), types.MinTime), nil
}

// Reached reports whether at is end or later.
func (s *resultSource) Reached(at, end connector.Offset) bool {
	a, _, err := parseResultOffset(at)
	e, _, err2 := parseResultOffset(end)
	return err == nil && err2 == nil && a >= e
}

// Release lets the view forget what all of its followers have.
func (s *resultSource) Release(upTo connector.Offset) error {
	epoch, _, err := parseResultOffset(upTo)
	if err == nil {
		s.results.released(s.view, s.query, epoch)
	}
	return err
}

// Status tells whether the view is ahead.
func (s *resultSource) Status() []connector.SplitStatus {
	lag := int64(-1)
	if s.at.Load() >= s.results.head(s.view) {
		lag = 0
	}
	return []connector.SplitStatus{{Split: "result", Offset: string(s.Offset()), Lag: lag}}
}

// Close frees what the epoch holds.
func (s *resultSource) Close() error {
	var errs []error
	if s.changes != nil {
		errs = append(errs, s.changes.Close())
	}
	if s.present != nil {
		errs = append(errs, s.present.close())
	}
	s.present, s.changes = nil, nil
	return errors.Join(errs...)
}
