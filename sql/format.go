package sql

import (
	"fmt"
	"strconv"
	"strings"
)

// Node is any part of a statement that has a place: a Stmt, an Expr, a TableExpr or a *Select.
type Node interface{ At() Pos }

// Format returns n as SQL in one spelling: keywords in capitals, operators with parentheses around
// every operand that is an operator itself, special call syntax where the call has it. Parsing the
// result gives the same tree, positions apart, except that a constant with a type before it
// (DATE '2024-01-01') has become a cast.
func Format(n Node) string {
	var f formatter
	switch n := n.(type) {
	case Stmt:
		f.stmt(n)
	case Expr:
		f.expr(n)
	case *Select:
		f.query(n)
	case TableExpr:
		f.table(n)
	}
	return f.String()
}

// FormatType returns a type name as SQL.
func FormatType(t TypeName) string {
	var f formatter
	f.typeName(t)
	return f.String()
}

// formatter builds the text of a tree.
type formatter struct{ strings.Builder }

func (f *formatter) write(parts ...string) {
	for _, s := range parts {
		f.WriteString(s)
	}
}

// flag writes word if on.
func (f *formatter) flag(on bool, word string) {
	if on {
		f.WriteString(word)
	}
}

// quoteIdent returns a name as SQL would have it: in quotes unless it is a plain lower-case word.
func quoteIdent(name string) string {
	simple := name != "" && keywordClass[name] == plain && !isDigit(name[0]) && name[0] != '$'
	for i := 0; simple && i < len(name); i++ {
		c := name[i]
		simple = isNameByte(c) && (c < 'A' || c > 'Z')
	}
	if simple {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func quoteString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (f *formatter) ident(name string) { f.WriteString(quoteIdent(name)) }

func (f *formatter) name(n Name) { f.parts(n.Parts) }

func (f *formatter) parts(parts []string) {
	for i, part := range parts {
		f.flag(i > 0, ".")
		f.ident(part)
	}
}

// each writes items with commas between them.
func each[T any](f *formatter, items []T, write func(T)) {
	for i, item := range items {
		f.flag(i > 0, ", ")
		write(item)
	}
}

func (f *formatter) names(names []Name) { each(f, names, f.name) }

func (f *formatter) idents(ids []Ident) {
	f.write("(")
	each(f, ids, func(id Ident) { f.ident(id.Name) })
	f.write(")")
}

// columns writes (a, b), or nothing for an empty list.
func (f *formatter) columns(names []string) {
	if len(names) == 0 {
		return
	}
	f.write("(")
	each(f, names, f.ident)
	f.write(")")
}

func (f *formatter) exprs(list []Expr) { each(f, list, f.expr) }

// keywordTypes are the types whose names are keywords; quoted they would mean the same.
var keywordTypes = wordSet("time timestamp numeric varchar interval")

func (f *formatter) typeName(t TypeName) {
	switch {
	case t.Schema != "":
		f.parts([]string{t.Schema, t.Name})
	case keywordTypes[t.Name] || t.Name == "bit" && len(t.Mods) > 0:
		f.write(t.Name)
	default:
		f.ident(t.Name)
	}
	if t.Fields != "" {
		f.write(" ", t.Fields)
	}
	if len(t.Mods) > 0 {
		f.write("(")
		each(f, t.Mods, func(m int) { f.write(strconv.Itoa(m)) })
		f.write(")")
	}
	f.write(strings.Repeat("[]", t.Dims))
}

// option writes the items of WITH (...).
func (f *formatter) options(opts []Option) {
	if len(opts) == 0 {
		return
	}
	f.write(" WITH (")
	each(f, opts, func(o Option) { f.write(optionName(o.Name), " = ", quoteString(o.Value)) })
	f.write(")")
}

func optionName(name string) string {
	if quoteIdent(name) == name {
		return name
	}
	return quoteString(name)
}

// unformattable panics: every kind of node has a case.
func unformattable(n any) { panic(fmt.Sprintf("no format for %T", n)) }
