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

// ---- expressions ----

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
		N   int // 1-based
		Pos Pos
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
	// Subscript is x[i] or, with Slice, x[lo:hi].
	Subscript struct {
		X      Expr
		Lo, Hi Expr // Lo is the index when not Slice; either may be nil in a slice
		Slice  bool
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

// ---- queries ----

// Select is a whole query: WITH, one body, ORDER BY, LIMIT. Body is *Query, *SetOp or *Values.
type Select struct {
	With      []CTE
	Recursive bool
	Body      Body
	OrderBy   []OrderItem
	Limit     Expr // nil: none or ALL
	Offset    Expr
	WithTies  bool
	Locking   *Locking // nil: none
	Pos       Pos
}

// Locking is FOR UPDATE and its kin.
type Locking struct {
	Strength string // "update", "no key update", "share", "key share"
	Of       []Name
	NoWait   bool
	Pos      Pos
}

// CTE is one WITH item.
type CTE struct {
	Name         Ident
	Columns      []string
	Query        *Select
	Materialized string // "", "materialized", "not materialized"
}

// Body is what a Select sorts and limits.
type Body interface{ body() }

// Query is SELECT ... FROM ... WHERE ... GROUP BY ... HAVING.
type Query struct {
	Distinct        bool
	DistinctOn      []Expr
	WithinWatermark bool // DISTINCT ON (...) WITHIN WATERMARK
	Items           []Item
	From            []TableExpr
	Where           Expr
	GroupBy         []Expr // GroupingSet among them
	GroupDistinct   bool
	Having          Expr
	Windows         []NamedWindow
	Pos             Pos
	GroupPos        Pos // of GROUP BY
}

// NamedWindow is one WINDOW item.
type NamedWindow struct {
	Name string
	Spec WindowSpec
}

// Item is one item of a select list.
type Item struct {
	X     Expr
	Alias string // "" if none
}

// SetOp is UNION, INTERSECT or EXCEPT of two queries. A side with its own ORDER BY, LIMIT or
// WITH stands as a *Select.
type SetOp struct {
	Op   string // "union", "intersect", "except"
	All  bool
	L, R *Select
	Pos  Pos
}

// Values is VALUES (...), (...).
type Values struct {
	Rows [][]Expr
	Pos  Pos
}

// TableExpr is an item of FROM.
type TableExpr interface {
	At() Pos
	table()
}

// Alias is AS name (columns). Types is set for a column definition list of a record function.
type Alias struct {
	Name    string
	Columns []string
	Types   []TypeName
	Pos     Pos
}

type (
	// Table names a relation.
	Table struct {
		Name  Name
		Alias Alias
		Only  bool
		// Watermark is Spark's FROM t WATERMARK c DELAY OF i, nil if not written.
		Watermark *WatermarkClause
		// AsOf is FOR SYSTEM_TIME AS OF expr, nil if not written.
		AsOf   Expr
		Sample *Sample // TABLESAMPLE, nil if not written
		Pos    Pos
	}
	// Derived is a subquery in FROM.
	Derived struct {
		Query   *Select
		Lateral bool
		Alias   Alias
		// Watermark is FROM (query) a WATERMARK c DELAY OF i, nil if not written.
		Watermark *WatermarkClause
		Pos       Pos
	}
	// TableFunc is a function in FROM, ordinary or windowing (TUMBLE, HOP, CUMULATE, SESSION).
	// An argument TABLE t or TABLE (query) is a *TableArg, DESCRIPTOR(c) a *Descriptor.
	TableFunc struct {
		Call       *Func
		More       []*Func // the others of ROWS FROM (f(), g(), ...)
		Lateral    bool
		Ordinality bool
		Alias      Alias
		Pos        Pos
	}
	// Join is a join of two items. Kind is "inner", "left", "right", "full", "cross", "left
	// semi", "left anti", "asof", "asof left".
	Join struct {
		Kind    string
		L, R    TableExpr
		On      Expr // nil with Using, Natural or cross
		Using   []string
		Natural bool
		Alias   Alias // of a parenthesised join
		Pos     Pos
	}
)

type (
	// TableArg is TABLE name or TABLE (query), possibly with PARTITION BY and ORDER BY, as an argument of a table function.
	TableArg struct {
		Name        *Name
		Query       *Select
		PartitionBy []Expr
		OrderBy     []OrderItem
		Pos         Pos
	}
	// Descriptor is DESCRIPTOR(column).
	Descriptor struct {
		Columns []Ident
		Pos     Pos
	}
)

// Sample is TABLESAMPLE method (percent) [REPEATABLE (seed)].
type Sample struct {
	Method  Ident
	Percent Expr
	Seed    Expr // nil if not written
	Pos     Pos
}

// WatermarkClause is WATERMARK FOR c AS expr, or WATERMARK c DELAY OF interval.
type WatermarkClause struct {
	Column Ident
	Value  Expr // the whole expression of FOR ... AS; nil in Spark's form
	Delay  Expr // of DELAY OF; nil in Flink's form
	Pos    Pos
}

// ---- statements ----

// Option is one item of WITH (name = 'value').
type Option struct {
	Name  string
	Value string
	Pos   Pos
}

// ColumnDef is one column of CREATE STREAM or CREATE TABLE.
type ColumnDef struct {
	Name       Ident
	Type       *TypeName // nil for Flink's "name AS expr"
	NotNull    bool
	PrimaryKey bool
	Unique     bool
	KeyName    string // CONSTRAINT name of PRIMARY KEY or UNIQUE; "" without one
	Default    Expr
	Generated  Expr // GENERATED ALWAYS AS (expr) STORED, or Flink's AS expr
	Checks     []CheckDef
	Identity   string // "always" or "by default" for GENERATED ... AS IDENTITY
	Sequence   SequenceOptions
	// The expressions' own text, as the catalog keeps it.
	DefaultText, GeneratedText string
	Pos                        Pos
}

// SequenceOptions are the options of a sequence; nil where one is not given. CACHE has no effect.
type SequenceOptions struct {
	Type                                    *TypeName
	Start, Increment, Min, Max, RestartWith *int64
	Restart                                 bool
	Cycle                                   *bool
	OwnedBy                                 *Name
}

// KeyDef is PRIMARY KEY (columns) or UNIQUE (columns) of a table.
type KeyDef struct {
	Name    string // "" without CONSTRAINT name
	Primary bool
	Columns []Ident
	Pos     Pos
}

// CheckDef is CHECK (expr) of a column or a table, with its text.
type CheckDef struct {
	Name string // "" without CONSTRAINT name
	X    Expr
	Text string
	Pos  Pos
}

type (
	// SelectStmt is a query as a statement.
	SelectStmt struct{ Query *Select }

	// CreateSchema is CREATE SCHEMA [IF NOT EXISTS] name.
	CreateSchema struct {
		Name        Ident
		IfNotExists bool
		Pos         Pos
	}
	// CreateStream is CREATE STREAM, also derived (AS query).
	CreateStream struct {
		Name        Name
		IfNotExists bool
		Columns     []ColumnDef
		Watermarks  []WatermarkClause // more than one is for the binder to refuse
		Options     []Option
		Query       *Select // CREATE STREAM s (...) AS query
		Text        string  // the query's text
		Pos         Pos
	}
	// CreateFunction is CREATE FUNCTION name(params) RETURNS TABLE (columns) LANGUAGE word AS text.
	CreateFunction struct {
		Name      Name
		OrReplace bool
		Table     Ident       // the parameter of type TABLE, no name if there is none
		Params    []ColumnDef // the others
		Returns   []ColumnDef
		Watermark Ident // WATERMARK FOR column among the returned columns, no name if it is not there
		Language  Ident
		Source    string
		Pos       Pos
	}
	// CreateTable is CREATE TABLE, also AS query.
	CreateTable struct {
		Name        Name
		IfNotExists bool
		Temp        bool
		Columns     []ColumnDef
		Keys        []KeyDef
		Checks      []CheckDef
		Query       *Select
		NoData      bool   // AS query WITH NO DATA
		OnCommit    string // of a temporary table: "", "preserve rows", "delete rows", "drop"
		Pos         Pos
	}
	// CreateSequence is CREATE SEQUENCE.
	CreateSequence struct {
		Name        Name
		Temp        bool
		IfNotExists bool
		Options     SequenceOptions
		Pos         Pos
	}
	// AlterSequence is ALTER SEQUENCE.
	AlterSequence struct {
		Name     Name
		IfExists bool
		Options  SequenceOptions
		Pos      Pos
	}
	// CreateView is CREATE [OR REPLACE] [TEMP] VIEW.
	CreateView struct {
		Name      Name
		Temp      bool
		OrReplace bool
		Columns   []string
		Query     *Select
		Text      string // the query's text
		Pos       Pos
	}
	// CreateMaterializedView is CREATE [OR REPLACE] MATERIALIZED VIEW.
	CreateMaterializedView struct {
		Name        Name
		OrReplace   bool
		IfNotExists bool
		Columns     []string
		Options     []Option
		Query       *Select
		Text        string // the query's text
		Emit        string // "", "window close", "update"
		EmitPos     Pos
		Pos         Pos
	}
	// Drop is DROP kind names.
	Drop struct {
		Kind     string // "schema", "stream", "table", "view", "materialized view", "function"
		Names    []Name
		IfExists bool
		Cascade  bool
		Pos      Pos
	}
	// Alter is ALTER STREAM | MATERIALIZED VIEW | TABLE name SET (options) | RESET (names) | PAUSE | RESUME |
	// ALTER WATERMARK FOR column AS column - delay | ADD COLUMN column | ALTER COLUMN name TYPE type.
	Alter struct {
		Kind      string // "stream", "materialized view", "table"
		Name      Name
		Action    string // "set", "reset", "pause", "resume", "alter watermark", "add column", "alter column"
		Options   []Option
		Watermark *WatermarkClause // of "alter watermark"
		Column    *ColumnDef       // of "add column" and "alter column"
		Pos       Pos
	}
	// Rename is ALTER TABLE | VIEW | MATERIALIZED VIEW name RENAME TO new | RENAME COLUMN old TO new | RENAME CONSTRAINT old TO new.
	Rename struct {
		Kind     string // "table", "view", "materialized view", "stream", ...
		Name     Name
		IfExists bool
		What     string // "column" or "constraint"; "" for the relation itself
		Old      Ident  // of a column or constraint
		New      Ident
		Pos      Pos
	}
	// Refresh is REFRESH MATERIALIZED VIEW name [WITH LATE ROWS].
	Refresh struct {
		Name     Name
		LateRows bool
		Pos      Pos
	}
	// Insert is INSERT INTO.
	Insert struct {
		Table      Name
		Alias      string
		Columns    []Ident
		Query      *Select // nil for DEFAULT VALUES
		Overriding string  // "", "system", "user"
		OnConflict *OnConflict
		Returning  []Item
		Pos        Pos
	}
	// OnConflict is ON CONFLICT [target] DO NOTHING | DO UPDATE SET ... [WHERE ...].
	OnConflict struct {
		Columns    []Ident // the target's; nil without one
		Constraint *Ident  // ON CONSTRAINT name
		Update     bool
		Set        []Assignment
		Where      Expr
		Pos        Pos
	}
	// Update and Delete are DML heads.
	Update struct {
		With      []CTE
		Recursive bool
		Table     Name
		Alias     string
		Set       []Assignment
		From      []TableExpr
		Where     Expr
		Returning []Item
		Pos       Pos
	}
	// Delete is DELETE FROM.
	Delete struct {
		With      []CTE
		Recursive bool
		Table     Name
		Alias     string
		Using     []TableExpr
		Where     Expr
		Returning []Item
		Pos       Pos
	}
	// Truncate is TRUNCATE [TABLE] names.
	Truncate struct {
		Names []Name
		Pos   Pos
	}
	// Explain is EXPLAIN [ANALYZE] [(options)] statement. Option values are "" for a bare name.
	Explain struct {
		Options []Option
		Analyze bool
		Verbose bool
		Stmt    Stmt
		Pos     Pos
	}
	// Show is SHOW name, SHOW ALL, SHOW STREAMS, SHOW CREATE kind name, SHOW LATENESS FOR s.
	Show struct {
		What string // "streams", "materialized views", "tables", "views", "schemas", "functions", "create function", "create stream", "create view", "create materialized view", "create table", "lateness", "all", or "parameter"
		Name Name   // object, or the parameter's name
		Like string
		Pos  Pos
	}
	// Describe is DESCRIBE name.
	Describe struct {
		Name Name
		Pos  Pos
	}
	// Set is SET [SESSION | LOCAL] name = values, or RESET name | ALL.
	Set struct {
		Name    string
		Values  []string
		Local   bool
		Default bool // SET x TO DEFAULT, or RESET
		Reset   bool // RESET
		Pos     Pos
	}
	// Transaction is BEGIN, COMMIT, ROLLBACK, SAVEPOINT, ... Kind is "begin", "start transaction", "commit", "end",
	// "rollback", "savepoint", "release", "rollback to", "set transaction", "set session characteristics".
	Transaction struct {
		Kind  string
		Name  string   // of a savepoint
		Modes []string // "read only", "isolation level serializable", ...
		Pos   Pos
	}
	// Prepare is PREPARE name (types) AS statement.
	Prepare struct {
		Name  string
		Types []TypeName
		Stmt  Stmt
		Text  string
		Pos   Pos
	}
	// Execute is EXECUTE name (args).
	Execute struct {
		Name string
		Args []Expr
		Pos  Pos
	}
	// Deallocate is DEALLOCATE [PREPARE] name | ALL (Name "").
	Deallocate struct {
		Name string
		Pos  Pos
	}
	// DeclareCursor is DECLARE name CURSOR FOR query, or for SUBSCRIBE.
	DeclareCursor struct {
		Name      string
		Binary    bool
		Scroll    string // "", "scroll", "no scroll"
		Hold      bool
		Query     *Select
		Subscribe *Subscribe // in place of Query
		Text      string
		Pos       Pos
	}
	// Fetch is FETCH or MOVE.
	Fetch struct {
		Cursor    string
		Move      bool
		Direction string // "next", "prior", "first", "last", "absolute", "relative", "forward", "backward"
		Count     int64
		All       bool
		Options   []Option // timeout
		Pos       Pos
	}
	// CloseCursor is CLOSE name | ALL (Name "").
	CloseCursor struct {
		Name string
		Pos  Pos
	}
	// Copy is COPY table (columns) FROM STDIN | TO STDOUT, or COPY (query or SUBSCRIBE) TO STDOUT.
	Copy struct {
		Table     *Name
		Columns   []Ident
		Query     *Select
		Subscribe *Subscribe
		From      bool
		File      string // "" for STDIN/STDOUT
		Options   []Option
		Pos       Pos
	}
	// Subscribe is SUBSCRIBE to a relation, or to a query.
	Subscribe struct {
		Name    *Name
		Query   *Select
		Options []Option // snapshot, progress
		AsOf    int64    // the micro-batch behind which to begin; -1 if none is named
		Pos     Pos
	}
	// Discard is DISCARD ALL | PLANS | TEMP | SEQUENCES.
	Discard struct {
		What string
		Pos  Pos
	}
	// Listen is LISTEN, UNLISTEN or NOTIFY.
	Listen struct {
		Kind, Channel, Payload string
		Pos                    Pos
	}
	// Lock is LOCK [TABLE] names [IN mode MODE] [NOWAIT].
	Lock struct {
		Names  []Name
		Mode   string // "access share", ..., "access exclusive"
		NoWait bool
		Pos    Pos
	}
	// Flush is FLUSH.
	Flush struct{ Pos Pos }
	// Comment is COMMENT ON kind name IS 'text'.
	Comment struct {
		Kind string
		Name Name
		Text *string
		Pos  Pos
	}
	// Unsupported is a statement that Postgres knows and wmsql does not: running it answers 0A000.
	Unsupported struct {
		What string // "CREATE INDEX", ...
		Hint string // what may be done instead, "" where nothing may
		Pos  Pos
	}
)

// Assignment is one SET item of UPDATE.
type Assignment struct {
	Column Ident
	Value  Expr

	part, parts int // while it is read: of (a, b) = (SELECT ...), which column it is, of how many
}
