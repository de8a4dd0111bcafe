package server

import (
	"context"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// tableChange is ALTER TABLE at work: the definition as the statement found it and as it will be, and what that asks of the rows.
type tableChange struct {
	s    *Session
	edit *catalog.Edit
	was  *catalog.Table
	t    *catalog.Table
	cols []changedColumn // of t's columns

	reshaped bool     // rows are stored otherwise: with other columns, or another key
	rewrite  bool     // and have to be written anew for it
	nulls    []string // columns that must be seen to hold no NULL
	checks   []string // conditions that rows must be seen to hold
}

// changedColumn says where the values of a column come from.
type changedColumn struct {
	from    int           // ordinal in the definition that was found; -1: the column is new
	cast    expr.Expr     // of the columns that were: their new value; nil: it stays
	fill    bool          // a new column's default is computed for every row
	missing column.Vector // else it is this one; nil: NULL
}

// alterTable runs ALTER TABLE, and what of it other relations know.
func (s *Session) alterTable(ctx context.Context, n *sql.AlterTable) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	e, err := edit.Lookup(n.Name.Parts, s.path())
	if err != nil {
		if n.IfExists {
			s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "relation %q does not exist, skipping", n.Name.Parts[len(n.Name.Parts)-1])
			return nil
		}
		return sqlerr.From(err).At(int(n.Name.Pos))
	}
	if kind := e.Head().Kind.String(); n.Kind != kind && n.Kind != "table" { // ALTER TABLE names every kind
		return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not %s", e.Head().Name, article(n.Kind)).At(int(n.Name.Pos))
	}
	actions := slices.Clone(n.Actions)
	slices.SortStableFunc(actions, func(a, b sql.TableAction) int { return pass(a.What) - pass(b.What) })
	var rest []sql.TableAction
	for _, a := range actions {
		switch a.What {
		case "owner":
			err = s.checkRole(a.Name)
		case "set schema":
			if err = s.setSchema(edit, e, a); err == nil {
				e = edit.ByID(e.Head().ID)
			}
		case "nothing":
		default:
			rest = append(rest, a)
		}
		if err != nil {
			return err
		}
	}
	if rest == nil {
		return nil
	}
	t, ok := e.(*catalog.Table)
	if !ok {
		return notATable(e, rest[0])
	}
	return s.changeTable(ctx, edit, t, rest)
}

func notATable(e catalog.Entry, a sql.TableAction) error {
	h := e.Head()
	w := sqlerr.Newf(sqlerr.WrongObjectType, "ALTER action %s cannot be performed on relation %q", actionName(a), h.Name).
		WithDetail("This operation is not supported for %ss.", h.Kind).At(int(a.Pos))
	switch h.Kind {
	case catalog.KindStream:
		w.Hint = "See ALTER STREAM."
	case catalog.KindMaterializedView:
		w.Hint = "CREATE OR REPLACE MATERIALIZED VIEW changes its query."
	}
	return w
}

// actionName is how Postgres calls an action.
func actionName(a sql.TableAction) string {
	switch a.What {
	case "set type":
		return "ALTER COLUMN ... SET DATA TYPE"
	case "set default", "drop default", "set not null", "drop not null", "drop expression", "add identity", "set identity", "drop identity":
		return "ALTER COLUMN ... " + strings.ToUpper(a.What)
	}
	return strings.ToUpper(a.What)
}

// pass is when an action is done: Postgres removes before it changes, and adds columns before constraints.
func pass(action string) int {
	return slices.IndexFunc([][]string{
		{"drop column", "drop constraint"}, {"set type"}, {"add column"},
		{"set default", "drop default", "set not null", "drop not null", "drop expression", "add identity", "set identity", "drop identity"},
		{"add constraint"}, {"validate constraint", "cluster", "owner", "set schema", "nothing"},
	}, func(group []string) bool { return slices.Contains(group, action) })
}

// changeTable applies the actions to the definition, then to the rows.
func (s *Session) changeTable(ctx context.Context, edit *catalog.Edit, t *catalog.Table, actions []sql.TableAction) error {
	c := &tableChange{s: s, edit: edit, was: t, t: mutable(t)}
	for i := range t.Columns {
		c.cols = append(c.cols, changedColumn{from: i})
	}
	for _, a := range actions {
		if err := c.apply(a); err != nil {
			return err
		}
	}
	if c.reshaped {
		c.t.Shape++
	}
	if c.rewrite {
		for i := range c.t.Columns {
			c.t.Columns[i].Missing = nil // every row will have every column
		}
	}
	c.t.SQL = createTableSQL(c.t)
	follow, err := c.readers()
	if err != nil {
		return err
	}
	edit.Replace(c.t)
	if err := follow(); err != nil {
		return err
	}
	return c.rows(ctx)
}

// mutable is a copy of t whose parts may be changed.
func mutable(t *catalog.Table) *catalog.Table {
	c := *t
	c.Columns, c.PrimaryKey, c.Unique, c.Checks = slices.Clone(t.Columns), slices.Clone(t.PrimaryKey), slices.Clone(t.Unique), slices.Clone(t.Checks)
	c.Dropped = slices.Clone(t.Dropped)
	for i := range c.Unique {
		c.Unique[i].Columns = slices.Clone(c.Unique[i].Columns)
		c.Unique[i].Number = c.Unique[i].Slot(i) + 1 // its slot stays, whatever becomes of the others
	}
	return &c
}

func (c *tableChange) apply(a sql.TableAction) error {
	switch a.What {
	case "add column":
		return c.addColumn(a)
	case "add constraint":
		return c.addConstraint(a)
	case "drop constraint":
		return c.dropConstraint(a)
	case "validate constraint":
		return c.validateConstraint(a)
	case "cluster":
		if !slices.ContainsFunc(c.s.indexesOf(c.t), func(ix pgIndex) bool { return ix.name == a.Name.Name }) {
			return sqlerr.Newf(sqlerr.UndefinedObject, "index %q for table %q does not exist", a.Name.Name, c.t.Name)
		}
		return nil
	case "drop column":
		return c.dropColumn(a)
	}
	i, err := c.column(a.Name, "alter")
	if err != nil {
		return err
	}
	switch a.What {
	case "set default":
		return c.setDefault(i, a)
	case "drop default":
		return c.dropDefault(i)
	case "set not null":
		c.notNull(i)
		return nil
	case "drop not null":
		return c.dropNotNull(i)
	case "set type":
		return c.setType(i, a)
	case "drop expression":
		return c.dropExpression(i, a)
	case "add identity":
		return c.addIdentity(i, a)
	case "set identity":
		return c.setIdentity(i, a)
	case "drop identity":
		return c.dropIdentity(i, a)
	}
	panic("server: ALTER TABLE " + a.What)
}

// column finds a column that is to be changed.
func (c *tableChange) column(name sql.Ident, verb string) (int, error) {
	if slices.Contains(systemColumns[:], name.Name) {
		return 0, sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot %s system column %q", verb, name.Name)
	}
	i := slices.IndexFunc(c.t.Columns, func(col catalog.Column) bool { return col.Name == name.Name })
	if i < 0 {
		return 0, sqlerr.Newf(sqlerr.UndefinedColumn, "column %q of relation %q does not exist", name.Name, c.t.Name)
	}
	return i, nil
}

// columnsOf are the columns of a definition for expressions over them: their numbers are ordinals + 1.
func columnsOf(t *catalog.Table) []logicalplan.Column {
	out := make([]logicalplan.Column, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = logicalplan.Column{ID: expr.ColumnID(i + 1), Name: c.Name, Type: c.Type}
	}
	return out
}

// checkRole refuses a role that is neither the session's nor known. It owns nothing for all that: any session may do everything.
func (s *Session) checkRole(name sql.Ident) error {
	switch name.Name {
	case s.user, "current_user", "session_user", "current_role":
		return nil
	}
	if s.snapshot().Role(name.Name) != nil {
		return nil
	}
	return sqlerr.Newf(sqlerr.UndefinedObject, "role %q does not exist", name.Name)
}
