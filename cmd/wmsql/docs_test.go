package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocs judges the SQL of each page as one script: the only error is the one that the README shows.
func TestDocs(t *testing.T) {
	for page, errors := range map[string]int{"README.md": 1, "docs/streaming.md": 0, "docs/functions.md": 0, "docs/testing.md": 0} {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile("../../" + page)
			if err != nil {
				t.Fatal(err)
			}
			var script strings.Builder
			for _, block := range regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllSubmatch(text, -1) {
				script.Write(block[1])
			}
			if script.Len() == 0 {
				t.Fatal("no SQL on the page")
			}
			var out bytes.Buffer
			err = check(t.Context(), []string{"-"}, strings.NewReader(script.String()), &out)
			all, refused := strings.Count(out.String(), ": error: "), strings.Count(out.String(), ": error: WM005: ")
			if all != errors || refused != errors || (err != nil) != (errors > 0) {
				t.Errorf("%d errors, want %d, each WM005; %v\n%s", all, errors, err, out.String())
			}
		})
	}
}
