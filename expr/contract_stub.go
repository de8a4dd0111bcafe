package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// Volatility is Postgres's provolatile.
type Volatility uint8

// The volatilities: Immutable may be folded, Stable depends on the Context, Volatile changes per row.
const (
	Immutable Volatility = iota
	Stable
	Volatile
)

// Function is one overload of a scalar function, operator or cast.
type Function struct {
	Name       string // "lower", "+", "cast"
	Args       []types.Type
	Variadic   bool
	Return     types.Type
	Strict     bool // NULL in, NULL out
	Volatility Volatility
	// unexported: the kernel
}

// Errors of the functions below are *sqlerr.Error without position; the caller knows it. They carry
// Postgres's SQLSTATE and wording ("function nosuchfn(integer) does not exist", 42883).

// NewFunc resolves a call by Postgres's rules (unknown literals, implicit casts, preferred types,
// variadics) and inserts the casts it needs.
func NewFunc(name string, args []Expr) (Expr, error) { panic("stub") }

// NewOp resolves a prefix (l nil) or infix operator.
func NewOp(op string, l, r Expr) (Expr, error) { panic("stub") }

// CastContext says who asks for a cast.
type CastContext uint8

// The contexts, each allowing what the one before allows and more.
const (
	Implicit CastContext = iota
	Assignment
	Explicit
)

// NewCast converts e to t, or fails with 42846 (42804 for Assignment). A constant of unknown type is read as t at
// once, so a bad literal fails here, with 22P02 or the like.
func NewCast(e Expr, t types.Type, ctx CastContext) (Expr, error) { panic("stub") }

// Unify finds the common type of UNION, CASE, COALESCE, VALUES, ARRAY, GREATEST (Postgres 10.5) and casts all to it. what is
// the construct for the message: "CASE types %s and %s cannot be matched".
func Unify(what string, es []Expr) ([]Expr, types.Type, error) { panic("stub") }

// TypeByName resolves a type name as written (schema may be "" or pg_catalog): name is folded; mods are its modifiers.
func TypeByName(schema, name string, mods []int, dims int) (types.Type, error) { panic("stub") }

// Fold evaluates every immutable part of e whose operands are constants. A fold that fails is left for run time.
func Fold(e Expr) Expr { panic("stub") }

// IsConst reports whether e reads no column and calls nothing volatile, so it has one value for a statement.
func IsConst(e Expr) bool { panic("stub") }

// Eval computes an expression that reads no column.
func Eval(e Expr, ctx *Context) (any, error) { panic("stub") }

// Compile resolves e against the columns of a batch, in the order of layout. outer gives the value of a column that the
// layout lacks (a correlated subquery's); nil if there is none.
func Compile(e Expr, layout []ColumnID, ctx *Context, outer Outer) (Evaluator, error) { panic("stub") }

// Outer is the present row of the enclosing queries. The vectors have one row and change between runs of the subplan.
type Outer interface {
	Column(id ColumnID) (column.Vector, bool)
}

// Filter is a compiled condition.
type Filter interface {
	// Select appends to dst the numbers of the rows for which the condition is true.
	Select(dst []int32, b *column.Batch) ([]int32, error)
}

// CompileFilter compiles a conjunction.
func CompileFilter(conds []Expr, layout []ColumnID, ctx *Context, outer Outer) (Filter, error) {
	panic("stub")
}

// IsAggregate reports whether name is an aggregate function.
func IsAggregate(name string) bool { panic("stub") }

// IsSetReturning reports whether name returns a set of rows (generate_series, unnest, ...).
func IsSetReturning(name string) bool { panic("stub") }

// Aggregate is one aggregate call. It is immutable.
type Aggregate struct {
	Func     *AggFunction
	Args     []Expr
	Distinct bool
	OrderBy  []SortKey // inside the call; nil if none
	Filter   Expr      // nil if none
	T        types.Type
}

// SortKey is one key of an ordering.
type SortKey struct {
	X          Expr
	Desc       bool
	NullsFirst bool // already resolved: Postgres's default is NULLs last for ASC, first for DESC
}

// AggFunction is one overload of an aggregate.
type AggFunction struct {
	Name   string
	Args   []types.Type
	Return types.Type
	// Retractable reports whether Retract undoes Add exactly.
	Retractable bool
	// unexported: the kernel
}

// String is the call as SQL.
func (a *Aggregate) String() string { panic("stub") }

// NewAggregate resolves an aggregate. star is count(*).
func NewAggregate(name string, args []Expr, star, distinct bool, orderBy []SortKey, filter Expr) (*Aggregate, error) {
	panic("stub")
}

// Accumulator holds one aggregate's running values as columns, one slot a group.
// DISTINCT is handled inside it (an exact set a group). Slots are dense: 0..n-1.
type Accumulator interface {
	// Resize makes n slots exist; new ones are empty.
	Resize(n int)
	// Add folds rows into slots: row rows[k] of args (rows nil: row k) goes to slot slots[k]. For count(*) args is empty.
	// FILTER has been applied by the caller through rows.
	Add(slots []int32, rows []int32, args []column.Vector) error
	// Retract undoes Add. It panics unless the function is Retractable.
	Retract(slots []int32, rows []int32, args []column.Vector) error
	// Merge folds slot from[k] of other, of the same aggregate, into slot slots[k].
	Merge(slots []int32, other Accumulator, from []int32) error
	// Result appends the value of each slot in slots to b.
	Result(b column.Builder, slots []int32) error
	// Encode appends the state of one slot in a versioned form; Decode reads it into a slot and returns the rest.
	Encode(dst []byte, slot int32) []byte
	Decode(slot int32, data []byte) (rest []byte, err error)
	// Move makes slot to hold what slot from held; used to compact after groups are freed.
	Move(to, from int32)
	// Reset empties a slot for reuse.
	Reset(slot int32)
	// Bytes estimates the memory held.
	Bytes() int64
}

// NewAccumulator returns an empty accumulator for a.
func NewAccumulator(a *Aggregate, ctx *Context) Accumulator { panic("stub") }

// TableFunction is a resolved set-returning function: each row of its arguments yields rows of Columns.
type TableFunction struct {
	Name    string
	Args    []Expr
	Columns []types.Field
	// unexported: the kernel
}

// NewTableFunc resolves a set-returning function; a scalar function yields its one row.
func NewTableFunc(name string, args []Expr) (*TableFunction, error) { panic("stub") }

// Rows computes the rows for one row of argument values.
func (f *TableFunction) Rows(args []any, ctx *Context) (*column.Batch, error) { panic("stub") }
