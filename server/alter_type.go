package server

import (
	"fmt"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// alterType answers ALTER STREAM ... ALTER COLUMN ... TYPE. The rows that are there, and the state of the views over them, are of the old
// type, so no other one is taken.
func alterType(edit *catalog.Edit, st *catalog.Stream, n *sql.Alter, path []string) (*catalog.Stream, error) {
	at := slices.IndexFunc(st.Columns, func(c catalog.Column) bool { return c.Name == n.Column.Name.Name })
	if at < 0 {
		return nil, sqlerr.Newf(sqlerr.UndefinedColumn, "column \"%s\" of relation \"%s\" does not exist", n.Column.Name.Name, st.Name).At(int(n.Column.Pos))
	}
	to, err := build.Type(*n.Column.Type)
	was := st.Columns[at]
	if err != nil || to == was.Type {
		return st, err
	}
	why := "The rows that are there are of the old type."
	if over := usersOf(edit, st, path); len(over) > 0 {
		why = fmt.Sprintf("The rows that are there, and the state of %s, are of the old type.", strings.Join(over, ", "))
	}
	return nil, sqlerr.Newf(sqlerr.FeatureNotSupported, "the type of column %q of stream %q cannot be changed from %s to %s", was.Name, st.Name, was.Type, to).
		WithDetail("%s", why).
		WithHint("ALTER STREAM %s ADD COLUMN %s %s; or, to begin anew, DROP STREAM %s CASCADE; and create it and its views again.",
			catalog.QuoteIdent(st.Name), catalog.QuoteIdent(was.Name+"_new"), to, catalog.QuoteIdent(st.Name)).At(int(n.Column.Pos))
}

// usersOf names what reads a stream, directly or over views.
func usersOf(edit *catalog.Edit, st *catalog.Stream, path []string) (out []string) {
	seen := map[catalog.ID]bool{st.ID: true}
	for todo := []catalog.ID{st.ID}; len(todo) > 0; todo = todo[1:] {
		for _, id := range edit.Users(todo[0]) {
			if !seen[id] {
				seen[id] = true
				todo = append(todo, id)
				out = append(out, edit.Describe(edit.ByID(id), path))
			}
		}
	}
	return out
}
