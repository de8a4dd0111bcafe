package server

import (
	"slices"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/sql"
	"wmsql/sqlerr"
)

func (c *tableChange) addConstraint(a sql.TableAction) error {
	if a.Key != nil {
		return c.addKey(*a.Key)
	}
	if name := a.Check.Name; name != "" && (hasKey(c.t, name) || hasCheck(c.t, name)) {
		return sqlerr.Newf(sqlerr.DuplicateObject, "constraint %q for relation %q already exists", name, c.t.Name)
	}
	if err := c.s.addCheck(c.t, *a.Check, columnsOf(c.t)); err != nil {
		return err
	}
	check := &c.t.Checks[len(c.t.Checks)-1]
	if check.NotValid = a.NotValid; !a.NotValid {
		c.checks = append(c.checks, check.Name)
	}
	return nil
}

// addKey adds a primary or unique key. The rows are written anew for it: under the key, or with entries in its slot.
func (c *tableChange) addKey(k sql.KeyDef) error {
	if k.Name != "" {
		if c.s.relationNames(c.edit, c.t.Schema)[k.Name] || hasKey(c.t, k.Name) {
			return sqlerr.Newf(sqlerr.DuplicateTable, "relation %q already exists", k.Name)
		}
		if hasCheck(c.t, k.Name) {
			return sqlerr.Newf(sqlerr.DuplicateObject, "constraint %q for relation %q already exists", k.Name, c.t.Name)
		}
	}
	if k.Primary {
		for _, id := range k.Columns {
			if _, err := c.column(id, "alter"); err != nil {
				return err
			}
		}
	}
	nullable := slices.Clone(c.t.Columns)
	if err := tableKey(c.t, k); err != nil {
		return err
	}
	c.reshaped, c.rewrite = true, true
	if k.Primary {
		for _, i := range c.t.PrimaryKey {
			c.t.Columns[i].NotNull = nullable[i].NotNull
			c.notNull(i)
		}
		return nil
	}
	u := &c.t.Unique[len(c.t.Unique)-1]
	if u.Name == "" {
		u.Name = freeKeyName(c.t, u.Columns)
	}
	u.Number = c.freeSlot() + 1
	return nil
}

// freeSlot is a slot for entries that no unique key has, before or after the change.
func (c *tableChange) freeSlot() uint16 {
	taken := map[uint16]bool{}
	for i, u := range c.was.Unique {
		taken[u.Slot(i)] = true
	}
	for i, u := range c.t.Unique[:len(c.t.Unique)-1] {
		taken[u.Slot(i)] = true
	}
	var slot uint16
	for taken[slot] {
		slot++
	}
	return slot
}

func (c *tableChange) dropConstraint(a sql.TableAction) error {
	name := a.Name.Name
	if len(c.t.PrimaryKey) > 0 && c.t.PrimaryKeyName() == name {
		c.dropPrimaryKey()
		return nil
	}
	if k := slices.IndexFunc(c.t.Unique, func(u catalog.UniqueKey) bool { return u.Name == name }); k >= 0 {
		return c.dropUnique(k)
	}
	if k := slices.IndexFunc(c.t.Checks, func(x catalog.Check) bool { return x.Name == name }); k >= 0 {
		c.t.DropCheck(k)
		return nil
	}
	if a.Exists {
		c.s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "constraint %q of relation %q does not exist, skipping", name, c.t.Name)
		return nil
	}
	return sqlerr.Newf(sqlerr.UndefinedObject, "constraint %q of relation %q does not exist", name, c.t.Name)
}

// dropPrimaryKey leaves a table whose rows have hidden numbers. The columns stay NOT NULL.
func (c *tableChange) dropPrimaryKey() {
	c.t.PrimaryKey, c.t.KeyName = nil, ""
	c.reshaped, c.rewrite = true, true
}

func (c *tableChange) dropUnique(k int) error {
	slot := c.t.Unique[k].Slot(k)
	c.t.Unique = slices.Delete(c.t.Unique, k, k+1)
	tx := c.s.tx
	return exec.DropEntries(c.t.ID, slot, tx.pending.reader(c.s.srv.store), tx.pending)
}

// validateConstraint looks at the rows of before a condition that was added NOT VALID.
func (c *tableChange) validateConstraint(a sql.TableAction) error {
	k := slices.IndexFunc(c.t.Checks, func(x catalog.Check) bool { return x.Name == a.Name.Name })
	switch {
	case k >= 0 && c.t.Checks[k].NotValid:
		c.t.Checks[k].NotValid = false
		c.checks = append(c.checks, a.Name.Name)
		return nil
	case k >= 0:
		return nil
	case hasKey(c.t, a.Name.Name):
		return sqlerr.Newf(sqlerr.WrongObjectType, "constraint %q of relation %q is not a foreign key or check constraint", a.Name.Name, c.t.Name)
	}
	return sqlerr.Newf(sqlerr.UndefinedObject, "constraint %q of relation %q does not exist", a.Name.Name, c.t.Name)
}
