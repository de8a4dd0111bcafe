package file

import (
	"errors"
	"os"
	"sync/atomic"
	"time"

	"github.com/parquet-go/parquet-go"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/sqlerr"
)

// parquetRows is how many rows of a Parquet file are read at once.
const parquetRows = 4 * column.MaxRows

// unfinishedFor is how long a file without a valid footer is taken for one that is being written.
const unfinishedFor = 5 * time.Second

// parquetReader reads one Parquet file from row to row, only the columns that are wanted. The feeder plans the stretches,
// a decoder reads them, one at a time.
type parquetReader struct {
	cfg  *config
	name string
	row  int64 // next row to plan
	busy atomic.Bool

	h       *os.File
	file    *parquet.File
	columns []parquetColumn
	at      int64 // next row to read
	group   int   // row group that the columns stand in
	left    int64 // rows of it that are not read
}

// open opens the file and binds the wanted columns to its own.
func (r *parquetReader) open() error {
	h, err := r.cfg.disk.open(r.name)
	if err != nil {
		return ioError(r.name, err)
	}
	info, err := h.Stat()
	if err == nil {
		r.file, err = parquet.OpenFile(h, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(256<<10))
	}
	if err != nil {
		h.Close()
		return &unreadableError{sqlerr.Newf(sqlerr.IOError, "file %q is no Parquet file: %v", r.name, err).
			WithHint("Write files under a name that begins with a dot and rename them when they are whole.")}
	}
	r.h = h
	return r.bind()
}

// unreadableError is the error for a file that may be one day readable: it is being written.
type unreadableError struct{ err *sqlerr.Error }

func (e *unreadableError) Error() string { return e.err.Msg }

// Unwrap returns the error for the client.
func (e *unreadableError) Unwrap() error { return e.err }

// bind finds the file's column for every wanted one. One that the file has not is NULL.
func (r *parquetReader) bind() error {
	r.columns = make([]parquetColumn, len(r.cfg.read.Fields))
	for i, f := range r.cfg.read.Fields {
		c := &r.columns[i]
		c.field = f
		c.leaf = r.file.Root().Column(f.Name)
		if c.leaf == nil {
			if f.NotNull {
				return sqlerr.Newf(sqlerr.NotNullViolation, "file %q has no column %q, which is NOT NULL", r.name, f.Name)
			}
			continue
		}
		if f.Type.Array {
			return sqlerr.Unsupported("array column \"%s\" in a Parquet file", f.Name)
		}
		if err := c.bind(r.cfg.epoch); err != nil {
			return sqlerr.Newf(sqlerr.DatatypeMismatch, "column %q has type %s, but is %v in file %q", f.Name, f.Type, err, r.name)
		}
	}
	return nil
}

// plan makes j the next stretch of rows. It returns false when the file is not there as a whole yet.
func (r *parquetReader) plan(j *job) (ok bool, err error) {
	if r.file == nil {
		err := r.open()
		var unreadable *unreadableError
		if errors.As(err, &unreadable) && time.Since(j.file.mtime) < unfinishedFor {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		r.at, r.left, r.group = 0, 0, -1
		if err := r.seek(r.row); err != nil {
			return false, err
		}
	}
	n := min(r.file.NumRows()-r.row, parquetRows)
	j.base, j.rows, j.data = r.row, int(n), nil
	r.row += n
	j.end = r.row
	if r.done() {
		j.end = wholeFile
	}
	r.busy.Store(true)
	return true, nil
}

// done reports whether all rows are planned.
func (r *parquetReader) done() bool { return r.file != nil && r.row >= r.file.NumRows() }

// seek goes to a row: that of an offset after a restart.
func (r *parquetReader) seek(row int64) error {
	for _, g := range r.file.RowGroups() {
		if row < r.at+g.NumRows() {
			break
		}
		r.at += g.NumRows()
		r.group++
	}
	if row == r.at {
		return nil
	}
	if err := r.nextGroup(); err != nil {
		return err
	}
	for i := range r.columns {
		if c := &r.columns[i]; c.pages != nil {
			if err := c.pages.SeekToRow(row - r.at); err != nil {
				return ioError(r.name, err)
			}
		}
	}
	r.left -= row - r.at
	r.at = row
	return nil
}

// nextGroup goes to the start of the next row group.
func (r *parquetReader) nextGroup() error {
	r.group++
	groups := r.file.RowGroups()
	if r.group >= len(groups) {
		return sqlerr.Newf(sqlerr.IOError, "file %q has fewer rows than its footer says", r.name)
	}
	g := groups[r.group]
	r.left = g.NumRows()
	for i := range r.columns {
		c := &r.columns[i]
		if c.leaf == nil {
			continue
		}
		c.closePages()
		c.pages = g.ColumnChunks()[c.leaf.Index()].Pages()
	}
	return nil
}

// read decodes the rows of j into its part.
func (r *parquetReader) read(j *job) error {
	defer r.busy.Store(false)
	p := &j.part
	builders := column.NewBuilders(r.cfg.read, j.rows)
	var bad badRows
	for have := 0; have < j.rows; {
		if r.left == 0 {
			if err := r.nextGroup(); err != nil {
				return r.spoil(p, err)
			}
			continue
		}
		n := int(min(r.left, int64(j.rows-have)))
		for i := range r.columns {
			if err := r.columns[i].append(builders[i], n, have, &bad); err != nil {
				return r.spoil(p, ioError(r.name, err))
			}
		}
		have += n
		r.left -= int64(n)
	}
	r.at += int64(j.rows)
	p.Batch.Batch = *column.BuildBatch(r.cfg.read, builders)
	p.Rows = j.rows
	p.Bytes = int64(j.rows) * r.rowBytes()
	r.finish(j, &bad)
	if r.done() && r.at == r.file.NumRows() {
		r.close()
	}
	return nil
}

// spoil leaves the part without rows; the error ends the query.
func (r *parquetReader) spoil(p *connector.Part, err error) error {
	p.Batch.Batch = *column.BuildBatch(r.cfg.read, column.NewBuilders(r.cfg.read, 0))
	return err
}

func (r *parquetReader) rowBytes() int64 {
	return max(r.file.Size()/max(r.file.NumRows(), 1), 1)
}

// finish notes the positions of the rows, and takes out those that are no rows of the stream.
func (r *parquetReader) finish(j *job, bad *badRows) {
	p := &j.part
	if len(bad.reason) == 0 {
		for i := range j.rows {
			p.Pos = append(p.Pos, j.base+int64(i))
		}
		return
	}
	keep := make([]int32, 0, j.rows)
	for i := range j.rows {
		if reason, isBad := bad.reason[i]; isBad {
			p.Bad = append(p.Bad, j.badRecord(j.base+int64(i), nil, reason))
			continue
		}
		keep = append(keep, int32(i))
		p.Pos = append(p.Pos, j.base+int64(i))
	}
	p.Batch.Batch = *p.Batch.Batch.Take(keep)
}

func (r *parquetReader) close() {
	for i := range r.columns {
		r.columns[i].closePages()
	}
	if r.h != nil {
		r.h.Close()
		r.h = nil
	}
}

// badRows are the rows of a stretch that cannot be rows of the stream.
type badRows struct{ reason map[int]string }

func (b *badRows) add(row int, reason string) {
	if b.reason == nil {
		b.reason = map[int]string{}
	}
	if _, ok := b.reason[row]; !ok {
		b.reason[row] = reason
	}
}
