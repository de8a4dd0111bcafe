package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestTestingDoc runs the example of docs/testing.md: what its script is said to print is what it prints.
func TestTestingDoc(t *testing.T) {
	text, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := regexp.MustCompile("(?s), `([a-z_]+\\.(?:sql|txt))`:\n\n```[a-z]+\n(.*?)\n```").FindAllSubmatch(text, -1)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, string(f[1])), append(f[2], '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	paths, err := testScripts([]string{dir})
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	var out bytes.Buffer
	if err := (&testOptions{}).run(paths, &out); err != nil || out.String() != "1 script passed\n" {
		t.Errorf("%v\n%s", err, out.String())
	}
}
