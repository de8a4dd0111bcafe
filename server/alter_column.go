package server

import (
	"slices"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

func (c *tableChange) isIdentity(i int) error {
	return sqlerr.Newf(sqlerr.SyntaxError, "column %q of relation %q is an identity column", c.t.Columns[i].Name, c.t.Name)
}

func (c *tableChange) isGenerated(i int) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.SyntaxError, "column %q of relation %q is a generated column", c.t.Columns[i].Name, c.t.Name)
}

func (c *tableChange) setDefault(i int, a sql.TableAction) error {
	col := &c.t.Columns[i]
	switch {
	case col.Identity != "":
		return c.isIdentity(i)
	case col.Generated != "":
		return c.isGenerated(i)
	}
	var err error
	col.Default, err = c.s.storedExpr(a.X, a.Text, nil, col.Type, a.Name)
	return err
}

func (c *tableChange) dropDefault(i int) error {
	col := &c.t.Columns[i]
	switch {
	case col.Identity != "":
		return sqlerr.From(c.isIdentity(i)).WithHint("Use ALTER TABLE ... ALTER COLUMN ... DROP IDENTITY instead.")
	case col.Generated != "":
		return c.isGenerated(i).WithHint("Use ALTER TABLE ... ALTER COLUMN ... DROP EXPRESSION instead.")
	}
	col.Default = ""
	return nil
}

// notNull makes a column NOT NULL; the rows are looked at later.
func (c *tableChange) notNull(i int) {
	if col := &c.t.Columns[i]; !col.NotNull {
		col.NotNull = true
		c.nulls = append(c.nulls, col.Name)
	}
}

func (c *tableChange) dropNotNull(i int) error {
	switch {
	case c.t.Columns[i].Identity != "":
		return c.isIdentity(i)
	case slices.Contains(c.t.PrimaryKey, i):
		return sqlerr.Newf(sqlerr.InvalidTableDefinition, "column %q is in a primary key", c.t.Columns[i].Name)
	}
	c.t.Columns[i].NotNull = false
	return nil
}

// dropExpression makes a computed column one whose values stay as they are.
func (c *tableChange) dropExpression(i int, a sql.TableAction) error {
	col := &c.t.Columns[i]
	if col.Generated == "" {
		return c.isNot("a stored generated column", col.Name, a.Exists)
	}
	col.Generated = ""
	return nil
}

// isNot refuses a column that is not what is to be dropped of it; with IF EXISTS that is only noted.
func (c *tableChange) isNot(what, column string, ifExists bool) error {
	if ifExists {
		c.s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "column %q of relation %q is not %s, skipping", column, c.t.Name, what)
		return nil
	}
	return sqlerr.Newf(sqlerr.ObjectNotReady, "column %q of relation %q is not %s", column, c.t.Name, what)
}

// setType gives a column another type. Rows are written anew, but where a text only becomes longer.
func (c *tableChange) setType(i int, a sql.TableAction) error {
	col := &c.t.Columns[i]
	was := c.cols[i].from
	if was < 0 {
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot alter column %q, which the same statement adds", col.Name)
	}
	if c.cols[i].cast != nil {
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot alter type of column %q twice", col.Name)
	}
	to, err := build.Type(*a.Type)
	if err != nil {
		return err
	}
	if col.Generated != "" && a.X != nil {
		return sqlerr.Newf(sqlerr.InvalidColumnDefinition, "cannot specify USING when altering type of generated column").
			WithDetail("Column %q is a generated column.", col.Name)
	}
	cast, err := c.castTo(i, to, a)
	if err != nil {
		return err
	}
	if err := c.retypeDefault(i, to); err != nil {
		return err
	}
	if err := c.typeUsers(i); err != nil {
		return err
	}
	same := a.X == nil && (col.Type == to || longer(col.Type, to))
	c.reshaped = c.reshaped || col.Type != to
	c.rewrite = c.rewrite || !same
	if !same {
		c.cols[i].cast = cast
	}
	col.Type = to
	return nil
}

// longer reports whether every value of the text type from is one of to, stored alike.
func longer(from, to types.Type) bool {
	text := func(t types.Type) bool { return !t.Array && (t.Kind == types.Text || t.Kind == types.Varchar) }
	return text(from) && text(to) && (to.Mod < 0 || from.Mod >= 0 && from.Mod <= to.Mod)
}

// castTo is the new value of column i: what USING says, else its value, as an assignment casts it.
func (c *tableChange) castTo(i int, to types.Type, a sql.TableAction) (expr.Expr, error) {
	col := c.t.Columns[i]
	var e expr.Expr = &expr.Column{ID: expr.ColumnID(c.cols[i].from + 1), Name: col.Name, T: col.Type}
	if a.X != nil {
		var err error
		if e, err = build.Scalar(typeUntyped(a.X, to), columnsOf(c.was), c.s.env(nil)); err != nil {
			return nil, err
		}
	}
	cast, err := expr.NewCast(e, to, expr.Assignment)
	switch {
	case err == nil:
		return cast, nil
	case a.X != nil:
		return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "result of USING clause for column %q cannot be cast automatically to type %s", col.Name, to).
			WithHint("You might need to add an explicit cast.")
	case col.Generated != "":
		return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "column %q cannot be cast automatically to type %s", col.Name, to)
	}
	return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "column %q cannot be cast automatically to type %s", col.Name, to).
		WithHint("You might need to specify \"USING %s::%s\".", catalog.QuoteIdent(col.Name), to)
}

// retypeDefault checks that the default of column i fits the type to as well.
func (c *tableChange) retypeDefault(i int, to types.Type) error {
	col := &c.t.Columns[i]
	switch {
	case col.Identity != "":
		width := map[types.Kind]int{types.Int2: 2, types.Int4: 4, types.Int8: 8}[to.Kind]
		if width == 0 || to.Array {
			return sqlerr.Newf(sqlerr.InvalidParameterValue, "identity column type must be smallint, integer, or bigint")
		}
		return c.retypeSequence(i, width)
	case col.Default == "":
		return nil
	}
	parsed, err := sql.ParseExpr(col.Default)
	if err != nil {
		return err
	}
	e, err := build.Scalar(typeUntyped(parsed, col.Type), nil, c.s.env(nil))
	if err != nil {
		return err
	}
	if _, err := expr.NewCast(e, to, expr.Assignment); err != nil {
		return sqlerr.Newf(sqlerr.DatatypeMismatch, "default for column %q cannot be cast automatically to type %s", col.Name, to)
	}
	if l, ok := parsed.(*sql.Literal); ok && l.Kind == sql.String {
		col.Default += "::" + col.Type.String() // it was of that type
	}
	return nil
}

// typeUsers refuses to change the type of a column that a view or a computed column reads.
func (c *tableChange) typeUsers(i int) error {
	name := c.t.Columns[i].Name
	for g, col := range c.t.Columns {
		if col.Generated == "" || g == i {
			continue
		}
		reads, err := c.generatedReads(col)
		if err != nil {
			return err
		}
		if slices.Contains(reads, name) {
			return sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot alter type of a column used by a generated column").
				WithDetail("Column %q is used by generated column %q.", name, col.Name)
		}
	}
	users, err := c.columnUsers(i)
	if err != nil || len(users) == 0 {
		return err
	}
	u := users[0]
	e := sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot alter type of a column used by a view or rule").
		WithDetail("rule _RETURN on %s depends on column %q", c.edit.Describe(u, c.s.path()), name)
	if u.Head().Kind != catalog.KindView {
		e.Detail = c.edit.Describe(u, c.s.path()) + " depends on column \"" + name + "\""
	}
	return e
}

// generatedReads are the columns that a computed column reads.
func (c *tableChange) generatedReads(col catalog.Column) ([]string, error) {
	ords, err := c.s.checkColumns(c.t, catalog.Check{Expr: col.Generated})
	var out []string
	for _, o := range ords {
		out = append(out, c.t.Columns[o].Name)
	}
	return out, err
}
