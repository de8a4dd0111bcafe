//go:build peers

package peers

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// JDBC's batches insert rows, as they are and rewritten to statements of many rows, tell the keys that were generated, and name the constraint
// that a row broke.
func TestJDBCBatches(t *testing.T) {
	s := start(t)
	s.exec("CREATE TABLE made (id SERIAL PRIMARY KEY, n INT CHECK (n >= 0), t TEXT)")
	for _, options := range []string{"", "&reWriteBatchedInserts=true"} {
		out, err := exec.Command("java", "-cp", filepath.Join(env(t, "WMSQL_PEERS"), "jdbc", "*"), "testdata/Batches.java", "jdbc:postgresql://"+s.addr()+"/wmsql?user=wmsql"+options).CombinedOutput()
		if want := "1000 done\n1000 keys\nfailed: 23514 made_n_check\n1000 rows\n"; err != nil || string(out) != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", options, err, out, want)
		}
	}
}
