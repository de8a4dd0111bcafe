package sql

import "strings"

// grant reads GRANT or REVOKE of privileges.
func (p *parser) grant() Stmt {
	t := p.advance()
	return p.grantRest(&Grant{Revoke: t.text == "revoke", Pos: t.at()}, t)
}

// defaultPrivileges reads ALTER DEFAULT PRIVILEGES behind those words.
func (p *parser) defaultPrivileges(t token) Stmt {
	g := &Grant{Default: true, Pos: t.at()}
	if p.accept("for", "role") || p.accept("for", "user") {
		g.Roles = p.roles()
	}
	if p.accept("in", "schema") {
		g.Kind, g.Names = "schema", p.names()
	}
	if !p.isOneOf("grant", "revoke") {
		p.unexpected()
	}
	g.Revoke = p.advance().text == "revoke"
	return p.grantRest(g, t)
}

func (p *parser) grantRest(g *Grant, t token) Stmt {
	if g.Revoke {
		p.accept("grant", "option", "for")
	}
	for !p.is("on") {
		if p.atEnd() || p.isOneOf("to", "from") { // a role is granted
			return p.skipped(t, strings.ToUpper(t.text)+" of a role")
		}
		p.i++
	}
	p.i++
	switch {
	case g.Default:
		p.label()
	case p.is("all") && p.isAt(2, "in"):
		p.i += 2
		p.want("in", "schema")
		g.Kind, g.Names = "schema", p.names()
	default:
		p.grantObjects(g, t)
	}
	if g.Revoke {
		p.want("from")
	} else {
		p.want("to")
	}
	g.Roles = append(g.Roles, p.roles()...)
	p.accept("with", "grant", "option")
	if p.accept("granted", "by") {
		g.Roles = append(g.Roles, p.colLabel())
	}
	p.acceptOneOf("cascade", "restrict")
	return g
}

// grantObjects reads [kind] names.
func (p *parser) grantObjects(g *Grant, t token) {
	g.Kind = "table"
	for _, kind := range []string{"table", "sequence", "schema", "function", "database"} {
		if p.accept(kind) {
			g.Kind = kind
			break
		}
	}
	if p.isOneOf("domain", "foreign", "language", "large", "parameter", "procedure", "routine", "tablespace", "type") {
		p.unsupported(t, "%s ... ON %s", strings.ToUpper(t.text), strings.ToUpper(p.tok().text))
	}
	if g.Kind == "function" {
		g.Names = p.functionNames()
	} else {
		g.Names = p.names()
	}
}

// roles reads role, role, ....
func (p *parser) roles() (all []Ident) {
	p.list(func() {
		p.accept("group")
		all = append(all, p.colLabel())
	})
	return all
}

func (f *formatter) grant(g *Grant) {
	f.flag(g.Default, "ALTER DEFAULT PRIVILEGES ")
	verb, to := "GRANT", " TO "
	if g.Revoke {
		verb, to = "REVOKE", " FROM "
	}
	f.write(verb, " ALL ON ")
	if g.Default {
		f.write("TABLES")
	} else {
		f.write(strings.ToUpper(g.Kind), " ")
		f.names(g.Names)
	}
	f.write(to)
	each(f, g.Roles, func(r Ident) { f.write(quoteIdent(r.Name)) })
}
