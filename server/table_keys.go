package server

import (
	"slices"
	"strconv"
	"strings"

	"wmsql/catalog"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// tableKeys finds the primary key and the unique keys, written at a column or apart.
func tableKeys(t *catalog.Table, n *sql.CreateTable) error {
	var keys []sql.KeyDef
	for _, c := range n.Columns {
		if c.PrimaryKey || c.Unique {
			keys = append(keys, sql.KeyDef{Name: c.KeyName, Primary: c.PrimaryKey, Columns: []sql.Ident{c.Name}, Pos: c.Pos})
		}
	}
	for _, k := range append(keys, n.Keys...) {
		if err := tableKey(t, k); err != nil {
			return err
		}
	}
	for i := range t.Unique {
		if t.Unique[i].Name == "" {
			t.Unique[i].Name = freeKeyName(t, t.Unique[i].Columns)
		}
	}
	return nil
}

func tableKey(t *catalog.Table, k sql.KeyDef) error {
	kind := "unique"
	if k.Primary {
		kind = "primary key"
	}
	var cols []int
	for _, id := range k.Columns {
		i := slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.Name == id.Name })
		if i < 0 {
			return sqlerr.Newf(sqlerr.UndefinedColumn, "column %q named in key does not exist", id.Name).At(int(id.Pos))
		}
		if slices.Contains(cols, i) {
			return sqlerr.Newf(sqlerr.DuplicateColumn, "column %q appears twice in %s constraint", id.Name, kind).At(int(id.Pos))
		}
		cols = append(cols, i)
	}
	if k.Name != "" && hasKey(t, k.Name) {
		return sqlerr.Newf(sqlerr.DuplicateTable, "relation %q already exists", k.Name).At(int(k.Pos))
	}
	if !k.Primary {
		t.Unique = append(t.Unique, catalog.UniqueKey{Name: k.Name, Columns: cols})
		return nil
	}
	if t.PrimaryKey != nil {
		return sqlerr.Newf(sqlerr.InvalidTableDefinition, "multiple primary keys for table %q are not allowed", t.Name).At(int(k.Pos))
	}
	t.PrimaryKey, t.KeyName = cols, k.Name
	for _, i := range cols {
		t.Columns[i].NotNull = true
	}
	return nil
}

func hasKey(t *catalog.Table, name string) bool {
	return t.PrimaryKey != nil && t.PrimaryKeyName() == name ||
		slices.ContainsFunc(t.Unique, func(u catalog.UniqueKey) bool { return u.Name == name })
}

// freeKeyName is the name Postgres gives to a nameless unique key: after its table and columns, with a number if the name is taken.
func freeKeyName(t *catalog.Table, cols []int) string {
	words := []string{t.Name}
	for _, c := range cols {
		words = append(words, t.Columns[c].Name)
	}
	base := strings.Join(append(words, "key"), "_")
	name := base
	for n := 1; hasKey(t, name); n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}
