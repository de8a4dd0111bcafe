//go:build peers

package peers

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The worked examples recorded from Spark give, through psql, the same rows, watermarks, late rows and windows in state.
func TestSparkCasesThroughPsql(t *testing.T) {
	files, err := filepath.Glob("../../testdata/oracle/a*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := start(t)
			late := 0
			for n, block := range regexp.MustCompile(`\n\n`).Split(strings.TrimSpace(string(text)), -1) {
				if strings.HasPrefix(block, "#") {
					continue
				}
				input, want, _ := strings.Cut(block, "----\n")
				verb, input, _ := strings.Cut(input, "\n")
				if verb == "create" {
					s.psqlQuiet(strings.TrimSpace(input) + ";\n")
					continue
				}
				if got := s.sparkStep(input, &late); got != strings.TrimSpace(want) {
					t.Fatalf("block %d gave:\n%s\nwant:\n%s", n, got, want)
				}
			}
		})
	}
}

// psqlQuiet runs psql unaligned, without headers, and stops at the first error.
func (s *wmsql) psqlQuiet(input string) string {
	s.t.Helper()
	out := s.psql(input, "-At", "-q", "-v", "ON_ERROR_STOP=1", "-F", " | ", "-P", "null=NULL")
	if strings.Contains(out, "ERROR:") {
		s.t.Fatalf("psql said:\n%s\nto:\n%s", out, input)
	}
	return out
}

// sparkStep feeds one micro-batch and describes the view after it as the case files do.
func (s *wmsql) sparkStep(input string, late *int) string {
	s.t.Helper()
	script := "BEGIN;\n"
	for line := range strings.Lines(input) {
		stream, row, _ := strings.Cut(strings.TrimSpace(line), " ")
		var cols map[string]any
		if err := json.Unmarshal([]byte(row), &cols); err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		var names, values []string
		for _, name := range slices.Sorted(maps.Keys(cols)) {
			names = append(names, name)
			values = append(values, "'"+fmt.Sprint(cols[name])+"'")
		}
		script += fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s);\n", stream, strings.Join(names, ", "), strings.Join(values, ", "))
	}
	s.psqlQuiet(script + "COMMIT;\nFLUSH;\n")
	head := strings.Split(strings.TrimSpace(s.psqlQuiet(`SELECT coalesce(to_char(min(watermark), 'YYYY-MM-DD HH24:MI:SS'), 'none') FROM wm_catalog.watermarks WHERE view = 'r';
SELECT rows_late FROM wm_catalog.queries WHERE name = 'r';
SELECT num_rows_total FROM wm_catalog.state_operators WHERE view = 'r';
`)), "\n")
	if len(head) != 3 {
		s.t.Fatalf("progress: %q", head)
	}
	word := "no"
	if n, _ := strconv.Atoi(head[1]); n > *late {
		*late, word = n, "yes"
	}
	rows := strings.Split(strings.TrimSpace(strings.ReplaceAll(s.psqlQuiet("SELECT * FROM r;\n"), "+00", "")), "\n")
	slices.Sort(rows)
	return strings.TrimSpace(fmt.Sprintf("watermark=%s late=%s state=%s\n%s", head[0], word, head[2], strings.Join(rows, "\n")))
}
