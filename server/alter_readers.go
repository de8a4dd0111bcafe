package server

import (
	"maps"
	"slices"

	"wmsql/catalog"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Views, derived streams and continuous queries are kept as texts. After ALTER TABLE each has to mean what it did before: Postgres, which
// keeps column numbers, need not look. A * that would stand for more is written out as the columns that it stood for.

// reading is what the query of a view or stream reads of a table.
type reading struct {
	out     []types.Field
	columns map[int]bool // of the table, by ordinal
	stars   []starText
}

// starText is a * of the query, and what could be written instead.
type starText struct {
	from, to int
	columns  string
}

// queryOf returns the text of what reads other relations, and where it finds them; ok is false for what has no query.
func queryOf(e catalog.Entry) (text string, path []string, ok bool) {
	switch e := e.(type) {
	case *catalog.View:
		return e.Query, e.SearchPath, true
	case *catalog.MaterializedView:
		return e.Query, e.SearchPath, true
	case *catalog.Stream:
		return e.Query, e.SearchPath, e.Query != ""
	}
	return "", nil, false
}

// readingOf binds text as the query of e under the catalog as edit has it.
func (s *Session) readingOf(edit *catalog.Edit, e catalog.Entry, text string, table catalog.ID) (*reading, error) {
	_, path, _ := queryOf(e)
	parsed, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	sel, ok := parsed[0].Stmt.(*sql.SelectStmt)
	if !ok {
		panic("server: the query of a view is none")
	}
	out := &reading{columns: map[int]bool{}}
	env, used := s.definitionEnv()
	used.snap = edit.Snapshot
	env.SearchPath, env.Continuous = path, e.Head().Kind != catalog.KindView
	if mv, ok := e.(*catalog.MaterializedView); ok {
		env.Zone = mv.TimeZone
	}
	env.Read = func(id catalog.ID, column int) {
		if id == table {
			out.columns[column] = true
		}
	}
	env.Star = func(x *sql.Star, columns string) {
		out.stars = append(out.stars, starText{int(x.Pos) - 1, sql.NameEnd(text, x.Pos), columns})
	}
	q, err := build.Query(sel.Query, env)
	if err != nil {
		return nil, err
	}
	out.out = q.Schema().Fields
	return out, nil
}

// columnUsers are the relations whose queries read column i.
func (c *tableChange) columnUsers(i int) ([]catalog.Entry, error) {
	from := c.cols[i].from
	if from < 0 {
		return nil, nil
	}
	var out []catalog.Entry
	for _, id := range c.edit.Users(c.was.ID) {
		e := c.edit.ByID(id)
		text, _, ok := queryOf(e)
		if !ok {
			continue
		}
		r, err := c.s.readingOf(c.edit, e, text, c.was.ID)
		if err != nil {
			return nil, err
		}
		if r.columns[from] {
			out = append(out, e)
		}
	}
	return out, nil
}

// readers looks at the queries over the table under the definition that was found. follow, which is called once the changed one is in the
// catalog, sees that they read what they did, and restarts the continuous ones.
func (c *tableChange) readers() (follow func() error, err error) {
	if !c.reshaped {
		return func() error { return nil }, nil
	}
	before := map[catalog.ID]*reading{}
	for _, id := range c.edit.Users(c.was.ID) {
		e := c.edit.ByID(id)
		text, _, ok := queryOf(e)
		if !ok {
			continue
		}
		if before[id], err = c.s.readingOf(c.edit, e, text, c.was.ID); err != nil {
			return nil, err
		}
	}
	return func() error {
		for _, id := range slices.Sorted(maps.Keys(before)) {
			if err := c.followed(c.edit.ByID(id), before[id]); err != nil {
				return err
			}
		}
		return c.restartReaders()
	}, nil
}

// followed sees that e reads what it did before, with its stars written out if need be.
func (c *tableChange) followed(e catalog.Entry, before *reading) error {
	text, _, _ := queryOf(e)
	now, err := c.s.readingOf(c.edit, e, text, c.t.ID)
	if err == nil && c.alike(before, now) {
		return nil
	}
	stars := slices.SortedFunc(slices.Values(before.stars), func(a, b starText) int { return b.from - a.from }) // from the back
	stars = slices.Compact(stars)                                                                               // a part of the text may be bound twice
	for _, x := range stars {
		text = text[:x.from] + x.columns + text[x.to:]
	}
	now, err = c.s.readingOf(c.edit, e, text, c.t.ID)
	if err != nil || !c.alike(before, now) {
		w := sqlerr.Unsupported("altering %s in a way that %s would notice", c.edit.Describe(c.was, c.s.path()), c.edit.Describe(e, c.s.path())).
			WithHint("Drop it first and create it again afterwards.")
		if err != nil {
			w.Detail = "Its query would fail: " + sqlerr.From(err).Msg + "."
		}
		return w
	}
	c.setQuery(e, text)
	return nil
}

// alike reports whether two readings, before and after the change, give and read the same columns.
func (c *tableChange) alike(before, now *reading) bool {
	was, is := map[string]bool{}, map[string]bool{}
	for i := range before.columns {
		was[c.was.Columns[i].Name] = true
	}
	for i := range now.columns {
		is[c.t.Columns[i].Name] = true
	}
	return slices.Equal(before.out, now.out) && maps.Equal(was, is)
}

// setQuery gives e another text for its query.
func (c *tableChange) setQuery(e catalog.Entry, text string) {
	switch e := e.(type) {
	case *catalog.View:
		given := givenNames(e.SQL, createViewSQL(e, nil), e.Columns)
		catalog.Change(c.edit, e, func(v *catalog.View) {
			v.Query = text
			v.SQL = createViewSQL(v, given)
		})
	case *catalog.MaterializedView:
		given := givenNames(e.SQL, createMaterializedViewSQL(e, nil), e.Columns)
		catalog.Change(c.edit, e, func(mv *catalog.MaterializedView) {
			mv.Query = text
			mv.SQL = createMaterializedViewSQL(mv, given)
		})
	case *catalog.Stream:
		catalog.Change(c.edit, e, func(st *catalog.Stream) {
			st.Query = text
			st.SQL = createStreamSQL(st)
		})
	}
}

// restartReaders makes the continuous queries over the table go on under its changed definition, or refuses what they could not go on under.
func (c *tableChange) restartReaders() error {
	for _, id := range continuousUsers(c.edit, c.t.ID) {
		mv, ok := c.edit.ByID(id).(*catalog.MaterializedView)
		if !ok {
			continue
		}
		fresh, err := c.s.fits(mv, mv, c.edit.Snapshot)
		if err != nil {
			return err
		}
		if fresh.view.Fingerprint != mv.Fingerprint {
			catalog.Change(c.edit, mv, func(mv *catalog.MaterializedView) { mv.Fingerprint = fresh.view.Fingerprint })
		}
		c.s.restart(id)
	}
	return nil
}
