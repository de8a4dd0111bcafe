//go:build peers

package peers

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
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
		for _, text := range []string{"SET TimeZone = 'UTC'", selectTables} {
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

// selectFaultsMax bounds how many different faults are shown.
const selectFaultsMax = 20

// compareSelects shows one SELECT, the shortest, of each kind of fault.
func compareSelects(t *testing.T, seed uint64, theirs, ours *pgx.Conn, known []*difference) {
	g := &selects{Rand: rand.New(rand.NewPCG(seed, 15))}
	faults := map[string]string{} // by kind
	failed := 0
	for range *selectCount {
		query := g.query()
		want, got := runSelect(theirs, query), runSelect(ours, query)
		if want.failed() {
			failed++
		}
		if want == got || slices.ContainsFunc(known, func(d *difference) bool { return d.explains(query, want, got) }) {
			continue
		}
		kind := want.code + "/" + got.code + "/" + strings.SplitN(got.message, ":", 2)[0]
		if want.code == got.code {
			kind = faultOf(want, got)
		}
		text := fmt.Sprintf("%s\nPostgres:\n%s\nwmsql:\n%s\n", query, want, got)
		if old, ok := faults[kind]; !ok || len(text) < len(old) {
			faults[kind] = text
		}
	}
	if failed > *selectCount/3 {
		t.Errorf("%d of %d SELECTs are errors: too few compare rows", failed, *selectCount)
	}
	shown := 0
	for _, text := range faults {
		if shown++; shown > selectFaultsMax {
			t.Errorf("and %d more kinds", len(faults)-selectFaultsMax)
			break
		}
		t.Error(text)
	}
}

// answer is what a server says to a SELECT.
type answer struct{ columns, rows, code, message string }

func (a answer) failed() bool { return a.code != "" }

// String is the answer as it is shown.
func (a answer) String() string {
	if a.failed() {
		return a.code + " " + a.message
	}
	return a.columns + "\n" + a.rows
}

// faultOf names the first kind of difference between two results.
func faultOf(want, got answer) string {
	if want.columns != got.columns {
		return "columns " + want.columns + got.columns
	}
	x, y := strings.Split(want.rows, "\n"), strings.Split(got.rows, "\n")
	slices.Sort(x)
	slices.Sort(y)
	if slices.Equal(x, y) {
		return "order"
	}
	return "rows"
}

func runSelect(c *pgx.Conn, query string) answer {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	res, err := c.PgConn().Exec(ctx, query).ReadAll()
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
