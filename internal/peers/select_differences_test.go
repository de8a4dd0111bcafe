//go:build peers

package peers

import (
	"bufio"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
)

// difference is a line of differences.txt: SELECTs for which the two servers may disagree.
type difference struct {
	theirs, ours string // the SQLSTATEs: "rows" without an error, "*" for any
	query        *regexp.Regexp
	reason       string
	seen         int
}

// covers says that the line is of such a SELECT and of such answers.
func (d *difference) covers(query string, want, got answer) bool {
	is := func(pattern string, a answer) bool {
		return pattern == "*" || pattern == a.code || pattern == "rows" && !a.failed() || strings.HasSuffix(pattern, "*") && a.failed() && strings.HasPrefix(a.code, pattern[:len(pattern)-1])
	}
	return is(d.theirs, want) && is(d.ours, got) && d.query.MatchString(query)
}

// explains says that the difference is the line's. What is wrong with the statement (42...) by one server is wrong by the other too, once all
// else is taken from it. That is no test of other errors: an expression that is not reached may not be reached without the rest either.
func (d *difference) explains(ctx context.Context, q *part, want, got answer, theirs, ours *selectServer) bool {
	proven := func(pattern string, a answer, says, other *selectServer) bool {
		if pattern != "42*" {
			return true
		}
		alone := q.clone()
		alone.shrink(func(query string) bool { return says.answer(ctx, query).code == a.code })
		return other.answer(ctx, alone.String()).code == a.code
	}
	if !proven(d.theirs, want, theirs, ours) || !proven(d.ours, got, ours, theirs) {
		return false
	}
	d.seen++
	return true
}

func readDifferences(t *testing.T) (out []*difference) {
	t.Helper()
	f, err := os.Open("../../testdata/postgres/differences.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.SplitN(line, " | ", 4)
		if len(parts) != 4 {
			t.Fatalf("not Postgres | wmsql | SELECT | reason: %s", line)
		}
		out = append(out, &difference{parts[0], parts[1], regexp.MustCompile(parts[2]), parts[3], 0})
	}
	return out
}
