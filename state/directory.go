package state

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"wmsql/sqlerr"
)

// prepareDir creates the data directory when it is missing, and refuses one that holds something else.
func prepareDir(f vfs.FS, dir string) error {
	if dir == "" {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "the data directory has no name").WithHint("Name a directory with --data.")
	}
	if err := makeDir(f, dir); err != nil {
		return makeError(err, dir)
	}
	return checkForeign(f, dir)
}

// makeDir creates dir and the directories above it, and syncs the directory each is entered in: an unsynced entry
// could lose the whole store in a crash of the machine.
func makeDir(f vfs.FS, dir string) error {
	if info, err := f.Stat(dir); err == nil {
		if !info.IsDir() {
			return sqlerr.Newf(sqlerr.InvalidParameterValue, "data directory \"%s\" is a file", dir).
				WithHint("Name a directory with --data.")
		}
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeDir(f, parent); err != nil {
			return err
		}
	}
	if err := f.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return syncDir(f, parent)
}

// makeError says that a directory could not be created; nothing in it can be damaged yet.
func makeError(err error, dir string) error {
	var e *sqlerr.Error
	if errors.As(err, &e) || isDiskFull(err) || errors.Is(err, fs.ErrPermission) {
		return openError(err, dir)
	}
	return &sqlerr.Error{
		Code: sqlerr.IOError, Msg: "could not create data directory " + quoted(dir), Detail: err.Error(),
		Hint: "Name a directory with --data that the server's user can create.", Cause: err,
	}
}

// checkForeign refuses a directory that holds files but no store. Opening would mix ours with them, and take what
// is named like a file of the store, such as 1.log, for an old one that can go. A store has a lock before anything else.
func checkForeign(f vfs.FS, dir string) error {
	names, err := f.List(dir)
	if err != nil {
		return classify(err, dir)
	}
	if slices.ContainsFunc(names, func(n string) bool { return n == "LOCK" || n == probeName || strings.HasPrefix(n, "marker.") }) {
		return nil
	}
	slices.Sort(names)
	for _, n := range names {
		if n != "lost+found" { // the root of a file system
			return sqlerr.Newf(sqlerr.InvalidParameterValue, "directory %s holds files that are not wmsql's, such as \"%s\"", quoted(dir), n).
				WithHint("Name an empty directory with --data, or one that does not exist yet.")
		}
	}
	return nil
}

func syncDir(f vfs.FS, dir string) error {
	d, err := f.OpenDir(dir)
	if err != nil {
		return fmt.Errorf("sync directory %q: %w", dir, err)
	}
	return errors.Join(d.Sync(), d.Close())
}
