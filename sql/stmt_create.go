package sql

import "strings"

// create reads CREATE.
func (p *parser) create() Stmt {
	t := p.advance()
	replace := p.accept("or", "replace")
	if p.isOneOf("global", "local") && (p.isAt(1, "temp") || p.isAt(1, "temporary")) {
		p.i++
	}
	temp := p.acceptOneOf("temp", "temporary") != ""
	switch {
	case p.accept("view"):
		v := p.createView(t, replace)
		v.Temp = temp
		return v
	case p.is("recursive", "view"):
		return p.skipped(t, "CREATE RECURSIVE VIEW")
	case p.accept("table") && !replace:
		return p.createTable(t, temp)
	case !replace && p.accept("sequence"):
		s := p.createSequence(t)
		s.Temp = temp
		return s
	case temp:
		return p.createOther(t)
	case !replace && p.accept("index"):
		return p.createIndex(t, false)
	case !replace && p.accept("unique", "index"):
		return p.createIndex(t, true)
	case p.accept("materialized", "view"):
		return p.createMaterializedView(t, replace)
	case p.is("function"):
		return p.createFunction(t, replace)
	case replace && p.is("stream"):
		u := p.skipped(t, "CREATE OR REPLACE STREAM")
		u.Hint = streamAnew
		return u
	case replace:
		return p.createOther(t)
	case p.accept("stream"):
		return p.createStream(t)
	case p.accept("schema"):
		return p.createSchema(t)
	case p.accept("role"):
		return p.role(t, false, false)
	case p.is("user") && !p.isAt(1, "mapping"):
		p.i++
		return p.role(t, false, true)
	case p.accept("unlogged", "table"):
		return p.createTable(t, temp)
	}
	return p.createOther(t)
}

// objectKinds are what Postgres creates, alters and drops, and wmsql does not, or not so.
var objectKinds = []string{
	"access method", "aggregate", "cast", "collation", "conversion", "database", "default privileges", "domain",
	"event trigger", "extension", "foreign data wrapper", "foreign table", "function", "group", "index", "language",
	"large object", "operator class", "operator family", "operator", "owned", "policy", "procedural language",
	"procedure", "publication", "role", "routine", "rule", "secret", "sequence", "server", "sink", "statistics",
	"subscription", "system", "tablespace", "text search", "transform", "trigger", "type", "user mapping", "user",
	"constraint trigger", "trusted", "unique index", "materialized view", "schema", "stream", "table", "view", "column",
}

// objectKind reads the words of a kind of object; "" if none comes.
func (p *parser) objectKind() string {
	for _, kind := range objectKinds {
		if p.accept(strings.Fields(kind)...) {
			return kind
		}
	}
	return ""
}

func (p *parser) createOther(t token) Stmt {
	kind := p.objectKind()
	if kind == "" {
		p.unexpected()
	}
	return p.skipped(t, "CREATE "+strings.ToUpper(kind))
}

func (p *parser) createSchema(t token) Stmt {
	s := &CreateSchema{Pos: t.at(), IfNotExists: p.ifNotExists()}
	if p.is("authorization") {
		p.unsupported(p.tok(), "CREATE SCHEMA AUTHORIZATION")
	}
	s.Name = p.colID()
	if p.accept("authorization") {
		p.nonReserved()
	}
	return s
}

// createView reads CREATE VIEW behind that word.
func (p *parser) createView(t token, replace bool) *CreateView {
	v := &CreateView{OrReplace: replace, Pos: t.at()}
	v.Name = p.qualifiedName()
	if p.isPunct("(") {
		v.Columns = p.columnNames()
	}
	if p.accept("with") {
		p.options() // security_barrier and the like change nothing here
	}
	p.want("as")
	first := p.i
	v.Query = p.query()
	v.Text = p.textSince(first)
	if p.is("with") {
		p.unsupported(p.tok(), "WITH CHECK OPTION")
	}
	return v
}

// createMaterializedView reads CREATE MATERIALIZED VIEW behind those words. Options may stand before
// AS or behind the query, there in any order with EMIT.
func (p *parser) createMaterializedView(t token, replace bool) Stmt {
	v := &CreateMaterializedView{OrReplace: replace, Pos: t.at(), IfNotExists: p.ifNotExists()}
	v.Name = p.qualifiedName()
	if p.isPunct("(") {
		v.Columns = p.columnNames()
	}
	if p.accept("with") {
		v.Options = p.options()
	}
	p.want("as")
	first := p.i
	v.Query = p.query()
	v.Text = p.textSince(first)
	for p.viewClause(v) {
	}
	return v
}

// viewClause reads EMIT ON ..., WITH (...) or WITH [NO] DATA.
func (p *parser) viewClause(v *CreateMaterializedView) bool {
	t := p.tok()
	switch {
	case p.accept("emit"):
		if v.Emit != "" {
			duplicateClause(t, "EMIT")
		}
		p.want("on")
		v.EmitPos = t.at()
		if p.accept("update") {
			v.Emit = "update"
		} else {
			p.wantAs("Write EMIT ON WINDOW CLOSE or EMIT ON UPDATE.", "window", "close")
			v.Emit = "window close"
		}
	case p.is("with", "no", "data"):
		p.unsupported(t, "WITH NO DATA")
	case p.accept("with", "data"):
	case p.accept("with"):
		v.Options = append(v.Options, p.options()...)
	default:
		return false
	}
	return true
}
