package sql

import "sort"

// Hole is a constant of a text in whose place a parameter stands.
type Hole struct {
	Literal  int  // number among the constants that AppendShape has seen
	Negative bool // a minus stands before it that belongs to it
}

// Dig puts the parameters $1, $2, ... in the place of constants of a query, UPDATE or DELETE, which is the text's own, and returns what they
// stand for, in the order of the text. It takes those alone that a WHERE or ON compares a column with, and that SET gives a column: they name nothing, count
// nothing, and no other part of a statement has to be written as they are. The shape decides which they are, not the values. ok is false for other
// statements, and for those with changes in their WITH.
func (t *Tokens) Dig(stmt Stmt) (holes []Hole, ok bool) {
	d := &digger{tokens: t}
	var with []CTE
	switch n := stmt.(type) {
	case *SelectStmt:
		with = n.Query.With
		d.query(n.Query)
	case *Update:
		with = n.With
		for i := range n.Set {
			d.operand(&n.Set[i].Value)
		}
		d.tables(n.From)
		d.condition(n.Where)
	case *Delete:
		with = n.With
		d.tables(n.Using)
		d.condition(n.Where)
	default:
		return nil, false
	}
	for _, w := range with {
		if w.Change != nil {
			return nil, false
		}
	}
	return d.holes, true
}

type digger struct {
	tokens *Tokens
	holes  []Hole
}

func (d *digger) query(q *Select) {
	switch body := q.Body.(type) {
	case *Query:
		d.tables(body.From)
		d.condition(body.Where)
	case *SetOp:
		d.query(body.L)
		d.query(body.R)
	}
}

func (d *digger) tables(from []TableExpr) {
	for _, f := range from {
		d.from(f)
	}
}

func (d *digger) from(f TableExpr) {
	switch f := f.(type) {
	case *Join:
		d.from(f.L)
		d.from(f.R)
		d.condition(f.On)
	case *Derived:
		d.query(f.Query)
	}
}

func (d *digger) condition(e Expr) {
	switch e := e.(type) {
	case *Unary:
		if e.Op == "not" {
			d.condition(e.X)
		}
	case *Between:
		if isColumn(e.X) && !e.Sym {
			d.operand(&e.Lo)
			d.operand(&e.Hi)
		}
	case *Binary:
		switch e.Op {
		case "and", "or":
			d.condition(e.L)
			d.condition(e.R)
		case "=", "<>", "<", "<=", ">", ">=":
			if e.Schema == "" && isColumn(e.L) {
				d.operand(&e.R)
			}
		}
	}
}

func isColumn(e Expr) bool { _, ok := e.(*ColumnRef); return ok }

// operand makes a hole of a constant.
func (d *digger) operand(e *Expr) {
	l, ok := (*e).(*Literal)
	if !ok || l.Kind != Integer && l.Kind != Decimal && l.Kind != String {
		return
	}
	h, ok := d.tokens.holeOf(l)
	if !ok || len(d.holes) > 0 && d.holes[len(d.holes)-1].Literal >= h.Literal {
		return
	}
	d.holes = append(d.holes, h)
	*e = &Param{N: len(d.holes), Typed: l.Kind != String, Pos: l.Pos}
}

// holeOf finds the token that a constant was read from; ok is false if it is not that alone, or that with a minus right before it.
func (t *Tokens) holeOf(l *Literal) (h Hole, ok bool) {
	at := sort.Search(len(t.toks), func(i int) bool { return t.toks[i].pos >= int(l.Pos)-1 })
	if at+1 < len(t.toks) && t.toks[at].isOp("-") {
		h.Negative = true
		at++
	}
	h.Literal = sort.SearchInts(t.literals, at)
	if h.Literal == len(t.literals) || t.literals[h.Literal] != at {
		return h, false
	}
	filled := t.Fill(h)
	return h, filled.Kind == l.Kind && filled.Text == l.Text
}
