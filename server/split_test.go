package server

import (
	"slices"
	"testing"
)

// A semicolon ends a statement only where Postgres's scanner sees one.
func TestSplitScript(t *testing.T) {
	for script, want := range map[string][]string{
		"":                         nil,
		" ;; -- nothing\n/* ; */":  nil,
		"a; b":                     {"a", "b"},
		"a ';' b; c":               {"a ';' b", "c"},
		"a 'it''s;' b; c":          {"a 'it''s;' b", "c"},
		`a E'\';' b; c`:            {`a E'\';' b`, "c"},
		`a 'x\'; b`:                {`a 'x\'`, "b"},
		`a ";" b; c`:               {`a ";" b`, "c"},
		"a $$;$$ b; c":             {"a $$;$$ b", "c"},
		"a $x$;$$;$x$; c":          {"a $x$;$$;$x$", "c"},
		"a $1; b$2;c":              {"a $1", "b$2", "c"},
		"a -- ;\n b; c":            {"a -- ;\n b", "c"},
		"a /* ; /* ; */ ; */; b":   {"a /* ; /* ; */ ; */", "b"},
		"\\set x ;\na;\\echo b\nc": {"a", "c"},
		"a (;); b":                 {"a (;)", "b"},
		"a 'open; b":               {"a 'open; b"},
	} {
		var got []string
		for _, c := range SplitScript(script) {
			got = append(got, c.Text)
			if script[c.Offset:c.Offset+len(c.Text)] != c.Text {
				t.Errorf("%q: %q does not stand at %d", script, c.Text, c.Offset)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
}

// The rows behind COPY ... FROM STDIN are not SQL.
func TestSplitScript_Copy(t *testing.T) {
	got := SplitScript("COPY t FROM STDIN;\n1;2\n'3\n\\.\nSELECT 1;\nCOPY t TO STDOUT; COPY u (a) FROM stdin WITH CSV;\nx")
	want := []Chunk{
		{Text: "COPY t FROM STDIN", Data: "1;2\n'3\n", Copy: true}, {Text: "SELECT 1"}, {Text: "COPY t TO STDOUT"},
		{Text: "COPY u (a) FROM stdin WITH CSV", Data: "x", Copy: true},
	}
	for i := range got {
		got[i].Offset = 0
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
