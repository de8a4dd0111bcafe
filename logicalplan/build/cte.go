package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// cteScope is the WITH items in reach, innermost first.
type cteScope struct {
	parent *cteScope
	def    *cte
}

// cte is one WITH item. It is bound anew wherever it is read; the first reader takes the plan that checked it.
type cte struct {
	name    string
	columns []string
	query   *sql.Select
	seen    *cteScope // the items before it
	outer   *scope
	ready   *output
	rec     *recursion // set while the recursive half of its own query is bound
	itself  bool       // WITH RECURSIVE
	search  *sql.Search
	cycle   *sql.Cycle
	at      sql.Pos  // of its name
	binding bool     // its own query is being bound, and no recursive term of it
	changed *Virtual // what a change of rows returns, instead of query
}

func (s *cteScope) find(name string) *cte {
	for ; s != nil; s = s.parent {
		if s.def.name == name {
			return s.def
		}
	}
	return nil
}

// with brings the WITH items into reach, each checked as it is declared.
func (b *binder) with(s *sql.Select, outer *scope) error {
	names := map[string]bool{}
	for i := range s.With {
		w := &s.With[i]
		if names[w.Name.Name] {
			return b.errorf(w.Name.Pos, sqlerr.DuplicateAlias, "WITH query name \"%s\" specified more than once", w.Name.Name)
		}
		names[w.Name.Name] = true
		if w.Change != nil {
			if err := b.changed(s, w); err != nil {
				return err
			}
			continue
		}
		d := &cte{name: w.Name.Name, columns: w.Columns, query: w.Query, seen: b.ctes, outer: outer, itself: s.Recursive, search: w.Search, cycle: w.Cycle, at: w.Name.Pos}
		out, err := b.bindCTE(d)
		if err != nil {
			return err
		}
		if len(w.Columns) > len(out.cols) {
			return b.errorf(w.Name.Pos, sqlerr.InvalidColumnReference, "WITH query \"%s\" has %d columns available but %d columns specified",
				d.name, len(out.cols), len(w.Columns))
		}
		d.ready = out
		b.ctes = &cteScope{parent: b.ctes, def: d}
	}
	return nil
}

// changed brings the rows that an INSERT, UPDATE or DELETE returns into reach.
func (b *binder) changed(s *sql.Select, w *sql.CTE) error {
	switch {
	case b.env.Changed == nil:
		return b.errorf(w.Change.At(), sqlerr.FeatureNotSupported, "views must not contain data-modifying statements in WITH")
	case s != b.top:
		return b.errorf(w.Change.At(), sqlerr.FeatureNotSupported, "WITH clause containing a data-modifying statement must be at the top level")
	}
	v := b.env.Changed(w.Change)
	if len(w.Columns) > len(v.Columns) {
		return b.errorf(w.Name.Pos, sqlerr.InvalidColumnReference, "WITH query \"%s\" has %d columns available but %d columns specified",
			w.Name.Name, len(v.Columns), len(w.Columns))
	}
	b.ctes = &cteScope{parent: b.ctes, def: &cte{name: w.Name.Name, columns: w.Columns, changed: v}}
	return nil
}

// changedScan reads the rows that a change returns.
func (b *binder) changedScan(d *cte, p sql.Pos) (*item, error) {
	if len(d.changed.Columns) == 0 {
		return nil, b.errorf(p, sqlerr.FeatureNotSupported, "WITH query \"%s\" does not have a RETURNING clause", d.name)
	}
	s := &logicalplan.VirtualScan{Schema: d.changed.Schema, Name: d.changed.Name, Pos: b.pos(p)}
	for i, f := range d.changed.Columns {
		if i < len(d.columns) {
			f.Name = d.columns[i]
		}
		s.Cols, s.Ords = append(s.Cols, b.column(f.Name, f.Type)), append(s.Ords, i)
	}
	return &item{node: s, rels: []*rel{{name: d.name, cols: s.Cols}}, cols: s.Cols}, nil
}

// cteScan reads a WITH item, or the last round of the recursion it stands in.
func (b *binder) cteScan(d *cte, p sql.Pos) (*item, error) {
	if d.changed != nil {
		return b.changedScan(d, p)
	}
	if d.binding {
		return nil, d.misplaced(b, p)
	}
	if d.rec != nil {
		if err := d.rec.named(b, d, p); err != nil {
			return nil, err
		}
		cols := make([]logicalplan.Column, len(d.rec.cols))
		for i, c := range d.rec.cols {
			cols[i] = b.column(c.Name, c.Type)
		}
		n := &logicalplan.RecursiveScan{ID: d.rec.id, Cols: cols, Pos: b.pos(p)}
		if t := d.rec.trail; t != nil {
			node, err := t.scan(b, n)
			return &item{node: node, rels: []*rel{{name: d.name, cols: cols, round: true}}, cols: cols}, err
		}
		return &item{node: n, rels: []*rel{{name: d.name, cols: cols, round: true}}, cols: cols}, nil
	}
	out := d.ready
	d.ready = nil
	if out == nil {
		var err error
		if out, err = b.bindCTE(d); err != nil {
			return nil, err
		}
	}
	cols := append([]logicalplan.Column{}, out.cols...)
	for i, name := range d.columns {
		cols[i].Name = name
	}
	return &item{node: out.node, rels: []*rel{{name: d.name, cols: cols}}, cols: cols}, nil
}

func (b *binder) bindCTE(d *cte) (*output, error) {
	old := b.ctes
	b.ctes = d.seen
	defer func() { b.ctes = old }()
	if d.itself {
		b.ctes = &cteScope{parent: d.seen, def: d}
		d.binding = true
		defer func() { d.binding = false }()
	}
	if op, ok := d.query.Body.(*sql.SetOp); ok && d.itself && op.Op == "union" {
		return b.recursive(d, op)
	}
	if d.search != nil || d.cycle != nil {
		return nil, b.notRecursive(d)
	}
	return b.subselect(d.query, d.outer)
}

// recursive binds base UNION [ALL] step where step reads the item itself. A step that does not makes it an ordinary query.
func (b *binder) recursive(d *cte, op *sql.SetOp) (*output, error) {
	base, err := b.subselect(op.L, d.outer)
	if err != nil {
		return nil, err
	}
	b.nextRec++
	d.rec = &recursion{id: b.nextRec, cols: append([]logicalplan.Column{}, base.cols...), within: len(b.within)}
	for i := range d.rec.cols {
		if i < len(d.columns) {
			d.rec.cols[i].Name = d.columns[i]
		}
	}
	rec := d.rec
	if d.search != nil || d.cycle != nil {
		if rec.trail, err = b.trail(d, rec.cols); err != nil {
			return nil, err
		}
	}
	d.binding = false
	step, err := b.subselect(op.R, d.outer)
	d.rec = nil
	b.ctes = d.seen
	if err != nil {
		return nil, err
	}
	if rec.at == 0 {
		if rec.trail != nil {
			return nil, b.notRecursive(d)
		}
		return b.subselect(d.query, d.outer)
	}
	if err := b.noTail(d.query); err != nil {
		return nil, err
	}
	if len(step.cols) != len(base.cols) {
		return nil, b.errorf(op.Pos, sqlerr.SyntaxError, "each UNION query must have the same number of columns")
	}
	return b.recursiveNode(d, op, rec, base, step)
}

func (b *binder) recursiveNode(d *cte, op *sql.SetOp, rec *recursion, base, step *output) (*output, error) {
	n := &logicalplan.Recursive{Base: base.node, ID: rec.id, All: op.All, Pos: b.pos(op.Pos)}
	want := make([]types.Type, len(rec.cols))
	for i, c := range rec.cols {
		want[i] = c.Type
		if s := step.cols[i].Type; !s.Same(c.Type) {
			if _, _, err := expr.Unify("UNION", []expr.Expr{use(c), use(step.cols[i])}); err != nil {
				return nil, b.fail(err, op.Pos)
			}
			if u, err := expr.NewCast(use(step.cols[i]), c.Type, expr.Implicit); err != nil || u == nil {
				return nil, b.errorf(op.Pos, sqlerr.DatatypeMismatch,
					"recursive query \"%s\" column %d has type %s in non-recursive term but type %s overall", d.name, i+1, c.Type, s).
					WithHint("Cast the output of the non-recursive term to the correct type.")
			}
		}
		n.Cols = append(n.Cols, b.column(c.Name, c.Type))
	}
	stepNode, stepCols, err := b.castColumns(step.node, step.cols, want, expr.Implicit)
	if err != nil {
		return nil, err
	}
	n.Step = stepNode
	if rec.trail != nil {
		if err := rec.trail.extend(b, d, n, base.cols, stepCols); err != nil {
			return nil, err
		}
	}
	return &output{node: n, cols: n.Cols, names: columnNames(n.Cols)}, nil
}

func columnNames(cols []logicalplan.Column) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = c.Name
	}
	return out
}
