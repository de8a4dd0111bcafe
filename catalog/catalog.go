// Package catalog knows the named things (schemas, streams, tables, views, materialized views), what depends
// on what, and how definitions are stored.
package catalog

import (
	"slices"

	"wmsql/types"
)

// ID numbers an object. It is its Postgres oid too, and never used again; 16384 is the first.
type ID uint32

// Kind says what an object is.
type Kind uint8

// The kinds of object.
const (
	KindSchema Kind = 1 + iota
	KindStream
	KindTable
	KindView
	KindMaterializedView
	KindFunction
	KindSequence
	KindRole
	KindIndex
)

// Object is what every entry has.
type Object struct {
	ID      ID     `json:"-"`
	Kind    Kind   `json:"-"`
	Schema  string // "" for a schema itself
	Name    string
	Comment string
	SQL     string // the statement that makes it again, for SHOW CREATE
	Depends []ID   // what it uses
	Shape   uint32 `json:",omitempty"` // how often ALTER TABLE has changed how its rows are stored
}

// Column is one column of a relation.
type Column struct {
	Name      string
	Type      types.Type
	NotNull   bool
	Generated string // SQL of a computed column, "" if none
	Default   string // SQL, "" if none
	Identity  string // "always" or "by default"; "" if it is no identity column
	Comment   string
	Number    int     // of a table's column: Postgres's attnum, and one more than its place in a stored row; 0: its ordinal + 1
	Missing   *string // of a column that was added: the text of the value that older rows have, nil for NULL
}

// Stream is an unbounded relation.
type Stream struct {
	Object
	Columns    []Column
	Watermark  *Watermark        // nil if none
	Connector  string            // "" for an internal stream
	Options    map[string]string // as given, checked
	Query      string            // of a derived stream (AS query), "" otherwise
	SearchPath []string          // when the statement ran; names in Query and computed columns are resolved by it
}

// Watermark says that rows more than Delay behind the newest value of Column are late.
type Watermark struct {
	Column int                 // ordinal
	Delay  types.IntervalValue // as written; a month is 31 days
}

// Table is a stored relation.
type Table struct {
	Object
	Columns    []Column
	PrimaryKey []int  // ordinals; empty: rows have a hidden number
	KeyName    string // of the primary key's constraint; "": the usual one
	Unique     []UniqueKey
	Checks     []Check
	OnCommit   string `json:",omitempty"` // of a temporary table: "", "drop", "delete rows"
	// Dropped are the columns that there were, by ascending number: their places in stored rows are not used again.
	Dropped []DroppedColumn `json:",omitempty"`
}

// DroppedColumn is what is left of a column that was dropped.
type DroppedColumn struct {
	Number int
	Type   types.Type
}

// Number is the number of column i of a relation.
func Number(cols []Column, i int) int {
	if n := cols[i].Number; n != 0 {
		return n
	}
	return i + 1
}

// Numbered is the ordinal of the column with a number, -1 if there is none.
func Numbered(cols []Column, number int) int {
	for i := range cols {
		if Number(cols, i) == number {
			return i
		}
	}
	return -1
}

// Width is how many columns the table ever had.
func (t *Table) Width() int { return len(t.Columns) + len(t.Dropped) }

// PrimaryKeyName is the name of the primary key's constraint.
func (t *Table) PrimaryKeyName() string {
	if t.KeyName != "" {
		return t.KeyName
	}
	return t.Name + "_pkey"
}

// UniqueKey is columns, by ordinal, whose values no two rows share; NULL equals nothing.
type UniqueKey struct {
	Name    string
	Columns []int
	Number  uint16 `json:",omitempty"` // one more than its slot in the store; 0: its slot is its place among the table's keys
}

// Slot is where the store keeps the entries of a key that stands n-th among its table's.
func (u *UniqueKey) Slot(n int) uint16 {
	if u.Number != 0 {
		return u.Number - 1
	}
	return uint16(n)
}

// Check is a condition that no row of a table may break.
type Check struct {
	Name, Expr string
	NotValid   bool `json:",omitempty"` // rows of before it may break it
	Number     int  `json:",omitempty"` // from 1, unlike that of any other check the table has; 0: one more than its place
}

// CheckNumber is the number of check i of a table, which it keeps when others are dropped.
func (t *Table) CheckNumber(i int) int {
	if n := t.Checks[i].Number; n != 0 {
		return n
	}
	return i + 1
}

// AddCheck gives a check its number and adds it to the table.
func (t *Table) AddCheck(c Check) {
	last := 0
	for i := range t.Checks {
		t.Checks[i].Number = t.CheckNumber(i)
		last = max(last, t.Checks[i].Number)
	}
	c.Number = last + 1
	t.Checks = append(t.Checks, c)
}

// DropCheck drops check i.
func (t *Table) DropCheck(i int) {
	for k := range t.Checks {
		t.Checks[k].Number = t.CheckNumber(k)
	}
	t.Checks = slices.Delete(t.Checks, i, i+1)
}

// View is a stored query.
type View struct {
	Object
	Columns    []Column
	Query      string
	SearchPath []string
}

// OutputMode says which rows of the result a micro-batch emits.
type OutputMode uint8

// The output modes.
const (
	Update OutputMode = iota
	Append
	Complete
)

// String returns the option's value.
func (m OutputMode) String() string { return [...]string{"update", "append", "complete"}[m] }

// MaterializedView is a continuous query and its result.
type MaterializedView struct {
	Object
	Columns     []Column
	Query       string
	SearchPath  []string
	TimeZone    string // of the session that created it
	Mode        OutputMode
	Key         []int // ordinals of the result's key, hidden columns after Columns; empty: rows have a hidden number (append) or there is one row
	Options     map[string]string
	Fingerprint string // of the stateful part of the plan
	Policy      string // multiple watermark policy: "min" or "max"
	Paused      bool   // reads nothing until resumed, also after a restart
}

// ShownKey is Key, or nil if it holds a column that is stored with the rows' keys but is none of Columns.
func (v *MaterializedView) ShownKey() []int {
	for _, k := range v.Key {
		if k >= len(v.Columns) {
			return nil
		}
	}
	return v.Key
}

// Role is who may log in. It lies in no schema, has a number that no other object has, and may do everything.
type Role struct {
	Object
	Login    bool
	Password string // its verifier as package password writes it, "" if none: never the password itself
}

// Sequence gives out numbers.
type Sequence struct {
	Object
	Bytes                      int // the width of its type: 2, 4 or 8
	Start, Increment, Min, Max int64
	Cycle                      bool
	Table                      ID // the table whose column owns it and takes it along when it is dropped; 0: none
	Column                     int
}
