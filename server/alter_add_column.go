package server

import (
	"slices"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// addColumn adds a column. Rows that are there stay as they are if it is NULL in all of them or has one value: they are read so.
func (c *tableChange) addColumn(a sql.TableAction) error {
	d := *a.Column
	if slices.Contains(systemColumns[:], d.Name.Name) {
		return sqlerr.Newf(sqlerr.DuplicateColumn, "column name %q conflicts with a system column name", d.Name.Name)
	}
	if slices.ContainsFunc(c.t.Columns, func(x catalog.Column) bool { return x.Name == d.Name.Name }) {
		if a.Exists {
			c.s.noticef(sqlerr.SevNotice, sqlerr.DuplicateColumn, "column %q of relation %q already exists, skipping", d.Name.Name, c.t.Name)
			return nil
		}
		return sqlerr.Newf(sqlerr.DuplicateColumn, "column %q of relation %q already exists", d.Name.Name, c.t.Name)
	}
	typ, err := build.Type(underSerial(*d.Type))
	if err != nil {
		return err
	}
	i := len(c.t.Columns)
	fresh := catalog.Column{Name: d.Name.Name, Type: typ, Identity: d.Identity}
	if len(c.t.Dropped) > 0 {
		fresh.Number = c.t.Width() + 1
	}
	c.t.Columns, c.cols = append(c.t.Columns, fresh), append(c.cols, changedColumn{from: -1})
	c.reshaped = true
	seq, err := ownedSequence(c.t, i, &d)
	if err != nil {
		return err
	}
	if seq != nil {
		if err := c.addOwned(seq, d.Sequence.Name); err != nil {
			return err
		}
	}
	if err := c.columnConstraints(i, d); err != nil {
		return err
	}
	return c.fill(i)
}

// columnConstraints adds what the definition of column i says beside its type.
func (c *tableChange) columnConstraints(i int, d sql.ColumnDef) error {
	checks := len(c.t.Checks)
	if err := c.s.columnExprs(c.t, i, d, columnsOf(c.t)); err != nil {
		return err
	}
	for _, check := range c.t.Checks[checks:] {
		c.checks = append(c.checks, check.Name)
	}
	if d.NotNull || c.t.Columns[i].NotNull {
		c.t.Columns[i].NotNull = false
		c.notNull(i)
	}
	if d.PrimaryKey || d.Unique {
		return c.addKey(sql.KeyDef{Name: d.KeyName, Primary: d.PrimaryKey, Columns: []sql.Ident{d.Name}, Pos: d.Pos})
	}
	return nil
}

// fill finds what the rows that are there have for the new column i.
func (c *tableChange) fill(i int) error {
	col := &c.t.Columns[i]
	switch {
	case col.Generated != "":
		c.rewrite = true
		return nil
	case col.Default == "":
		return nil
	}
	parsed, err := sql.ParseExpr(col.Default)
	if err != nil {
		return err
	}
	e, err := build.Scalar(typeUntyped(parsed, col.Type), nil, c.s.env(nil))
	if err == nil {
		e, err = expr.NewCast(e, col.Type, expr.Assignment)
	}
	if err != nil {
		return err
	}
	if !expr.IsConst(e) {
		c.rewrite, c.cols[i].fill = true, true
		return nil
	}
	v, err := expr.Eval(e, c.s.context(nil))
	if err != nil || v == nil {
		return err
	}
	one := column.Const(col.Type, v, 1)
	text := string(column.AppendText(nil, one, 0, c.s.vars.format))
	c.cols[i].missing, col.Missing = one, &text
	return nil
}
