package rule_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wmsql/catalog"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/logicalplan/rule"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// corpus is the DDL and the statements of a golden file.
type corpus struct {
	world      *world
	statements []string
}

func readCorpus(t *testing.T, path string) *corpus {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &corpus{world: newWorld()}
	for part := range strings.SplitSeq(string(data), "\n\n") {
		for strings.HasPrefix(part, "#") {
			_, part, _ = strings.Cut(part, "\n")
		}
		cmd, rest, _ := strings.Cut(part, "\n")
		input, _, isCase := strings.Cut(rest, "----")
		switch {
		case !isCase:
		case cmd == "define":
			_ = c.world.define(input) // some DDL is there to be refused
		default:
			_, query, isView := strings.Cut(input, " AS ")
			if isView && strings.HasPrefix(input, "CREATE") {
				input, _, _ = strings.Cut(query, "EMIT")
			}
			c.statements = append(c.statements, input)
		}
	}
	return c
}

// mutate drops, repeats, exchanges and nests words of statements.
func (c *corpus) mutate(r *rand.Rand) string {
	pick := func() []string { return strings.Fields(c.statements[r.IntN(len(c.statements))]) }
	words := pick()
	for range r.IntN(4) {
		if len(words) < 2 {
			break
		}
		at := r.IntN(len(words))
		other := pick()
		switch r.IntN(4) {
		case 0:
			words = slices.Delete(words, at, at+1)
		case 1:
			words[at] = other[r.IntN(len(other))]
		case 2:
			words = slices.Insert(words, at, other[r.IntN(len(other))])
		case 3:
			words[at] = "(" + strings.Join(other, " ") + ")"
		}
	}
	return strings.Join(words, " ")
}

// TestMutatedStatements binds damaged statements: none may panic or be an internal error, a plan reads no column that nothing
// makes, and the rules change neither that nor the result's columns.
func TestMutatedStatements(t *testing.T) {
	const rounds = 400 // a file; about a third of the statements parse
	r := rand.New(rand.NewPCG(1, 2))
	bound := 0
	for _, pattern := range []string{"plan", "rule", "refuse"} {
		files, _ := filepath.Glob("../../testdata/" + pattern + "/*.txt")
		for _, f := range files {
			c := readCorpus(t, f)
			for range rounds {
				if len(c.statements) > 0 && c.check(t, c.mutate(r), r) {
					bound++
				}
			}
		}
	}
	if bound < 500 {
		t.Errorf("only %d statements were bound: the corpus is not read", bound)
	}
}

// check binds, judges, rewrites and explains a statement, and reports whether it was bound.
func (c *corpus) check(t *testing.T, text string, r *rand.Rand) bool {
	defer func() {
		if x := recover(); x != nil {
			t.Errorf("%v in\n%s", x, text)
			panic(x)
		}
	}()
	parsed, err := sql.Parse(text)
	if err != nil || len(parsed) != 1 {
		return false
	}
	s, ok := parsed[0].Stmt.(*sql.SelectStmt)
	if !ok {
		return false
	}
	q, err := build.Query(s.Query, c.world.env(r.IntN(2) == 0))
	if err != nil {
		if e := sqlerr.From(err); e.Code == sqlerr.Internal {
			t.Errorf("internal error %v in\n%s", e, text)
		}
		return false
	}
	mode := catalog.OutputMode(r.IntN(3))
	rule.Gate(q.Root, &rule.Target{Name: "v", Mode: mode, Text: "CREATE MATERIALIZED VIEW v AS " + text})
	after, _ := rule.Run(q.Root)
	for _, n := range []logicalplan.Node{q.Root, after} {
		if free := logicalplan.Free(n); len(free) > 0 {
			t.Errorf("columns %v come from nowhere in\n%s\n%s", free, text, logicalplan.Format(n))
		}
	}
	if !slices.EqualFunc(q.Root.Columns(), after.Columns(), func(a, b logicalplan.Column) bool { return a.ID == b.ID && a.Type == b.Type }) {
		t.Errorf("the rules changed the columns of\n%s\n%s", text, logicalplan.Format(after))
	}
	logicalplan.Explain(after, logicalplan.ExplainOptions{Mode: &mode, State: true, Watermark: true}).Lines()
	return true
}
