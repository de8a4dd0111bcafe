package sql

import "wmsql/sqlerr"

// limitNote marks an item of the transcription's ORDER BY that is a LIMIT or OFFSET, not a sort key.
type limitNote struct{}

// clauses writes what follows a query's body: ORDER BY, LIMIT, OFFSET, FETCH and the locking
// clause.
func (l *level) clauses() {
	p := l.parser
	if t := p.tok(); p.accept("order", "by") {
		if l.query.OrderBy != nil {
			duplicateClause(t, "ORDER BY")
		}
		p.list(func() {
			l.orderKey()
			l.query.OrderBy = append(l.query.OrderBy, p.orderItem())
		})
	}
	for l.limit() || l.lock() {
	}
}

// limit reads one of LIMIT, OFFSET and FETCH.
func (l *level) limit() bool {
	p := l.parser
	switch t := p.tok(); {
	case p.accept("limit"):
		l.once(&l.limited, t, "LIMIT")
		if p.accept("all") {
			return true
		}
		l.count(&l.query.Limit)
		if p.isPunct(",") {
			bail(sqlerr.Newf(sqlerr.SyntaxError, "LIMIT #,# syntax is not supported").At(t.pos + 1).
				WithHint("Use separate LIMIT and OFFSET clauses."))
		}
	case p.accept("offset"):
		l.once(&l.skipped, t, "OFFSET")
		l.count(&l.query.Offset)
		p.acceptOneOf("row", "rows")
	case p.accept("fetch"):
		if p.acceptOneOf("first", "next") == "" {
			p.unexpected()
		}
		l.once(&l.limited, t, "LIMIT")
		l.fetch()
	default:
		return false
	}
	return true
}

// once refuses a clause that was there before.
func (l *level) once(seen *bool, t token, what string) {
	if *seen {
		duplicateClause(t, what)
	}
	*seen = true
}

// count writes an expression for hole as an item of the transcription.
func (l *level) count(hole *Expr) {
	c := l.tail(note{node: limitNote{}})
	c.next()
	l.parser.expr()
	c.close(hole)
}

// fetch reads [n] ROWS ONLY | WITH TIES behind FETCH FIRST.
func (l *level) fetch() {
	p := l.parser
	if p.isOneOf("row", "rows") {
		l.query.Limit = &Literal{Kind: Integer, Text: "1", Pos: p.tok().at()}
	} else {
		l.count(&l.query.Limit)
	}
	if p.acceptOneOf("row", "rows") == "" {
		p.unexpected()
	}
	if p.accept("only") {
		return
	}
	t := p.tok()
	p.want("with", "ties")
	if l.query.WithTies = true; l.query.OrderBy == nil {
		bail(sqlerr.Newf(sqlerr.SyntaxError, "WITH TIES cannot be specified without ORDER BY clause").At(t.pos + 1))
	}
}

// lock reads FOR UPDATE, FOR SHARE and their kin with OF, NOWAIT and SKIP LOCKED.
func (l *level) lock() bool {
	p := l.parser
	t, words := p.tok(), ""
	switch {
	case p.accept("for", "update"):
		words = "update"
	case p.accept("for", "no", "key", "update"):
		words = "no key update"
	case p.accept("for", "share"):
		words = "share"
	case p.accept("for", "key", "share"):
		words = "key share"
	case p.accept("for", "read", "only"):
		return true
	default:
		return false
	}
	k := &Locking{Strength: words, Pos: t.at()}
	if p.accept("of") {
		k.Of = p.names()
	}
	if k.NoWait = p.accept("nowait"); !k.NoWait {
		p.accept("skip", "locked")
	}
	if l.query.Locking == nil {
		l.query.Locking = k
	}
	return true
}
