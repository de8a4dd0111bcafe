//go:build peers

package peers

import (
	"os/exec"
	"testing"
)

// What ODBC tools ask of the catalogue gets an answer, and nothing that the driver asks fails.
func TestODBCMetadata(t *testing.T) {
	s := start(t)
	s.exec(results + initials)
	look := newSpy(t, s.addr())
	out, err := exec.Command(venv(t, "python"), "testdata/odbc_metadata.py", look.addr, odbcDriver(t)).CombinedOutput()
	const want = `table readings FOREIGN TABLE
		table res MATVIEW
		table tab TABLE
		table vie VIEW
		column b int8 19 0 0 None 1
		column i int4 10 0 1 7 2
		column n numeric 10 2 1 None 3
		column d float8 17 0 0 None 4
		column t text 8190 None 1 None 5
		column ts timestamptz 26 6 1 None 6
		view column b int8
		view column i int4
		view column n numeric
		view column d float8
		view column t text
		view column ts timestamptz
		key b 1 tab_pkey
		index tab_pkey b 0
		procedure initials 2
		argument rows 1 unknown
		argument letter 3 text
		types True
		name PostgreSQL 15 wmsql`
	if err != nil || trimLines(string(out)) != trimLines(want) {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, out, want)
	}
	if faults := look.errors(); faults != "" {
		t.Error(faults)
	}
}
