package state

import (
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// spaceRetry is how often a write that found the disk full is tried again.
const spaceRetry = 250 * time.Millisecond

// spaceFS keeps a full disk from Pebble, which would end the process: a write waits until there is space again.
// While one waits, full is true and new transactions are refused with 53100, so only the first is held up; reads go on.
// A failed sync is not retried: the kernel may have dropped the pages.
type spaceFS struct {
	vfs.FS
	warn    func(msg string, args ...any)
	dir     string
	waiting atomic.Int32
	stopped chan struct{}
	once    sync.Once
}

func newSpaceFS(fs vfs.FS, dir string, warn func(string, ...any)) *spaceFS {
	return &spaceFS{FS: fs, dir: dir, warn: warn, stopped: make(chan struct{})}
}

// full reports whether a write waits for space.
func (s *spaceFS) full() bool { return s.waiting.Load() > 0 }

// stop makes waiting writes fail.
func (s *spaceFS) stop() { s.once.Do(func() { close(s.stopped) }) }

// retry repeats op while the disk is full.
func (s *spaceFS) retry(op func() error) (err error) {
	err = op()
	if !isDiskFull(err) {
		return err
	}
	if s.waiting.Add(1) == 1 {
		s.warn("disk full: writing waits for space", "dir", s.dir)
	}
	defer func() {
		if s.waiting.Add(-1) == 0 && err == nil {
			s.warn("writing goes on", "dir", s.dir)
		}
	}()
	for isDiskFull(err) {
		select {
		case <-s.stopped:
			return err
		case <-time.After(spaceRetry):
		}
		err = op()
	}
	return err
}

func (s *spaceFS) file(open func() (vfs.File, error)) (vfs.File, error) {
	var f vfs.File
	err := s.retry(func() (err error) { f, err = open(); return err })
	if err != nil {
		return nil, err
	}
	return &spaceFile{File: f, fs: s}, nil
}

// Create creates a file.
func (s *spaceFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return s.file(func() (vfs.File, error) { return s.FS.Create(name, c) })
}

// OpenReadWrite opens a file for writing.
func (s *spaceFS) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return s.file(func() (vfs.File, error) { return s.FS.OpenReadWrite(name, c, opts...) })
}

// ReuseForWrite opens an old file under a new name.
func (s *spaceFS) ReuseForWrite(oldname, newname string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return s.file(func() (vfs.File, error) { return s.FS.ReuseForWrite(oldname, newname, c) })
}

// Rename renames a file.
func (s *spaceFS) Rename(oldname, newname string) error {
	return s.retry(func() error { return s.FS.Rename(oldname, newname) })
}

// Link links a file.
func (s *spaceFS) Link(oldname, newname string) error {
	return s.retry(func() error { return s.FS.Link(oldname, newname) })
}

// MkdirAll makes a directory.
func (s *spaceFS) MkdirAll(dir string, perm os.FileMode) error {
	return s.retry(func() error { return s.FS.MkdirAll(dir, perm) })
}

// Unwrap returns the file system below.
func (s *spaceFS) Unwrap() vfs.FS { return s.FS }

// spaceFile is a file whose writes wait for space.
type spaceFile struct {
	vfs.File
	fs *spaceFS
}

// Write writes all of p, in parts where the disk was full meanwhile.
func (f *spaceFile) Write(p []byte) (done int, err error) {
	err = f.fs.retry(func() error {
		n, err := f.File.Write(p[done:])
		done += n
		return err
	})
	return done, err
}

// WriteAt writes p at an offset.
func (f *spaceFile) WriteAt(p []byte, off int64) (done int, err error) {
	err = f.fs.retry(func() error {
		n, err := f.File.WriteAt(p[done:], off+int64(done))
		done += n
		return err
	})
	return done, err
}

// preallocateMax is how much of a file is reserved at once. Pebble asks for a whole memory table's worth for each of its logs, of which it
// keeps up to five: on a small disk that is most of it. A log that is used again has its space already.
const preallocateMax = 8 << 20

// Preallocate reserves space ahead of writes; without space they find out themselves.
func (f *spaceFile) Preallocate(offset, length int64) error {
	if err := f.File.Preallocate(offset, min(length, preallocateMax)); err != nil && !isDiskFull(err) {
		return err
	}
	return nil
}
