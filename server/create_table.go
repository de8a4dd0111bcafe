package server

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

func (s *Session) createTable(ctx context.Context, n *sql.CreateTable) (string, error) {
	tag := "CREATE TABLE"
	if n.Query != nil {
		tag = "CREATE TABLE AS"
	}
	if err := s.writes(tag); err != nil {
		return "", err
	}
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return "", err
	}
	name := n.Name
	if err := s.placeTemporary(edit, &name, n.Temp); err != nil {
		return "", err
	}
	o, _, skip, err := s.place(edit, name, n.IfNotExists, false)
	if err != nil || skip {
		return tag, err
	}
	o.Kind = catalog.KindTable
	if n.Query != nil {
		rows, err := s.createTableAs(ctx, n, edit, o)
		if n.NoData {
			return tag, err
		}
		return fmt.Sprintf("SELECT %d", rows), err
	}
	t, owned, err := s.defineTable(n, o)
	if err != nil {
		return "", err
	}
	for _, seq := range owned {
		placeSequence(edit, t, seq)
		if err := s.addSequence(edit, seq); err != nil {
			return "", err
		}
	}
	t.SQL = createTableSQL(t)
	if err := edit.Create(t); err != nil {
		return "", err
	}
	for _, seq := range owned {
		catalog.Change(edit, seq, func(q *catalog.Sequence) { q.Table = t.ID })
	}
	return tag, nil
}

// createTableAs creates a table of a query's columns and fills it, both in this transaction.
func (s *Session) createTableAs(ctx context.Context, n *sql.CreateTable, edit *catalog.Edit, o catalog.Object) (int64, error) {
	p, err := s.planSelect(n.Query, nil)
	if err != nil {
		return 0, err
	}
	var names []string
	for _, c := range n.Columns {
		names = append(names, c.Name.Name)
	}
	t := &catalog.Table{Object: o, OnCommit: n.OnCommit}
	if t.Columns, err = resultColumns(p.out, names, n.Name.Pos); err != nil {
		return 0, err
	}
	t.SQL = createTableSQL(t)
	if err := edit.Create(t); err != nil || n.NoData {
		return 0, err
	}
	r, err := p.open(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = r.Close() }() // only read from
	w, err := s.newRowWriter(ctx, &target{entry: t, table: t, columns: t.Columns}, upTo(len(t.Columns)), nil)
	if err != nil {
		return 0, err
	}
	var rows int64
	for {
		b, err := r.Next(ctx)
		if b == nil || err != nil {
			return rows, err
		}
		_, k, err := w.write(&column.Batch{Schema: b.Schema, Cols: b.Take(all(b.Rows)).Cols, Rows: b.Rows})
		if err != nil {
			return rows, err
		}
		rows += k
	}
}

// defineTable checks CREATE TABLE and returns its definition, and the sequences that its columns own.
func (s *Session) defineTable(n *sql.CreateTable, o catalog.Object) (*catalog.Table, []*catalog.Sequence, error) {
	t := &catalog.Table{Object: o, OnCommit: n.OnCommit}
	var cols []logicalplan.Column
	var owned []*catalog.Sequence
	for i, c := range n.Columns {
		if slices.ContainsFunc(cols, func(x logicalplan.Column) bool { return x.Name == c.Name.Name }) {
			return nil, nil, sqlerr.Newf(sqlerr.DuplicateColumn, "column %q specified more than once", c.Name.Name).At(int(c.Pos))
		}
		if slices.Contains(systemColumns[:], c.Name.Name) {
			return nil, nil, sqlerr.Newf(sqlerr.DuplicateColumn, "column name %q conflicts with a system column name", c.Name.Name).At(int(c.Pos))
		}
		if c.Type == nil {
			return nil, nil, sqlerr.Newf(sqlerr.SyntaxError, "column %q has no type", c.Name.Name).At(int(c.Pos)).
				WithHint("A table's computed column is written: %s type GENERATED ALWAYS AS (...) STORED.", c.Name.Name)
		}
		typ, err := build.Type(underSerial(*c.Type))
		if err != nil {
			return nil, nil, err
		}
		if c.Collate != nil {
			if typ, err = collated(typ, *c.Collate); err != nil {
				return nil, nil, err
			}
		}
		cols = append(cols, logicalplan.Column{ID: expr.ColumnID(i + 1), Name: c.Name.Name, Type: typ})
		t.Columns = append(t.Columns, catalog.Column{Name: c.Name.Name, Type: typ, NotNull: c.NotNull, Identity: c.Identity})
		seq, err := ownedSequence(t, i, &c)
		if err != nil {
			return nil, nil, err
		}
		if seq != nil {
			owned = append(owned, seq)
		}
	}
	for i, c := range n.Columns {
		if err := s.columnExprs(t, i, c, cols); err != nil {
			return nil, nil, err
		}
	}
	if err := tableKeys(t, n); err != nil {
		return nil, nil, err
	}
	for _, c := range n.Checks {
		if err := s.addCheck(t, c, cols); err != nil {
			return nil, nil, err
		}
	}
	return t, owned, nil
}

// collated is the type of a column with COLLATE name.
func collated(t types.Type, name sql.Name) (types.Type, error) {
	coll, err := build.Collation(name)
	if err != nil {
		return t, err
	}
	if collation(t) == 0 {
		return t, sqlerr.Newf(sqlerr.DatatypeMismatch, "collations are not supported by type %s", plainType(t)).At(int(name.Pos))
	}
	t.Coll = coll
	return t, nil
}

// columnExprs checks and keeps the expressions of one column definition.
func (s *Session) columnExprs(t *catalog.Table, i int, c sql.ColumnDef, cols []logicalplan.Column) error {
	var err error
	if c.Default != nil {
		if t.Columns[i].Default, err = s.storedExpr(c.Default, c.DefaultText, nil, t.Columns[i].Type, c.Name); err != nil {
			return err
		}
	}
	if c.Generated != nil {
		if t.Columns[i].Generated, err = s.storedExpr(c.Generated, c.GeneratedText, cols, t.Columns[i].Type, c.Name); err != nil {
			return err
		}
	}
	for _, check := range c.Checks {
		if err := s.addCheck(t, check, cols); err != nil {
			return err
		}
	}
	return nil
}

// storedExpr checks an expression of a column definition and returns its text.
func (s *Session) storedExpr(x sql.Expr, text string, cols []logicalplan.Column, t types.Type, col sql.Ident) (string, error) {
	e, err := build.Scalar(typeUntyped(x, t), cols, s.env(nil))
	if err != nil {
		if wrong := sqlerr.From(err); cols == nil && wrong.Code == sqlerr.UndefinedColumn {
			err = sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot use column reference in DEFAULT expression").At(wrong.Pos)
		}
		return "", err
	}
	if _, err := expr.NewCast(e, t, expr.Assignment); err != nil {
		return "", sqlerr.Newf(sqlerr.DatatypeMismatch, "column %q is of type %s but default expression is of type %s", col.Name, t, e.Type()).
			WithHint("You will need to rewrite or cast the expression.").At(int(x.At()))
	}
	return text, nil
}

func (s *Session) addCheck(t *catalog.Table, c sql.CheckDef, cols []logicalplan.Column) error {
	e, err := build.Scalar(c.X, cols, s.env(nil))
	if err != nil {
		return err
	}
	if e.Type().Kind != types.Bool {
		return sqlerr.Newf(sqlerr.DatatypeMismatch, "argument of CHECK must be type boolean, not type %s", e.Type()).At(int(c.X.At()))
	}
	name := c.Name
	if name == "" {
		name = freeCheckName(t, e, cols)
	} else if hasCheck(t, name) {
		return sqlerr.Newf(sqlerr.DuplicateObject, "check constraint %q already exists", name).At(int(c.Pos))
	}
	t.AddCheck(catalog.Check{Name: name, Expr: c.Text})
	return nil
}

// freeCheckName is the name Postgres gives to a nameless check: after its table, and its column if it reads one only, with a number if
// the name is taken.
func freeCheckName(t *catalog.Table, e expr.Expr, cols []logicalplan.Column) string {
	read := map[expr.ColumnID]bool{}
	expr.Columns(e, func(c *expr.Column) { read[c.ID] = true })
	base := t.Name
	for _, c := range cols {
		if len(read) == 1 && read[c.ID] {
			base += "_" + c.Name
		}
	}
	name := base + "_check"
	for n := 1; hasCheck(t, name); n++ {
		name = base + "_check" + strconv.Itoa(n)
	}
	return name
}

func hasCheck(t *catalog.Table, name string) bool {
	return slices.ContainsFunc(t.Checks, func(c catalog.Check) bool { return c.Name == name })
}
