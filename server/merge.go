package server

import (
	"context"
	"fmt"
	"strconv"

	"wmsql/column"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// mergePlan is MERGE: a query joins the source with the rows of the table and finds for each pair which WHEN it meets first:
//
//	SELECT t.*, t.ctid, m.action, values of the first WHEN, of the second, ...
//	FROM source LEFT JOIN t ON condition, LATERAL (SELECT CASE WHEN t.ctid IS NOT NULL THEN ... ELSE ... END) AS m (action)
//
// All pairs are known before any row is changed. (Postgres 15 docs, MERGE.)
type mergePlan struct {
	s      *Session
	t      *target
	whens  []mergeWhen // those that change rows
	source *selectPlan
}

// mergeWhen is one WHEN that changes rows.
type mergeWhen struct {
	what   string // "update", "delete", "insert"
	number int64  // as the query's action says it
	cols   []int  // ordinals of the table's columns that get values
	first  int    // the ordinal of the first value in the query's output
	values []sql.Expr
	pos    sql.Pos
}

// mergeAction is the relation in the query that says which WHEN a pair meets.
const mergeAction = "merge when"

func (s *Session) planMerge(n *sql.Merge, params *[]types.Type) (plan, error) {
	t, err := s.changeTarget("MERGE", n.Table)
	if err != nil {
		return nil, err
	}
	p := &mergePlan{s: s, t: t}
	name := n.Alias
	if name == "" {
		name = t.entry.Head().Name
	}
	for _, used := range itemNames([]sql.TableExpr{n.Source}) {
		if used == name {
			return nil, sqlerr.Newf(sqlerr.DuplicateAlias, "name %q specified more than once", name).
				WithDetail("The name is used both as MERGE target table and data source.").At(int(n.Table.Pos))
		}
	}
	if err := reachable(n.Whens); err != nil {
		return nil, err
	}
	for i := range n.Whens {
		if err := p.addWhen(&n.Whens[i], int64(i+1), name); err != nil {
			return nil, err
		}
	}
	if p.source, err = s.planSelect(p.query(n, name), params); err != nil {
		return nil, err
	}
	for _, w := range p.whens {
		for i, o := range w.cols {
			if err := assignable(t.columns[o], p.source.out.Fields[w.first+i], int(w.values[i].At())); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// reachable refuses a WHEN behind one of its kind that has no condition.
func reachable(whens []sql.MergeWhen) error {
	always := map[bool]bool{}
	for _, w := range whens {
		if always[w.Matched] {
			return sqlerr.Newf(sqlerr.SyntaxError, "unreachable WHEN clause specified after unconditional WHEN clause")
		}
		always[w.Matched] = w.Cond == nil
	}
	return nil
}

// addWhen resolves the columns and values of a WHEN. An insert's values may not name the table, called name.
func (p *mergePlan) addWhen(w *sql.MergeWhen, number int64, name string) (err error) {
	out := mergeWhen{what: w.Action, number: number, pos: w.Pos}
	switch w.Action {
	case "nothing":
		return nil
	case "update":
		out.cols, out.values, err = p.t.assignments(w.Set)
	case "insert":
		err = out.inserted(p, w, name)
	}
	p.whens = append(p.whens, out)
	return err
}

func (m *mergeWhen) inserted(p *mergePlan, w *sql.MergeWhen, name string) (err error) {
	if w.Values == nil {
		return nil
	}
	in := &insertPlan{s: p.s, t: p.t, override: w.Overriding}
	if in.given, err = p.t.ordinals(w.Columns); err != nil {
		return err
	}
	if len(w.Columns) == 0 && len(w.Values) == len(p.t.columns) {
		in.given = upTo(len(w.Values))
	}
	if err := in.count(&sql.Insert{Columns: w.Columns}, len(w.Values), w.Values); err != nil {
		return err
	}
	rows, err := in.dropGenerated(&sql.Values{Rows: [][]sql.Expr{w.Values}})
	if err != nil {
		return err
	}
	if rows, err = in.typeRows(rows); err != nil {
		return err
	}
	m.cols = in.given
	for _, x := range rows.Rows[0] {
		m.values = append(m.values, &sql.Without{X: x, Relation: name})
	}
	return nil
}

// query makes the query of the plan's comment, and notes where the values of each WHEN stand in its output.
func (p *mergePlan) query(n *sql.Merge, name string) *sql.Select {
	ctid := &sql.ColumnRef{Parts: []string{name, "ctid"}, Pos: n.Table.Pos}
	action := &sql.ColumnRef{Parts: []string{mergeAction, "action"}}
	items := []sql.Item{{X: &sql.Star{Qualifier: []string{name}}}, {X: ctid}, {X: action}}
	next := len(p.t.columns) + 2
	for i := range p.whens {
		w := &p.whens[i]
		w.first = next
		for _, x := range w.values {
			chosen := &sql.Binary{Op: "=", L: action, R: ordinal(w.number)}
			items = append(items, sql.Item{X: &sql.Case{Whens: []sql.When{{Cond: chosen, Then: x}}, Pos: x.At()}})
			next++
		}
	}
	join := &sql.Join{Kind: "inner", L: n.Source, R: &sql.Table{Name: n.Table, Alias: sql.Alias{Name: n.Alias}, Pos: n.Table.Pos}, On: n.On, Pos: n.Pos}
	for _, w := range n.Whens {
		if !w.Matched && w.Action != "nothing" {
			join.Kind = "left"
		}
	}
	choice := &sql.Query{Items: []sql.Item{{X: choose(n.Whens, ctid, name), Alias: "action"}}, Assigns: "MERGE WHEN conditions", Pos: n.Pos}
	chosen := &sql.Derived{Lateral: true, Query: &sql.Select{Body: choice, Pos: n.Pos}, Alias: sql.Alias{Name: mergeAction}, Pos: n.Pos}
	return &sql.Select{With: n.With, Recursive: n.Recursive, Pos: n.Pos,
		Body: &sql.Query{Items: items, From: []sql.TableExpr{join, chosen}, Assigns: "MERGE", Pos: n.Pos}}
}

// choose is the number of the first WHEN that a pair meets.
func choose(whens []sql.MergeWhen, ctid sql.Expr, name string) sql.Expr {
	none := &sql.Cast{X: &sql.Literal{Kind: sql.Null}, Type: sql.TypeName{Schema: "pg_catalog", Name: "int4"}}
	matched, alone := &sql.Case{Else: none}, &sql.Case{Else: none}
	for i, w := range whens {
		to, cond := matched, w.Cond
		if cond == nil {
			cond = &sql.Literal{Kind: sql.Bool, Text: "true"}
		}
		if !w.Matched {
			to, cond = alone, &sql.Without{X: cond, Relation: name}
		}
		to.Whens = append(to.Whens, sql.When{Cond: cond, Then: ordinal(int64(i + 1))})
	}
	out := &sql.Case{Whens: []sql.When{{Cond: &sql.IsTest{X: ctid, Test: "null", Not: true}, Then: either(matched)}}, Else: either(alone)}
	return out
}

// either is a CASE, or what it is without a WHEN.
func either(c *sql.Case) sql.Expr {
	if len(c.Whens) == 0 {
		return c.Else
	}
	return c
}

func ordinal(n int64) sql.Expr {
	return &sql.Literal{Kind: sql.Integer, Text: strconv.FormatInt(n, 10)}
}

func (p *mergePlan) schema() *types.Schema { return nil }

func (p *mergePlan) run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	if err := p.s.writes("MERGE"); err != nil {
		return nil, err
	}
	defer p.source.oneStatement()()
	w, err := p.s.newRowWriter(ctx, p.t, p.t.stored(), args) // waits for other writers before anything is read
	if err != nil {
		return nil, err
	}
	found, err := findRows(ctx, p.source, args)
	if err != nil {
		return nil, err
	}
	var rows int64
	if found != nil {
		if rows, err = p.merge(ctx, w, found, args); err != nil {
			return nil, err
		}
	}
	tag := fmt.Sprintf("MERGE %d", rows)
	return &complete{tag: func(int64) string { return tag }}, nil
}

// merge changes the rows: the old ones go first, then come changed and new ones.
func (p *mergePlan) merge(ctx context.Context, w *rowWriter, found *column.Batch, args []column.Vector) (int64, error) {
	of, err := p.remove(w, found)
	if err != nil {
		return 0, err
	}
	var rows int64
	for _, m := range p.whens {
		pairs := found.Take(of[m.number])
		if m.what == "delete" || pairs.Rows == 0 {
			rows += int64(pairs.Rows)
			continue
		}
		given := m.cols
		if m.what == "update" {
			given = p.t.stored()
		}
		fresh, err := p.s.changedRows(p.t, m.cols, given, pairs, m.first, args)
		if err != nil {
			return 0, err
		}
		to := w
		if m.what == "insert" {
			if to, err = p.s.newRowWriter(ctx, p.t, given, args); err != nil {
				return 0, err
			}
		}
		_, n, err := to.write(fresh)
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, nil
}

// remove removes the rows that are updated or deleted, and returns the ordinals of the pairs that each WHEN has yet to do, without those whose row
// another part of the statement has changed.
func (p *mergePlan) remove(w *rowWriter, found *column.Batch) (map[int64][]int32, error) {
	actions := found.Cols[len(p.t.columns)+1].(*column.Of[int64])
	keys := found.Cols[len(p.t.columns)].(*column.Bytes)
	what := map[int64]string{}
	for _, m := range p.whens {
		what[m.number] = m.what
	}
	of := map[int64][]int32{}
	var old []int32
	seen := map[string]bool{}
	for i := range found.Rows {
		if actions.IsNull(i) {
			continue
		}
		switch a := actions.Values[i]; what[a] {
		case "insert":
			of[a] = append(of[a], int32(i))
		case "update", "delete":
			if seen[string(keys.Value(i))] {
				return nil, sqlerr.Newf(sqlerr.CardinalityViolation, "MERGE command cannot affect row a second time").
					WithHint("Ensure that not more than one source row matches any one target row.")
			}
			seen[string(keys.Value(i))] = true
			old = append(old, int32(i))
		}
	}
	gone, err := w.table.Delete(keys.Take(old))
	if err != nil {
		return nil, err
	}
	for _, k := range gone {
		a := actions.Values[old[k]]
		of[a] = append(of[a], old[k])
	}
	return of, nil
}
