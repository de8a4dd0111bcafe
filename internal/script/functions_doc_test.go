package script

import (
	"os"
	"strings"
	"testing"
)

// The example of docs/functions.md runs as it stands there.
func TestFunctionsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/functions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```sql\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("the page has no example")
	}
	e, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if out := e.Exec(example); strings.Contains(out, "ERROR") {
		t.Fatal(out)
	}
	e.Exec("INSERT INTO logins VALUES ('ann', false, '2024-01-01 12:00'), ('ann', false, '2024-01-01 12:01'), ('bob', false, '2024-01-01 12:01'), ('ann', false, '2024-01-01 12:09'); FLUSH")
	if got, want := strings.TrimSpace(e.Exec("SELECT who, times FROM alerts")), "ann | 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
