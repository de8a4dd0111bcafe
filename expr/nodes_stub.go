package expr

import "wmsql/types"

// Methods of the nodes; the owner replaces this file.

func (e *Column) Type() types.Type           { return e.T }
func (e *Column) Children() []Expr           { return nil }
func (e *Column) WithChildren(c []Expr) Expr { return e }
func (e *Column) String() string             { return e.Name }
func (e *Column) sealed()                    {}

func (e *Const) Type() types.Type           { panic("stub") }
func (e *Const) Children() []Expr           { panic("stub") }
func (e *Const) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Const) String() string             { panic("stub") }
func (e *Const) sealed()                    {}

func (e *Param) Type() types.Type           { panic("stub") }
func (e *Param) Children() []Expr           { panic("stub") }
func (e *Param) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Param) String() string             { panic("stub") }
func (e *Param) sealed()                    {}

func (e *Call) Type() types.Type           { panic("stub") }
func (e *Call) Children() []Expr           { panic("stub") }
func (e *Call) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Call) String() string             { panic("stub") }
func (e *Call) sealed()                    {}

func (e *And) Type() types.Type           { panic("stub") }
func (e *And) Children() []Expr           { panic("stub") }
func (e *And) WithChildren(c []Expr) Expr { panic("stub") }
func (e *And) String() string             { panic("stub") }
func (e *And) sealed()                    {}

func (e *Or) Type() types.Type           { panic("stub") }
func (e *Or) Children() []Expr           { panic("stub") }
func (e *Or) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Or) String() string             { panic("stub") }
func (e *Or) sealed()                    {}

func (e *Not) Type() types.Type           { panic("stub") }
func (e *Not) Children() []Expr           { panic("stub") }
func (e *Not) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Not) String() string             { panic("stub") }
func (e *Not) sealed()                    {}

func (e *IsNull) Type() types.Type           { panic("stub") }
func (e *IsNull) Children() []Expr           { panic("stub") }
func (e *IsNull) WithChildren(c []Expr) Expr { panic("stub") }
func (e *IsNull) String() string             { panic("stub") }
func (e *IsNull) sealed()                    {}

func (e *Case) Type() types.Type           { panic("stub") }
func (e *Case) Children() []Expr           { panic("stub") }
func (e *Case) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Case) String() string             { panic("stub") }
func (e *Case) sealed()                    {}

func (e *Coalesce) Type() types.Type           { panic("stub") }
func (e *Coalesce) Children() []Expr           { panic("stub") }
func (e *Coalesce) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Coalesce) String() string             { panic("stub") }
func (e *Coalesce) sealed()                    {}

func (e *InList) Type() types.Type           { panic("stub") }
func (e *InList) Children() []Expr           { panic("stub") }
func (e *InList) WithChildren(c []Expr) Expr { panic("stub") }
func (e *InList) String() string             { panic("stub") }
func (e *InList) sealed()                    {}

func (e *AnyAll) Type() types.Type           { panic("stub") }
func (e *AnyAll) Children() []Expr           { panic("stub") }
func (e *AnyAll) WithChildren(c []Expr) Expr { panic("stub") }
func (e *AnyAll) String() string             { panic("stub") }
func (e *AnyAll) sealed()                    {}

func (e *Array) Type() types.Type           { panic("stub") }
func (e *Array) Children() []Expr           { panic("stub") }
func (e *Array) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Array) String() string             { panic("stub") }
func (e *Array) sealed()                    {}

func (e *Row) Type() types.Type           { panic("stub") }
func (e *Row) Children() []Expr           { panic("stub") }
func (e *Row) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Row) String() string             { panic("stub") }
func (e *Row) sealed()                    {}

func (e *Field) Type() types.Type           { panic("stub") }
func (e *Field) Children() []Expr           { panic("stub") }
func (e *Field) WithChildren(c []Expr) Expr { panic("stub") }
func (e *Field) String() string             { panic("stub") }
func (e *Field) sealed()                    {}
