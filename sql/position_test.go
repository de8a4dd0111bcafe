package sql

import (
	"reflect"
	"strings"
	"testing"
)

// TestPositions holds that every node of every tree of the corpus stands where its token does.
func TestPositions(t *testing.T) {
	seen := map[string]int{}
	for _, text := range corpus(t) {
		all, err := Parse(text)
		if err != nil {
			continue
		}
		for _, p := range all {
			walkNodes(reflect.ValueOf(p.Stmt), func(n Node) {
				seen[reflect.TypeOf(n).Elem().Name()]++
				checkPosition(t, text, n)
			})
		}
	}
	for _, kind := range []string{"ColumnRef", "Func", "Literal", "Binary", "Unary", "Cast", "Join", "Table", "TableFunc", "Case", "Select"} {
		if seen[kind] == 0 {
			t.Errorf("the corpus has no %s", kind)
		}
	}
}

// walkNodes calls visit for every node below v.
func walkNodes(v reflect.Value, visit func(Node)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(Node); ok && v.Kind() == reflect.Pointer {
			visit(n)
		}
		walkNodes(v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			walkNodes(v.Field(i), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walkNodes(v.Index(i), visit)
		}
	}
}

// checkPosition compares the token at a node's place with what the node must begin with.
func checkPosition(t *testing.T, text string, n Node) {
	pos := int(n.At())
	if pos < 1 || pos > len(text) {
		t.Errorf("%s: %T %s is at %d", text, n, describe(n), pos)
		return
	}
	toks := lex(text[pos-1:])
	if !begins(n, toks) {
		t.Errorf("%s\n  %T %s is at %d: %s", text, n, describe(n), pos, text[pos-1:])
	}
}

func describe(n Node) string {
	if s, ok := n.(Stmt); ok {
		return Format(s)
	}
	return Format(n)
}

// begins says whether tokens, the first of which is at n's place, are right for n.
func begins(n Node, toks []token) bool {
	first := toks[0]
	word := func(words string) bool {
		return first.kind == tokWord && strings.Contains(" "+words+" ", " "+first.text+" ")
	}
	switch n := n.(type) {
	case *ColumnRef:
		return first.text == n.Parts[0]
	case *Func:
		switch name := n.Name.Parts[len(n.Name.Parts)-1]; {
		case !n.Keyword:
			return first.text == name || first.text == "pg_catalog" || first.text == n.Name.Parts[0]
		case name == "btrim" || name == "ltrim" || name == "rtrim":
			return word("trim")
		case name == "timezone":
			return word("at")
		case name == "pg_collation_for":
			return word("collation")
		default:
			return word(name)
		}
	case *Literal:
		return literalBegins(n, toks)
	case *Param:
		return first.kind == tokParam
	case *Unary:
		return first.text == n.Op || word("operator")
	case *Binary:
		return first.text == n.Op || word("is operator")
	case *Cast:
		return first.isPunct("::") || first.isLabel()
	case *IsTest:
		return word("is isnull notnull")
	case *Between:
		return word("between not")
	case *InList:
		return word("in not")
	case *Like:
		return word("like ilike similar not")
	case *AnyAll:
		return first.kind == tokOp || word("like ilike not operator")
	case *Case, *Array, *Interval, *Collate, *Default:
		return word("case array interval collate default") || first.isPunct("[")
	case *Row:
		return word("row") || first.isPunct("(")
	case *Subscript:
		return first.isPunct("[")
	case *Field:
		return first.isPunct(".")
	case *SubqueryExpr:
		return first.isPunct("(") || word("exists in not array") || first.kind == tokOp
	case *Select:
		return word("select with values table") || first.isPunct("(")
	case *Table:
		return first.text == n.Name.Parts[0]
	case *Derived:
		return word("lateral") || first.isPunct("(")
	case *Join:
		return word("join inner left right full cross natural asof")
	case *TableFunc:
		return word("lateral table rows") || first.text == n.Call.Name.Parts[0]
	}
	return first.kind != tokEOF
}

func literalBegins(l *Literal, toks []token) bool {
	first := toks[0]
	switch l.Kind {
	case Integer, Decimal:
		for first.isOp("-") {
			toks = toks[1:]
			for toks[0].isPunct("(") {
				toks = toks[1:]
			}
			first = toks[0]
		}
		return strings.TrimPrefix(l.Text, "-") == first.text || first.isWord("for") || first.isWord("row") || first.isWord("rows")
	case String:
		return first.text == l.Text
	case BitString:
		return first.kind == tokBits
	case Null:
		return first.isWord("null")
	}
	return first.isWord(l.Text)
}
