package sql

// At returns the place of the node.
func (n *Literal) At() Pos { return n.Pos }
func (*Literal) expr()     {}

// At returns the place of the node.
func (n *ColumnRef) At() Pos { return n.Pos }
func (*ColumnRef) expr()     {}

// At returns the place of the node.
func (n *Star) At() Pos { return n.Pos }
func (*Star) expr()     {}

// At returns the place of the node.
func (n *Param) At() Pos { return n.Pos }
func (*Param) expr()     {}

// At returns the place of the node.
func (n *Cast) At() Pos { return n.Pos }
func (*Cast) expr()     {}

// At returns the place of the node.
func (n *Unary) At() Pos { return n.Pos }
func (*Unary) expr()     {}

// At returns the place of the node.
func (n *Binary) At() Pos { return n.Pos }
func (*Binary) expr()     {}

// At returns the place of the node.
func (n *IsTest) At() Pos { return n.Pos }
func (*IsTest) expr()     {}

// At returns the place of the node.
func (n *Between) At() Pos { return n.Pos }
func (*Between) expr()     {}

// At returns the place of the node.
func (n *InList) At() Pos { return n.Pos }
func (*InList) expr()     {}

// At returns the place of the node.
func (n *Like) At() Pos { return n.Pos }
func (*Like) expr()     {}

// At returns the place of the node.
func (n *AnyAll) At() Pos { return n.Pos }
func (*AnyAll) expr()     {}

// At returns the place of the node.
func (n *SubqueryExpr) At() Pos { return n.Pos }
func (*SubqueryExpr) expr()     {}

// At returns the place of the node.
func (n *Case) At() Pos { return n.Pos }
func (*Case) expr()     {}

// At returns the place of the node.
func (n *Func) At() Pos { return n.Pos }
func (*Func) expr()     {}

// At returns the place of the node.
func (n *Array) At() Pos { return n.Pos }
func (*Array) expr()     {}

// At returns the place of the node.
func (n *Row) At() Pos { return n.Pos }
func (*Row) expr()     {}

// At returns the place of the node.
func (n *Subscript) At() Pos { return n.Pos }
func (*Subscript) expr()     {}

// At returns the place of the node.
func (n *Field) At() Pos { return n.Pos }
func (*Field) expr()     {}

// At returns the place of the node.
func (n *Without) At() Pos { return n.X.At() }
func (*Without) expr()     {}

// At returns the place of the node.
func (n *Collate) At() Pos { return n.Pos }
func (*Collate) expr()     {}

// At returns the place of the node.
func (n *Interval) At() Pos { return n.Pos }
func (*Interval) expr()     {}

// At returns the place of the node.
func (n *GroupingSet) At() Pos { return n.Pos }
func (*GroupingSet) expr()     {}

// At returns the place of the node.
func (n *Default) At() Pos { return n.Pos }
func (*Default) expr()     {}

// At returns the place of the node.
func (n *TableArg) At() Pos { return n.Pos }
func (*TableArg) expr()     {}

// At returns the place of the node.
func (n *Descriptor) At() Pos { return n.Pos }
func (*Descriptor) expr()     {}

// At returns the place of the node.
func (n *CreateSchema) At() Pos { return n.Pos }
func (*CreateSchema) stmt()     {}

// At returns the place of the node.
func (n *CreateFunction) At() Pos { return n.Pos }
func (*CreateFunction) stmt()     {}

// At returns the node's place.
func (n *CreateStream) At() Pos { return n.Pos }
func (*CreateStream) stmt()     {}

// At returns the place of the node.
func (n *CreateTable) At() Pos { return n.Pos }
func (*CreateTable) stmt()     {}

// At returns the place of the node.
func (n *Role) At() Pos { return n.Pos }
func (*Role) stmt()     {}

// At returns where the node begins.
func (n *DropRole) At() Pos { return n.Pos }
func (*DropRole) stmt()     {}

// At returns where the node begins.
func (n *CreateSequence) At() Pos { return n.Pos }
func (*CreateSequence) stmt()     {}

// At returns where the node's text begins.
func (n *AlterSequence) At() Pos { return n.Pos }
func (*AlterSequence) stmt()     {}

// At returns where the node's text begins.
func (n *CreateView) At() Pos { return n.Pos }
func (*CreateView) stmt()     {}

// At returns the place of the node.
func (n *CreateMaterializedView) At() Pos { return n.Pos }
func (*CreateMaterializedView) stmt()     {}

// At returns the place of the node.
func (n *Drop) At() Pos { return n.Pos }
func (*Drop) stmt()     {}

// At returns the place of the node.
func (n *Alter) At() Pos { return n.Pos }
func (*Alter) stmt()     {}

// At returns where the node's text begins.
func (n *AlterTable) At() Pos { return n.Pos }
func (*AlterTable) stmt()     {}

// At returns where the node's text begins.
func (n *Grant) At() Pos { return n.Pos }
func (*Grant) stmt()     {}

// At returns where the node's text begins.
func (n *Rename) At() Pos { return n.Pos }
func (*Rename) stmt()     {}

// At returns the place of the node.
func (n *Refresh) At() Pos { return n.Pos }
func (*Refresh) stmt()     {}

// At returns the place of the node.
func (n *Insert) At() Pos { return n.Pos }
func (*Insert) stmt()     {}

// At returns the place of the node.
func (n *Update) At() Pos { return n.Pos }
func (*Update) stmt()     {}

// At returns the place of the node.
func (n *Delete) At() Pos { return n.Pos }
func (*Delete) stmt()     {}

// At returns the place of the statement.
func (n *Merge) At() Pos { return n.Pos }
func (*Merge) stmt()     {}

// At returns the place of the node.
func (n *Maintain) At() Pos { return n.Pos }
func (*Maintain) stmt()     {}

// At returns the place of the node.
func (n *Truncate) At() Pos { return n.Pos }
func (*Truncate) stmt()     {}

// At is the statement's first word.
func (n *CreateIndex) At() Pos { return n.Pos }
func (*CreateIndex) stmt()     {}

// At is the statement's first word.
func (n *Reindex) At() Pos { return n.Pos }
func (*Reindex) stmt()     {}

// At returns the place of the node.
func (n *Explain) At() Pos { return n.Pos }
func (*Explain) stmt()     {}

// At returns the place of the node.
func (n *Show) At() Pos { return n.Pos }
func (*Show) stmt()     {}

// At returns the place of the node.
func (n *Describe) At() Pos { return n.Pos }
func (*Describe) stmt()     {}

// At is where the statement begins.
func (n *ExplainWindow) At() Pos { return n.Pos }
func (*ExplainWindow) stmt()     {}

// At returns the place of the node.
func (n *Set) At() Pos { return n.Pos }
func (*Set) stmt()     {}

// At returns the place of the node.
func (n *Transaction) At() Pos { return n.Pos }
func (*Transaction) stmt()     {}

// At returns the place of the node.
func (n *Prepare) At() Pos { return n.Pos }
func (*Prepare) stmt()     {}

// At returns the place of the node.
func (n *Execute) At() Pos { return n.Pos }
func (*Execute) stmt()     {}

// At returns the place of the node.
func (n *Deallocate) At() Pos { return n.Pos }
func (*Deallocate) stmt()     {}

// At returns the place of the node.
func (n *DeclareCursor) At() Pos { return n.Pos }
func (*DeclareCursor) stmt()     {}

// At returns the place of the node.
func (n *Fetch) At() Pos { return n.Pos }
func (*Fetch) stmt()     {}

// At returns the place of the node.
func (n *CloseCursor) At() Pos { return n.Pos }
func (*CloseCursor) stmt()     {}

// At returns the place of the node.
func (n *Copy) At() Pos { return n.Pos }
func (*Copy) stmt()     {}

// At returns the place of the node.
func (n *Subscribe) At() Pos { return n.Pos }
func (*Subscribe) stmt()     {}

// At returns the place of the node.
func (n *Discard) At() Pos { return n.Pos }
func (*Discard) stmt()     {}

// At returns the place of the node.
func (n *Listen) At() Pos { return n.Pos }
func (*Listen) stmt()     {}

// At returns the place of the node.
func (n *Flush) At() Pos { return n.Pos }
func (*Flush) stmt()     {}

// At returns the place of the node.
func (n *Comment) At() Pos { return n.Pos }
func (*Comment) stmt()     {}

// At returns the place of the node.
func (n *Lock) At() Pos { return n.Pos }
func (*Lock) stmt()     {}

// At returns where the node's text begins.
func (n *Unsupported) At() Pos { return n.Pos }
func (*Unsupported) stmt()     {}

// At returns the place of the node.
func (n *SelectStmt) At() Pos { return n.Query.Pos }
func (*SelectStmt) stmt()     {}

// At returns the place of the node.
func (n *Table) At() Pos { return n.Pos }
func (*Table) table()    {}

// At returns the place of the node.
func (n *Derived) At() Pos { return n.Pos }
func (*Derived) table()    {}

// At returns the place of the node.
func (n *TableFunc) At() Pos { return n.Pos }
func (*TableFunc) table()    {}

// At returns the place of the node.
func (n *Join) At() Pos { return n.Pos }
func (*Join) table()    {}

func (*Query) body()  {}
func (*SetOp) body()  {}
func (*Values) body() {}

// At returns the place of the query's first token.
// At returns the place of the node.
func (n *Select) At() Pos { return n.Pos }
