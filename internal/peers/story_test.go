//go:build peers

package peers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// story is what every client is seen doing on testdata/story/story.sql, in the words of all: an act and what came of it. A client that
// has no way to do an act leaves it out, and a field that it cannot tell is empty. "text" and "binary" are the same parameters and results in the
// two formats, "prepared" is a statement that is kept and run again, "paging" reads 25 pages through a portal or cursor, and
// "transaction" a rollback, then a commit after a rollback to a savepoint.
const story = `connect: 15|wmsql|wmsql
reflect: id int8|name text|born date|score numeric|seen timestamptz|tags _text
query: 1|Ada|1815-12-10|1.50|2026-03-01T12:00:00Z|a+b c
query: 2|Kurt||||
text: 42|it's é\!|true|12.50|2026-03-01T13:00:00Z
binary: 42|it's é\!|true|12.50|2026-03-01T13:00:00Z
prepared: 42|it's é\!|true|12.50|2026-03-01T13:00:00Z
paging: 25|25000|312512500
large: 200000|20000000
cancel: 57014|1
transaction: 2|3
error: 42703|8|column "nosuch" does not exist
error: 23505|people|people_pkey|Key (id)=(1) already exists.
error: 22007|invalid input syntax for type date: "soon"
`

// storyClient is a client that tells the story.
type storyClient struct {
	name string // as docs/clients.md has it
	tell func(t *testing.T, s *wmsql) string
}

var storyClients = []storyClient{
	{"psql 15", tellPsql("psql")},
	{"psql 16", tellPsql("psql16")},
	{"psycopg 3", tellPython("dbapi.py", "psycopg")},
	{"psycopg 2", tellPython("dbapi.py", "psycopg2")},
	{"asyncpg", tellPython("asyncpg_story.py")},
	{"ODBC (psqlODBC)", func(t *testing.T, s *wmsql) string { return tellPython("dbapi.py", "odbc", odbcDriver(t))(t, s) }},
	{"JDBC (pgjdbc 42)", func(t *testing.T, s *wmsql) string { return tellJDBC(t, s, "") }},
	{"node-postgres", func(t *testing.T, s *wmsql) string {
		cmd := exec.Command("node", "node.js", s.url())
		cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(env(t, "WMSQL_PEERS"), "node", "node_modules"))
		return tell(t, cmd)
	}},
	{"pgx 5", pgxStory},
	{"Rust postgres", func(t *testing.T, s *wmsql) string {
		return tell(t, exec.Command(filepath.Join(env(t, "WMSQL_PEERS"), "rust", "debug", "story"), s.url()))
	}},
	{"PgBouncer 1.18, transaction mode: psycopg 2", func(t *testing.T, s *wmsql) string { return tellPython("dbapi.py", "psycopg2")(t, bouncer(t, s)) }},
	{"PgBouncer 1.18, transaction mode: JDBC", func(t *testing.T, s *wmsql) string {
		return tellJDBC(t, bouncer(t, s), "&prepareThreshold=0") // statements of one transaction are not known to the next
	}},
}

// tell runs a program of testdata/story and returns what it said.
func tell(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var faults bytes.Buffer
	cmd.Dir, cmd.Stderr = "testdata/story", &faults
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v\n%s", err, &faults)
	}
	return string(out)
}

func tellPsql(program string) func(*testing.T, *wmsql) string {
	return func(t *testing.T, s *wmsql) string {
		return tell(t, exec.Command(psqlProgram(t, program), "-X", "-f", "psql.sql", s.url()))
	}
}

func tellJDBC(t *testing.T, s *wmsql, options string) string {
	if s.account != nil {
		options += "&password=" + s.account.password + "&" + s.account.params
	}
	return tell(t, exec.Command("java", "-Duser.timezone=UTC", "-cp", filepath.Join(env(t, "WMSQL_PEERS"), "jdbc", "*"), "Story.java",
		"jdbc:postgresql://"+s.addr()+"/wmsql?user=wmsql"+options))
}

func tellPython(script string, args ...string) func(*testing.T, *wmsql) string {
	return func(t *testing.T, s *wmsql) string {
		return tell(t, exec.Command(venv(t, "python"), append([]string{script, s.url()}, args...)...))
	}
}

func venv(t testing.TB, program string) string {
	return filepath.Join(env(t, "WMSQL_PEERS"), "venv", "bin", program)
}

// psqlProgram is the file of a psql: the machine's own, or psql16 that `make peers` brings.
func psqlProgram(t testing.TB, name string) string {
	if name == "psql" {
		return name
	}
	return filepath.Join(env(t, "WMSQL_PEERS"), name)
}

// odbcDriver is the file of psqlODBC's Unicode driver.
func odbcDriver(t testing.TB) string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/*/odbc/psqlodbcw.so")
	if len(found) == 0 {
		t.Fatal("no psqlodbcw.so: run `make peers`")
	}
	return found[0]
}

// Every client tells the same story, and does all that docs/clients.md says it does.
func TestClients(t *testing.T) {
	setup, err := os.ReadFile("testdata/story/story.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range storyClients {
		t.Run(c.name, func(t *testing.T) {
			s := start(t)
			s.exec(string(setup))
			acts := checkStory(t, c.tell(t, s))
			if doc := documentedActs(t, c.name); doc != acts {
				t.Errorf("docs/clients.md says %q, seen was %q", doc, acts)
			}
		})
	}
}

// checkStory compares what a client printed with the story and returns the acts it did.
func checkStory(t *testing.T, told string) string {
	t.Helper()
	left := strings.Split(strings.TrimSpace(story), "\n")
	var acts []string
	for line := range strings.Lines(told) {
		line = strings.TrimSuffix(line, "\n")
		at := slices.IndexFunc(left, func(want string) bool { return tells(line, want) })
		if at < 0 {
			t.Errorf("told %q, which is not the story:\n%s", line, strings.Join(left, "\n"))
			continue
		}
		left = slices.Delete(left, at, at+1)
		act, _, _ := strings.Cut(line, ":")
		if !slices.Contains(acts, act) {
			acts = append(acts, act)
		}
	}
	for _, l := range left { // an act is told whole or not at all
		if act, _, _ := strings.Cut(l, ":"); slices.Contains(acts, act) {
			t.Errorf("did not tell %q", l)
		}
	}
	return strings.Join(acts, ", ")
}

// tells reports whether line is the story's line, but for fields that the client leaves empty. The code of an error is never left out.
func tells(line, want string) bool {
	got, fields := strings.Split(line, "|"), strings.Split(want, "|")
	if len(got) != len(fields) || got[0] != fields[0] {
		return false
	}
	for i, g := range got[1:] {
		if g != fields[i+1] && (g != "" || !strings.HasPrefix(want, "error:")) {
			return false
		}
	}
	return true
}

// documentedActs is the second cell of the client's row in docs/clients.md.
func documentedActs(t *testing.T, client string) string {
	t.Helper()
	doc, err := os.ReadFile("../../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(doc)) {
		if cells := strings.Split(line, " | "); cells[0] == "| "+client && len(cells) > 2 {
			return cells[1]
		}
	}
	return fmt.Sprintf("no row of %s", client)
}
