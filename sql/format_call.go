package sql

import "strings"

// call writes a call in the syntax that its function has.
func (f *formatter) call(c *Func) {
	if c.Keyword && f.keywordCall(c) {
		return
	}
	f.funcName(c.Name)
	f.write("(")
	f.flag(c.Star, "*")
	f.flag(c.Distinct, "DISTINCT ")
	each(f, c.Args, f.arg)
	f.orderBy(c.OrderBy)
	f.write(")")
	if c.Within != nil {
		f.write(" WITHIN GROUP (ORDER BY ")
		f.orderItems(c.Within)
		f.write(")")
	}
	if c.Filter != nil {
		f.write(" FILTER (WHERE ")
		f.expr(c.Filter)
		f.write(")")
	}
	if c.Nulls != "" {
		f.write(" ", strings.ToUpper(c.Nulls), " NULLS")
	}
	if c.Over != nil {
		f.write(" OVER ")
		f.over(c.Over)
	}
}

// keywordCall writes a call whose syntax is not the ordinary one; false if it is.
func (f *formatter) keywordCall(c *Func) bool {
	name := c.Name.Parts[0]
	switch {
	case sqlValueFuncs[name]:
		f.write(name)
		if len(c.Args) > 0 {
			f.write("(")
			f.expr(c.Args[0].Value)
			f.write(")")
		}
	case name == "timezone":
		f.operand(c.Args[1].Value)
		f.write(" AT TIME ZONE ")
		f.operand(c.Args[0].Value)
	case name == "extract":
		f.write("extract(")
		f.expr(c.Args[0].Value)
		f.write(" FROM ")
		f.expr(c.Args[1].Value)
		f.write(")")
	case name == "position":
		f.write("position(")
		f.operand(c.Args[1].Value)
		f.write(" IN ")
		f.operand(c.Args[0].Value)
		f.write(")")
	case name == "pg_collation_for":
		f.write("COLLATION FOR (")
		f.expr(c.Args[0].Value)
		f.write(")")
	case (name == "btrim" || name == "ltrim" || name == "rtrim") && len(c.Args) <= 2:
		f.trim(c)
	case name == "substring":
		f.spelled(c, " FROM ", " FOR ")
	case name == "overlay":
		f.spelled(c, " PLACING ", " FROM ", " FOR ")
	default:
		return false
	}
	return true
}

// spelled writes a call with words instead of commas.
func (f *formatter) spelled(c *Func, words ...string) {
	f.write(c.Name.Parts[0], "(")
	for i, a := range c.Args {
		f.flag(i > 0, words[max(i-1, 0)])
		f.expr(a.Value)
	}
	f.write(")")
}

func (f *formatter) trim(c *Func) {
	f.write("trim(", map[string]string{"btrim": "BOTH", "ltrim": "LEADING", "rtrim": "TRAILING"}[c.Name.Parts[0]], " ")
	if len(c.Args) == 2 {
		f.expr(c.Args[1].Value)
		f.write(" ")
	}
	f.write("FROM ")
	f.expr(c.Args[0].Value)
	f.write(")")
}

// funcName writes a function's name. What is a keyword to the parser can be a function's name
// without quotes.
func (f *formatter) funcName(n Name) {
	if name := n.Parts[0]; len(n.Parts) == 1 && (keywordClass[name] == funcName || callWords[name]) {
		f.write(name)
		return
	}
	f.name(n)
}

// callWords are the keywords that are called like functions.
var callWords = wordSet("coalesce greatest grouping least nullif overlay substring window")

func (f *formatter) arg(a Arg) {
	f.flag(a.Variadic, "VARIADIC ")
	if a.Name != "" {
		f.ident(a.Name)
		f.write(" => ")
	}
	f.expr(a.Value)
}

func (f *formatter) tableArg(a *TableArg) {
	f.write("TABLE ")
	if a.Query != nil {
		f.write("(")
		f.query(a.Query)
		f.write(")")
	} else {
		f.name(*a.Name)
	}
	f.keys(" PARTITION BY ", len(a.PartitionBy), func() { f.exprs(a.PartitionBy) })
	f.keys(" ORDER BY ", len(a.OrderBy), func() { f.orderItems(a.OrderBy) })
}

// keys writes the n keys of a table argument, several in parentheses: a comma could be the call's.
func (f *formatter) keys(words string, n int, write func()) {
	if n == 0 {
		return
	}
	f.write(words)
	f.flag(n > 1, "(")
	write()
	f.flag(n > 1, ")")
}

// over writes what follows OVER.
func (f *formatter) over(w *WindowSpec) {
	if w.Name != "" && w.PartitionBy == nil && w.OrderBy == nil && w.Frame == nil {
		f.ident(w.Name)
		return
	}
	f.windowSpec(w)
}

func (f *formatter) windowSpec(w *WindowSpec) {
	var parts []string
	part := func(write func(*formatter)) {
		var g formatter
		write(&g)
		parts = append(parts, strings.TrimSpace(g.String()))
	}
	if w.Name != "" {
		part(func(g *formatter) { g.ident(w.Name) })
	}
	if w.PartitionBy != nil {
		part(func(g *formatter) {
			g.write("PARTITION BY ")
			g.exprs(w.PartitionBy)
		})
	}
	if w.OrderBy != nil {
		part(func(g *formatter) { g.orderBy(w.OrderBy) })
	}
	if w.Frame != nil {
		part(func(g *formatter) { g.frame(w.Frame) })
	}
	f.write("(", strings.Join(parts, " "), ")")
}

func (f *formatter) frame(fr *Frame) {
	f.write(strings.ToUpper(fr.Unit), " BETWEEN ")
	f.bound(fr.Start)
	f.write(" AND ")
	f.bound(fr.End)
	if fr.Exclude != "" {
		f.write(" EXCLUDE ", strings.ToUpper(fr.Exclude))
	}
}

func (f *formatter) bound(b Bound) {
	if b.Offset != nil {
		f.operand(b.Offset)
		f.write(" ")
	}
	f.write(strings.ToUpper(b.Kind))
}

// orderBy writes ORDER BY with a space before it, or nothing.
func (f *formatter) orderBy(items []OrderItem) {
	if len(items) == 0 {
		return
	}
	f.write(" ORDER BY ")
	f.orderItems(items)
}

func (f *formatter) orderItems(items []OrderItem) {
	each(f, items, func(item OrderItem) {
		f.expr(item.X)
		f.flag(item.Desc, " DESC")
		if item.Nulls != "" {
			f.write(" NULLS ", strings.ToUpper(item.Nulls))
		}
	})
}
