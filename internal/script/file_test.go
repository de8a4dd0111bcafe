package script

import (
	"os"
	"testing"
)

// TestFile_Text reads every script of the corpus and writes it again with what is expected of it: that is the script.
func TestFile_Text(t *testing.T) {
	for _, dir := range []string{"dialect", "server", "stream", "oracle"} {
		for _, path := range scripts(t, dir) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Parse(path, string(text), oracleVerbs())
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, d := range f.Directives {
				want = append(want, d.Want)
			}
			if got := f.Text(want); got != string(text) {
				t.Errorf("%s was written as something else:\n%s", path, diff(string(text), got))
			}
		}
	}
}
