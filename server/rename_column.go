package server

import (
	"slices"

	"wmsql/catalog"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// systemColumns are the columns that every table has besides its own.
var systemColumns = [...]string{"tableoid", "xmin", "xmax", "cmin", "cmax", "ctid"}

// renameColumn renames a column of a table that nothing names in a text: no view, no condition and no computed column.
func (s *Session) renameColumn(edit *catalog.Edit, e catalog.Entry, n *sql.Rename) error {
	t, ok := e.(*catalog.Table)
	if !ok {
		return sqlerr.Unsupported("ALTER %s ... RENAME COLUMN", upper(e.Head().Kind.String())).At(int(n.Pos))
	}
	named := func(name string) int {
		return slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.Name == name })
	}
	at := named(n.Old.Name)
	switch {
	case slices.Contains(systemColumns[:], n.Old.Name):
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot rename system column %q", n.Old.Name).At(int(n.Old.Pos))
	case at < 0:
		return sqlerr.Newf(sqlerr.UndefinedColumn, "column %q does not exist", n.Old.Name).At(int(n.Old.Pos))
	case slices.Contains(systemColumns[:], n.New.Name):
		return sqlerr.Newf(sqlerr.DuplicateColumn, "column name %q conflicts with a system column name", n.New.Name).At(int(n.New.Pos))
	case named(n.New.Name) >= 0:
		return sqlerr.Newf(sqlerr.DuplicateColumn, "column %q of relation %q already exists", n.New.Name, t.Name).At(int(n.New.Pos))
	}
	for _, id := range edit.Users(t.ID) {
		if edit.ByID(id).Head().Kind == catalog.KindIndex { // it names columns by number
			continue
		}
		return sqlerr.Unsupported("renaming a column of a table that %s reads", edit.Describe(edit.ByID(id), s.path())).At(int(n.Pos))
	}
	if len(t.Checks) > 0 || slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.Generated != "" }) {
		return sqlerr.Unsupported("renaming a column of a table with CHECK constraints or computed columns").At(int(n.Pos))
	}
	catalog.Change(edit, t, func(t *catalog.Table) {
		t.Columns = slices.Clone(t.Columns)
		t.Columns[at].Name = n.New.Name
		t.SQL = createTableSQL(t)
	})
	return nil
}

// renameConstraint renames a key or a condition of a table.
func (s *Session) renameConstraint(edit *catalog.Edit, e catalog.Entry, n *sql.Rename) error {
	t, ok := e.(*catalog.Table)
	if !ok {
		return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a table", e.Head().Name).At(int(n.Name.Pos))
	}
	key := len(t.PrimaryKey) > 0 && t.PrimaryKeyName() == n.Old.Name
	unique := slices.IndexFunc(t.Unique, func(u catalog.UniqueKey) bool { return u.Name == n.Old.Name })
	check := slices.IndexFunc(t.Checks, func(c catalog.Check) bool { return c.Name == n.Old.Name })
	if !key && unique < 0 && check < 0 {
		return sqlerr.Newf(sqlerr.UndefinedObject, "constraint %q for table %q does not exist", n.Old.Name, t.Name).At(int(n.Old.Pos))
	}
	taken := slices.ContainsFunc(t.Checks, func(c catalog.Check) bool { return c.Name == n.New.Name }) ||
		slices.ContainsFunc(keysOf(t), func(ix pgIndex) bool { return ix.name == n.New.Name })
	if taken {
		return sqlerr.Newf(sqlerr.DuplicateObject, "constraint %q for relation %q already exists", n.New.Name, t.Name).At(int(n.New.Pos))
	}
	catalog.Change(edit, t, func(t *catalog.Table) {
		switch {
		case key:
			t.KeyName = n.New.Name
		case unique >= 0:
			t.Unique = slices.Clone(t.Unique)
			t.Unique[unique].Name = n.New.Name
		default:
			t.Checks = slices.Clone(t.Checks)
			t.Checks[check].Name = n.New.Name
		}
		t.SQL = createTableSQL(t)
	})
	return nil
}
