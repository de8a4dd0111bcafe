package server

import (
	"slices"

	"wmsql/catalog"
	"wmsql/logicalplan/build"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
)

// names finds relations for the binder: those of a catalog snapshot and the virtual tables. It remembers what it
// gave out, which is what a view that is being created depends on.
type names struct {
	snap    *catalog.Snapshot
	virtual map[string]*virtualTable
	srv     *Server
	used    map[catalog.ID]bool // nil: not remembered
}

// Relation resolves a name along path.
func (n *names) Relation(parts, path []string) (build.Relation, error) {
	schema, name, err := catalog.Locate(parts, path)
	if err != nil {
		return build.Relation{}, err
	}
	search := path
	if schema != "" {
		search = []string{schema}
	}
	for _, sc := range search {
		if v := n.virtual[sc+"."+name]; v != nil {
			return build.Relation{Virtual: &build.Virtual{ID: v.id, Schema: v.schema, Name: v.name, Columns: v.columns}}, nil
		}
		if e := n.snap.Relation(sc, name); e != nil {
			if n.used != nil {
				n.used[e.Head().ID] = true
			}
			if e.Head().Kind == catalog.KindIndex {
				return build.Relation{}, sqlerr.Newf(sqlerr.WrongObjectType, "%q is an index", name)
			}
			if e.Head().Kind == catalog.KindSequence {
				return build.Relation{Virtual: &build.Virtual{ID: e.Head().ID, Schema: sc, Name: name, Columns: sequenceColumns()}}, nil
			}
			rel := relation(e)
			if mv := rel.MatView; mv != nil {
				rel.Result = func() (*build.Result, error) { return n.srv.resultOf(mv, n.snap) }
			}
			return rel, nil
		}
	}
	known := n.snap.Names(search)
	for _, v := range n.virtual {
		if schema == v.schema {
			known = append(known, v.name)
		}
	}
	slices.Sort(known)
	return build.Relation{}, catalog.MissingRelation(parts, known)
}

// Function finds a user-defined function.
func (n *names) Function(parts, path []string) *catalog.Function {
	f := n.snap.FindFunction(parts, path)
	if f != nil && n.used != nil {
		n.used[f.ID] = true
	}
	return f
}

func relation(e catalog.Entry) build.Relation {
	switch e := e.(type) {
	case *catalog.Stream:
		return build.Relation{Stream: e}
	case *catalog.Table:
		return build.Relation{Table: e}
	case *catalog.View:
		return build.Relation{View: e}
	case *catalog.MaterializedView:
		return build.Relation{MatView: e}
	}
	panic("server: a schema is no relation")
}

// names is the binder's catalog for the session's statements.
func (s *Session) names() *names {
	return &names{snap: s.snapshot(), virtual: s.srv.virtual, srv: s.srv}
}

// resultOf tells a query over the result of mv what to expect of it.
func (s *Server) resultOf(mv *catalog.MaterializedView, snap *catalog.Snapshot) (*build.Result, error) {
	c, err := s.replan(mv, snap)
	if err != nil {
		return nil, err
	}
	m := c.plan.Root.(*physicalplan.Materialize)
	if m.Retention > 0 && m.Time < 0 && m.How == physicalplan.Upsert {
		return nil, sqlerr.Unsupported("following a view whose result_retention goes by the clock").
			WithDetail("A row that the retention took away may change all the same, and nobody would know what it was.").
			WithHint("ALTER MATERIALIZED VIEW %s RESET (result_retention)", mv.Name)
	}
	return &build.Result{Root: c.query.Root, Changes: m.How == physicalplan.Upsert, Whole: m.How == physicalplan.Replace}, nil
}
