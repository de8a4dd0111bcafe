package server

import (
	"context"
	"fmt"
	"slices"

	"wmsql/column"
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
	return p, p.resolve(n.Alias, from, n.Where, values, n.Returning, params, n.Pos)
}

func (s *Session) planDelete(n *sql.Delete, params *[]types.Type) (plan, error) {
	t, err := s.changeTarget("DELETE", n.Table)
	if err != nil {
		return nil, err
	}
	p := &changePlan{s: s, what: "DELETE", t: t}
	from := append([]sql.TableExpr{&sql.Table{Name: n.Table, Alias: sql.Alias{Name: n.Alias}, Pos: n.Table.Pos}}, n.Using...)
	return p, p.resolve(n.Alias, from, n.Where, nil, n.Returning, params, n.Pos)
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

// resolve plans SELECT t.*, t.ctid, values FROM from WHERE where.
func (p *changePlan) resolve(alias string, from []sql.TableExpr, where sql.Expr, values, returning []sql.Item, params *[]types.Type, pos sql.Pos) error {
	name := p.t.entry.Head().Name
	if alias == "" {
		alias = name
	}
	items := []sql.Item{{X: &sql.Star{Qualifier: []string{alias}}}, {X: &sql.ColumnRef{Parts: []string{alias, "ctid"}}}}
	q := &sql.Query{Items: append(items, values...), From: from, Where: where, Pos: pos}
	var err error
	if p.source, err = p.s.planSelect(&sql.Select{Body: q, Pos: pos}, params); err != nil {
		return err
	}
	for i, o := range p.set {
		if err := assignable(p.t.columns[o], p.source.out.Fields[len(p.t.columns)+1+i], int(pos)); err != nil {
			return err
		}
	}
	if len(returning) > 0 {
		p.returning, err = p.s.planReturning(p.t, alias, returning, params)
	}
	return err
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
	w, err := p.s.newRowWriter(ctx, p.t, p.t.stored(), args) // waits for other writers before anything is read
	if err != nil {
		return nil, err
	}
	out, err := p.returning.open(p.s, w, args)
	if err != nil {
		return nil, err
	}
	found, err := p.find(ctx, args)
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

// find reads all rows to be changed before any is.
func (p *changePlan) find(ctx context.Context, args []column.Vector) (*column.Batch, error) {
	r, err := p.source.open(ctx, args)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // only read from
	batches, err := collect(ctx, r)
	if err != nil || len(batches) == 0 {
		return nil, err
	}
	return column.Concat(p.source.out, batches), nil
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
		return int64(len(first)), out.add(project(found, upTo(len(p.t.columns))).Take(first))
	}
	fresh, err := p.fresh(found, args)
	if err != nil {
		return 0, err
	}
	stored, n, err := w.write(fresh.Take(first))
	if err != nil {
		return 0, err
	}
	return n, out.add(stored)
}

// fresh makes the changed rows of the columns that are not computed.
func (p *changePlan) fresh(found *column.Batch, args []column.Vector) (*column.Batch, error) {
	width := len(p.t.columns)
	values := project(found, func() []int {
		ords := upTo(len(p.set))
		for i := range ords {
			ords[i] += width + 1
		}
		return ords
	}())
	c, err := newCaster(values.Schema, p.t.rowType(p.set), p.s.context(args))
	if err != nil {
		return nil, err
	}
	typed, err := c.batch(values)
	if err != nil {
		return nil, err
	}
	out := &column.Batch{Schema: p.t.rowType(p.t.stored()), Rows: found.Rows}
	for _, o := range p.t.stored() {
		if i := slices.Index(p.set, o); i >= 0 {
			out.Cols = append(out.Cols, typed.Cols[i])
		} else {
			out.Cols = append(out.Cols, found.Cols[o])
		}
	}
	return out, nil
}
