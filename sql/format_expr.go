package sql

import (
	"strconv"
	"strings"
)

// operand writes x as something that any operator may stand beside.
func (f *formatter) operand(x Expr) {
	if isOperator(x) {
		f.write("(")
		f.expr(x)
		f.write(")")
		return
	}
	f.expr(x)
}

// isOperator says whether x is written with an operator outside of any brackets.
func isOperator(x Expr) bool {
	switch x := x.(type) {
	case *Unary, *Binary, *IsTest, *Between, *InList, *Like, *AnyAll, *Collate, *Cast:
		return true
	case *Literal:
		return strings.HasPrefix(x.Text, "-") && x.Kind != String
	case *SubqueryExpr:
		return x.Kind == In || x.Kind == AnyOf || x.Kind == AllOf
	case *Func:
		return x.Keyword && x.Name.Parts[0] == "timezone"
	}
	return false
}

func (f *formatter) expr(x Expr) {
	switch x := x.(type) {
	case *Literal:
		f.literal(x)
	case *ColumnRef:
		f.columnRef(x)
	case *Star:
		for _, part := range x.Qualifier {
			f.ident(part)
			f.write(".")
		}
		f.write("*")
	case *Param:
		f.write("$", strconv.Itoa(x.N))
	case *Default:
		f.write("DEFAULT")
	case *Interval:
		f.write("INTERVAL ", quoteString(x.Text))
		if x.Fields != "" {
			f.write(" ", strings.ToUpper(x.Fields))
		}
	case *Func:
		f.call(x)
	case *Case:
		f.caseExpr(x)
	case *Array:
		f.write("ARRAY")
		f.arrayItems(x)
	case *Row:
		f.flag(!x.Implicit, "ROW")
		f.write("(")
		f.exprs(x.Items)
		f.write(")")
	case *GroupingSet:
		f.groupingSet(x)
	case *TableArg:
		f.tableArg(x)
	case *Descriptor:
		f.write("DESCRIPTOR")
		f.idents(x.Columns)
	case *SubqueryExpr:
		f.subquery(x)
	default:
		f.operator(x)
	}
}

func (f *formatter) literal(l *Literal) {
	switch l.Kind {
	case Null:
		f.write("NULL")
	case Bool:
		f.write(strings.ToUpper(l.Text))
	case String:
		f.write(quoteString(l.Text))
	case BitString:
		f.write("B", quoteString(l.Text))
	default:
		f.write(l.Text)
	}
}

// columnRef writes a column. WINDOW is the one reserved word that needs no quotes there.
func (f *formatter) columnRef(c *ColumnRef) {
	if c.Parts[0] == "window" {
		f.write("window")
		f.flag(len(c.Parts) > 1, ".")
		f.parts(c.Parts[1:])
		return
	}
	f.parts(c.Parts)
}

// operator writes what has operands.
func (f *formatter) operator(x Expr) {
	switch x := x.(type) {
	case *Unary:
		f.write(operatorText(x.Schema, x.Op), " ")
		f.operand(x.X)
	case *Binary:
		f.operand(x.L)
		f.write(" ", operatorText(x.Schema, x.Op), " ")
		f.operand(x.R)
	case *Cast:
		f.operand(x.X)
		f.write("::")
		f.typeName(x.Type)
	case *IsTest:
		f.operand(x.X)
		f.write(" IS ")
		f.flag(x.Not, "NOT ")
		f.write(strings.ToUpper(x.Test))
	case *Between:
		f.operand(x.X)
		f.flag(x.Not, " NOT")
		f.write(" BETWEEN ")
		f.flag(x.Sym, "SYMMETRIC ")
		f.operand(x.Lo)
		f.write(" AND ")
		f.operand(x.Hi)
	case *InList:
		f.operand(x.X)
		f.flag(x.Not, " NOT")
		f.write(" IN (")
		f.exprs(x.List)
		f.write(")")
	case *Like:
		f.like(x)
	case *AnyAll:
		f.operand(x.X)
		f.write(" ", operatorText("", x.Op), quantifier(x.All), " (")
		f.expr(x.Array)
		f.write(")")
	case *Without:
		f.expr(x.X)
	case *Collate:
		f.operand(x.X)
		f.write(" COLLATE ")
		f.name(x.Name)
	case *Subscript, *Field:
		f.selection(x)
	default:
		unformattable(x)
	}
}

// operatorText spells an operator: words in capitals, one with a schema as OPERATOR(...).
func operatorText(schema, op string) string {
	if schema != "" {
		return "OPERATOR(" + quoteIdent(schema) + "." + op + ")"
	}
	return strings.ToUpper(op)
}

func quantifier(all bool) string {
	if all {
		return " ALL"
	}
	return " ANY"
}

func (f *formatter) like(x *Like) {
	f.operand(x.X)
	f.flag(x.Not, " NOT")
	f.write(" ", strings.ToUpper(x.Op), " ")
	f.operand(x.Pattern)
	if x.Escape != nil {
		f.write(" ESCAPE ")
		f.operand(x.Escape)
	}
}

// selection writes x[i], x[lo:hi] and x.field. What they select from stands in parentheses unless
// it is a column or selected itself.
func (f *formatter) selection(x Expr) {
	switch x := x.(type) {
	case *Subscript:
		f.flag(x.Apart, "(")
		f.selected(x.X, true)
		f.flag(x.Apart, ")")
		f.write("[")
		if x.Lo != nil {
			f.expr(x.Lo)
		}
		f.flag(x.Slice, ":")
		if x.Hi != nil {
			f.expr(x.Hi)
		}
		f.write("]")
	case *Field:
		f.selected(x.X, false)
		f.write(".")
		if x.Name == "*" {
			f.write("*")
		} else {
			f.ident(x.Name)
		}
	}
}

// selected writes what a selection is made from; bare says that a column needs no parentheses.
func (f *formatter) selected(x Expr, bare bool) {
	switch x.(type) {
	case *ColumnRef:
	case *Subscript, *Field, *Param:
		bare = true
	default:
		bare = false
	}
	f.flag(!bare, "(")
	f.expr(x)
	f.flag(!bare, ")")
}

func (f *formatter) caseExpr(c *Case) {
	f.write("CASE")
	if c.X != nil {
		f.write(" ")
		f.expr(c.X)
	}
	for _, w := range c.Whens {
		f.write(" WHEN ")
		f.expr(w.Cond)
		f.write(" THEN ")
		f.expr(w.Then)
	}
	if c.Else != nil {
		f.write(" ELSE ")
		f.expr(c.Else)
	}
	f.write(" END")
}

func (f *formatter) arrayItems(a *Array) {
	f.write("[")
	each(f, a.Items, f.expr)
	f.write("]")
}

func (f *formatter) groupingSet(g *GroupingSet) {
	switch g.Kind {
	case "empty":
		f.write("()")
		return
	case "sets":
		f.write("GROUPING SETS ")
	default:
		f.write(strings.ToUpper(g.Kind), " ")
	}
	f.write("(")
	each(f, g.Sets, func(set []Expr) {
		if len(set) == 1 {
			f.expr(set[0])
			return
		}
		f.write("(")
		f.exprs(set)
		f.write(")")
	})
	f.write(")")
}

func (f *formatter) subquery(s *SubqueryExpr) {
	if s.X != nil {
		f.operand(s.X)
	}
	switch s.Kind {
	case Exists:
		f.write("EXISTS ")
	case In:
		f.flag(s.Not, " NOT")
		f.write(" IN ")
	case AnyOf, AllOf:
		f.write(" ", operatorText("", s.Op), quantifier(s.Kind == AllOf), " ")
	case ArrayQuery:
		f.write("ARRAY")
	}
	f.write("(")
	f.query(s.Query)
	f.write(")")
}
