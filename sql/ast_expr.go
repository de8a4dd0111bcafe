package sql

// LiteralKind says how a literal was written.
type LiteralKind uint8

// The kinds of literal. A String is of unknown type until its surroundings give it one.
const (
	Null LiteralKind = iota
	Bool
	Integer // fits int8
	Decimal // has a point or exponent, or does not fit int8
	String
	BitString
)

type (
	// Literal is a constant. Text is "true" or "false" for Bool, digits for numbers (with a "-"
	// before them if a minus sign stood before the constant, as in Postgres), the unescaped value for String, '0' and '1' for BitString.
	Literal struct {
		Kind LiteralKind
		Text string
		Pos  Pos
	}
	// ColumnRef names a column, possibly qualified.
	ColumnRef struct {
		Parts []string
		Pos   Pos
	}
	// Star is * or t.* in a select list or count(*).
	Star struct {
		Qualifier []string
		Pos       Pos
	}
	// Param is $n.
	Param struct {
		N     int  // 1-based
		Typed bool // it stands for a number (Tokens.Dig), and is no more read as what its surroundings are than that
		Pos   Pos
	}
	// Cast is x::t, CAST(x AS t) or t 'literal'.
	Cast struct {
		X    Expr
		Type TypeName
		Pos  Pos
	}
	// Unary is a prefix operator: "-", "+", "~", "@", "|/", "not", ...
	Unary struct {
		Op     string
		Schema string // of OPERATOR(schema.op)
		X      Expr
		Pos    Pos // of the operator
	}
	// Binary is an infix operator. Op is its Postgres spelling in lower case: "+", "||",
	// "->>", "and", "or", "=", "<>" (also for !=), "~", "is distinct from",
	// "is not distinct from", ...
	Binary struct {
		Op     string
		Schema string
		L, R   Expr
		Pos    Pos // of the operator
	}
	// IsTest is x IS [NOT] NULL | TRUE | FALSE | UNKNOWN.
	IsTest struct {
		X    Expr
		Test string // "null", "true", "false", "unknown"
		Not  bool
		Pos  Pos
	}
	// Between is x [NOT] BETWEEN [SYMMETRIC] lo AND hi.
	Between struct {
		X, Lo, Hi Expr
		Not, Sym  bool
		Pos       Pos
	}
	// InList is x [NOT] IN (a, b, ...).
	InList struct {
		X    Expr
		List []Expr
		Not  bool
		Pos  Pos
	}
	// Like is x [NOT] LIKE | ILIKE | SIMILAR TO pattern [ESCAPE e].
	Like struct {
		X, Pattern, Escape Expr   // Escape nil if none
		Op                 string // "like", "ilike", "similar to"
		Not                bool
		Pos                Pos
	}
	// AnyAll is x op ANY|ALL (array); SubqueryExpr stands for the form with a query.
	AnyAll struct {
		X     Expr
		Op    string
		All   bool
		Array Expr
		Pos   Pos
	}
	// SubqueryExpr is a query inside an expression.
	SubqueryExpr struct {
		Kind  SubqueryKind
		X     Expr   // left side of IN, ANY, ALL; nil otherwise
		Op    string // of ANY and ALL
		Not   bool   // NOT IN
		Query *Select
		Pos   Pos
	}
	// Case is CASE [x] WHEN ... ELSE ... END.
	Case struct {
		X     Expr // nil in the searched form
		Whens []When
		Else  Expr // nil if none
		Pos   Pos
	}
	// When is one arm of a Case.
	When struct{ Cond, Then Expr }
	// Func is a call. Special syntax is spelled as Postgres spells it inside: EXTRACT(f FROM
	// x) is extract('f', x), SUBSTRING(x FROM a FOR b) is substring(x, a, b), POSITION(a IN b)
	// is position(b, a), TRIM is btrim, ltrim or rtrim, OVERLAY is overlay(...), x AT TIME ZONE z is
	// timezone(z, x), COALESCE, NULLIF, GREATEST, LEAST, CURRENT_DATE and the like are calls
	// of their lower-case names with Keyword set.
	Func struct {
		Name     Name
		Args     []Arg
		Star     bool // count(*)
		Distinct bool
		OrderBy  []OrderItem
		Within   []OrderItem // WITHIN GROUP (ORDER BY ...)
		Filter   Expr
		Over     *WindowSpec
		Keyword  bool   // written without an ordinary call: CURRENT_USER, EXTRACT(...), ...
		Nulls    string // "", "ignore", "respect"
		Pos      Pos
	}
	// Arg is one argument of a call.
	Arg struct {
		Name     string // of name => value, or "" if positional
		Value    Expr
		Variadic bool
	}
	// Array is ARRAY[...].
	Array struct {
		Items []Expr
		Pos   Pos
	}
	// Row is ROW(...) or (a, b), which is Implicit.
	Row struct {
		Items    []Expr
		Implicit bool
		Pos      Pos
	}
	// Subscript is x[i] or, with Slice, x[lo:hi]. x[i][j] is one look-up, (x[i])[j] with Apart are two.
	Subscript struct {
		X      Expr
		Lo, Hi Expr // Lo is the index when not Slice; either may be nil in a slice
		Slice  bool
		Apart  bool // X is a Subscript in parentheses
		Pos    Pos
	}
	// Field is (x).name, or (x).* with Name "*".
	Field struct {
		X    Expr
		Name string
		Pos  Pos
	}
	// Collate is x COLLATE name.
	Collate struct {
		X    Expr
		Name Name
		Pos  Pos
	}
	// Without is X where the relation called so may not be named, though it is in reach. No text means it: the server makes it of MERGE.
	Without struct {
		X        Expr
		Relation string
	}
	// Interval is INTERVAL 'text' [fields].
	Interval struct {
		Text   string
		Fields string // "", "minute", "day to second", ... in lower case
		Pos    Pos
	}
	// GroupingSet is an item of GROUP BY: a plain expression is no GroupingSet.
	GroupingSet struct {
		Kind string // "sets", "rollup", "cube", "empty"
		Sets [][]Expr
		Pos  Pos
	}
	// Default is DEFAULT in INSERT ... VALUES.
	Default struct{ Pos Pos }
)

// SubqueryKind says what a subquery in an expression yields.
type SubqueryKind uint8

// The kinds of subquery.
const (
	Scalar SubqueryKind = iota
	Exists
	In         // X IN (query)
	AnyOf      // X Op ANY (query)
	AllOf      // X Op ALL (query)
	ArrayQuery // ARRAY(query)
)

// WindowSpec is OVER (...) or OVER name.
type WindowSpec struct {
	Name        string // OVER w, or the base of OVER (w ...)
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame
	Pos         Pos
}

// Frame is a window frame.
type Frame struct {
	Unit       string // "rows", "range", "groups"
	Start, End Bound
	Exclude    string // "", "current row", "group", "ties"
}

// Bound is one end of a frame.
type Bound struct {
	Kind   string // "unbounded preceding", "preceding", "current row", "following", "unbounded following"
	Offset Expr
}

// OrderItem is one item of ORDER BY.
type OrderItem struct {
	X     Expr
	Desc  bool
	Nulls string // "", "first", "last"
}
