// Package build binds parsed queries to the catalog: names, types, windows, watermarks become a logical plan.
package build

import (
	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/types"
)

// Relation is what a name in FROM means: exactly one field is set.
type Relation struct {
	Stream  *catalog.Stream
	Table   *catalog.Table
	View    *catalog.View
	MatView *catalog.MaterializedView
	Virtual *Virtual
}

// Virtual is a table that the server computes.
type Virtual struct {
	ID           catalog.ID
	Schema, Name string
	Columns      []types.Field
}

// Catalog finds relations. Missing ones give 42P01 with Postgres's wording.
type Catalog interface {
	// Relation resolves a name of one or two parts (three when the first is the database) by path.
	Relation(parts []string, path []string) (Relation, error)
}

// Env is what binding depends on beside the text.
type Env struct {
	Catalog    Catalog
	SearchPath []string
	Zone       string        // the session's TimeZone, for date_trunc windows
	Context    *expr.Context // for folding
	// Params are the known parameter types; binding fills in unknown ones (and grows the slice).
	Params *[]types.Type
	// Continuous is set for the query of a materialized view or derived stream: now() and ORDER BY mean something else there.
	Continuous bool
}

// Query binds a query.
func Query(q *sql.Select, env *Env) (*logicalplan.Query, error) { panic("stub") }

// Scalar binds a lone expression over the given columns (a generated column, a default, a check).
func Scalar(e sql.Expr, cols []logicalplan.Column, env *Env) (expr.Expr, error) { panic("stub") }

// Stream checks CREATE STREAM (columns, computed columns, watermark clause; the gate's WM005) and returns its
// definition without ID and Options.
func Stream(s *sql.CreateStream, env *Env) (*catalog.Stream, error) { panic("stub") }

// Type resolves a written type.
func Type(t sql.TypeName) (types.Type, error) { panic("stub") }
