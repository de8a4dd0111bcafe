//go:build peers

package peers

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
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
	ctx := t.Context()
	theirs, ours := &selectServer{url: postgres(t)}, &selectServer{url: start(t).url()}
	for _, s := range []*selectServer{theirs, ours} {
		if a := s.answer(ctx, selectTables); a.failed() {
			t.Fatal(a)
		}
		defer s.close(ctx)
	}
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
		t.Logf("%d times: %s", d.seen, d.reason)
		if d.seen == 0 && *selectSeed == 0 && *selectCount >= 100_000 {
			t.Errorf("testdata/postgres/differences.txt explains %q, which does not happen", d.reason)
		}
	}
}

// selectFaultsMax bounds how many SELECTs of one kind of fault are shown.
const selectFaultsMax = 3

// compareSelects shows one SELECT, made as small as it can be, of each kind of fault.
func compareSelects(t *testing.T, seed uint64, theirs, ours *selectServer, known []*difference) {
	g := newSelects(seed)
	faults := map[string][]*part{} // by kind, the shortest first
	failed := 0
	ask := func(query string) (want, got answer) {
		return theirs.answer(t.Context(), query), ours.answer(t.Context(), query)
	}
	fault := func(query string) string {
		want, got := ask(query)
		if want.same(got) || slices.ContainsFunc(known, func(d *difference) bool { return d.covers(query, want, got) }) {
			return ""
		}
		return faultOf(want, got)
	}
	for range *selectCount {
		q := g.statement()
		query := q.String()
		want, got := ask(query)
		if want.failed() {
			failed++
		}
		if want.same(got) || slices.ContainsFunc(known, func(d *difference) bool {
			return d.covers(query, want, got) && d.explains(t.Context(), q, want, got, theirs, ours)
		}) {
			continue
		}
		kind := faultOf(want, got)
		faults[kind] = append(faults[kind], q)
	}
	if failed > *selectCount/3 {
		t.Errorf("%d of %d SELECTs are errors: too few compare rows", failed, *selectCount)
	}
	shown := map[string]bool{}
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		slices.SortStableFunc(faults[kind], func(x, y *part) int { return cmp.Compare(len(x.String()), len(y.String())) })
		for _, q := range faults[kind][:min(len(faults[kind]), selectFaultsMax)] {
			q.shrink(func(query string) bool { return fault(query) == kind })
			if shape := literal.ReplaceAllString(q.String(), "?"); !shown[shape] {
				shown[shape] = true
				want, got := ask(q.String())
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

// selectServer is a server that answers SELECTs on one connection, and on another one when that breaks.
type selectServer struct {
	url  string
	conn *pgx.Conn
}

func (s *selectServer) close(ctx context.Context) {
	if s.conn != nil {
		_ = s.conn.Close(ctx)
	}
}

func (s *selectServer) dial(ctx context.Context) (err error) {
	if s.conn != nil && !s.conn.IsClosed() {
		return nil
	}
	if s.conn, err = pgx.Connect(ctx, s.url); err != nil {
		return err
	}
	_, err = s.conn.PgConn().Exec(ctx, "SET TimeZone = 'UTC'; SET statement_timeout = '15s'").ReadAll()
	return err
}

// answer runs a statement. The type modifiers of a result are those that the server tells before it runs a SELECT: Postgres tells others
// afterwards, for the expressions that constants made simpler.
func (s *selectServer) answer(ctx context.Context, query string) (a answer) {
	if err := s.dial(ctx); err != nil {
		return answer{code: "broken", message: err.Error()}
	}
	var e *pgconn.PgError
	fields, rows, err := s.run(ctx, query)
	switch {
	case errors.As(err, &e):
		return answer{code: e.Code, message: e.Message}
	case err != nil:
		return answer{code: "broken", message: err.Error()}
	}
	for _, f := range fields {
		a.columns += fmt.Sprintf("%s %d %d|", f.Name, f.DataTypeOID, f.TypeModifier)
	}
	for _, row := range rows {
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

func (s *selectServer) run(ctx context.Context, query string) ([]pgconn.FieldDescription, [][][]byte, error) {
	conn := s.conn.PgConn()
	var fields []pgconn.FieldDescription
	if !strings.HasPrefix(query, "\n") { // what creates tables is several statements
		described, err := conn.Prepare(ctx, "", query, nil)
		if err != nil {
			return nil, nil, err
		}
		fields = described.Fields
	}
	res, err := conn.Exec(ctx, query).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	for i, f := range res[0].FieldDescriptions {
		if g := fields[i]; f.Name != g.Name || f.DataTypeOID != g.DataTypeOID {
			return nil, nil, fmt.Errorf("the column %s %d was described as %s %d", f.Name, f.DataTypeOID, g.Name, g.DataTypeOID)
		}
	}
	return fields, res[0].Rows, nil
}
