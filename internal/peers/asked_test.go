//go:build peers

package peers

import (
	"net/url"
	"os"
	"strings"
	"testing"
)

// What clients ask beside their users' queries is answered as Postgres answers it, message by message.
func TestWhatClientsAsk(t *testing.T) {
	text, err := os.ReadFile("../../testdata/postgres/asked.sql")
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	theirs, _ := login(t, at.Host, "database=postgres")
	ours, _ := login(t, start(t).addr())
	asked := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "--") {
			continue
		}
		asked++
		want := theirs.ask(query(line))
		got := withoutPlace(ours.ask(query(line)), want)
		if got != want && !strings.HasPrefix(got, "E(0A000") {
			t.Errorf("%s\ngot  %s\nwant %s", line, got, want)
		}
	}
	if asked < 100 {
		t.Errorf("only %d statements", asked)
	}
}
