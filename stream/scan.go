package stream

import (
	"context"
	"sync"

	"wmsql/catalog"
	"wmsql/connector"
	"wmsql/exec"
	"wmsql/internal/failpoint"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
)

// maxRejectedBytes ends reading for an epoch that has met so many bytes of bad records: they are held in memory until its commit.
const maxRejectedBytes = 32 << 20

// scan reads one stream for one leaf of the plan and counts.
type scan struct {
	plan     *physicalplan.StreamScan
	src      connector.Source
	internal bool
	fail     bool // on_error = 'fail'
	unit     bool // the first rows are to be looked at by wrongUnit
	notify   func(msg string, args ...any)
	points   *failpoint.Set
	batch    int // rows of a batch at most; 0: as they come

	// Of the epoch.
	start    connector.Offset
	first    *connector.Batch // read before it was known that there is an epoch
	uncut    *connector.Batch // the rest of one that is handed out in parts
	rows     int64
	passed   bool // the failpoint in the middle of the rows
	rejected []connector.Rejected
	badBytes int

	mu   sync.Mutex
	lent map[*exec.Input]*connector.Batch
}

// openScan opens the source of scan i where the last commit left it.
func (q *Query) openScan(ctx context.Context, i int, p *physicalplan.StreamScan) (*scan, error) {
	from := connector.Offset("")
	if q.pos.Epoch > 0 {
		from = q.pos.Scans[i].Offset
	}
	if p.View != nil {
		src, err := q.cfg.Results.source(p, q.cfg.View.ID, from)
		return &scan{plan: p, src: src, points: q.cfg.Fail, lent: map[*exec.Input]*connector.Batch{}}, err
	}
	spec, err := SourceSpec(p.Stream, p.Ords, q.cfg.Clock.Now)
	if err != nil {
		return nil, err
	}
	spec.Memory, spec.Warn = q.cfg.Env.Memory/sourcePart, q.cfg.Notify
	s := &scan{plan: p, internal: p.Stream.Connector == "", fail: p.Stream.Options["on_error"] == "fail",
		unit: guessesUnit(p.Stream), notify: q.cfg.Notify, points: q.cfg.Fail, batch: q.cfg.BatchRows, lent: map[*exec.Input]*connector.Batch{}}
	if s.internal {
		s.src, err = q.cfg.Log.Source(spec, p.Stream.ID, from)
		return s, err
	}
	d, lookup := q.cfg.Sources.Lookup(p.Stream.Connector)
	if lookup != nil {
		return nil, lookup
	}
	s.src, err = d.Open(ctx, spec, from)
	return s, err
}

// begin starts an epoch and reads its first rows.
func (s *scan) begin(ctx context.Context, b connector.Bounds) (err error) {
	s.start, s.rows, s.passed, s.rejected, s.badBytes, s.uncut = s.src.Offset(), 0, false, nil, 0, nil
	if err = s.src.Begin(b); err != nil {
		return err
	}
	s.first, err = s.read(ctx)
	return err
}

// some reports whether the epoch has anything of this scan.
func (s *scan) some() bool { return s.first != nil || len(s.rejected) > 0 }

// next is what the feed pulls.
func (s *scan) next(ctx context.Context) (*exec.Input, error) {
	b := s.first
	if s.first = nil; b == nil {
		if s.rows > 0 && !s.passed {
			s.passed = true
			if err := s.points.Hit(failpoint.RowsRead); err != nil {
				return nil, err
			}
		}
		var err error
		if b, err = s.read(ctx); b == nil || err != nil {
			return nil, err
		}
	}
	s.rows += int64(b.Rows)
	in := &exec.Input{Batch: &b.Batch, Split: b.Split, Arrivals: b.Arrivals, Arrival: b.Arrival, Carried: b.Carried}
	s.mu.Lock()
	if s.batch == 0 { // parts of a batch share its memory
		s.lent[in] = b
	}
	s.mu.Unlock()
	return in, nil
}

// recycle takes a batch back from the feed.
func (s *scan) recycle(in *exec.Input) {
	s.mu.Lock()
	b := s.lent[in]
	delete(s.lent, in)
	s.mu.Unlock()
	if b != nil {
		s.src.Recycle(b)
	}
}

// read returns the next rows, in parts where batches are to be small.
func (s *scan) read(ctx context.Context) (*connector.Batch, error) {
	b := s.uncut
	if s.uncut = nil; b == nil {
		var err error
		if b, err = s.take(ctx); b == nil || err != nil {
			return nil, err
		}
	}
	if s.batch == 0 || b.Rows <= s.batch {
		return b, nil
	}
	s.uncut = part(b, s.batch, b.Rows)
	return part(b, 0, s.batch), nil
}

// part is the rows of b from lo to hi.
func part(b *connector.Batch, lo, hi int) *connector.Batch {
	out := &connector.Batch{Batch: *b.Slice(lo, hi), Split: b.Split, Arrival: b.Arrival}
	if b.Arrivals != nil {
		out.Arrivals = b.Arrivals[lo:hi]
	}
	return out
}

// take takes the next rows of the source and the bad records met on the way.
func (s *scan) take(ctx context.Context) (*connector.Batch, error) {
	if s.badBytes > maxRejectedBytes {
		return nil, nil
	}
	b, err := s.src.Next(ctx)
	if err != nil {
		return nil, err
	}
	bad := s.src.Rejected()
	if len(bad) > 0 && s.fail {
		return nil, s.refuse(bad[0])
	}
	for _, r := range bad {
		s.badBytes += len(r.Record) + len(r.Reason) + len(r.Split) + len(r.Offset)
	}
	s.rejected = append(s.rejected, bad...)
	if b != nil && s.unit {
		s.unit = false
		if name, at := wrongUnit(&b.Batch); name != "" {
			s.notify("times lie in 1970 or beyond the year 9999; timestamp_format may name the wrong unit", "stream", s.plan.Stream.Name, "column", name, "first", utc(at))
		}
	}
	return b, nil
}

// refuse is the error that stops a query at a bad record.
func (s *scan) refuse(r connector.Rejected) error {
	name := s.plan.Stream.Name
	return sqlerr.Newf(sqlerr.InvalidTextRepresentation, "stream \"%s\": the record at %s, offset %s cannot be read: %s", name, r.Split, r.Offset, r.Reason).
		WithDetail("The stream has on_error = 'fail': the query stopped before this record and nothing was lost.").
		WithHint("To go on without such records: ALTER STREAM %s SET (on_error = 'reject').", name)
}

// drain reads what the plan left: an epoch ends where its bounds say, also under a LIMIT.
func (s *scan) drain(ctx context.Context) error {
	for {
		in, err := s.next(ctx)
		if in == nil || err != nil {
			return err
		}
		s.recycle(in)
	}
}

// position is what the epoch commits of this scan.
func (s *scan) position() scanPosition {
	return scanPosition{Stream: s.plan.Stream.ID, Name: s.plan.Stream.Name, Offset: s.src.Offset()}
}

// reads reports whether the query reads a stream.
func (q *Query) reads(stream catalog.ID) bool {
	for _, p := range q.cfg.Plan.Scans {
		if p.Stream.ID == stream {
			return true
		}
	}
	return false
}
