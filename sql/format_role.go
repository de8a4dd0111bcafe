package sql

func (f *formatter) role(s *Role) {
	f.flag(s.Alter, "ALTER ROLE ")
	f.flag(!s.Alter, "CREATE ROLE ")
	f.write(quoteIdent(s.Name.Name))
	f.flag(s.Superuser, " SUPERUSER")
	f.flag(s.Login != nil && *s.Login, " LOGIN")
	f.flag(s.Login != nil && !*s.Login, " NOLOGIN")
	if s.Password != nil {
		f.write(" PASSWORD ")
		f.flag(*s.Password == "", "NULL")
		f.flag(*s.Password != "", quoteString(*s.Password))
	}
}

func (f *formatter) dropRole(s *DropRole) {
	f.write("DROP ROLE ")
	f.flag(s.IfExists, "IF EXISTS ")
	each(f, s.Names, func(n Ident) { f.write(quoteIdent(n.Name)) })
}
