package sql

import "strings"

func (f *formatter) query(q *Select) {
	if q.With != nil {
		f.with(q)
	}
	f.body(q.Body)
	f.orderBy(q.OrderBy)
	if q.Offset != nil {
		f.write(" OFFSET ")
		f.expr(q.Offset)
	}
	if q.Limit != nil {
		if q.WithTies {
			f.write(" FETCH FIRST ")
			f.operand(q.Limit)
			f.write(" ROWS WITH TIES")
		} else {
			f.write(" LIMIT ")
			f.expr(q.Limit)
		}
	}
	if k := q.Locking; k != nil {
		f.write(" FOR ", strings.ToUpper(k.Strength))
		if k.Of != nil {
			f.write(" OF ")
			each(f, k.Of, f.name)
		}
		f.flag(k.NoWait, " NOWAIT")
	}
}

func (f *formatter) with(q *Select) {
	f.write("WITH ")
	f.flag(q.Recursive, "RECURSIVE ")
	each(f, q.With, func(c CTE) {
		f.ident(c.Name.Name)
		f.columns(c.Columns)
		f.write(" AS ")
		if c.Materialized != "" {
			f.write(strings.ToUpper(c.Materialized), " ")
		}
		f.write("(")
		if c.Change != nil {
			f.stmt(c.Change)
		} else {
			f.query(c.Query)
		}
		f.write(")")
		f.trail(c)
	})
	f.write(" ")
}

// trail writes SEARCH and CYCLE.
func (f *formatter) trail(c CTE) {
	if s := c.Search; s != nil {
		f.write(" SEARCH ", map[bool]string{false: "DEPTH", true: "BREADTH"}[s.Breadth], " FIRST BY ")
		each(f, s.By, func(i Ident) { f.ident(i.Name) })
		f.write(" SET ")
		f.ident(s.Column.Name)
	}
	if y := c.Cycle; y != nil {
		f.write(" CYCLE ")
		each(f, y.By, func(i Ident) { f.ident(i.Name) })
		f.write(" SET ")
		f.ident(y.Mark.Name)
		if y.To != nil {
			f.write(" TO ")
			f.expr(y.To)
			f.write(" DEFAULT ")
			f.expr(y.Other)
		}
		f.write(" USING ")
		f.ident(y.Path.Name)
	}
}

func (f *formatter) body(b Body) {
	switch b := b.(type) {
	case *Query:
		f.selectCore(b)
	case *Values:
		f.write("VALUES ")
		each(f, b.Rows, func(row []Expr) {
			f.write("(")
			f.exprs(row)
			f.write(")")
		})
	case *SetOp:
		f.side(b.L)
		f.write(" ", strings.ToUpper(b.Op))
		f.flag(b.All, " ALL")
		f.write(" ")
		f.side(b.R)
	default:
		unformattable(b)
	}
}

// side writes one side of a set operator, in parentheses unless it is plain.
func (f *formatter) side(q *Select) {
	_, isSet := q.Body.(*SetOp)
	bare := !isSet && q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Offset == nil && q.Locking == nil
	f.flag(!bare, "(")
	f.query(q)
	f.flag(!bare, ")")
}

func (f *formatter) selectCore(q *Query) {
	f.write("SELECT")
	f.flag(q.Distinct, " DISTINCT")
	if q.DistinctOn != nil {
		f.write(" DISTINCT ON (")
		f.exprs(q.DistinctOn)
		f.write(")")
		f.flag(q.WithinWatermark, " WITHIN WATERMARK")
	}
	f.flag(len(q.Items) > 0, " ")
	f.items(q.Items)
	f.from(" FROM ", q.From)
	f.where(q.Where)
	if q.GroupBy != nil {
		f.write(" GROUP BY ")
		f.flag(q.GroupDistinct, "DISTINCT ")
		f.exprs(q.GroupBy)
	}
	if q.Having != nil {
		f.write(" HAVING ")
		f.expr(q.Having)
	}
	if q.Windows != nil {
		f.write(" WINDOW ")
		each(f, q.Windows, func(w NamedWindow) {
			f.ident(w.Name)
			f.write(" AS ")
			f.windowSpec(&w.Spec)
		})
	}
}

func (f *formatter) items(items []Item) {
	each(f, items, func(item Item) {
		f.expr(item.X)
		if item.Alias != "" {
			f.write(" AS ")
			f.ident(item.Alias)
		}
	})
}

func (f *formatter) from(word string, list []TableExpr) {
	if len(list) == 0 {
		return
	}
	f.write(word)
	each(f, list, f.table)
}

func (f *formatter) where(x Expr) {
	if x != nil {
		f.write(" WHERE ")
		f.expr(x)
	}
}
