package sql

import "strings"

func (f *formatter) table(t TableExpr) {
	switch t := t.(type) {
	case *Table:
		f.relation(t)
	case *Derived:
		f.flag(t.Lateral, "LATERAL ")
		f.write("(")
		f.query(t.Query)
		f.write(")")
		f.delayOf(t.Watermark)
		f.alias(t.Alias)
	case *TableFunc:
		f.flag(t.Lateral, "LATERAL ")
		f.flag(t.More != nil, "ROWS FROM (")
		f.call(t.Call)
		for _, c := range t.More {
			f.write(", ")
			f.call(c)
		}
		f.flag(t.More != nil, ")")
		f.flag(t.Ordinality, " WITH ORDINALITY")
		f.alias(t.Alias)
	case *Join:
		f.join(t)
	default:
		unformattable(t)
	}
}

func (f *formatter) relation(t *Table) {
	f.flag(t.Only, "ONLY ")
	f.name(t.Name)
	f.delayOf(t.Watermark)
	if t.AsOf != nil {
		f.write(" FOR SYSTEM_TIME AS OF ")
		f.operand(t.AsOf)
	}
	f.alias(t.Alias)
	if t.Sample != nil {
		f.write(" TABLESAMPLE ")
		f.ident(t.Sample.Method.Name)
		f.write(" (")
		f.expr(t.Sample.Percent)
		f.write(")")
		if t.Sample.Seed != nil {
			f.write(" REPEATABLE (")
			f.expr(t.Sample.Seed)
			f.write(")")
		}
	}
}

func (f *formatter) delayOf(w *WatermarkClause) {
	if w != nil {
		f.write(" WATERMARK ")
		f.ident(w.Column.Name)
		f.write(" DELAY OF ")
		f.operand(w.Delay)
	}
}

func (f *formatter) alias(a Alias) {
	if a.Name == "" && a.Columns == nil {
		return
	}
	f.write(" AS ")
	f.flag(a.Name != "", quoteIdent(a.Name))
	if a.Types == nil {
		f.columns(a.Columns)
		return
	}
	f.write("(")
	for i, name := range a.Columns {
		f.flag(i > 0, ", ")
		f.ident(name)
		f.write(" ")
		f.typeName(a.Types[i])
	}
	f.write(")")
}

// join writes a join, in parentheses if it has an alias.
func (f *formatter) join(j *Join) {
	f.flag(j.Alias.Name != "", "(")
	f.table(j.L)
	f.write(" ")
	f.flag(j.Natural, "NATURAL ")
	f.write(joinWords(j.Kind), " ")
	r, nested := j.R.(*Join)
	nested = nested && r.Alias.Name == ""
	f.flag(nested, "(")
	f.table(j.R)
	f.flag(nested, ")")
	switch {
	case j.On != nil:
		f.write(" ON ")
		f.expr(j.On)
	case j.Using != nil:
		f.write(" USING ")
		f.columns(j.Using)
		if j.UsingAs.Name != "" {
			f.write(" AS ", quoteIdent(j.UsingAs.Name))
		}
	}
	f.flag(j.Alias.Name != "", ")")
	f.alias(j.Alias)
}

func joinWords(kind string) string {
	if kind == "inner" {
		return "JOIN"
	}
	return strings.ToUpper(kind) + " JOIN"
}
