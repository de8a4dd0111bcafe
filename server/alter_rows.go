package server

import (
	"context"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/exec"
	"wmsql/expr"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// rows makes the stored rows fit the changed definition, and looks at them where it must. The one writer is this transaction, so that they
// do not change meanwhile.
func (c *tableChange) rows(ctx context.Context) error {
	tx := c.s.tx
	r := tx.pending.reader(c.s.srv.store)
	if c.rewrite {
		return c.rewriteRows(ctx, r)
	}
	if c.reshaped {
		missing := map[int]column.Vector{}
		for i, col := range c.cols {
			if col.missing != nil {
				missing[i] = col.missing
			}
		}
		if err := exec.ChangeShape(c.t, c.edit.Indexes(c.t.ID), missing, r, tx.pending); err != nil {
			return err
		}
	}
	if len(c.nulls) == 0 && len(c.checks) == 0 {
		return nil
	}
	w, err := c.newWatch(c.checks)
	if err != nil {
		return err
	}
	return c.eachBatch(ctx, r, c.t, w.see)
}

// eachBatch calls f with the rows that are stored, under definition t.
func (c *tableChange) eachBatch(ctx context.Context, r state.Reader, t *catalog.Table, f func(*column.Batch) error) error {
	rows, err := exec.ReadTable(r, t)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // only read from
	schema := schemaOf(t.Columns)
	for ctx.Err() == nil {
		b, err := rows.Next()
		if b == nil || err != nil {
			return err
		}
		b.Schema = schema
		if err := f(b); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// rewriteRows writes all rows anew.
func (c *tableChange) rewriteRows(ctx context.Context, r state.Reader) error {
	tx := c.s.tx
	schema := schemaOf(c.t.Columns)
	var into state.Txn = tx.pending
	fresh := r
	var part *parts
	if !tx.freezes { // a frozen transaction would not see rows that are stored now
		part = newParts(c.s.srv.store)
		into, fresh = part, part.reader()
	}
	w, err := exec.NewRewriter(c.t, c.edit.Indexes(c.t.ID), schema, r, fresh, into)
	if w == nil || err != nil {
		return err
	}
	if part != nil {
		tx.undo = append(tx.undo, func() { c.s.srv.discard(w.Discard) })
	}
	m, err := c.newMaker()
	if err != nil {
		return err
	}
	err = c.eachBatch(ctx, r, c.was, func(b *column.Batch) error {
		full, err := m.make(b)
		if err != nil {
			return err
		}
		if _, err := w.Insert(full, exec.OnConflict{}); err != nil {
			return notUnique(err)
		}
		if part != nil {
			return part.flush(partMax)
		}
		return nil
	})
	if err == nil && part != nil {
		err = part.flush(0)
	}
	if err != nil {
		return err
	}
	w.Finish(tx.pending)
	return nil
}

// notUnique says of a key that two rows share what Postgres says where it builds an index.
func notUnique(err error) error {
	e := sqlerr.From(err)
	if e.Code != sqlerr.UniqueViolation {
		return err
	}
	w := *e
	w.Msg = "could not create unique index \"" + e.Constraint + "\""
	w.Detail = strings.Replace(e.Detail, "already exists.", "is duplicated.", 1)
	return &w
}

// maker makes rows of the changed definition out of those of the one that was found.
type maker struct {
	c         *tableChange
	schema    *types.Schema
	casts     map[int]expr.Evaluator // over the old row
	fills     map[int]expr.Evaluator
	generated map[int]expr.Evaluator // over the new row
	watch     *watch
}

func (c *tableChange) newMaker() (*maker, error) {
	m := &maker{c: c, schema: schemaOf(c.t.Columns), casts: map[int]expr.Evaluator{}, fills: map[int]expr.Evaluator{}, generated: map[int]expr.Evaluator{}}
	ctx := c.s.context(nil)
	old, now := c.compiler(c.was), c.compiler(c.t)
	for i, col := range c.t.Columns {
		var err error
		switch x := c.cols[i]; {
		case col.Generated != "":
			m.generated[i], err = now.compile(col.Generated, col.Type)
		case x.cast != nil:
			m.casts[i], err = expr.Compile(x.cast, old.layout, ctx, nil)
		case x.fill:
			m.fills[i], err = now.compile(col.Default, col.Type)
		}
		if err != nil {
			return nil, err
		}
	}
	var valid []string
	for _, check := range c.t.Checks {
		if !check.NotValid {
			valid = append(valid, check.Name)
		}
	}
	var err error
	m.watch, err = c.newWatch(valid)
	return m, err
}

// compiler compiles expressions over the columns of a definition.
func (c *tableChange) compiler(t *catalog.Table) *columnCompiler {
	out := &columnCompiler{s: c.s, cols: columnsOf(t), ctx: c.s.context(nil)}
	for _, col := range out.cols {
		out.layout = append(out.layout, col.ID)
	}
	return out
}

func (m *maker) make(b *column.Batch) (*column.Batch, error) {
	full := &column.Batch{Schema: m.schema, Cols: make([]column.Vector, len(m.c.t.Columns)), Rows: b.Rows}
	set := func(i int, e expr.Evaluator, over *column.Batch) error {
		v, err := e.Eval(over)
		if err == nil {
			full.Cols[i] = v.Take(all(b.Rows)) // the evaluator keeps its vector
		}
		return err
	}
	for i, col := range m.c.t.Columns {
		switch x := m.c.cols[i]; {
		case m.generated[i] != nil:
		case m.casts[i] != nil:
			if err := set(i, m.casts[i], b); err != nil {
				return nil, err
			}
		case m.fills[i] != nil:
			if err := set(i, m.fills[i], full); err != nil {
				return nil, err
			}
		case x.from >= 0:
			full.Cols[i] = b.Cols[x.from]
		case x.missing != nil:
			full.Cols[i] = x.missing.Take(make([]int32, b.Rows))
		default:
			full.Cols[i] = column.Const(col.Type, nil, b.Rows)
		}
	}
	for i, g := range m.generated {
		if err := set(i, g, full); err != nil {
			return nil, err
		}
	}
	return full, m.watch.see(full)
}

// watch looks at rows: whether columns that have become NOT NULL are, and whether conditions hold.
type watch struct {
	t      *catalog.Table
	nulls  []int
	names  []string
	checks []expr.Evaluator
}

func (c *tableChange) newWatch(checks []string) (*watch, error) {
	w := &watch{t: c.t}
	for i, col := range c.t.Columns {
		if col.NotNull && slices.Contains(c.nulls, col.Name) {
			w.nulls = append(w.nulls, i)
		}
	}
	now := c.compiler(c.t)
	for _, check := range c.t.Checks {
		if !slices.Contains(checks, check.Name) {
			continue
		}
		e, err := now.compile(check.Expr, types.Of(types.Bool))
		if err != nil {
			return nil, err
		}
		w.names, w.checks = append(w.names, check.Name), append(w.checks, e)
	}
	return w, nil
}

func (w *watch) see(b *column.Batch) error {
	for _, i := range w.nulls {
		for row := range b.Rows {
			if b.Cols[i].IsNull(row) {
				name := w.t.Columns[i].Name
				return sqlerr.Newf(sqlerr.NotNullViolation, "column %q of relation %q contains null values", name, w.t.Name).Of(w.t.Schema, w.t.Name, name, "")
			}
		}
	}
	for n, e := range w.checks {
		v, err := e.Eval(b)
		if err != nil {
			return err
		}
		for row, ok := range v.(*column.Of[bool]).Values[:b.Rows] {
			if !ok && !v.IsNull(row) {
				return sqlerr.Newf(sqlerr.CheckViolation, "check constraint %q of relation %q is violated by some row", w.names[n], w.t.Name).
					Of(w.t.Schema, w.t.Name, "", w.names[n])
			}
		}
	}
	return nil
}
