package sql

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
	Collate    *Name
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
	Disowned                                bool  // OWNED BY NONE
	Name                                    *Name // SEQUENCE NAME of an identity column, as pg_dump writes it
}

// IndexColumn is a column of CREATE INDEX.
type IndexColumn struct {
	Name       Ident
	Class      string // operator class, "" if none is written
	Desc       bool
	NullsFirst bool // as written, or what Desc means
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

// TableAction is one action of ALTER TABLE.
type TableAction struct {
	// What is "add column", "drop column", "set default", "drop default", "set not null", "drop not null", "set type", "add identity",
	// "set identity", "drop identity", "drop expression", "add constraint", "drop constraint", "validate constraint", "owner",
	// "set schema", "cluster" or "nothing".
	What     string
	Name     Ident      // of the column, constraint, role or schema
	Exists   bool       // IF EXISTS, or IF NOT EXISTS with "add column"
	Cascade  bool       // of a drop
	Column   *ColumnDef // of "add column"; "add identity" and "set identity" use its Identity and Sequence
	Type     *TypeName  // of "set type"
	X        Expr       // the default, or USING of "set type"; nil without one
	Text     string     // the text of X
	Key      *KeyDef    // of "add constraint": either this
	Check    *CheckDef  // or this
	NotValid bool
	Pos      Pos
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
	// Role is CREATE or ALTER ROLE, and USER.
	Role struct {
		Alter     bool
		Name      Ident
		Superuser bool
		Login     *bool   // nil: not said
		Password  *string // nil: not said; "": none
		Pos       Pos
	}
	// DropRole is DROP ROLE and DROP USER.
	DropRole struct {
		Names    []Ident
		IfExists bool
		Pos      Pos
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
		Kind         string // "schema", "stream", "table", "view", "materialized view", "function", "sequence", "index"
		Names        []Name
		Concurrently bool // of an index
		IfExists     bool
		Cascade      bool
		Pos          Pos
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
	// AlterTable is ALTER TABLE with its actions, and those that other objects have too: OWNER TO and SET SCHEMA.
	AlterTable struct {
		Kind     string // "table", "view", "materialized view", "sequence", ...
		Name     Name
		IfExists bool
		Actions  []TableAction
		Pos      Pos
	}
	// Grant is GRANT or REVOKE of privileges, or ALTER DEFAULT PRIVILEGES. Which privileges makes no difference.
	Grant struct {
		Revoke  bool
		Default bool   // ALTER DEFAULT PRIVILEGES
		Kind    string // of Names: "table", "sequence", "schema", "function", "database"
		Names   []Name
		Roles   []Ident
		Pos     Pos
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
	// Merge is MERGE INTO table USING source ON condition.
	Merge struct {
		With      []CTE
		Recursive bool
		Table     Name
		Alias     string
		Source    TableExpr
		On        Expr
		Whens     []MergeWhen
		Pos       Pos
	}
	// MergeWhen is WHEN [NOT] MATCHED [AND condition] THEN action.
	MergeWhen struct {
		Matched    bool
		Cond       Expr   // nil: always
		Action     string // "update", "delete", "insert", "nothing"
		Set        []Assignment
		Columns    []Ident
		Overriding string // "", "system", "user"
		Values     []Expr // of an insert; nil: DEFAULT VALUES
		Pos        Pos
	}
	// Maintain is VACUUM, ANALYZE or CHECKPOINT; options but FULL change nothing.
	Maintain struct {
		Kind  string // "vacuum", "analyze", "checkpoint"
		Full  bool
		Names []Name
		Pos   Pos
	}
	// CreateIndex is CREATE [UNIQUE] INDEX [CONCURRENTLY] [name] ON table (columns).
	CreateIndex struct {
		Unique, Concurrently, IfNotExists bool
		Name                              Ident // "": one is made up
		Table                             Name
		Method                            Ident // of USING; "": btree
		Columns                           []IndexColumn
		Pos                               Pos
	}
	// Reindex is REINDEX INDEX | TABLE | SCHEMA | DATABASE name.
	Reindex struct {
		Kind         string // "index", "table", "schema", "database", "system"
		Name         Name
		Concurrently bool
		Pos          Pos
	}
	// Truncate is TRUNCATE [TABLE] names [RESTART IDENTITY].
	Truncate struct {
		Names   []Name
		Restart bool // of the sequences that columns own
		Pos     Pos
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
	// ExplainWindow is EXPLAIN WINDOW view AT time: why a window has not closed.
	ExplainWindow struct {
		View Name
		When Expr
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
		Chain bool     // AND CHAIN: another transaction of the same modes begins at once
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
