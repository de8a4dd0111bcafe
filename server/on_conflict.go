package server

import (
	"slices"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/exec"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// onConflict is what an INSERT does with a row one of whose unique keys is taken.
type onConflict struct {
	on     exec.OnConflict
	set    []int       // ordinals of the columns that DO UPDATE changes
	values []expr.Expr // their new values, over the stored row (columns 1 to n) and the one that was to be inserted (n+1 to 2n)
	where  expr.Expr   // over the same; nil: always
	moves  bool        // whether a unique key changes, which the rows behind have to see
}

func (s *Session) planOnConflict(t *target, n *sql.Insert, params *[]types.Type) (onConflict, error) {
	c := n.OnConflict
	if c == nil {
		return onConflict{}, nil
	}
	out := onConflict{on: exec.OnConflict{Nothing: !c.Update, Update: c.Update}}
	if t.table == nil {
		return out, sqlerr.Newf(sqlerr.InvalidColumnReference, "there is no unique or exclusion constraint matching the ON CONFLICT specification").
			WithDetail("A stream has no key.").At(int(c.Pos))
	}
	if c.Columns == nil && c.Constraint == nil {
		if c.Update {
			return out, sqlerr.Newf(sqlerr.SyntaxError, "ON CONFLICT DO UPDATE requires inference specification or constraint name").
				WithHint("For example, ON CONFLICT (column_name).").At(int(c.Pos))
		}
		return out, nil
	}
	key, err := t.arbiter(c)
	if err != nil || !c.Update {
		out.on.Key = key.Name
		return out, err
	}
	out.on.Key = key.Name
	return out, out.planUpdate(s, t, n, params)
}

// planUpdate resolves SET and WHERE.
func (o *onConflict) planUpdate(s *Session, t *target, n *sql.Insert, params *[]types.Type) error {
	ords, values, err := t.assignments(n.OnConflict.Set)
	if err != nil {
		return err
	}
	over := []build.Named{t.named(n.Alias, 0), t.named("excluded", len(t.columns))}
	over[1].Table = ""
	env := s.env(params)
	o.set = ords
	for i, x := range values {
		e, err := build.ScalarOver(x, over, "ON CONFLICT DO UPDATE", env)
		if err != nil {
			return err
		}
		c := t.columns[ords[i]]
		if err := assignable(c, types.Field{Type: e.Type()}, int(n.OnConflict.Set[i].Column.Pos)); err != nil {
			return err
		}
		if e, err = expr.NewCast(e, c.Type, expr.Assignment); err != nil {
			return err
		}
		o.values = append(o.values, e)
	}
	for _, k := range t.uniqueKeys() {
		o.moves = o.moves || slices.ContainsFunc(k.Columns, func(c int) bool { return slices.Contains(ords, c) })
	}
	if n.OnConflict.Where == nil {
		return nil
	}
	o.where, err = build.ScalarOver(n.OnConflict.Where, over, "WHERE", env)
	if err == nil && o.where.Type().Kind != types.Bool {
		err = sqlerr.Newf(sqlerr.DatatypeMismatch, "argument of WHERE must be type boolean, not type %s", o.where.Type()).At(int(n.OnConflict.Where.At()))
	}
	return err
}

// arbiter finds the unique key that the target of ON CONFLICT means.
func (t *target) arbiter(c *sql.OnConflict) (catalog.UniqueKey, error) {
	keys := t.uniqueKeys()
	if c.Constraint != nil {
		for _, k := range keys[:len(keys)-len(t.indexes)] {
			if k.Name == c.Constraint.Name {
				return k, nil
			}
		}
		return catalog.UniqueKey{}, sqlerr.Newf(sqlerr.UndefinedObject, "constraint %q for table %q does not exist", c.Constraint.Name, t.entry.Head().Name).At(int(c.Constraint.Pos))
	}
	ords, err := t.ordinals(c.Columns)
	if err != nil {
		return catalog.UniqueKey{}, err
	}
	slices.Sort(ords)
	for _, k := range keys {
		if slices.Equal(ords, slices.Sorted(slices.Values(k.Columns))) {
			return k, nil
		}
	}
	return catalog.UniqueKey{}, sqlerr.Newf(sqlerr.InvalidColumnReference, "there is no unique or exclusion constraint matching the ON CONFLICT specification").At(int(c.Pos))
}

// uniqueKeys lists the keys of a table, the primary one first, and its unique indexes last.
func (t *target) uniqueKeys() []catalog.UniqueKey {
	var out []catalog.UniqueKey
	if len(t.table.PrimaryKey) > 0 {
		out = append(out, catalog.UniqueKey{Name: t.table.PrimaryKeyName(), Columns: t.table.PrimaryKey})
	}
	out = append(out, t.table.Unique...)
	for _, x := range t.indexes {
		out = append(out, catalog.UniqueKey{Name: x.Name, Columns: x.Ordinals()})
	}
	return out
}

// named is the relation for expressions over one row of it, its columns numbered from first+1 on.
func (t *target) named(alias string, first int) build.Named {
	n := build.Named{Name: t.entry.Head().Name}
	if alias != "" && alias != n.Name {
		n.Name, n.Table = alias, n.Name
	}
	for i, c := range t.columns {
		if t.table != nil || c.Generated == "" {
			n.Cols = append(n.Cols, logicalplan.Column{ID: expr.ColumnID(first + i + 1), Name: c.Name, Type: c.Type})
		}
	}
	return n
}

// conflictUpdater carries DO UPDATE out.
type conflictUpdater struct {
	plan   *onConflict
	values []expr.Evaluator
	where  expr.Evaluator
	writer *rowWriter // of whole rows, to the same table
}

func (o *onConflict) open(w *rowWriter, args []column.Vector) (*conflictUpdater, error) {
	if !o.on.Update {
		return nil, nil
	}
	layout := make([]expr.ColumnID, 2*len(w.t.columns))
	for i := range layout {
		layout[i] = expr.ColumnID(i + 1)
	}
	u := &conflictUpdater{plan: o}
	for _, v := range o.values {
		e, err := expr.Compile(v, layout, w.s.context(args), nil)
		if err != nil {
			return nil, err
		}
		u.values = append(u.values, e)
	}
	whole := *w
	whole.given, whole.defaults, whole.update = w.t.stored(), nil, nil
	whole.on = exec.OnConflict{}
	u.writer = &whole
	var err error
	if o.where != nil {
		u.where, err = expr.Compile(o.where, layout, w.s.context(args), nil)
	}
	return u, err
}

// update changes the rows that have the keys of rows of b. It returns the ordinals in b of those it changed, and the rows as they are now.
func (u *conflictUpdater) update(b *column.Batch, taken []exec.Taken) ([]int32, *column.Batch, error) {
	old, err := u.writer.table.Read(taken)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]int32, len(taken))
	keys := column.NewBuilder(types.Of(types.Bytea), len(taken)).(*column.BytesBuilder)
	for i, t := range taken {
		rows[i] = t.Row
		keys.Append(t.Key)
	}
	pair := &column.Batch{Schema: &types.Schema{Fields: slices.Concat(old.Schema.Fields, b.Schema.Fields)},
		Cols: slices.Concat(old.Cols, b.Take(rows).Cols), Rows: len(rows)}
	keep, err := u.matching(pair)
	if err != nil {
		return nil, nil, err
	}
	fresh, err := u.fresh(pair)
	if err != nil {
		return nil, nil, err
	}
	if _, err := u.writer.table.Delete(keys.Build().Take(keep)); err != nil {
		return nil, nil, err
	}
	stored, _, err := u.writer.write(fresh.Take(keep))
	changed := make([]int32, len(keep))
	for i, k := range keep {
		changed[i] = rows[k]
	}
	return changed, stored, err
}

// matching returns the ordinals of the pairs for which WHERE is true.
func (u *conflictUpdater) matching(pair *column.Batch) ([]int32, error) {
	if u.where == nil {
		return all(pair.Rows), nil
	}
	v, err := u.where.Eval(pair)
	if err != nil {
		return nil, err
	}
	var keep []int32
	for i, ok := range v.(*column.Of[bool]).Values {
		if ok && !v.IsNull(i) {
			keep = append(keep, int32(i))
		}
	}
	return keep, nil
}

// fresh makes the changed rows of the columns that are not computed.
func (u *conflictUpdater) fresh(pair *column.Batch) (*column.Batch, error) {
	t := u.writer.t
	out := &column.Batch{Schema: t.rowType(t.stored()), Rows: pair.Rows}
	for _, o := range t.stored() {
		v := pair.Cols[o]
		if i := slices.Index(u.plan.set, o); i >= 0 {
			x, err := u.values[i].Eval(pair)
			if err != nil {
				return nil, err
			}
			v = x.Take(all(pair.Rows)) // the evaluator keeps its vector
		}
		out.Cols = append(out.Cols, v)
	}
	return out, nil
}
