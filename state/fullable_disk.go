package state

import (
	"os"
	"sync/atomic"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// FullableDisk is a disk in memory that can be full, for tests. It is given as Options.FS.
type FullableDisk struct {
	vfs.FS
	full atomic.Bool
}

// NewFullableDisk returns an empty disk.
func NewFullableDisk() *FullableDisk { return &FullableDisk{FS: vfs.NewCrashableMem()} }

// Fill makes writes fail for want of space, or succeed again.
func (f *FullableDisk) Fill(full bool) { f.full.Store(full) }

func (f *FullableDisk) check() error {
	if f.full.Load() {
		return &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	return nil
}

// Create makes a file, while there is space.
func (f *FullableDisk) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	file, err := f.FS.Create(name, c)
	return &fullableFile{file, f}, err
}

type fullableFile struct {
	vfs.File
	disk *FullableDisk
}

// Write writes p, while there is space.
func (f *fullableFile) Write(p []byte) (int, error) {
	if err := f.disk.check(); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}
