package sql

import "strings"

// role reads CREATE and ALTER ROLE | USER behind those words; user is true behind USER.
func (p *parser) role(t token, alter, user bool) Stmt {
	r := &Role{Alter: alter, Name: p.colID(), Pos: t.at()}
	if alter && p.isOneOf("rename", "set", "reset", "in") {
		return p.skipped(t, "ALTER ROLE ... "+strings.ToUpper(p.tok().text))
	}
	if user && !alter {
		r.Login = flag(true)
	}
	p.accept("with")
	for p.tok().kind == tokWord {
		p.roleOption(r)
	}
	return r
}

func flag(v bool) *bool { return &v }

// roleOption reads one option of a role.
func (p *parser) roleOption(r *Role) {
	switch {
	case p.accept("superuser"):
		r.Superuser = true
	case p.accept("login"):
		r.Login = flag(true)
	case p.accept("nologin"):
		r.Login = flag(false)
	case p.acceptOneOf("createdb", "createrole", "bypassrls", "inherit", "noinherit") != "":
		// A superuser may do all that, and no role is a member of another.
	case p.is("password"), p.is("encrypted", "password"):
		p.accept("encrypted")
		p.i++
		r.Password = p.rolePassword()
	default:
		p.unsupported(p.tok(), "%s for a role", strings.ToUpper(p.tok().text))
	}
}

// rolePassword reads a string or NULL, which is "".
func (p *parser) rolePassword() *string {
	text := ""
	if !p.accept("null") {
		if p.tok().kind != tokString {
			p.unexpected()
		}
		text = p.advance().text
	}
	return &text
}

// dropRole reads DROP ROLE | USER behind those words.
func (p *parser) dropRole(t token) Stmt {
	d := &DropRole{Pos: t.at(), IfExists: p.ifExists()}
	for {
		d.Names = append(d.Names, p.colID())
		if !p.acceptPunct(",") {
			return d
		}
	}
}
