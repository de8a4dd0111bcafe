package script

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wmsql/connector"
)

var rewrite = flag.Bool("rewrite", false, "write what the scripts print into them")

// corpus runs every script below a directory of testdata, each on an engine of its own, all at once.
func corpus(t *testing.T, dir string, o Options, verbs Verbs) {
	t.Helper()
	o.Connectors = connector.Registry{}
	for _, path := range scripts(t, dir) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			runFile(t, path, o, verbs)
		})
	}
}

// scripts are the files below a directory of testdata.
func scripts(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir("../../testdata/"+dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	return paths
}

func runFile(t *testing.T, path string, o Options, verbs Verbs) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse(path, string(text), verbs)
	if err != nil {
		t.Fatal(err)
	}
	printed, _ := f.run(t, o, verbs)
	if *rewrite {
		if err := os.WriteFile(path, []byte(f.Text(printed)), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, fault := range f.Compare(printed) {
		t.Error(fault)
	}
}

// run carries out a script on an engine of its own, and counts the power cuts that it survived.
func (f *File) run(t *testing.T, o Options, verbs Verbs) (printed []string, crashes int) {
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	printed, err = f.Run(e, verbs)
	if err != nil {
		t.Fatal(err)
	}
	return printed, e.crashes
}
