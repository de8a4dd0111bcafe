// Package sql turns text into statements. It alone knows the TiDB parser.
package sql

// Parsed is one statement of a text with the part of the text it came from.
type Parsed struct {
	Stmt Stmt // nil for an empty statement
	Text string
}

// Parse splits text at top-level semicolons and parses each part. The error is a *sqlerr.Error
// with its position. Positions count from the start of text.
func Parse(text string) ([]Parsed, error) { panic("stub") }

// ParseExpr parses a lone expression, as stored in the catalog.
func ParseExpr(text string) (Expr, error) { panic("stub") }

// ParseType parses a type name.
func ParseType(text string) (TypeName, error) { panic("stub") }
