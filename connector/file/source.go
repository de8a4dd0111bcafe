package file

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"runtime"
	"strconv"
	"sync"
	"time"

	"wmsql/connector"
	"wmsql/sqlerr"
)

// source is one query's reader of one path.
type source struct {
	cfg     *config
	even    *connector.Even
	workers *connector.Workers[*job]
	jobs    sync.Pool

	ctx  context.Context
	stop context.CancelFunc
	done sync.WaitGroup

	mu     sync.Mutex // guards files and what Offset and Status read of them; the feeder alone changes them
	files  []*file
	byName map[string]*file
}

// file is where one file stands. The feeder owns it.
type file struct {
	cfg     *config
	name    string
	id      int
	split   *connector.Split // nil while nothing of it is to be read or handed out
	pos     int64            // after what was read, ahead of what was handed out
	handed  int64            // after what was handed out, while split is nil
	size    int64
	mtime   time.Time
	tail    int64  // the size at which its last line was found unfinished, 0 if none was
	whole   bool   // read to its end for good
	gone    bool   // it is not there any more
	waits   bool   // it cannot be read as it is now: it is being written
	header  []byte // of a CSV file
	stream  *stream
	parquet *parquetReader
}

// unread reports whether something can be read.
func (f *file) unread() bool {
	return !f.whole && !f.gone && !f.waits && (f.stream != nil || f.parquet != nil || f.pos < f.size && f.tail != f.size)
}

// rank stands for the file's time when there is no event time: far enough apart that the slack bridges no two files.
func (f *file) rank() int64 { return int64(f.id) << 40 }

// stand returns the position after what was handed out.
func (f *file) stand() int64 {
	if f.split == nil {
		return f.handed
	}
	pos, _ := f.split.Stand()
	return pos
}

func open(ctx context.Context, root string, spec connector.Spec, from connector.Offset) (*source, error) {
	c, err := parse(root, spec)
	if err != nil {
		return nil, err
	}
	pos, err := parsePosition(from)
	if err != nil {
		c.disk.close()
		return nil, err
	}
	s := &source{cfg: c, even: connector.NewEven(spec.Delay, spec.Now), byName: map[string]*file{}}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.jobs.New = func() any { return &job{pool: &s.jobs} }
	for _, p := range pos.Files {
		f := s.newFile(p.Name, p.Pos)
		f.size = p.Size
	}
	s.workers = connector.NewWorkers(runtime.GOMAXPROCS(0), func() func(*job) {
		d := &decoder{cfg: c, fail: s.even.Fail}
		if c.format != nil {
			d.dec = c.format.New()
		}
		return d.run
	})
	s.done.Go(s.feed)
	return s, nil
}

// newFile makes a file known that stands at pos.
func (s *source) newFile(name string, pos int64) *file {
	f := &file{cfg: s.cfg, name: name, id: len(s.files), pos: pos, handed: pos, whole: pos == wholeFile}
	switch {
	case f.whole:
	case s.cfg.kind == kindParquet:
		f.parquet = &parquetReader{cfg: s.cfg, name: name, row: pos}
	case isCompressed(name):
		f.stream = &stream{f: f}
	}
	s.files = append(s.files, f)
	s.byName[name] = f
	return f
}

// list looks for new files, and for changes of known ones.
func (s *source) list() error {
	entries, err := s.cfg.disk.list(s.cfg.path)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		seen[e.name] = true
		f := s.byName[e.name]
		if f == nil {
			f = s.newFile(e.name, 0)
		}
		if err := f.changed(e); err != nil {
			return err
		}
	}
	for _, f := range s.files {
		if !seen[f.name] && !f.gone {
			if err := f.vanished(); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed notes what a listing says of a file.
func (f *file) changed(e entry) error {
	f.gone, f.waits = false, false
	if f.whole {
		return nil
	}
	if f.stream == nil && f.parquet == nil && e.size < f.pos {
		return f.truncated(e.size)
	}
	if f.cfg.kind == kindCSV && f.tail == e.size && time.Since(e.mtime) > quietFor {
		f.tail = 0 // quiet long enough to take its last line
	}
	f.size, f.mtime = e.size, e.mtime
	return nil
}

// vanished says whether a file that is not there any more was read to its end.
func (f *file) vanished() error {
	f.gone = true
	if f.whole || f.stream == nil && f.parquet == nil && f.pos >= f.size {
		return nil
	}
	return sqlerr.Newf(sqlerr.UndefinedFile, "file %q is gone before it was read to its end", f.name).
		WithDetail("It was read up to position %d.", f.pos).
		WithHint("Put it back and resume the query, or create the query anew.")
}

// Wait returns when Next may find a row.
func (s *source) Wait(ctx context.Context) error { return s.even.Wait(ctx) }

// Begin starts an epoch.
func (s *source) Begin(b connector.Bounds) error { return s.even.Begin(b) }

// Next returns the next rows.
func (s *source) Next(ctx context.Context) (*connector.Batch, error) { return s.even.Next(ctx) }

// Recycle takes a batch back.
func (s *source) Recycle(b *connector.Batch) { s.even.Recycle(b) }

// Rejected returns the records that were no rows.
func (s *source) Rejected() []connector.Rejected { return s.even.Rejected() }

// Release does nothing: files are not ours to delete.
func (s *source) Release(connector.Offset) error { return nil }

// Offset returns the position after all rows handed out.
func (s *source) Offset() connector.Offset {
	s.mu.Lock()
	defer s.mu.Unlock()
	var p position
	for _, f := range s.files {
		p.Files = append(p.Files, filePosition{f.name, f.stand(), f.size})
	}
	return p.offset()
}

// End lists the files again: the end is that of all complete lines.
func (s *source) End(context.Context) (connector.Offset, error) {
	entries, err := s.cfg.disk.list(s.cfg.path)
	if err != nil {
		return "", err
	}
	var p position
	for _, e := range entries {
		end := int64(wholeFile)
		if s.cfg.kind != kindParquet && !isCompressed(e.name) {
			if end, err = s.lastLine(e); err != nil {
				return "", err
			}
		}
		p.Files = append(p.Files, filePosition{e.name, end, e.size})
	}
	return p.offset(), nil
}

// lastLine returns the end of the last complete line of a file.
func (s *source) lastLine(e entry) (int64, error) {
	h, err := s.cfg.disk.open(e.name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, ioError(e.name, err)
	}
	defer h.Close()
	for size := int64(minStretchBytes); ; size *= 4 {
		start := max(e.size-size, 0)
		buf := make([]byte, e.size-start)
		n, err := h.ReadAt(buf, start)
		if n < len(buf) {
			return 0, ioError(e.name, err)
		}
		f := &file{cfg: s.cfg, mtime: e.mtime}
		if whole := f.wholeLines(buf, start == 0); whole > 0 || start == 0 {
			if s.cfg.kind == kindJSON && whole < n && whole > 0 {
				whole += f.wholeLines(buf[whole:], true)
			}
			return start + int64(whole), nil
		}
	}
}

// Reached reports whether position at has come to end in every file.
func (s *source) Reached(at, end connector.Offset) bool {
	a, errA := parsePosition(at)
	e, errE := parsePosition(end)
	return errA == nil && errE == nil && a.reached(e)
}

// Status describes the files that are being read, or all when they are few.
func (s *source) Status() []connector.SplitStatus {
	const few = 100
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []connector.SplitStatus
	for _, f := range s.files {
		if f.split == nil && len(s.files) > few {
			continue
		}
		pos := f.stand()
		st := connector.SplitStatus{Split: f.name, Offset: strconv.FormatInt(pos, 10), Lag: -1}
		if pos == wholeFile || pos >= f.size && f.stream == nil && f.parquet == nil {
			st.Lag = 0
		}
		if pos == wholeFile {
			st.Offset = "end"
		}
		if f.split != nil {
			if _, newest := f.split.Stand(); newest != math.MinInt64 && s.cfg.event >= 0 {
				st.Newest = newest
			}
		}
		out = append(out, st)
	}
	return out
}

// Close ends the goroutines.
func (s *source) Close() error {
	s.stop()
	s.done.Wait()
	s.workers.Close()
	for _, f := range s.files {
		f.release()
	}
	s.cfg.disk.close()
	return nil
}

// release closes what the file has open.
func (f *file) release() {
	if f.stream != nil && f.stream.r != nil && !f.whole {
		f.stream.close()
	}
	if f.parquet != nil {
		f.parquet.close()
	}
}
