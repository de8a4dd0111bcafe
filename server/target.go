package server

import (
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// target is a relation that rows are written to.
type target struct {
	entry   catalog.Entry
	stream  *catalog.Stream // exactly one of stream and table is set
	table   *catalog.Table
	columns []catalog.Column
	indexes []*catalog.Index // of the table, the unique ones that CREATE INDEX made
}

func (t *target) id() catalog.ID { return t.entry.Head().ID }

// target finds the relation that what (INSERT, COPY, ...) writes to, or says why it cannot be written.
func (s *Session) target(what string, name sql.Name) (*target, error) {
	rel, err := s.names().Relation(name.Parts, s.path())
	if err != nil {
		return nil, sqlerr.From(err).At(int(name.Pos))
	}
	wrong := func(format string, args ...any) *sqlerr.Error {
		return sqlerr.Newf(sqlerr.WrongObjectType, format, args...)
	}
	switch {
	case rel.Virtual != nil:
		return nil, sqlerr.Newf(sqlerr.InsufficientPrivilege, "permission denied: %q is a system catalog", rel.Virtual.Name)
	case rel.View != nil && what == "MERGE":
		return nil, sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot execute MERGE on relation %q", rel.View.Name).
			WithDetail("This operation is not supported for views.")
	case rel.View != nil:
		return nil, sqlerr.Newf(sqlerr.ObjectNotReady, "cannot %s view %q", verb(what), rel.View.Name).
			WithDetail("Views are not automatically updatable in wmsql.")
	case rel.MatView != nil:
		return nil, wrong("cannot change materialized view %q", rel.MatView.Name).
			WithHint("Its rows come from its query; insert into the stream below it.")
	case rel.Table != nil:
		indexes := slices.DeleteFunc(s.snapshot().Indexes(rel.Table.ID), func(x *catalog.Index) bool { return !x.Unique })
		return &target{entry: rel.Table, table: rel.Table, columns: rel.Table.Columns, indexes: indexes}, nil
	case rel.Stream.Query != "":
		return nil, wrong("cannot %s stream %q", verb(what), rel.Stream.Name).
			WithDetail("It is derived: its rows come from its query.")
	case rel.Stream.Connector != "":
		return nil, wrong("cannot %s stream %q", verb(what), rel.Stream.Name).
			WithDetail("Its rows come from connector %q.", rel.Stream.Connector).
			WithHint("Create a stream without a connector for rows by INSERT and COPY.")
	}
	return &target{entry: rel.Stream, stream: rel.Stream, columns: rel.Stream.Columns}, nil
}

func verb(what string) string {
	switch what {
	case "INSERT":
		return "insert into"
	case "COPY":
		return "copy to"
	case "DELETE":
		return "delete from"
	}
	return strings.ToLower(what)
}

// ordinals resolves a written column list; an empty one means the columns that are not computed.
func (t *target) ordinals(list []sql.Ident) ([]int, error) {
	if len(list) == 0 {
		return t.stored(), nil
	}
	var out []int
	for _, id := range list {
		i := slices.IndexFunc(t.columns, func(c catalog.Column) bool { return c.Name == id.Name })
		if i < 0 {
			return nil, sqlerr.Newf(sqlerr.UndefinedColumn, "column %q of relation %q does not exist", id.Name, t.entry.Head().Name).At(int(id.Pos))
		}
		if slices.Contains(out, i) {
			return nil, sqlerr.Newf(sqlerr.DuplicateColumn, "column %q specified more than once", id.Name).At(int(id.Pos))
		}
		out = append(out, i)
	}
	return out, nil
}

// stored are the ordinals of the columns that are not computed.
func (t *target) stored() []int {
	var out []int
	for i, c := range t.columns {
		if c.Generated == "" {
			out = append(out, i)
		}
	}
	return out
}

// writable refuses a computed column.
func (t *target) writable(ord int, pos sql.Pos) error {
	c := t.columns[ord]
	if c.Identity == "always" {
		return sqlerr.Newf(sqlerr.GeneratedAlways, "cannot insert a non-DEFAULT value into column %q", c.Name).
			WithDetail("Column %q is an identity column defined as GENERATED ALWAYS.", c.Name).WithHint("Use OVERRIDING SYSTEM VALUE to override.").At(int(pos))
	}
	if c.Generated == "" {
		return nil
	}
	return sqlerr.Newf(sqlerr.GeneratedAlways, "cannot insert a non-DEFAULT value into column %q", c.Name).
		WithDetail("Column %q is a generated column.", c.Name).At(int(pos))
}

// rowType is the row type of the columns at ords.
func (t *target) rowType(ords []int) *types.Schema {
	s := &types.Schema{}
	for _, o := range ords {
		c := t.columns[o]
		s.Fields = append(s.Fields, types.Field{Name: c.Name, Type: c.Type, NotNull: c.NotNull})
	}
	return s
}

// assignments resolves SET: the ordinals of the columns that change, and their values, untyped ones typed as their column is.
func (t *target) assignments(set []sql.Assignment) (ords []int, values []sql.Expr, err error) {
	var names []sql.Ident
	for _, a := range set {
		names = append(names, a.Column)
	}
	if ords, err = t.ordinals(names); err != nil {
		return nil, nil, err
	}
	for i, a := range set {
		c := t.columns[ords[i]]
		x := a.Value
		if _, ok := x.(*sql.Default); ok {
			x = &sql.Literal{Kind: sql.Null}
			if c.Default != "" {
				if x, err = sql.ParseExpr(c.Default); err != nil {
					return nil, nil, err
				}
			}
		} else if c.Identity == "always" {
			return nil, nil, sqlerr.Newf(sqlerr.GeneratedAlways, "column %q can only be updated to DEFAULT", c.Name).
				WithDetail("Column %q is an identity column defined as GENERATED ALWAYS.", c.Name).At(int(a.Column.Pos))
		} else if c.Generated != "" {
			return nil, nil, sqlerr.Newf(sqlerr.GeneratedAlways, "column %q can only be updated to DEFAULT", c.Name).
				WithDetail("Column %q is a generated column.", c.Name).At(int(a.Column.Pos))
		}
		values = append(values, typeUntyped(x, c.Type))
	}
	return ords, values, nil
}
