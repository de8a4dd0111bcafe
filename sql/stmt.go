package sql

import "strings"

// statement reads one statement up to its end.
func (p *parser) statement() Stmt {
	t := p.tok()
	if p.startsQuery() || p.is("values") || p.isPunct("(") {
		if p.withDML() {
			return p.dmlWith()
		}
		p.whole = true
		q := p.query()
		p.whole = false
		if p.into != nil {
			return p.selectInto(q)
		}
		return &SelectStmt{Query: q}
	}
	if t.kind != tokWord {
		p.unexpected()
	}
	switch t.text {
	case "create":
		return p.create()
	case "drop":
		return p.drop()
	case "alter":
		return p.alter()
	case "insert":
		return p.insert()
	case "update":
		return p.update()
	case "delete":
		return p.delete()
	case "merge":
		return p.merge()
	case "truncate":
		return p.truncate()
	case "explain":
		return p.explain()
	case "show":
		return p.show()
	case "describe", "desc":
		return p.describe()
	case "set":
		return p.set()
	case "reset":
		return p.reset()
	case "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release":
		return p.transaction()
	case "prepare":
		return p.prepare()
	case "execute":
		return p.execute()
	case "deallocate":
		return p.deallocate()
	case "declare":
		return p.declareCursor()
	case "fetch", "move":
		return p.fetch()
	case "close":
		return p.closeCursor()
	case "copy":
		return p.copy()
	case "subscribe":
		return p.subscribe()
	case "discard":
		return p.discard()
	case "listen", "unlisten", "notify":
		return p.listen()
	case "lock":
		return p.lockTable()
	case "vacuum", "analyze", "analyse", "checkpoint":
		return p.maintain()
	case "flush":
		p.i++
		return &Flush{Pos: t.at()}
	case "grant", "revoke":
		return p.grant()
	case "comment":
		return p.comment()
	case "refresh":
		return p.refresh()
	case "reindex":
		return p.reindex()
	}
	return p.otherStatement(t)
}

// unsupportedHeads are the first words of the statements that wmsql knows and does not do.
var unsupportedHeads = wordSet(`call cluster do import load reassign security`)

// otherStatement reads a statement that is not done yet, or gives up at a word that begins none.
func (p *parser) otherStatement(t token) Stmt {
	if !unsupportedHeads[t.text] {
		p.unexpected()
	}
	what := strings.ToUpper(t.text)
	switch {
	case p.is("import", "foreign", "schema"):
		what = "IMPORT FOREIGN SCHEMA"
	case p.is("security", "label"):
		what = "SECURITY LABEL"
	case p.is("reassign", "owned"):
		what = "REASSIGN OWNED"
	}
	return p.skipped(t, what)
}

// skipped reads to the end of the statement and says what it was.
func (p *parser) skipped(t token, what string) *Unsupported {
	for !p.atEnd() {
		p.i++
	}
	return &Unsupported{What: what, Pos: t.at()}
}

// withDML says whether the WITH that comes next belongs to INSERT, UPDATE, DELETE or MERGE.
func (p *parser) withDML() bool {
	if !p.is("with") {
		return false
	}
	for i := p.i; ; i++ {
		t := p.toks[i]
		switch {
		case t.kind == tokEOF || t.isPunct(";"):
			return false
		case t.isPunct("("):
			i = max(i, p.close[i]-1)
		case t.kind == tokWord:
			switch t.text {
			case "select", "values", "table":
				return false
			case "insert", "update", "delete", "merge":
				return p.toks[i-1].isPunct(")")
			}
		}
	}
}

// options reads ( name = value, ... ).
func (p *parser) options() (all []Option) {
	p.parenList(func() { all = append(all, p.option()) })
	return all
}

// option reads name = value. The name may be dotted or a string, as in Flink; the value is a
// string, a number or a word.
func (p *parser) option() Option {
	t := p.tok()
	o := Option{Pos: t.at()}
	if t.kind == tokString {
		p.i++
		o.Name = t.text
	} else {
		o.Name = p.label()
		for p.acceptPunct(".") {
			o.Name += "." + p.label()
		}
	}
	if p.acceptOp("=") {
		o.Value = p.optionValue()
	}
	return o
}

// optionValue reads a string, a word or a number with a sign, and returns it as text.
func (p *parser) optionValue() string {
	sign := ""
	if p.tok().isOp("-") || p.tok().isOp("+") {
		if sign = p.advance().text; p.tok().kind != tokInt && p.tok().kind != tokNum {
			p.unexpected()
		}
		if sign == "+" {
			sign = ""
		}
	}
	switch t := p.tok(); t.kind {
	case tokString, tokWord, tokIdent, tokInt, tokNum:
		p.i++
		return sign + t.text
	}
	p.unexpected()
	return ""
}

// ifNotExists and ifExists read those words.
func (p *parser) ifNotExists() bool { return p.accept("if", "not", "exists") }
func (p *parser) ifExists() bool    { return p.accept("if", "exists") }
