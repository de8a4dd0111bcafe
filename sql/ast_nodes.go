package sql

func (n *Literal) At() Pos      { return n.Pos }
func (*Literal) expr()          {}
func (n *ColumnRef) At() Pos    { return n.Pos }
func (*ColumnRef) expr()        {}
func (n *Star) At() Pos         { return n.Pos }
func (*Star) expr()             {}
func (n *Param) At() Pos        { return n.Pos }
func (*Param) expr()            {}
func (n *Cast) At() Pos         { return n.Pos }
func (*Cast) expr()             {}
func (n *Unary) At() Pos        { return n.Pos }
func (*Unary) expr()            {}
func (n *Binary) At() Pos       { return n.Pos }
func (*Binary) expr()           {}
func (n *IsTest) At() Pos       { return n.Pos }
func (*IsTest) expr()           {}
func (n *Between) At() Pos      { return n.Pos }
func (*Between) expr()          {}
func (n *InList) At() Pos       { return n.Pos }
func (*InList) expr()           {}
func (n *Like) At() Pos         { return n.Pos }
func (*Like) expr()             {}
func (n *AnyAll) At() Pos       { return n.Pos }
func (*AnyAll) expr()           {}
func (n *SubqueryExpr) At() Pos { return n.Pos }
func (*SubqueryExpr) expr()     {}
func (n *Case) At() Pos         { return n.Pos }
func (*Case) expr()             {}
func (n *Func) At() Pos         { return n.Pos }
func (*Func) expr()             {}
func (n *Array) At() Pos        { return n.Pos }
func (*Array) expr()            {}
func (n *Row) At() Pos          { return n.Pos }
func (*Row) expr()              {}
func (n *Subscript) At() Pos    { return n.Pos }
func (*Subscript) expr()        {}
func (n *Field) At() Pos        { return n.Pos }
func (*Field) expr()            {}
func (n *Collate) At() Pos      { return n.Pos }
func (*Collate) expr()          {}
func (n *Interval) At() Pos     { return n.Pos }
func (*Interval) expr()         {}
func (n *GroupingSet) At() Pos  { return n.Pos }
func (*GroupingSet) expr()      {}
func (n *Default) At() Pos      { return n.Pos }
func (*Default) expr()          {}
func (n *TableArg) At() Pos     { return n.Pos }
func (*TableArg) expr()         {}
func (n *Descriptor) At() Pos   { return n.Pos }
func (*Descriptor) expr()       {}

func (n *CreateSchema) At() Pos           { return n.Pos }
func (*CreateSchema) stmt()               {}
func (n *CreateStream) At() Pos           { return n.Pos }
func (*CreateStream) stmt()               {}
func (n *CreateTable) At() Pos            { return n.Pos }
func (*CreateTable) stmt()                {}
func (n *CreateView) At() Pos             { return n.Pos }
func (*CreateView) stmt()                 {}
func (n *CreateMaterializedView) At() Pos { return n.Pos }
func (*CreateMaterializedView) stmt()     {}
func (n *Drop) At() Pos                   { return n.Pos }
func (*Drop) stmt()                       {}
func (n *Alter) At() Pos                  { return n.Pos }
func (*Alter) stmt()                      {}
func (n *Insert) At() Pos                 { return n.Pos }
func (*Insert) stmt()                     {}
func (n *Update) At() Pos                 { return n.Pos }
func (*Update) stmt()                     {}
func (n *Delete) At() Pos                 { return n.Pos }
func (*Delete) stmt()                     {}
func (n *Truncate) At() Pos               { return n.Pos }
func (*Truncate) stmt()                   {}
func (n *Explain) At() Pos                { return n.Pos }
func (*Explain) stmt()                    {}
func (n *Show) At() Pos                   { return n.Pos }
func (*Show) stmt()                       {}
func (n *Describe) At() Pos               { return n.Pos }
func (*Describe) stmt()                   {}
func (n *Set) At() Pos                    { return n.Pos }
func (*Set) stmt()                        {}
func (n *Transaction) At() Pos            { return n.Pos }
func (*Transaction) stmt()                {}
func (n *Prepare) At() Pos                { return n.Pos }
func (*Prepare) stmt()                    {}
func (n *Execute) At() Pos                { return n.Pos }
func (*Execute) stmt()                    {}
func (n *Deallocate) At() Pos             { return n.Pos }
func (*Deallocate) stmt()                 {}
func (n *DeclareCursor) At() Pos          { return n.Pos }
func (*DeclareCursor) stmt()              {}
func (n *Fetch) At() Pos                  { return n.Pos }
func (*Fetch) stmt()                      {}
func (n *CloseCursor) At() Pos            { return n.Pos }
func (*CloseCursor) stmt()                {}
func (n *Copy) At() Pos                   { return n.Pos }
func (*Copy) stmt()                       {}
func (n *Discard) At() Pos                { return n.Pos }
func (*Discard) stmt()                    {}
func (n *Listen) At() Pos                 { return n.Pos }
func (*Listen) stmt()                     {}
func (n *Flush) At() Pos                  { return n.Pos }
func (*Flush) stmt()                      {}
func (n *Comment) At() Pos                { return n.Pos }
func (*Comment) stmt()                    {}
func (n *Unsupported) At() Pos            { return n.Pos }
func (*Unsupported) stmt()                {}
func (n *SelectStmt) At() Pos             { return n.Query.Pos }
func (*SelectStmt) stmt()                 {}

func (n *Table) At() Pos     { return n.Pos }
func (*Table) table()        {}
func (n *Derived) At() Pos   { return n.Pos }
func (*Derived) table()      {}
func (n *TableFunc) At() Pos { return n.Pos }
func (*TableFunc) table()    {}
func (n *Join) At() Pos      { return n.Pos }
func (*Join) table()         {}

func (*Query) body()  {}
func (*SetOp) body()  {}
func (*Values) body() {}

// At returns the place of the query's first token.
func (n *Select) At() Pos { return n.Pos }
