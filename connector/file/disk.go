package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wmsql/sqlerr"
)

// disk is the part of the file system that streams may read.
type disk struct {
	root *os.Root // nil: the whole
}

// entry is a file as a listing found it.
type entry struct {
	name  string
	size  int64
	mtime time.Time
}

// openDisk returns the disk below root and path as it is named there.
func openDisk(root, path string) (*disk, string, error) {
	switch root {
	case "":
		return nil, "", sqlerr.Newf(sqlerr.InsufficientPrivilege, "this server reads no files").
			WithHint("Start it with --file-root and the folder below which streams may read.")
	case "/":
		return &disk{}, filepath.Clean(path), nil
	}
	base, err := filepath.Abs(root)
	if err != nil {
		return nil, "", ioError(root, err)
	}
	rel := path
	if filepath.IsAbs(path) {
		if rel, err = filepath.Rel(base, path); err != nil {
			rel = ".."
		}
	}
	if !filepath.IsLocal(rel) {
		return nil, "", sqlerr.Newf(sqlerr.InsufficientPrivilege, "path %q is outside the server's file root", path).
			WithHint("Files below %s may be read; the server's option --file-root says so.", root)
	}
	r, err := os.OpenRoot(base)
	if err != nil {
		return nil, "", ioError(root, err)
	}
	return &disk{r}, filepath.Clean(rel), nil
}

func (d *disk) close() {
	if d.root != nil {
		d.root.Close()
	}
}

func (d *disk) open(name string) (*os.File, error) {
	if d.root != nil {
		return d.root.Open(name)
	}
	return os.Open(name)
}

func (d *disk) stat(name string) (fs.FileInfo, error) {
	if d.root != nil {
		return d.root.Stat(name)
	}
	return os.Stat(name)
}

func (d *disk) isFolder(name string) bool {
	info, err := d.stat(name)
	return err == nil && info.IsDir()
}

func isGlob(path string) bool { return strings.ContainsAny(path, "*?[") }

// list returns the files that path, a file, a folder or a glob, stands for, in the order of their names. Files whose
// name begins with a dot or an underscore, and *.tmp, are being written by someone.
func (d *disk) list(path string) ([]entry, error) {
	names, err := d.names(path)
	if err != nil {
		return nil, err
	}
	var out []entry
	for _, name := range names {
		base := filepath.Base(name)
		if base[0] == '.' || base[0] == '_' || strings.HasSuffix(base, ".tmp") {
			continue
		}
		info, err := d.stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // it went since
		case err != nil:
			return nil, ioError(name, err)
		case info.Mode().IsRegular():
			out = append(out, entry{name, info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

func (d *disk) names(path string) ([]string, error) {
	if isGlob(path) {
		return d.glob(path)
	}
	info, err := d.stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, ioError(path, err)
	case !info.IsDir():
		return []string{path}, nil
	}
	f, err := d.open(path)
	if err != nil {
		return nil, ioError(path, err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil, ioError(path, err)
	}
	for i := range names {
		names[i] = filepath.Join(path, names[i])
	}
	return names, nil
}

func (d *disk) glob(pattern string) (names []string, err error) {
	if d.root != nil {
		names, err = fs.Glob(d.root.FS(), filepath.ToSlash(pattern))
	} else {
		names, err = filepath.Glob(pattern)
	}
	if err != nil {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for option %q: %q", "path", pattern).
			WithHint("A glob has *, ? and [a-z]; a [ must be closed.")
	}
	return names, nil
}

// ioError is an error of the file system for the client.
func ioError(name string, err error) *sqlerr.Error {
	code := sqlerr.IOError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code = sqlerr.UndefinedFile
	case errors.Is(err, fs.ErrPermission):
		code = sqlerr.InsufficientPrivilege
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	e := sqlerr.Newf(code, "could not read file %q: %v", name, err)
	e.Cause = err
	return e
}
