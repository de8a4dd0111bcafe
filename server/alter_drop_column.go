package server

import (
	"fmt"
	"slices"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// dropColumn removes a column with the keys, conditions and sequences that it is part of. Rows stay as they are: what they have for it is
// not read any more.
func (c *tableChange) dropColumn(a sql.TableAction) error {
	if a.Exists && !slices.ContainsFunc(c.t.Columns, func(x catalog.Column) bool { return x.Name == a.Name.Name }) {
		c.s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "column %q of relation %q does not exist, skipping", a.Name.Name, c.t.Name)
		return nil
	}
	i, err := c.column(a.Name, "drop")
	if err != nil {
		return err
	}
	if err := c.dropColumnUsers(i, a); err != nil {
		return err
	}
	if i, err = c.column(a.Name, "drop"); err != nil { // computed columns before it may have gone
		return err
	}
	return c.removeColumn(i)
}

// dropColumnUsers drops the views and computed columns that read column i, or refuses to.
func (c *tableChange) dropColumnUsers(i int, a sql.TableAction) error {
	what := c.describe(i)
	users, err := c.columnUsers(i)
	if err != nil {
		return err
	}
	computed, err := c.computedFrom(i)
	if err != nil {
		return err
	}
	if len(computed) > 0 && !a.Cascade {
		wrong := sqlerr.Newf(sqlerr.DependentObjects, "cannot drop %s because other objects depend on it", what).
			WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
		for n, name := range computed {
			if n > 0 {
				wrong.Detail += "\n"
			}
			at, _ := c.column(sql.Ident{Name: name}, "drop")
			wrong.Detail += c.describe(at) + " depends on " + what
		}
		return wrong
	}
	gone, notice, err := c.edit.DropUsers(what, users, a.Cascade, c.s.path())
	if err != nil {
		return err
	}
	c.s.notice(notice)
	if err := c.s.tx.forgetAll(gone); err != nil {
		return err
	}
	for _, name := range computed {
		at, err := c.column(sql.Ident{Name: name}, "drop")
		if err != nil {
			return err
		}
		c.s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "drop cascades to %s", c.describe(at))
		if err := c.dropColumnUsers(at, a); err != nil {
			return err
		}
		if at, err = c.column(sql.Ident{Name: name}, "drop"); err != nil {
			return err
		}
		if err := c.removeColumn(at); err != nil {
			return err
		}
	}
	return nil
}

// describe is what messages call column i.
func (c *tableChange) describe(i int) string {
	return fmt.Sprintf("column %s of %s", c.t.Columns[i].Name, c.edit.Describe(c.was, c.s.path()))
}

// computedFrom are the names of the computed columns that read column i.
func (c *tableChange) computedFrom(i int) ([]string, error) {
	var out []string
	for g, col := range c.t.Columns {
		if col.Generated == "" || g == i {
			continue
		}
		reads, err := c.generatedReads(col)
		if err != nil {
			return nil, err
		}
		if slices.Contains(reads, c.t.Columns[i].Name) {
			out = append(out, col.Name)
		}
	}
	return out, nil
}

func (c *tableChange) removeColumn(i int) error {
	if err := c.dropSequence(i); err != nil {
		return err
	}
	c.moveSequences(i)
	if err := c.dropColumnKeys(i); err != nil {
		return err
	}
	t := c.t
	if len(t.Dropped) == 0 {
		for k := range t.Columns {
			t.Columns[k].Number = k + 1
		}
	}
	t.Dropped = append(t.Dropped, catalog.DroppedColumn{Number: t.Columns[i].Number, Type: t.Columns[i].Type})
	slices.SortFunc(t.Dropped, func(a, b catalog.DroppedColumn) int { return a.Number - b.Number })
	t.Columns, c.cols = slices.Delete(t.Columns, i, i+1), slices.Delete(c.cols, i, i+1)
	shift := func(cols []int) {
		for k := range cols {
			if cols[k] > i {
				cols[k]--
			}
		}
	}
	shift(t.PrimaryKey)
	for k := range t.Unique {
		shift(t.Unique[k].Columns)
	}
	for _, x := range c.edit.Indexes(t.ID) {
		catalog.Change(c.edit, x, func(x *catalog.Index) {
			x.Columns = slices.Clone(x.Columns)
			for k := range x.Columns {
				if x.Columns[k].Column > i {
					x.Columns[k].Column--
				}
			}
		})
	}
	c.reshaped = true
	return nil
}

// dropColumnKeys removes the keys and conditions that column i is part of.
func (c *tableChange) dropColumnKeys(i int) error {
	if slices.Contains(c.t.PrimaryKey, i) {
		c.dropPrimaryKey()
	}
	for k := len(c.t.Unique) - 1; k >= 0; k-- {
		if slices.Contains(c.t.Unique[k].Columns, i) {
			if err := c.dropUnique(k); err != nil {
				return err
			}
		}
	}
	tx := c.s.tx
	for _, x := range c.edit.Indexes(c.t.ID) {
		if !slices.Contains(x.Ordinals(), i) {
			continue
		}
		if err := exec.ForgetIndex(tx.pending.reader(c.s.srv.store), tx.pending, c.t.ID, x.ID); err != nil {
			return err
		}
		c.edit.Delete(x.ID)
	}
	for k := len(c.t.Checks) - 1; k >= 0; k-- {
		reads, err := c.s.checkColumns(c.t, c.t.Checks[k])
		if err != nil {
			return err
		}
		if slices.Contains(reads, i) {
			c.t.DropCheck(k)
		}
	}
	return nil
}
