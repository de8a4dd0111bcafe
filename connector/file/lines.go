package file

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"wmsql/connector/format"
	"wmsql/sqlerr"
)

// Bounds of a stretch of lines.
const (
	stretchBytes    = 1 << 20
	minStretchBytes = 64 << 10 // when very many files are open at once
	maxRecordBytes  = 64 << 20 // a longer record is rejected
	quietFor        = time.Second
)

// cut reads the next whole lines of f into j. It returns false when there are none yet.
func (f *file) cut(j *job, stretch int) (ok bool, err error) {
	if f.stream != nil {
		return f.stream.cut(j, stretch)
	}
	h, err := f.cfg.disk.open(f.name)
	if err != nil {
		return false, ioError(f.name, err)
	}
	defer h.Close()
	if f.cfg.kind == kindCSV && f.cfg.format.CSV.Header && f.header == nil {
		if ok, err := f.readHeader(h); !ok {
			return false, err
		}
	}
	for size := min(int64(stretch), f.size-f.pos); ; size = min(2*size, f.size-f.pos) {
		if int64(cap(j.buf)) < size {
			j.buf = make([]byte, size)
		}
		n, err := h.ReadAt(j.buf[:size], f.pos)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, ioError(f.name, err)
		}
		if int64(n) < size {
			return false, f.truncated(f.pos + int64(n))
		}
		data := j.buf[:size]
		last := f.pos+size == f.size
		whole := f.wholeLines(data, last)
		switch {
		case whole > 0:
			f.take(j, data[:whole])
			return true, nil
		case last:
			f.tail = f.size // an unfinished line: it is looked at again when the file has changed
			return false, nil
		case size >= maxRecordBytes:
			return f.skipLong(h, j)
		}
	}
}

// take makes data, at f.pos, the stretch of j.
func (f *file) take(j *job, data []byte) {
	j.data, j.base, j.end, j.header, j.bad = data, f.pos, f.pos+int64(len(data)), f.header, ""
	f.pos = j.end
}

// wholeLines returns the length of the complete lines at the start of data. last says that the file ends with it: a
// JSON object needs no line end, since nothing can follow it in its line; a CSV line is taken when the file is quiet.
func (f *file) wholeLines(data []byte, last bool) int {
	n := 0
	if f.cfg.kind == kindCSV {
		n = format.CutCSV(data)
		if last && n < len(data) && time.Since(f.mtime) > quietFor {
			n = len(data)
		}
		return n
	}
	n = bytes.LastIndexByte(data, '\n') + 1
	if last && n < len(data) && format.CompleteJSON(data[n:]) {
		n = len(data)
	}
	return n
}

// readHeader reads the first line of a CSV file. It returns false when it is not there yet.
func (f *file) readHeader(h io.ReaderAt) (ok bool, err error) {
	buf := make([]byte, min(f.size, stretchBytes))
	n, err := h.ReadAt(buf, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, ioError(f.name, err)
	}
	line, size := format.NextCSV(buf[:n])
	if size == n && (n == 0 || buf[n-1] != '\n') {
		f.tail = f.size
		return false, nil
	}
	f.header = line
	f.pos = max(f.pos, int64(size))
	return f.pos < f.size, nil
}

// skipLong makes j the rejection of a record that is too long, once its end is there.
func (f *file) skipLong(h io.ReaderAt, j *job) (ok bool, err error) {
	buf := make([]byte, stretchBytes)
	for at := f.pos + maxRecordBytes; at < f.size; at += int64(len(buf)) {
		n, err := h.ReadAt(buf[:min(int64(len(buf)), f.size-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, ioError(f.name, err)
		}
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			start := f.pos
			f.take(j, j.buf[:maxRecordBytes])
			j.bad = tooLong
			j.end = at + int64(i) + 1
			f.pos, j.base = j.end, start
			return true, nil
		}
	}
	f.tail = f.size
	return false, nil
}

const tooLong = "the record is longer than 64 MiB"

func (f *file) truncated(size int64) error {
	return sqlerr.Newf(sqlerr.IOError, "file %q became shorter: it was read up to byte %d and has %d", f.name, f.pos, size).
		WithHint("Files may grow and go, but what was read of them must not change. Give new data a new name.")
}

// stream reads a compressed file from its start to its end.
type stream struct {
	f     *file
	r     io.Reader
	close func()
	rest  []byte // the unfinished line after the last stretch
	eof   bool
}

func isCompressed(name string) bool {
	return strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".zst")
}

// start opens the file and skips what was read before.
func (s *stream) start() error {
	h, err := s.f.cfg.disk.open(s.f.name)
	if err != nil {
		return ioError(s.f.name, err)
	}
	s.close = func() { h.Close() }
	if strings.HasSuffix(s.f.name, ".gz") {
		s.r, err = gzip.NewReader(h)
	} else {
		var z *zstd.Decoder
		if z, err = zstd.NewReader(h, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(512<<20)); err == nil {
			s.r = z
			s.close = func() { z.Close(); h.Close() }
		}
	}
	if err == nil {
		err = s.skip()
	}
	if err != nil {
		s.close()
		s.r = nil
		return ioError(s.f.name, err)
	}
	return nil
}

// skip reads what was read before the restart, and the header in it.
func (s *stream) skip() error {
	head := make([]byte, min(s.f.pos, stretchBytes))
	if _, err := io.ReadFull(s.r, head); err != nil {
		return err
	}
	if s.f.cfg.kind == kindCSV && s.f.cfg.format.CSV.Header && len(head) > 0 {
		line, _ := format.NextCSV(head)
		s.f.header = bytes.Clone(line)
	}
	_, err := io.CopyN(io.Discard, s.r, s.f.pos-int64(len(head)))
	return err
}

func (s *stream) cut(j *job, size int) (ok bool, err error) {
	f := s.f
	if s.r == nil {
		if err := s.start(); err != nil {
			return false, err
		}
	}
	j.buf = append(j.buf[:0], s.rest...)
	for !s.eof {
		have := len(j.buf)
		if cap(j.buf) < have+size {
			j.buf = append(make([]byte, 0, have+size), j.buf...)
		}
		n, err := io.ReadFull(s.r, j.buf[have:have+size])
		j.buf = j.buf[:have+n]
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && n > 0 && s.atEnd():
			s.eof = true
		case err != nil:
			return false, ioError(f.name, err)
		}
		if whole := f.wholeLines(j.buf, false); whole > 0 || len(j.buf) > maxRecordBytes {
			return true, s.take(j, whole)
		}
	}
	whole := len(j.buf)
	s.close()
	f.whole = true
	return true, s.take(j, whole)
}

// atEnd reports whether the data ends here and was not cut off: a read that gives nothing more says so.
func (s *stream) atEnd() bool {
	var b [1]byte
	_, err := io.ReadFull(s.r, b[:])
	return errors.Is(err, io.EOF)
}

func (s *stream) take(j *job, whole int) error {
	if whole == 0 && len(j.buf) > maxRecordBytes {
		return sqlerr.Newf(sqlerr.IOError, "file %q has a record longer than 64 MiB at byte %d", s.f.name, s.f.pos)
	}
	s.rest = append(s.rest[:0], j.buf[whole:]...)
	data := j.buf[:whole]
	if s.f.cfg.kind == kindCSV && s.f.cfg.format.CSV.Header && s.f.header == nil {
		line, size := format.NextCSV(data)
		s.f.header = bytes.Clone(line)
		s.f.pos += int64(size)
		data = data[size:]
	}
	s.f.take(j, data)
	if s.f.whole {
		j.end = wholeFile
	}
	return nil
}
