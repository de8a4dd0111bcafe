package state

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"

	"wmsql/sqlerr"
)

// readError turns an error of a read into the one a client sees.
func readError(err error) error { return classify(err, "") }

// classify gives an error of Pebble or of the file system its SQLSTATE. dir is named where it helps.
func classify(err error, dir string) error {
	var e *sqlerr.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return err
	case isDiskFull(err):
		return diskFull(dir)
	case isCorruption(err):
		return damaged(err, dir)
	case errors.Is(err, fs.ErrPermission):
		return &sqlerr.Error{
			Code: sqlerr.InsufficientPrivilege, Msg: "no permission to use data directory " + quoted(dir), Detail: err.Error(),
			Hint: "Give the server's user read and write permission, or name another directory with --data.", Cause: err,
		}
	}
	return &sqlerr.Error{Code: sqlerr.IOError, Msg: "data directory " + quoted(dir) + ": " + err.Error(), Cause: err}
}

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// isCorruption also knows the errors of damaged files that Pebble does not mark.
func isCorruption(err error) bool {
	if pebble.IsCorruptionError(err) || errors.Is(err, fs.ErrNotExist) {
		return true
	}
	msg := err.Error()
	for _, s := range []string{"checksum", "corrupt", "invalid table", "invalid chunk", "marker", "unknown file type", "invariant violation"} {
		if strings.Contains(msg, s) {
			return true
		}
	}
	return false
}

func damaged(err error, dir string) error {
	e := sqlerr.Newf(sqlerr.DataCorrupted, "data directory %s is damaged: %v", quoted(dir), firstLine(err)).
		WithHint("Check the disk, then restore the directory from a backup or start with an empty one and read the sources again.")
	e.Cause = err
	if info := pebble.ExtractDataCorruptionInfo(err); info != nil {
		e.Msg = "file \"" + info.Path + "\" is damaged: " + firstLine(err)
	}
	return e
}

func diskFull(dir string) error {
	return sqlerr.Newf(sqlerr.DiskFull, "could not write to data directory %s: no space left on device", quoted(dir)).
		WithHint("Free some space on that file system; writing goes on by itself then.")
}

func locked(dir string, cause error) error {
	e := sqlerr.Newf(sqlerr.ObjectInUse, "data directory %s is in use by another wmsql server", quoted(dir)).
		WithHint("Stop that server first, or start this one with another directory (--data).")
	e.Cause = cause
	return e
}

func newer(dir, by string) error {
	return sqlerr.Newf(sqlerr.FeatureNotSupported, "data directory %s was written by wmsql %s, which is newer than this version", quoted(dir), by).
		WithHint("Start wmsql %s or later on it; nothing in the directory was changed.", by)
}

func quoted(dir string) string {
	if dir == "" {
		return "of the server"
	}
	return "\"" + dir + "\""
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
