// Package expr is scalar and aggregate expressions: typed trees, the functions and operators of
// Postgres with its rules for choosing among them, and the evaluators that run them over batches.
package expr

import (
	"time"

	"wmsql/column"
	"wmsql/types"
)

// ColumnID names a column within one query; rewrites never renumber it.
type ColumnID int32

// Expr is a typed scalar expression. Expressions are immutable.
type Expr interface {
	Type() types.Type
	// Children returns the operands.
	Children() []Expr
	// WithChildren returns a copy over other operands. It panics if their number differs.
	WithChildren(c []Expr) Expr
	// String is the expression as SQL that reads well in EXPLAIN.
	String() string
	sealed()
}

type (
	// Column is a reference to a column of the input, or of an enclosing query when the input has no such column.
	Column struct {
		ID   ColumnID
		Name string // for EXPLAIN
		T    types.Type
	}
	// Const is a value known at plan time; see column's datum for what Value holds.
	Const struct {
		Value any
		T     types.Type
	}
	// Param is $n of a prepared statement; its value is in the Context.
	Param struct {
		N int // 1-based
		T types.Type
	}
	// Call is a function, operator or cast chosen by overload resolution.
	Call struct {
		Func *Function
		Args []Expr
		T    types.Type
		Pos  int // 1-based byte offset in the statement, for run-time errors; 0 if none
	}
	// And and Or are Postgres's three-valued connectives over two or more operands.
	And struct{ Args []Expr }
	// Or is OR.
	Or struct{ Args []Expr }
	// Not is NOT.
	Not struct{ X Expr }
	// IsNull is X IS [NOT] NULL.
	IsNull struct {
		X   Expr
		Not bool
	}
	// Case is the searched CASE; operands are evaluated only for the rows that reach them.
	Case struct {
		Whens []When
		Else  Expr // never nil: a NULL constant if not written
		T     types.Type
	}
	// Coalesce evaluates its operands only for the rows that need them.
	Coalesce struct {
		Args []Expr
		T    types.Type
	}
	// InList is X IN (constants): all Consts have X's type; a NULL among them counts as Postgres says.
	InList struct {
		X    Expr
		List []*Const
		Not  bool
	}
	// AnyAll is X op ANY|ALL (Array); Op is the resolved binary function returning bool.
	AnyAll struct {
		Op    *Function
		X     Expr
		Array Expr
		All   bool
	}
	// Array is ARRAY[...].
	Array struct {
		Items []Expr
		T     types.Type
	}
	// Row is ROW(...).
	Row struct{ Items []Expr }
	// Field is field N (0-based) of a record.
	Field struct {
		X Expr
		N int
		T types.Type
	}
)

// When is one arm of a Case.
type When struct{ Cond, Then Expr }

// Context is what evaluation depends on beside its input. It is fixed for one statement or one epoch.
type Context struct {
	Now     types.MicroTime // now(); the same in a replay of an epoch
	Format  *types.Format   // session zone and text rules
	Params  []column.Vector // one row each
	Session Session         // nil in continuous queries
	Ongoing bool            // of a continuous query, which no row may stop
}

// Session is what functions such as current_setting, pg_get_viewdef or 'x'::regclass ask of the server.
type Session interface {
	User() string
	Database() string
	SearchPath() []string
	Setting(name string) (string, bool)
	SetSetting(name, value string, local bool) error
	BackendPID() int32
	StatementTime() time.Time
	// Catalog answers a catalog function that expr does not know itself (pg_get_viewdef, pg_table_is_visible,
	// regclass input and output, obj_description, wm_last_progress ...). ok is false when name is not known.
	Catalog(name string, args []any) (value any, ok bool, err error)
}

// Evaluator runs one expression over batches of one layout. It may keep scratch memory between
// calls; the vector it returns is valid until the next call. One goroutine uses it.
type Evaluator interface {
	Eval(b *column.Batch) (column.Vector, error)
}

// Walk calls f for e and everything below it; f returns false to skip what is below.
func Walk(e Expr, f func(Expr) bool) {
	if !f(e) {
		return
	}
	for _, c := range e.Children() {
		Walk(c, f)
	}
}

// Rewrite replaces e bottom up by what f returns.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	old := e.Children()
	var fresh []Expr
	for i, c := range old {
		n := Rewrite(c, f)
		if n != c && fresh == nil {
			fresh = append(make([]Expr, 0, len(old)), old[:i]...)
		}
		if fresh != nil {
			fresh = append(fresh, n)
		}
	}
	if fresh != nil {
		e = e.WithChildren(fresh)
	}
	return f(e)
}

// Columns calls f for every column that e reads.
func Columns(e Expr, f func(*Column)) {
	Walk(e, func(x Expr) bool {
		if c, ok := x.(*Column); ok {
			f(c)
		}
		return true
	})
}
