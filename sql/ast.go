package sql

// Pos is the place of a node in the text given to Parse: the 1-based byte offset of its first
// character, 0 if unknown. The edge of the program turns it into the 1-based character that
// Postgres reports.
type Pos int

// Expr is a scalar expression as it was written: names are folded but not resolved, nothing
// is typed.
type Expr interface {
	At() Pos
	expr()
}

// Stmt is one parsed statement.
type Stmt interface {
	At() Pos
	stmt()
}

// Ident is one folded (or quoted, kept) identifier.
type Ident struct {
	Name string
	Pos  Pos
}

// Name is a possibly qualified name, outermost first: schema.table, table.column.
type Name struct {
	Parts []string
	Pos   Pos
}

// TypeName is a type as written: Name is folded and Postgres's own spelling ("int4", "float8",
// "timestamptz", "varchar", or a user's word), Mods its modifiers in parentheses, Dims the
// number of [] after it.
type TypeName struct {
	Schema string
	Name   string
	Mods   []int
	Dims   int
	Fields string // of an interval: "day to second", ...
	Pos    Pos
}
