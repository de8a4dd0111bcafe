package sql

import (
	"slices"
	"strings"
)

// dropKinds are the kinds of object that wmsql drops.
var dropKinds = []string{"schema", "stream", "table", "view", "materialized view", "function", "sequence", "index"}

// drop reads DROP kind [CONCURRENTLY] [IF EXISTS] names [CASCADE | RESTRICT].
func (p *parser) drop() Stmt {
	t := p.advance()
	kind := p.objectKind()
	if kind == "" {
		p.unexpected()
	}
	if kind == "role" || kind == "user" {
		return p.dropRole(t)
	}
	if !slices.Contains(dropKinds, kind) {
		return p.skipped(t, "DROP "+strings.ToUpper(kind))
	}
	d := &Drop{Kind: kind, Pos: t.at()}
	d.Concurrently = kind == "index" && p.accept("concurrently")
	d.IfExists = p.ifExists()
	if kind == "function" {
		d.Names = p.functionNames()
	} else {
		d.Names = p.names()
	}
	d.Cascade = p.acceptOneOf("cascade", "restrict") == "cascade"
	return d
}

// truncate reads TRUNCATE [TABLE] names.
func (p *parser) truncate() Stmt {
	s := &Truncate{Pos: p.advance().at()}
	p.accept("table")
	p.accept("only")
	s.Names = p.names()
	if s.Restart = p.is("restart", "identity"); s.Restart || p.is("continue", "identity") {
		p.i += 2
	}
	p.acceptOneOf("cascade", "restrict") // nothing refers to a table
	return s
}

// alterKinds are the kinds of object whose options can be changed.
var alterKinds = []string{"stream", "materialized view", "table", "view", "index"}

// alter reads ALTER kind name SET (options) | RESET (names) | PAUSE | RESUME | ALTER WATERMARK FOR ....
func (p *parser) alter() Stmt {
	t := p.advance()
	kind := p.objectKind()
	if kind == "" {
		p.unexpected()
	}
	switch kind {
	case "sequence":
		return p.alterSequence(t)
	case "role", "user":
		return p.role(t, true, kind == "user")
	}
	if kind == "default privileges" {
		return p.defaultPrivileges(t)
	}
	if kind == "schema" || kind == "function" {
		return p.alterOwner(t, kind)
	}
	if !slices.Contains(alterKinds, kind) {
		return p.skipped(t, "ALTER "+strings.ToUpper(kind))
	}
	ifExists := p.ifExists()
	p.accept("only")
	a := &Alter{Kind: kind, Name: p.qualifiedName(), Pos: t.at()}
	if p.is("rename") {
		return p.rename(&Rename{Kind: kind, Name: a.Name, IfExists: ifExists, Pos: a.Pos})
	}
	if p.is("owner") || p.is("set", "schema") || kind == "table" && !p.setsOptions() {
		return p.alterTable(&AlterTable{Kind: kind, Name: a.Name, IfExists: ifExists, Pos: a.Pos})
	}
	switch {
	case p.is("set") && p.peek(1).isPunct("("):
		p.i++
		a.Action, a.Options = "set", p.options()
	case p.is("reset") && p.peek(1).isPunct("("):
		p.i++
		a.Action, a.Options = "reset", p.options()
	case p.is("pause"), p.is("resume"):
		a.Action = p.advance().text
	case kind == "stream" && p.is("alter", "watermark"):
		p.i++
		w := p.watermark()
		a.Action, a.Watermark = "alter watermark", &w
	case kind == "stream" && p.accept("add"):
		p.accept("column")
		c := p.columnDef(a.Name)
		a.Action, a.Column = "add column", &c
	case kind == "stream" && p.is("alter") && p.altersType():
		c := p.typeChange()
		a.Action, a.Column = "alter column", &c
	case p.tok().kind == tokWord:
		u := p.skipped(t, "ALTER "+strings.ToUpper(kind+" ... "+p.tok().text))
		if kind == "stream" {
			u.Hint = streamAnew
		}
		return u
	default:
		p.unexpected()
	}
	if ifExists {
		return &Unsupported{What: "ALTER ... IF EXISTS", Pos: t.at()}
	}
	return a
}

// alterOwner reads ALTER SCHEMA | FUNCTION name OWNER TO role.
func (p *parser) alterOwner(t token, kind string) Stmt {
	a := &AlterTable{Kind: kind, Name: p.qualifiedName(), Pos: t.at()}
	if kind == "function" && p.isPunct("(") {
		p.i = p.close[p.i] + 1
	}
	if !p.is("owner") {
		return p.skipped(t, "ALTER "+strings.ToUpper(kind+" ... "+p.tok().text))
	}
	return p.alterTable(a)
}

// setsOptions reports whether SET ( or RESET ( comes next.
func (p *parser) setsOptions() bool { return p.isOneOf("set", "reset") && p.peek(1).isPunct("(") }

// altersType reports whether ALTER [COLUMN] name [SET DATA] TYPE stands here.
func (p *parser) altersType() bool {
	at := 1
	if p.peek(at).isWord("column") {
		at++
	}
	at++
	if p.peek(at).isWord("set") && p.peek(at+1).isWord("data") {
		at += 2
	}
	return p.peek(at).isWord("type")
}

// typeChange reads it.
func (p *parser) typeChange() ColumnDef {
	p.i++
	p.accept("column")
	id := p.colID()
	c := ColumnDef{Name: id, Pos: id.Pos}
	p.accept("set", "data")
	p.want("type")
	t := p.typeName()
	c.Type = &t
	return c
}

// refresh reads REFRESH MATERIALIZED VIEW name [WITH LATE ROWS | WITH DATA].
func (p *parser) refresh() Stmt {
	r := &Refresh{Pos: p.advance().at()}
	p.want("materialized", "view")
	p.accept("concurrently") // readers never wait here
	r.Name = p.qualifiedName()
	switch t := p.tok(); {
	case p.accept("with", "late", "rows"):
		r.LateRows = true
	case p.is("with", "no", "data"):
		p.unsupported(t, "REFRESH MATERIALIZED VIEW ... WITH NO DATA")
	case p.accept("with", "data"):
	}
	return r
}

// comment reads COMMENT ON kind name IS text.
func (p *parser) comment() Stmt {
	t := p.advance()
	p.want("on")
	kind := p.objectKind()
	if kind == "" {
		p.unexpected()
	}
	if kind != "column" && !slices.Contains(dropKinds, kind) {
		return p.skipped(t, "COMMENT ON "+strings.ToUpper(kind))
	}
	most := 3
	if kind == "column" {
		most = 4
	}
	c := &Comment{Kind: kind, Name: p.dottedName(most), Pos: t.at()}
	p.want("is")
	if p.accept("null") {
		return c
	}
	if p.tok().kind != tokString {
		p.unexpected()
	}
	text := p.advance().text
	c.Text = &text
	return c
}
