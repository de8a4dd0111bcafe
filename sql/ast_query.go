package sql

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
	Query        *Select // nil with Change
	Materialized string  // "", "materialized", "not materialized"
	Search       *Search
	Cycle        *Cycle
	Change       Stmt // INSERT, UPDATE or DELETE instead of Query; nil: none
}

// Search is SEARCH DEPTH FIRST BY by SET column: the way to a row, by which rows are sorted depth first. With Breadth it is the depth and
// the row.
type Search struct {
	Breadth bool
	By      []Ident
	Column  Ident
	Pos     Pos
}

// Cycle is CYCLE by SET mark TO value DEFAULT other USING path: a row that is on the way to itself is marked, and leads no further.
type Cycle struct {
	By        []Ident
	Mark      Ident
	To, Other Expr // nil: true and false
	Path      Ident
	Pos       Pos
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
	GroupPos        Pos    // of GROUP BY
	Assigns         string // the statement that the items are the new values of, such as "UPDATE"; "" for a query as written
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
		UsingAs Ident // names the columns of Using as a relation; its Name is empty if there is none
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
