package server

import (
	"context"
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// textSchema is a row type of text columns.
func textSchema(names ...string) *types.Schema {
	s := &types.Schema{}
	for _, n := range names {
		s.Fields = append(s.Fields, types.Field{Name: n, Type: types.Of(types.Text)})
	}
	return s
}

func (s *Session) planShow(n *sql.Show) (plan, error) {
	switch n.What {
	case "parameter":
		return s.showParameter(n.Name.Parts[0])
	case "all":
		return s.showAll(), nil
	case "streams":
		return s.showRelations(n, catalog.KindStream), nil
	case "tables":
		return s.showRelations(n, catalog.KindTable), nil
	case "views":
		return s.showRelations(n, catalog.KindView), nil
	case "materialized views":
		return s.showRelations(n, catalog.KindMaterializedView), nil
	case "schemas":
		return s.showSchemas(n), nil
	case "functions":
		return s.showFunctions(n), nil
	case "create function":
		f, err := s.findFunction(s.snapshot(), n.Name)
		if err != nil {
			return nil, err
		}
		return s.listing("name text, create_statement text", func(out *rowSet) { out.add(s.snapshot().QuotedName(f, s.path()), f.SQL) }), nil
	case "lateness":
		return s.showLateness(n)
	}
	return s.showCreate(n, strings.TrimPrefix(n.What, "create "))
}

// showRelations lists the relations of a kind outside of the system's schemas.
func (s *Session) showRelations(n *sql.Show, kind catalog.Kind) plan {
	columns := "schema text, name text, "
	switch kind {
	case catalog.KindStream:
		columns += "connector text, watermark text, "
	case catalog.KindMaterializedView:
		columns += "mode text, state text, error text, "
	}
	return &listingPlan{tag: "SHOW", fields: &types.Schema{Fields: fields(columns + "comment text")}, rows: func(_ context.Context, _ []column.Vector, out *rowSet) error {
		for e := range s.snapshot().All() {
			if e.Head().Kind == kind && likeMatch(n.Like, e.Head().Name) {
				s.addRelation(e, out)
			}
		}
		return nil
	}}
}

// listing is a SHOW of rows that are at hand.
func (s *Session) listing(columns string, rows func(out *rowSet)) plan {
	return &listingPlan{tag: "SHOW", fields: &types.Schema{Fields: fields(columns)}, rows: func(_ context.Context, _ []column.Vector, out *rowSet) error {
		rows(out)
		return nil
	}}
}

func (s *Session) addRelation(e catalog.Entry, out *rowSet) {
	o := e.Head()
	row := []any{o.Schema, o.Name}
	switch e := e.(type) {
	case *catalog.Stream:
		row = append(row, orNull(e.Connector), orNull(watermarkText(e)))
	case *catalog.MaterializedView:
		state, reason := "", ""
		if c := s.srv.queries.get(e.ID); c != nil {
			st := s.srv.queries.standing(c)
			state, reason = string(st.State), errorText(st.Err)
		}
		row = append(row, e.Mode.String(), orNull(state), orNull(reason))
	}
	out.add(append(row, orNull(o.Comment))...)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return sqlerr.From(err).Msg
}

// watermarkText is the watermark of a stream as its clause writes it, "" if it has none.
func watermarkText(st *catalog.Stream) string {
	if st.Watermark == nil {
		return ""
	}
	name := st.Columns[st.Watermark.Column].Name
	return name + " - INTERVAL " + literal(string(types.AppendInterval(nil, st.Watermark.Delay)))
}

func (s *Session) showSchemas(n *sql.Show) plan {
	return &listingPlan{tag: "SHOW", fields: textSchema("name", "comment"), rows: func(_ context.Context, _ []column.Vector, out *rowSet) error {
		for e := range s.snapshot().All() {
			if o := e.Head(); o.Kind == catalog.KindSchema && likeMatch(n.Like, o.Name) {
				out.add(o.Name, orNull(o.Comment))
			}
		}
		return nil
	}}
}

// showCreate shows the statement that makes an object again.
func (s *Session) showCreate(n *sql.Show, kind string) (plan, error) {
	e, err := s.snapshot().Lookup(n.Name.Parts, s.path())
	if err != nil {
		return nil, sqlerr.From(err).At(int(n.Name.Pos))
	}
	o := e.Head()
	if o.Kind.String() != kind {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not %s", o.Name, article(kind)).At(int(n.Name.Pos))
	}
	return &listingPlan{tag: "SHOW", fields: textSchema("name", "create_statement"), rows: func(_ context.Context, _ []column.Vector, out *rowSet) error {
		out.add(s.snapshot().QuotedName(e, s.path()), o.SQL)
		return nil
	}}, nil
}

// planDescribe shows the columns of a relation.
func (s *Session) planDescribe(n *sql.Describe) (plan, error) {
	rel, err := s.names().Relation(n.Name.Parts, s.path())
	if err != nil {
		return nil, sqlerr.From(err).At(int(n.Name.Pos))
	}
	return &listingPlan{tag: "DESCRIBE", fields: textSchema("column", "type", "nullable", "extra", "comment"), rows: func(_ context.Context, _ []column.Vector, out *rowSet) error {
		if rel.Virtual != nil {
			for _, f := range rel.Virtual.Columns {
				out.add(f.Name, f.Type.String(), "YES", nil, nil)
			}
			return nil
		}
		e, err := s.snapshot().Lookup(n.Name.Parts, s.path())
		if err != nil {
			return err
		}
		describe(e, out)
		return nil
	}}, nil
}

func describe(e catalog.Entry, out *rowSet) {
	for i, c := range catalog.Columns(e) {
		nullable := "YES"
		if c.NotNull {
			nullable = "NO"
		}
		out.add(c.Name, c.Type.String(), nullable, orNull(strings.Join(columnExtras(e, i, c), ", ")), orNull(c.Comment))
	}
}

// columnExtras are the words that DESCRIBE adds to a column.
func columnExtras(e catalog.Entry, i int, c catalog.Column) []string {
	var out []string
	if c.Generated != "" {
		out = append(out, "generated always as ("+c.Generated+")")
	}
	if c.Default != "" {
		out = append(out, "default "+c.Default)
	}
	switch e := e.(type) {
	case *catalog.Stream:
		if e.Watermark != nil && e.Watermark.Column == i {
			out = append(out, "watermark: "+watermarkText(e))
		}
	case *catalog.Table:
		for _, k := range e.PrimaryKey {
			if k == i {
				out = append(out, "primary key")
			}
		}
	case *catalog.MaterializedView:
		for _, k := range e.Key {
			if k == i {
				out = append(out, "key")
			}
		}
	}
	return out
}

// likeMatch reports whether name matches a LIKE pattern; an empty pattern matches everything.
func likeMatch(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	return likeAt([]rune(pattern), []rune(name))
}

func likeAt(p, s []rune) bool {
	for len(p) > 0 {
		switch p[0] {
		case '%':
			for i := 0; i <= len(s); i++ {
				if likeAt(p[1:], s[i:]) {
					return true
				}
			}
			return false
		case '\\':
			if len(p) > 1 {
				p = p[1:]
			}
			fallthrough
		default:
			if len(s) == 0 || p[0] != '_' && p[0] != s[0] {
				return false
			}
		}
		p, s = p[1:], s[1:]
	}
	return len(s) == 0
}
