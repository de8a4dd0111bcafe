package build

import (
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// result follows the result of a materialized view in a continuous query.
func (b *binder) result(r Relation, t *sql.Table) (*item, error) {
	below, err := r.Result()
	if err != nil {
		return nil, b.fail(err, t.Name.Pos)
	}
	v := r.MatView
	s := &logicalplan.ResultScan{View: v, Alias: t.Alias.Name, Pos: b.pos(t.Name.Pos)}
	for i, c := range v.Columns {
		s.Cols = append(s.Cols, b.column(c.Name, c.Type))
		s.Ords = append(s.Ords, i)
	}
	s.Below = logicalplan.BelowOf(below.Root, v, s.Cols, below.Changes, below.Whole)
	from := &rel{schema: v.Schema, name: v.Name, cols: s.Cols, oid: v.ID}
	from.pk = s.Below.Key
	return &item{node: s, rels: []*rel{from}, cols: s.Cols}, nil
}

// followed decides how the views below root are read. In a query over a stream they are tables, read as of each micro-batch; in a query
// without one their changes are what it is fed by.
func followed(root logicalplan.Node) (logicalplan.Node, error) {
	streams := false
	var whole *logicalplan.ResultScan
	logicalplan.Walk(root, func(n logicalplan.Node) bool {
		switch n := n.(type) {
		case *logicalplan.StreamScan:
			streams = true
		case *logicalplan.ResultScan:
			if n.Below.Whole {
				whole = n
			}
		}
		return true
	})
	if !streams {
		if whole != nil {
			return nil, sqlerr.Unsupported("a continuous query over a materialized view in complete mode").At(whole.Pos).
				WithHint("Create %q in update mode; then its changes can be followed.", whole.View.Name)
		}
		return root, nil
	}
	root, _ = logicalplan.Rewrite(root, func(n logicalplan.Node) (logicalplan.Node, bool) {
		s, ok := n.(*logicalplan.ResultScan)
		if !ok {
			return n, false
		}
		return &logicalplan.TableScan{Object: &s.View.Object, Cols: s.Cols, Ords: s.Ords, Alias: s.Alias, Pos: s.Pos}, true
	})
	return root, nil
}
