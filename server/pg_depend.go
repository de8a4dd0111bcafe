package server

import (
	"context"

	"wmsql/catalog"
)

// The oids of the catalog's own relations that name the class of an object.
const (
	classAttrdef    = 2604
	classRelation   = 1259
	classConstraint = 2606
	classNamespace  = 2615
	classRewrite    = 2618
	classProc       = 1255
)

// ruleOID is the rule that makes a view out of a relation. A relation has fewer columns than make its number one of a column's default.
func ruleOID(view catalog.ID) catalog.ID { return defaultOID(view, 1<<11-1) }

// querySources are the objects that the query of a view of either kind reads, nil for what has no query.
func querySources(e catalog.Entry) []catalog.ID {
	switch e := e.(type) {
	case *catalog.View:
		return e.Depends
	case *catalog.MaterializedView:
		return e.Depends
	}
	return nil
}

func isView(e catalog.Entry) bool {
	k := e.Head().Kind
	return k == catalog.KindView || k == catalog.KindMaterializedView
}

func pgRewrite(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		if isView(e) {
			out.put("oid", ruleOID(e.Head().ID), "rulename", "_RETURN", "ev_class", e.Head().ID, "ev_type", "1", "ev_enabled", "O", "is_instead", true)
		}
	})
	return nil
}

// pgDepend shows what cannot be without what: views and their sources, and the parts of a table.
func pgDepend(_ context.Context, s *Session, out *rowSet) error {
	put := func(class, id, refClass, ref catalog.ID, column int, kind string) {
		out.put("classid", class, "objid", id, "refclassid", refClass, "refobjid", ref, "refobjsubid", column, "deptype", kind)
	}
	s.relations(func(e catalog.Entry) {
		h := e.Head()
		put(classRelation, h.ID, classNamespace, s.schemaOID(h.Schema), 0, "n")
		if isView(e) {
			put(classRewrite, ruleOID(h.ID), classRelation, h.ID, 0, "i")
			for _, source := range querySources(e) {
				put(classRewrite, ruleOID(h.ID), s.classOf(source), source, 0, "n")
			}
		}
		for _, ix := range s.indexesOf(e) {
			if _, ok := e.(*catalog.Table); ok && ix.con != 0 {
				put(classRelation, ix.oid, classConstraint, ix.con, 0, "i")
				put(classConstraint, ix.con, classRelation, h.ID, numbersOf(e, ix.cols)[0], "a")
				continue
			}
			for _, c := range numbersOf(e, ix.cols) {
				put(classRelation, ix.oid, classRelation, h.ID, c, "a")
			}
		}
		for i, c := range catalog.Columns(e) {
			if q := s.drawnFrom(c.Default); q != nil && c.Identity == "" { // pg_dump creates the sequence before it sets the default
				put(classAttrdef, defaultOID(h.ID, i), classRelation, q.ID, 0, "n")
			}
			if c.Default+c.Generated != "" && c.Identity == "" {
				put(classAttrdef, defaultOID(h.ID, i), classRelation, h.ID, catalog.Number(catalog.Columns(e), i), "a")
			}
		}
		if q, ok := e.(*catalog.Sequence); ok && q.Table != 0 {
			put(classRelation, q.ID, classRelation, q.Table, numbersOf(s.snapshot().ByID(q.Table), []int{q.Column})[0], s.ownership(q))
		}
	})
	return nil
}

// ownership is deptype of a sequence that a column owns: i if the column is its identity, a if it is a default.
func (s *Session) ownership(q *catalog.Sequence) string {
	if t, ok := s.snapshot().ByID(q.Table).(*catalog.Table); ok && t.Columns[q.Column].Identity != "" {
		return "i"
	}
	return "a"
}

// classOf is the class of an object of the catalog.
func (s *Session) classOf(id catalog.ID) catalog.ID {
	if _, ok := s.snapshot().ByID(id).(*catalog.Function); ok {
		return classProc
	}
	return classRelation
}
