package server

import (
	"context"
	"fmt"
	"slices"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// changePlan is UPDATE or DELETE of a table: a query finds the rows, with the keys under which they are stored and their new values
// behind them.
type changePlan struct {
	s         *Session
	what      string // "UPDATE" or "DELETE"
	t         *target
	set       []int // ordinals of the columns that change
	source    *selectPlan
	returning *returning
}

func (s *Session) planUpdate(n *sql.Update, params *[]types.Type) (plan, error) {
	t, err := s.changeTarget("UPDATE", n.Table)
	if err != nil {
		return nil, err
	}
	p := &changePlan{s: s, what: "UPDATE", t: t}
	ords, exprs, err := t.assignments(n.Set)
	if err != nil {
		return nil, err
	}
	p.set = ords
	values := make([]sql.Item, len(exprs))
	for i, x := range exprs {
		values[i] = sql.Item{X: x}
	}
	from := append([]sql.TableExpr{&sql.Table{Name: n.Table, Alias: sql.Alias{Name: n.Alias}, Pos: n.Table.Pos}}, n.From...)
	return p, p.resolve(change{n.With, n.Recursive, n.Alias, from, n.Where, values, n.Returning, n.Pos}, params)
}

func (s *Session) planDelete(n *sql.Delete, params *[]types.Type) (plan, error) {
	t, err := s.changeTarget("DELETE", n.Table)
	if err != nil {
		return nil, err
	}
	p := &changePlan{s: s, what: "DELETE", t: t}
	from := append([]sql.TableExpr{&sql.Table{Name: n.Table, Alias: sql.Alias{Name: n.Alias}, Pos: n.Table.Pos}}, n.Using...)
	return p, p.resolve(change{n.With, n.Recursive, n.Alias, from, n.Where, nil, n.Returning, n.Pos}, params)
}

// changeTarget finds a table whose rows can be told apart.
func (s *Session) changeTarget(what string, name sql.Name) (*target, error) {
	t, err := s.target(what, name)
	if err != nil {
		return nil, err
	}
	if t.table == nil {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "cannot %s stream %q", verb(what), t.stream.Name).
			WithDetail("A stream only grows.").At(int(name.Pos))
	}
	return t, nil
}

// change is the text of an UPDATE or DELETE, its first table in front of the others.
type change struct {
	with              []sql.CTE
	recursive         bool
	alias             string
	from              []sql.TableExpr
	where             sql.Expr
	values, returning []sql.Item
	pos               sql.Pos
}

// query is SELECT items FROM from WHERE where.
func (c *change) query(items []sql.Item) *sql.Select {
	return &sql.Select{
		With: c.with, Recursive: c.recursive, Pos: c.pos,
		Body: &sql.Query{Items: items, From: c.from, Where: c.where, Pos: c.pos},
	}
}

// resolve plans SELECT t.*, t.ctid, values FROM from WHERE where; behind these stand the columns of the other tables if RETURNING may read them.
func (p *changePlan) resolve(c change, params *[]types.Type) error {
	name := p.t.entry.Head().Name
	if c.alias == "" {
		c.alias = name
	}
	items := []sql.Item{{X: &sql.Star{Qualifier: []string{c.alias}}}, {X: &sql.ColumnRef{Parts: []string{c.alias, "ctid"}}}}
	items = append(items, c.values...)
	var others []build.Named
	if len(c.returning) > 0 {
		stars, err := p.joined(&c, &others, params)
		if err != nil {
			return err
		}
		items = append(items, stars...)
	}
	var err error
	q := c.query(items)
	q.Body.(*sql.Query).Assigns = p.what
	if p.source, err = p.s.planSelect(q, params); err != nil {
		return err
	}
	for i, o := range p.set {
		if err := assignable(p.t.columns[o], p.source.out.Fields[len(p.t.columns)+1+i], int(c.pos)); err != nil {
			return err
		}
	}
	if len(c.returning) > 0 {
		p.returning, err = p.s.planReturning(p.t, c.alias, c.returning, others, params)
	}
	return err
}

// joined lists the other tables of the statement as RETURNING may name them, and the items that select their columns. How many columns one
// has is found by planning the selection of these alone.
func (p *changePlan) joined(c *change, others *[]build.Named, params *[]types.Type) ([]sql.Item, error) {
	var items []sql.Item
	next := len(p.t.columns)
	for _, name := range itemNames(c.from[1:]) {
		star := sql.Item{X: &sql.Star{Qualifier: []string{name}}}
		types := slices.Clone(*orEmpty(params))
		one, err := p.s.planSelect(c.query([]sql.Item{star}), &types)
		if err != nil {
			return nil, err
		}
		n := build.Named{Name: name}
		for _, f := range one.out.Fields {
			next++
			n.Cols = append(n.Cols, logicalplan.Column{ID: expr.ColumnID(next), Name: f.Name, Type: f.Type})
		}
		*others = append(*others, n)
		items = append(items, star)
	}
	return items, nil
}

func orEmpty(params *[]types.Type) *[]types.Type {
	if params == nil {
		return &[]types.Type{}
	}
	return params
}

// itemNames are the names by which columns of FROM's items are told apart.
func itemNames(from []sql.TableExpr) []string {
	var out []string
	for _, t := range from {
		var alias sql.Alias
		var name string
		switch t := t.(type) {
		case *sql.Join:
			if alias = t.Alias; alias.Name == "" {
				out = append(out, itemNames([]sql.TableExpr{t.L, t.R})...)
				continue
			}
		case *sql.Table:
			alias, name = t.Alias, t.Name.Parts[len(t.Name.Parts)-1]
		case *sql.Derived:
			alias = t.Alias
		case *sql.TableFunc:
			alias, name = t.Alias, t.Call.Name.Parts[len(t.Call.Name.Parts)-1]
		}
		if alias.Name != "" {
			name = alias.Name
		}
		out = append(out, name)
	}
	return out
}

func (p *changePlan) schema() *types.Schema {
	if p.returning == nil {
		return nil
	}
	return p.returning.schema
}

func (p *changePlan) run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	if err := p.s.writes(p.what); err != nil {
		return nil, err
	}
	defer p.source.oneStatement()()
	w, err := p.s.newRowWriter(ctx, p.t, p.t.stored(), args) // waits for other writers before anything is read
	if err != nil {
		return nil, err
	}
	out, err := p.returning.open(p.s, w, args)
	if err != nil {
		return nil, err
	}
	found, err := findRows(ctx, p.source, args)
	if err != nil {
		return nil, err
	}
	rows, err := p.change(w, found, out, args)
	if err != nil {
		return nil, err
	}
	tag := fmt.Sprintf("%s %d", p.what, rows)
	return &complete{tag: func(int64) string { return tag }, batch: out.batch()}, nil
}

// findRows reads all rows to be changed before any is; nil if there are none.
func findRows(ctx context.Context, source *selectPlan, args []column.Vector) (*column.Batch, error) {
	r, err := source.open(ctx, args)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // only read from
	batches, err := collect(ctx, r)
	if err != nil || len(batches) == 0 {
		return nil, err
	}
	return column.Concat(source.out, batches), nil
}

func (p *changePlan) change(w *rowWriter, found *column.Batch, out *returned, args []column.Vector) (int64, error) {
	if found == nil {
		return 0, nil
	}
	first, err := w.table.Delete(found.Cols[len(p.t.columns)])
	if err != nil {
		return 0, err
	}
	if p.what == "DELETE" {
		return int64(len(first)), out.add(p.beside(project(found, upTo(len(p.t.columns))), found).Take(first))
	}
	fresh, err := p.s.changedRows(p.t, p.set, p.t.stored(), found, len(p.t.columns)+1, args)
	if err != nil {
		return 0, err
	}
	stored, n, err := w.write(fresh.Take(first))
	if err != nil {
		return 0, err
	}
	return n, out.add(p.beside(stored, found.Take(first)))
}

// beside puts the columns of the other tables, which stand last in found, behind those of the changed rows.
func (p *changePlan) beside(rows, found *column.Batch) *column.Batch {
	first := len(p.t.columns) + 1 + len(p.set)
	out := *rows
	out.Cols = append(slices.Clone(rows.Cols), found.Cols[first:]...)
	return &out
}

// changedRows makes rows of the columns at given: those at set have the values that stand in found from first on, the others those of the row
// that is in front of them.
func (s *Session) changedRows(t *target, set, given []int, found *column.Batch, first int, args []column.Vector) (*column.Batch, error) {
	ords := upTo(len(set))
	for i := range ords {
		ords[i] += first
	}
	values := project(found, ords)
	c, err := newCaster(values.Schema, t.rowType(set), s.context(args))
	if err != nil {
		return nil, err
	}
	typed, err := c.batch(values)
	if err != nil {
		return nil, err
	}
	out := &column.Batch{Schema: t.rowType(given), Rows: found.Rows}
	for _, o := range given {
		if i := slices.Index(set, o); i >= 0 {
			out.Cols = append(out.Cols, typed.Cols[i])
		} else {
			out.Cols = append(out.Cols, found.Cols[o])
		}
	}
	return out, nil
}
