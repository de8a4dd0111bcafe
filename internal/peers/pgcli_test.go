//go:build peers

package peers

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// pgcli, on a terminal: its special commands, its completion of columns and of users' functions, an error with its place. Nothing that it
// asks on its own behalf fails.
func TestPgcli(t *testing.T) {
	s := start(t)
	s.exec(world + initials)
	look := newSpy(t, s.addr())
	cmd := exec.Command(venv(t, "pgcli"), "--less-chatty", strings.Replace(s.url(), s.addr(), look.addr, 1)+"&gssencmode=disable")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TERM=xterm", "PAGER=cat", "COLUMNS=200", "LINES=50", "LC_ALL=C.UTF-8", "PROMPT_TOOLKIT_NO_CPR=1")
	term := openTerminal(t, cmd)
	term.resize(50, 200)
	shows := func(typed, want string) {
		t.Helper()
		out := term.keys(typed)
		eventually(t, 30*time.Second, func() string {
			if out += term.keys(""); !strings.Contains(out, want) {
				return typed + " does not show " + want + ":\n" + out
			}
			return ""
		})
	}
	shows("", "wmsql>")
	for _, x := range []struct{ typed, want string }{
		{`\d people`, `"people_pkey" PRIMARY KEY, btree (id)`},
		{`\d+ page_clicks`, "TUMBLE"},
		{`\dt`, "people"},
		{`\dv`, "busy"},
		{`\dm`, "page_clicks"},
		{`\di`, "people_pkey"},
		{`\dn`, "sales"},
		{`\du`, "rolsuper"},
		{`\dT int4`, "integer"},
		{`\l`, "UTF8"},
		{`\df initials`, "rows TABLE"},
		{`\sf initials`, "LANGUAGE starlark"},
		{"SELECT 40 + 2 AS answer;", "42"},
	} {
		shows(x.typed+"\r", x.want)
	}
	if faults := look.errors(); faults != "" {
		t.Error(faults)
	}
	shows("SELECT nosuch FROM people;\r", `column "nosuch" does not exist`)
	look.errors()
	shows("SELECT * FROM people WHERE sco", "score") // in the menu of completions: a column
	shows("\x03SELECT init", "initials")             // Ctrl-C, then a user's function
	if faults := look.errors(); faults != "" {
		t.Error(faults)
	}
}
