package state

import (
	"errors"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"wmsql/sqlerr"
)

// Options of Open.
type Options struct {
	Memory   int64 // bytes for memtables and block cache; 0: defaults
	InMemory bool  // for tests and demos
	Warn     func(msg string, args ...any)
	Version  string // of the program; kept in the store to say who wrote it
	FS       vfs.FS // what the store lies on; nil: the machine's file system. Tests of crashes set it.
}

// Open opens or creates the store in dir. It fails clearly when another process has it (55006), when a newer version
// wrote it (0A000), and when it is damaged (XX001).
func Open(dir string, o Options) (*Store, error) {
	o = withDefaults(o)
	if o.InMemory {
		dir = "" // the root of a file system of its own
	} else if err := prepareDir(o.FS, dir); err != nil {
		return nil, err
	}
	if err := probeSpace(o.FS, dir); err != nil {
		return nil, openError(err, dir)
	}
	s, err := openPebble(dir, o)
	if err != nil {
		return nil, err
	}
	fresh, err := s.checkFormat()
	if err == nil && fresh {
		// The log of a store that was just created is in Pebble's oldest format, whose reader takes a damaged record
		// for the log's end. The log that the next open starts has the newest.
		if err = s.writeFormat(); err == nil {
			err = errors.Join(s.db.Close(), s.lock.Close())
		}
		if err != nil {
			return nil, classify(err, dir)
		}
		if s, err = openPebble(dir, o); err != nil {
			return nil, err
		}
	}
	if err == nil {
		err = s.useColumns()
	}
	if err != nil {
		_ = errors.Join(s.db.Close(), s.lock.Close()) // err says more
		return nil, err
	}
	return s, nil
}

func withDefaults(o Options) Options {
	if o.Warn == nil {
		o.Warn = func(string, ...any) {}
	}
	if o.Version == "" {
		o.Version = "(unnamed version)"
	}
	switch {
	case o.FS != nil:
	case o.InMemory:
		o.FS = vfs.NewMem()
	default:
		o.FS = vfs.Default
	}
	return o
}

// openPebble opens Pebble once.
func openPebble(dir string, o Options) (*Store, error) {
	space := newSpaceFS(o.FS, dir, o.Warn)
	log := &logger{warn: o.Warn}
	lock, err := pebble.LockDirectory(dir, space)
	if err != nil {
		return nil, openError(err, dir)
	}
	po := pebbleOptions(o, space, log)
	po.Lock = lock
	if err := checkLog(space, dir); err != nil {
		return nil, errors.Join(openError(err, dir), lock.Close())
	}
	db, err := pebble.Open(dir, po)
	if err != nil {
		return nil, errors.Join(openError(err, dir), lock.Close())
	}
	temp, err := newTempFiles(o.FS, dir)
	if err != nil {
		return nil, errors.Join(openError(err, dir), db.Close(), lock.Close())
	}
	return &Store{reader: reader{db}, db: db, dir: dir, space: space, log: log, lock: lock, temp: temp, commits: newCommits(), version: o.Version}, nil
}

// openError is classify for what only an open can meet.
func openError(err error, dir string) error {
	switch msg := err.Error(); {
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EACCES) && strings.Contains(msg, "LOCK"),
		strings.Contains(msg, "lock held by current process"):
		return locked(dir, err)
	case isDiskFull(err):
		return sqlerr.Newf(sqlerr.DiskFull, "could not open data directory %s: no space left on device", quoted(dir)).
			WithHint("Free some space on that file system, then start the server again: nothing in the directory is lost.")
	case strings.Contains(msg, "unknown format major version"), strings.Contains(msg, "unknown to this version"):
		return newer(dir, "of a later release")
	}
	return classify(err, dir)
}

// openSpace is how much an open may write before the server can say that the disk is full.
const openSpace = 1 << 20

// probeName is the file that probeSpace writes and removes.
const probeName = "probe"

// probeSpace tells a full disk before Pebble meets it: an open has to write too.
func probeSpace(f vfs.FS, dir string) error {
	name := f.PathJoin(dir, probeName)
	file, err := f.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, openSpace))
	return errors.Join(err, file.Close(), f.Remove(name))
}
