package main

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme judges the SQL of the README as one script: the only error is the one it shows.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllSubmatch(text, -1) {
		script.Write(block[1])
	}
	var out bytes.Buffer
	err = check(t.Context(), []string{"-"}, strings.NewReader(script.String()), &out)
	if !errors.Is(err, errSilent) {
		t.Fatalf("the stream that is to be refused was not: %v", err)
	}
	if n := strings.Count(out.String(), ": error: "); n != 1 || !strings.Contains(out.String(), "error: WM005: ") {
		t.Errorf("not the one error WM005:\n%s", out.String())
	}
}
