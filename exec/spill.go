package exec

import (
	"context"
	"errors"
	"sync"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// spill is the temporary files of one query. An operator of a SELECT that may hold no more rows writes them to a file of its own, in runs,
// and reads the runs back. What an operator does not close itself, the end of the query does.
type spill struct {
	temp *state.TempFiles // nil: nothing may be written, and an operator without memory fails

	mu    sync.Mutex // workers share the query
	open  map[*spillFile]struct{}
	told  []*SpillStats
	byTag map[any]*SpillStats
}

// SpillStats is what one operator wrote to temporary files.
type SpillStats struct {
	Title string // the plan node's line
	Bytes int64
	Files int
}

func newSpill(temp *state.TempFiles) *spill {
	return &spill{temp: temp}
}

// node is what a spilling operator is called by.
type node interface{ Title() string }

// create makes a file for the operator of node n.
func (s *spill) create(n node) (*spillFile, error) {
	f, err := s.temp.Create()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open, s.byTag = map[*spillFile]struct{}{}, map[any]*SpillStats{}
	}
	st := s.byTag[n]
	if st == nil {
		st = &SpillStats{Title: n.Title()}
		s.byTag[n] = st
		s.told = append(s.told, st)
	}
	st.Files++
	out := &spillFile{spill: s, file: f, stats: st}
	s.open[out] = struct{}{}
	return out, nil
}

// able reports whether there is where to write.
func (s *spill) able() bool { return s != nil && s.temp != nil }

// close removes all files.
func (s *spill) close() error {
	var err error
	for f := range s.open {
		err = errors.Join(err, f.close())
	}
	return err
}

// spillFile is one temporary file: blocks one after the other, each of a run.
type spillFile struct {
	spill *spill
	file  *state.TempFile
	stats *SpillStats
	buf   []byte
	runs  int // that are not read yet
}

// close removes the file. It may be called more than once.
func (f *spillFile) close() error {
	f.spill.mu.Lock()
	delete(f.spill.open, f)
	f.spill.mu.Unlock()
	return f.file.Close()
}

// run begins a run of rows of schema s; nil: of blocks that the operator reads itself.
func (f *spillFile) run(s *types.Schema) *spillRun {
	f.runs++
	return &spillRun{file: f, schema: s}
}

// spillRun is rows in the order in which they were written, or blocks of bytes. A run is read as often as wanted, until it is done.
type spillRun struct {
	file   *spillFile
	schema *types.Schema
	blocks []spillBlock
	rows   int
	memory int64 // an estimate of what the rows take in memory
}

// spillBlock is where a batch lies in the file.
type spillBlock struct {
	at   int64
	size int
}

// write appends the rows of b.
func (r *spillRun) write(b *column.Batch) error {
	if b.Rows == 0 {
		return nil
	}
	r.file.buf = column.AppendBatch(r.file.buf[:0], b)
	r.memory += batchBytes(b)
	r.rows += b.Rows
	return r.writeBlock(r.file.buf)
}

// writeBlock appends bytes.
func (r *spillRun) writeBlock(p []byte) error {
	at, err := r.file.file.Append(p)
	if err != nil {
		return err
	}
	r.file.spill.mu.Lock()
	r.file.stats.Bytes += int64(len(p))
	r.file.spill.mu.Unlock()
	r.blocks = append(r.blocks, spillBlock{at, len(p)})
	return nil
}

// done says that the run is not read again. A file of which all runs are done is removed.
func (r *spillRun) done() error {
	if r.file.runs--; r.file.runs > 0 {
		return nil
	}
	return r.file.close()
}

// reader reads the run from its beginning.
func (r *spillRun) reader() *runReader { return &runReader{run: r} }

// runReader reads one run. Its batches stay valid.
type runReader struct {
	run  *spillRun
	next int
}

// more reports whether another batch follows.
func (r *runReader) more() bool { return r.next < len(r.run.blocks) }

// Next returns the next batch, nil at the end.
func (r *runReader) Next(ctx context.Context) (*column.Batch, error) {
	data, err := r.block(ctx)
	if data == nil || err != nil {
		return nil, err
	}
	return column.DecodeBatch(r.run.schema, data, nil)
}

// block returns the next block, nil at the end.
func (r *runReader) block(ctx context.Context) ([]byte, error) {
	if !r.more() {
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b := r.run.blocks[r.next]
	r.next++
	data := make([]byte, b.size)
	return data, r.run.file.file.Read(data, b.at)
}

// rows is what yields batches: an operator, or a run.
type rows interface {
	Next(ctx context.Context) (*column.Batch, error)
}
