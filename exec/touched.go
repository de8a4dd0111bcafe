package exec

// Touched is the rows of a table that one statement has changed. A statement changes a row once: what would change it again, in another part of the
// statement, passes it over, and ON CONFLICT DO UPDATE fails (Postgres 15 docs, 7.8.4).
type Touched struct {
	written map[string]bool // keys of rows that were stored
	gone    map[string]bool // keys of rows that were there before the statement, and were removed or replaced
}

// NewTouched returns a statement's none.
func NewTouched() *Touched { return &Touched{written: map[string]bool{}, gone: map[string]bool{}} }

// Share makes the writer pass over what another part of the statement has changed, and note what it changes. All parts of it give the same t.
func (w *TableWriter) Share(t *Touched) { w.touched, w.shared = t, true }
