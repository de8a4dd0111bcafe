package expr

import (
	"strconv"
	"strings"

	"wmsql/column"
	"wmsql/types"
)

// String returns the column's name.
func (e *Column) String() string { return e.Name }

// String returns the literal, with its type where the text alone would be read as another.
func (e *Const) String() string {
	if e.Value == nil {
		return "NULL"
	}
	switch v := e.Value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case []any:
		if e.T.Kind == types.Record {
			return recordLiteral(v)
		}
	}
	text := string(column.AppendText(nil, column.Const(e.T, e.Value, 1), 0, types.UTC))
	switch e.T.Kind {
	case types.Int2, types.Int4, types.Int8, types.Numeric, types.Float4, types.Float8:
		if !e.T.Array && strings.IndexFunc(text, isLetter) < 0 {
			return text
		}
	case types.Text, types.Unknown, types.Varchar:
		if !e.T.Array {
			return quoteLiteral(text)
		}
	}
	t := e.T
	if t.Kind == types.Interval {
		t = plain(t) // its value has no more than the fields that a modifier keeps
	}
	return quoteLiteral(text) + "::" + t.String()
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' && r|0x20 != 'e' }

func recordLiteral(fields []any) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		switch f := f.(type) {
		case nil:
			parts[i] = "NULL"
		case string:
			parts[i] = quoteLiteral(f)
		case int64:
			parts[i] = strconv.FormatInt(f, 10)
		case bool:
			parts[i] = strconv.FormatBool(f)
		default:
			parts[i] = "..."
		}
	}
	return "ROW(" + strings.Join(parts, ", ") + ")"
}

// quoteLiteral writes s as a string literal.
func quoteLiteral(s string) string { return string(appendQuotedLiteral(nil, []byte(s))) }

// appendQuotedLiteral writes s as a string literal, with E” when it holds a backslash, as quote_literal does.
func appendQuotedLiteral(dst, s []byte) []byte {
	if strings.IndexByte(string(s), '\\') >= 0 {
		dst = append(dst, 'E')
	}
	dst = append(dst, '\'')
	for _, c := range s {
		if c == '\'' || c == '\\' {
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return append(dst, '\'')
}

// String returns $n.
func (e *Param) String() string { return "$" + strconv.Itoa(e.N) }

// String returns the call: an operator between its operands, a cast behind its value unless the user did not write it.
func (e *Call) String() string {
	f := e.Func
	switch {
	case f.Name == "cast" && f.implicit:
		return e.Args[0].String()
	case f.Name == "cast":
		return operand(e.Args[0]) + "::" + e.T.String()
	case isOperatorName(f.Name) && len(e.Args) == 2:
		return operand(e.Args[0]) + " " + operatorText(f.Name) + " " + operand(e.Args[1])
	case isOperatorName(f.Name) && len(e.Args) == 1:
		return f.Name + " " + operand(e.Args[0])
	}
	return f.Name + "(" + join(e.Args, ", ") + ")"
}

// isOperatorName reports whether a function is written between or before its operands.
func isOperatorName(name string) bool {
	return strings.HasPrefix(name, "is ") || strings.IndexByte("+-*/<>=~!@#%^&|?", name[0]) >= 0
}

func operatorText(name string) string {
	switch name {
	case "~~":
		return "LIKE"
	case "!~~":
		return "NOT LIKE"
	case "~~*":
		return "ILIKE"
	case "!~~*":
		return "NOT ILIKE"
	}
	if strings.HasPrefix(name, "is ") {
		return strings.ToUpper(name)
	}
	return name
}

// operand is e in parentheses, unless it needs none.
func operand(e Expr) string {
	s := e.String()
	switch e := e.(type) {
	case *Call:
		if e.Func.Name == "cast" && e.Func.implicit {
			return operand(e.Args[0])
		}
		if e.Func.Name != "cast" && isOperatorName(e.Func.Name) {
			return "(" + s + ")"
		}
	case *And, *Or, *Not, *IsNull, *InList, *AnyAll:
		return "(" + s + ")"
	case *Const:
		if strings.HasPrefix(s, "-") {
			return "(" + s + ")"
		}
	}
	return s
}

func join(es []Expr, sep string) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
	}
	return strings.Join(parts, sep)
}

// connect joins the operands of AND or OR; nested connectives are put in parentheses.
func connect(es []Expr, word string) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
		switch e.(type) {
		case *And, *Or:
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, word)
}

// String returns the operands with AND between them.
func (e *And) String() string { return connect(e.Args, " AND ") }

// String returns the operands with OR between them.
func (e *Or) String() string { return connect(e.Args, " OR ") }

// String returns NOT X.
func (e *Not) String() string { return "NOT " + operand(e.X) }

// String returns X IS [NOT] NULL.
func (e *IsNull) String() string {
	if e.Not {
		return operand(e.X) + " IS NOT NULL"
	}
	return operand(e.X) + " IS NULL"
}

// String returns CASE WHEN ... END.
func (e *Case) String() string {
	var sb strings.Builder
	sb.WriteString("CASE")
	for _, w := range e.Whens {
		sb.WriteString(" WHEN " + w.Cond.String() + " THEN " + w.Then.String())
	}
	if !isNullConst(e.Else) {
		sb.WriteString(" ELSE " + e.Else.String())
	}
	sb.WriteString(" END")
	return sb.String()
}

// String returns COALESCE(...).
func (e *Coalesce) String() string { return "COALESCE(" + join(e.Args, ", ") + ")" }

// String returns X [NOT] IN (...).
func (e *InList) String() string {
	word := " IN ("
	if e.Not {
		word = " NOT IN ("
	}
	parts := make([]string, len(e.List))
	for i, c := range e.List {
		parts[i] = c.String()
	}
	return operand(e.X) + word + strings.Join(parts, ", ") + ")"
}

// String returns X op ANY (array).
func (e *AnyAll) String() string {
	word := " ANY ("
	if e.All {
		word = " ALL ("
	}
	return operand(e.X) + " " + operatorText(e.Op.Name) + word + e.Array.String() + ")"
}

// String returns ARRAY[...].
func (e *Array) String() string { return "ARRAY[" + join(e.Items, ", ") + "]" }

// String returns ROW(...).
func (e *Row) String() string { return "ROW(" + join(e.Items, ", ") + ")" }

// String returns the record's field by number, from 1.
func (e *Field) String() string { return "(" + e.X.String() + ").f" + strconv.Itoa(e.N+1) }
