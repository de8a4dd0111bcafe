package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"

	"wmsql/sqlerr"
)

// tempName is the directory within the data directory that holds temporary files. It is emptied when the store is opened.
const tempName = "temp"

// TempFiles makes temporary files beside the store. Any goroutine may use it.
type TempFiles struct {
	fs   vfs.FS
	dir  string
	last atomic.Uint64 // number of the newest file
}

// newTempFiles empties the directory: what a crash left there belongs to nobody.
func newTempFiles(f vfs.FS, dir string) (*TempFiles, error) {
	t := &TempFiles{fs: f, dir: f.PathJoin(dir, tempName)}
	names, err := f.List(t.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	for _, n := range names {
		err = errors.Join(err, f.Remove(f.PathJoin(t.dir, n)))
	}
	return t, err
}

// Names lists the files that are there.
func (t *TempFiles) Names() ([]string, error) {
	names, err := t.fs.List(t.dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return names, err
}

// Create makes an empty file. It is not synced, and Close removes it. A full disk is told at once (53100) and not waited for.
func (t *TempFiles) Create() (*TempFile, error) {
	name := t.fs.PathJoin(t.dir, fmt.Sprintf("%d.spill", t.last.Add(1)))
	if err := t.fs.MkdirAll(t.dir, 0o700); err != nil {
		return nil, tempError(err)
	}
	w, err := t.fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, tempError(err)
	}
	r, err := t.fs.Open(name)
	if err != nil {
		return nil, tempError(errors.Join(err, w.Close(), t.fs.Remove(name)))
	}
	return &TempFile{fs: t.fs, name: name, w: w, r: r}, nil
}

// TempFile is appended to and read from at any place. It is for one goroutine.
type TempFile struct {
	fs   vfs.FS
	name string
	w, r vfs.File // nil after Close
	size int64
}

// Append writes p at the end and returns where it begins.
func (f *TempFile) Append(p []byte) (at int64, err error) {
	at = f.size
	n, err := f.w.Write(p)
	f.size += int64(n)
	return at, tempError(err)
}

// Read fills p from at on.
func (f *TempFile) Read(p []byte, at int64) error {
	n, err := f.r.ReadAt(p, at)
	if errors.Is(err, io.EOF) && n == len(p) {
		err = nil
	}
	return tempError(err)
}

// Close removes the file. It may be called more than once.
func (f *TempFile) Close() error {
	if f.w == nil {
		return nil
	}
	err := errors.Join(f.w.Close(), f.r.Close(), f.fs.Remove(f.name))
	f.w, f.r = nil, nil
	return tempError(err)
}

// tempError gives an error its SQLSTATE.
func tempError(err error) error {
	switch {
	case err == nil:
		return nil
	case isDiskFull(err):
		e := sqlerr.Newf(sqlerr.DiskFull, "could not write to a temporary file: no space left on device").
			WithDetail("The statement needs more memory than it may have, and so writes rows to the data directory.").
			WithHint("Free some space on that file system, read fewer rows, or start the server with a larger --memory.")
		e.Cause = err
		return e
	}
	return &sqlerr.Error{Code: sqlerr.IOError, Msg: "temporary file: " + err.Error(), Cause: err}
}
