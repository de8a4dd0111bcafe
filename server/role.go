package server

import (
	"context"
	"crypto/rand"
	"strings"

	"wmsql/catalog"
	"wmsql/password"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/state"
)

// loginSecret, of object 0 in Meta, is what the salts of users that do not exist are made of; it is there since the first role is.
var loginSecret = []byte("login secret")

// createRole runs CREATE ROLE and CREATE USER.
func (s *Session) createRole(ctx context.Context, n *sql.Role) error {
	name := n.Name.Name
	if strings.HasPrefix(name, "pg_") {
		return sqlerr.Newf("42939", "role name %q is reserved", name).WithDetail("Role names starting with \"pg_\" are reserved.").At(int(n.Name.Pos))
	}
	if !n.Superuser {
		return sqlerr.Unsupported("a role that is no superuser").At(int(n.Pos)).
			WithHint("There are no privileges yet: who logs in may do everything. Say so: CREATE ROLE %s SUPERUSER LOGIN PASSWORD '...'.", catalog.QuoteIdent(name))
	}
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	r := &catalog.Role{Object: catalog.Object{Kind: catalog.KindRole, Name: name}}
	if err := s.setRoleOptions(r, n); err != nil {
		return err
	}
	if err := edit.Create(r); err != nil {
		return sqlerr.From(err).At(int(n.Name.Pos))
	}
	return s.keepLoginSecret()
}

// alterRole runs ALTER ROLE and ALTER USER, which psql's \password sends.
func (s *Session) alterRole(ctx context.Context, n *sql.Role) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	r := edit.Role(n.Name.Name)
	if r == nil {
		return noRole(n.Name).WithHint("CREATE ROLE %s SUPERUSER LOGIN PASSWORD '...' makes it.", catalog.QuoteIdent(n.Name.Name))
	}
	catalog.Change(edit, r, func(r *catalog.Role) { err = s.setRoleOptions(r, n) })
	return err
}

func noRole(n sql.Ident) *sqlerr.Error {
	e := sqlerr.Newf(sqlerr.UndefinedObject, "role %q does not exist", n.Name)
	return e.At(int(n.Pos))
}

// setRoleOptions does what the options say. A password is kept as its verifier, which may also be given.
func (s *Session) setRoleOptions(r *catalog.Role, n *sql.Role) error {
	if n.Login != nil {
		r.Login = *n.Login
	}
	if n.Password == nil {
		return nil
	}
	text := *n.Password
	switch {
	case text == "":
		r.Password = ""
		return nil
	case strings.HasPrefix(text, "md5") && len(text) == 35:
		return sqlerr.Unsupported("an MD5 password").WithHint("Give the password itself, or a SCRAM-SHA-256 verifier; psql's \\password sends one after SET password_encryption = 'scram-sha-256'.")
	}
	v, ok := password.Parse(text)
	if !ok {
		var err error
		if v, err = password.New(text); err != nil {
			return err
		}
	}
	r.Password = v.String()
	return nil
}

// dropRoles runs DROP ROLE and DROP USER.
func (s *Session) dropRoles(ctx context.Context, n *sql.DropRole) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	for _, name := range n.Names {
		r := edit.Role(name.Name)
		switch {
		case r == nil && n.IfExists:
			s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "role %q does not exist, skipping", name.Name)
		case r == nil:
			return noRole(name)
		case name.Name == s.user:
			return sqlerr.Newf(sqlerr.ObjectInUse, "current user cannot be dropped").At(int(name.Pos))
		default:
			edit.Delete(r.ID)
		}
	}
	return nil
}

// keepLoginSecret makes the secret of logins unless there is one.
func (s *Session) keepLoginSecret() error {
	r, done := s.tx.read()
	defer done()
	have, err := r.Get(state.Meta, 0, loginSecret)
	if err != nil || have != nil {
		return err
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return err
	}
	s.tx.pending.Put(state.Meta, 0, loginSecret, secret)
	return nil
}

// Verifier is the password of a user, or one that nobody knows.
func (s *Server) Verifier(user string) password.Verifier {
	if r := s.catalog.Current().Role(user); r != nil {
		if v, ok := password.Parse(r.Password); ok {
			return v
		}
	}
	snap := s.store.Snapshot()
	defer snap.Close()
	secret, err := snap.Get(state.Meta, 0, loginSecret)
	if err != nil {
		s.cfg.Log.Warn("the secret of logins cannot be read", "err", err)
	}
	return password.Nobody(user, secret)
}

// mayLogIn refuses a role that was made without LOGIN. Where clients are trusted, any other name will do.
func (s *Server) mayLogIn(st pgwire.Startup) error {
	if r := s.catalog.Current().Role(st.User); r != nil && !r.Login {
		e := sqlerr.Newf(sqlerr.InvalidAuthorization, "role %q is not permitted to log in", st.User)
		e.Severity = sqlerr.SevFatal
		return e
	}
	return nil
}

// CanLogIn reports whether there is a role that has a password and may log in.
func (s *Server) CanLogIn() bool {
	for _, r := range s.catalog.Current().Roles() {
		if r.Login && r.Password != "" {
			return true
		}
	}
	return false
}

// withoutSecret is a statement's text as others may see it: without a role's password.
func withoutSecret(stmt sql.Stmt, text string) string {
	r, ok := stmt.(*sql.Role)
	if !ok || r.Password == nil {
		return text
	}
	shown, mask := *r, "********"
	shown.Password = &mask
	return sql.Format(&shown)
}
