//go:build peers

package peers

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var (
	selectCount = flag.Int("selects", 2000, "random SELECTs to compare with Postgres, from a seed")
	selectSeed  = flag.Uint64("selects.seed", 0, "run the SELECTs of this seed only")
)

// TestSelectsAsPostgres runs random SELECTs on a real Postgres and on wmsql: names, types, values, order and SQLSTATE are the same, but for the
// differences that testdata/postgres/differences.txt explains.
func TestSelectsAsPostgres(t *testing.T) {
	ctx := context.Background()
	dial := func(url string) *pgx.Conn {
		c, err := pgx.Connect(ctx, url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close(ctx) })
		for _, text := range []string{"SET TimeZone = 'UTC'", "SET statement_timeout = '15s'", selectTables} {
			if _, err := c.PgConn().Exec(ctx, text).ReadAll(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		return c
	}
	theirs, ours := dial(postgres(t)), dial(start(t).url())
	known := readDifferences(t)
	seeds := []uint64{15} // CI says the same of the same commit every day; with more SELECTs the day's seed comes beside it
	if *selectCount > 2000 {
		seeds = append(seeds, uint64(time.Now().Unix()/86400))
	}
	if *selectSeed > 0 {
		seeds = []uint64{*selectSeed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			compareSelects(t, seed, theirs, ours, known)
		})
	}
	for _, d := range known {
		if d.seen == 0 && *selectSeed == 0 && *selectCount >= 100_000 {
			t.Errorf("testdata/postgres/differences.txt explains %q, which does not happen", d.reason)
		}
	}
}

// selectFaultsMax bounds how many SELECTs of one kind of fault are shown.
const selectFaultsMax = 8

// compareSelects shows one SELECT, made as small as it can be, of each kind of fault.
func compareSelects(t *testing.T, seed uint64, theirs, ours *pgx.Conn, known []*difference) {
	g := newSelects(seed)
	faults := map[string][]*part{} // by kind, the shortest first
	failed := 0
	fault := func(query string) (string, answer, answer) {
		want, got := runSelect(theirs, query), runSelect(ours, query)
		if want.same(got) || slices.ContainsFunc(known, func(d *difference) bool { return d.explains(query, want, got) }) {
			return "", want, got
		}
		return faultOf(want, got), want, got
	}
	for range *selectCount {
		q := g.statement()
		kind, want, _ := fault(q.String())
		if want.failed() {
			failed++
		}
		if kind == "" {
			continue
		}
		faults[kind] = append(faults[kind], q)
	}
	if failed > *selectCount/3 {
		t.Errorf("%d of %d SELECTs are errors: too few compare rows", failed, *selectCount)
	}
	shown := map[string]bool{}
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		slices.SortStableFunc(faults[kind], func(x, y *part) int { return cmp.Compare(len(x.String()), len(y.String())) })
		for _, q := range faults[kind][:min(len(faults[kind]), selectFaultsMax)] {
			q.shrink(func(query string) bool { is, _, _ := fault(query); return is == kind })
			if shape := literal.ReplaceAllString(q.String(), "?"); !shown[shape] {
				shown[shape] = true
				_, want, got := fault(q.String())
				t.Errorf("%s (%d)\n%s\nPostgres:\n%s\nwmsql:\n%s\n", kind, len(faults[kind]), q, want, got)
			}
		}
	}
}

// literal is what SELECTs with one fault may differ in.
var literal = regexp.MustCompile(`\d+|'[^']*'`)

// answer is what a server says to a SELECT.
type answer struct{ columns, rows, code, message string }

func (a answer) failed() bool { return a.code != "" }

// same says that two servers answer alike; the words of errors are their own.
func (a answer) same(b answer) bool {
	return a.code == b.code && (a.failed() || a == b)
}

// modified says that two results differ in a type modifier that Postgres tells, or does not know, and in no more.
func (a answer) modified(b answer) bool {
	bare := func(s string) string { return modifier.ReplaceAllString(s, "|") }
	return !a.failed() && !b.failed() && a.rows == b.rows && a.columns != b.columns && bare(a.columns) == bare(b.columns)
}

var modifier = regexp.MustCompile(` -?\d+\|`)

// String is the answer as it is shown.
func (a answer) String() string {
	if a.failed() {
		return a.code + " " + a.message
	}
	return a.columns + "\n" + a.rows
}

// faultOf names the kind of a difference: those of one kind have one cause as a rule.
func faultOf(want, got answer) string {
	switch {
	case want.code != got.code:
		words := got.message
		if !got.failed() || strings.HasPrefix(got.code, "2") && !strings.HasPrefix(want.code, "2") {
			words = want.message
		}
		return want.code + "/" + got.code + "/" + strings.SplitN(words, ":", 2)[0]
	case want.columns != got.columns:
		x, y := strings.Split(want.columns, "|"), strings.Split(got.columns, "|")
		for i := range min(len(x), len(y)) {
			if x[i] != y[i] {
				return "columns " + x[i] + "/" + y[i]
			}
		}
		return "columns"
	}
	x, y := strings.Split(want.rows, "\n"), strings.Split(got.rows, "\n")
	slices.Sort(x)
	slices.Sort(y)
	if slices.Equal(x, y) {
		return "order"
	}
	return fmt.Sprint("rows ", len(x) == len(y), " ", strings.Count(want.columns, "|"))
}

func runSelect(c *pgx.Conn, query string) answer {
	res, err := c.PgConn().Exec(context.Background(), query).ReadAll()
	var e *pgconn.PgError
	switch {
	case errors.As(err, &e):
		return answer{code: e.Code, message: e.Message}
	case err != nil:
		return answer{code: "broken", message: err.Error()}
	}
	var a answer
	for _, f := range res[0].FieldDescriptions {
		a.columns += fmt.Sprintf("%s %d %d|", f.Name, f.DataTypeOID, f.TypeModifier)
	}
	for _, row := range res[0].Rows {
		for _, v := range row {
			if v == nil {
				a.rows += "NULL|"
				continue
			}
			a.rows += string(v) + "|"
		}
		a.rows += "\n"
	}
	return a
}

// difference is a line of differences.txt: SELECTs for which the two servers may disagree.
type difference struct {
	theirs, ours string // the SQLSTATEs: "rows" without an error, "*" for any
	query        *regexp.Regexp
	reason       string
	seen         int
}

func (d *difference) explains(query string, want, got answer) bool {
	if d.theirs == "modifier" {
		return want.modified(got) && d.query.MatchString(query)
	}
	is := func(pattern string, a answer) bool {
		return pattern == "*" || pattern == a.code || pattern == "rows" && !a.failed() || strings.HasSuffix(pattern, "*") && a.failed() && strings.HasPrefix(a.code, pattern[:len(pattern)-1])
	}
	if !is(d.theirs, want) || !is(d.ours, got) || !d.query.MatchString(query) {
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
