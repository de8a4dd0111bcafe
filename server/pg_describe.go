package server

import "wmsql/catalog"

// describeObject is pg_describe_object(class, object, column).
func describeObject(s *Session, args []any) (any, error) {
	class, _ := args[0].(int64)
	id, _ := args[1].(int64)
	sub, _ := args[2].(int64)
	snap := s.snapshot()
	e := snap.ByID(catalog.ID(id))
	switch class {
	case classNamespace:
		if e != nil {
			return snap.Describe(e, s.path()), nil
		}
	case classRelation:
		if ix := s.keyOf(id); ix != nil {
			return "index " + catalog.QuoteIdent(ix.name), nil
		}
		if e == nil {
			return nil, nil
		}
		cols := catalog.Columns(e)
		if i := catalog.Numbered(cols, int(sub)); i >= 0 {
			return "column " + catalog.QuoteIdent(cols[i].Name) + " of " + snap.Describe(e, s.path()), nil
		}
		return snap.Describe(e, s.path()), nil
	case classConstraint:
		return s.describeConstraint(id), nil
	case classRewrite:
		if v := snap.ByID(ownerOfDefault(id)); v != nil {
			return "rule _RETURN on " + snap.Describe(v, s.path()), nil
		}
	case classAttrdef:
		owner := snap.ByID(ownerOfDefault(id))
		if cols := catalog.Columns(owner); int(id&(1<<11-1)) < len(cols) {
			return "default value for column " + catalog.QuoteIdent(cols[id&(1<<11-1)].Name) + " of " + snap.Describe(owner, s.path()), nil
		}
	}
	return nil, nil
}

// ownerOfDefault is the relation that a number made by defaultOID belongs to.
func ownerOfDefault(id int64) catalog.ID { return catalog.ID(id>>11) &^ (3 << 19) }

func (s *Session) describeConstraint(id int64) any {
	on := func(name string, table catalog.Entry) string {
		return "constraint " + catalog.QuoteIdent(name) + " on table " + s.snapshot().QuotedName(table, s.path())
	}
	if ix := s.keyOf(id); ix != nil {
		return on(ix.name, s.snapshot().ByID(ix.rel))
	}
	var found any
	s.relations(func(e catalog.Entry) {
		if t, ok := e.(*catalog.Table); ok {
			for i, c := range t.Checks {
				if int64(checkOID(t, i)) == id {
					found = on(c.Name, t)
				}
			}
		}
	})
	return found
}
