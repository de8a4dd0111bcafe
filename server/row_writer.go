package server

import (
	"context"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/exec"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/stream"
	"wmsql/types"
)

// rowWriter completes rows of some columns of a relation (defaults, computed columns, constraints) and adds them to
// the session's transaction.
type rowWriter struct {
	s      *Session
	t      *target
	given  []int // ordinals of the columns that come in, in their order
	on     exec.OnConflict
	update *conflictUpdater // with on.Update

	layout    []expr.ColumnID        // of the relation's columns, all of them
	defaults  map[int]expr.Evaluator // of columns that are not given
	generated map[int]expr.Evaluator // a stream's are computed only to refuse rows that could not be read again
	checks    []expr.Evaluator
	table     *exec.TableWriter
	schema    *types.Schema // of what is stored
	stores    []int         // ordinals of what is stored
}

// newRowWriter prepares for rows with the columns given. args are the statement's parameters.
func (s *Session) newRowWriter(ctx context.Context, t *target, given []int, args []column.Vector) (*rowWriter, error) {
	w := &rowWriter{s: s, t: t, given: given, defaults: map[int]expr.Evaluator{}, generated: map[int]expr.Evaluator{}}
	cols := make([]logicalplan.Column, len(t.columns))
	for i, c := range t.columns {
		cols[i] = logicalplan.Column{ID: expr.ColumnID(i + 1), Name: c.Name, Type: c.Type}
		w.layout = append(w.layout, cols[i].ID)
	}
	c := &columnCompiler{s: s, cols: cols, layout: w.layout, ctx: s.context(args)}
	if err := w.compileColumns(c); err != nil {
		return nil, err
	}
	if t.table != nil {
		for _, check := range t.table.Checks {
			e, err := c.compile(check.Expr, types.Of(types.Bool))
			if err != nil {
				return nil, err
			}
			w.checks = append(w.checks, e)
		}
	}
	w.schema = t.rowType(w.stores)
	return w, w.openTable(ctx)
}

func (w *rowWriter) compileColumns(c *columnCompiler) error {
	isGiven := map[int]bool{}
	for _, o := range w.given {
		isGiven[o] = true
	}
	for i, col := range w.t.columns {
		if col.Generated == "" || w.t.table != nil {
			w.stores = append(w.stores, i)
		}
		var err error
		switch {
		case col.Generated != "":
			w.generated[i], err = c.compile(col.Generated, col.Type)
		case col.Generated == "" && col.Default != "" && !isGiven[i]:
			w.defaults[i], err = c.compile(col.Default, col.Type)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *rowWriter) openTable(ctx context.Context) error {
	if w.t.table == nil {
		return nil
	}
	tx := w.s.start()
	if err := tx.lock(ctx); err != nil {
		return err
	}
	if now := tx.snapshot().ByID(w.t.id()); now != w.t.entry {
		return errAltered(w.t.entry)
	}
	var err error
	w.table, err = exec.NewTableWriter(w.t.table, tx.snapshot().Indexes(w.t.table.ID), w.schema, tx.pending.reader(w.s.srv.store), tx.pending)
	if err != nil {
		return err
	}
	if tx.frozen != nil {
		w.table.Saw(tx.pending.reader(tx.frozen))
	}
	tx.share(w.t.id(), w.table)
	return nil
}

// errAltered says that another session has changed what a statement was planned for, before the statement became the writer: it is planned
// anew.
func errAltered(e catalog.Entry) error {
	return sqlerr.Newf(sqlerr.SerializationFailure, "could not serialize access due to concurrent change of %q", e.Head().Name)
}

// columnCompiler compiles expressions of column definitions.
type columnCompiler struct {
	s      *Session
	cols   []logicalplan.Column
	layout []expr.ColumnID
	ctx    *expr.Context
}

func (c *columnCompiler) compile(text string, t types.Type) (expr.Evaluator, error) {
	parsed, err := sql.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	e, err := build.Scalar(typeUntyped(parsed, t), c.cols, c.s.env(nil))
	if err == nil {
		e, err = expr.NewCast(e, t, expr.Assignment)
	}
	if err != nil {
		return nil, err
	}
	return expr.Compile(e, c.layout, c.ctx, nil)
}

// write adds the rows of b, whose columns are the given ones. It returns the rows that were written, as they are stored, with the
// relation's columns at w.stores, and their number.
func (w *rowWriter) write(b *column.Batch) (*column.Batch, int64, error) {
	full, err := w.complete(b)
	if err == nil {
		err = w.constraints(full)
	}
	if err != nil {
		return nil, 0, err
	}
	stored := &column.Batch{Schema: w.schema, Cols: make([]column.Vector, len(w.stores)), Rows: b.Rows}
	for i, o := range w.stores {
		stored.Cols[i] = full.Cols[o]
	}
	if w.table != nil {
		return w.insert(stored)
	}
	tx := w.s.tx
	tx.appends = append(tx.appends, stream.Append{Stream: w.t.id(), Schema: w.schema, Batch: stored})
	return stored, int64(stored.Rows), nil
}

// insert adds rows to the table. Where an update on conflict moves rows to other keys, each row sees what the one before it did.
func (w *rowWriter) insert(b *column.Batch) (*column.Batch, int64, error) {
	if w.update == nil || !w.update.plan.moves || b.Rows <= 1 {
		out, err := w.insertBatch(b)
		if err != nil {
			return nil, 0, err
		}
		return out, int64(out.Rows), nil
	}
	var parts []*column.Batch
	for i := range b.Rows {
		out, err := w.insertBatch(b.Take([]int32{int32(i)}))
		if err != nil {
			return nil, 0, err
		}
		parts = append(parts, out)
	}
	out := column.Concat(w.schema, parts)
	return out, int64(out.Rows), nil
}

// insertBatch adds rows, or updates those that have their keys, and returns what was written in the order of b.
func (w *rowWriter) insertBatch(b *column.Batch) (*column.Batch, error) {
	in, err := w.table.Insert(b, w.on)
	if err != nil {
		return nil, err
	}
	if len(in.Rows) == b.Rows {
		return b, nil
	}
	out := b.Take(in.Rows)
	if len(in.Taken) == 0 {
		return out, nil
	}
	rows, changed, err := w.update.update(b, in.Taken)
	if err != nil {
		return nil, err
	}
	at := slices.Concat(in.Rows, rows)
	order := all(len(at))
	slices.SortFunc(order, func(x, y int32) int { return int(at[x]) - int(at[y]) })
	return column.Concat(w.schema, []*column.Batch{out, changed}).Take(order), nil
}

// complete makes whole rows of b. The computed columns of a stream are among them, though they are not stored: a row
// for which one cannot be computed would make every later SELECT of the stream fail.
func (w *rowWriter) complete(b *column.Batch) (*column.Batch, error) {
	full := &column.Batch{Schema: schemaOf(w.t.columns), Cols: make([]column.Vector, len(w.t.columns)), Rows: b.Rows}
	for i, o := range w.given {
		full.Cols[o] = b.Cols[i]
	}
	for i, c := range w.t.columns {
		if full.Cols[i] != nil || c.Generated != "" {
			continue
		}
		if d := w.defaults[i]; d != nil {
			v, err := d.Eval(full)
			if err != nil {
				return nil, err
			}
			full.Cols[i] = v.Take(all(b.Rows)) // the evaluator keeps its vector
			continue
		}
		full.Cols[i] = column.Const(c.Type, nil, b.Rows)
	}
	for i, g := range w.generated {
		v, err := g.Eval(full)
		if err != nil {
			return nil, err
		}
		full.Cols[i] = v.Take(all(b.Rows))
	}
	return full, nil
}

// constraints checks NOT NULL and CHECK.
func (w *rowWriter) constraints(b *column.Batch) error {
	h := w.t.entry.Head()
	for i, c := range w.t.columns {
		if !c.NotNull || b.Cols[i] == nil {
			continue
		}
		for row, null := range b.Cols[i].NullMask() {
			if null {
				return sqlerr.Newf(sqlerr.NotNullViolation, "null value in column %q of relation %q violates not-null constraint", c.Name, h.Name).
					WithDetail("Failing row contains %s.", w.rowText(b, row)).Of(h.Schema, h.Name, c.Name, "")
			}
		}
	}
	for n, c := range w.checks {
		v, err := c.Eval(b)
		if err != nil {
			return err
		}
		for row, ok := range v.(*column.Of[bool]).Values {
			if !ok && !v.IsNull(row) {
				return sqlerr.Newf(sqlerr.CheckViolation, "new row for relation %q violates check constraint %q", h.Name, w.t.table.Checks[n].Name).
					WithDetail("Failing row contains %s.", w.rowText(b, row)).Of(h.Schema, h.Name, "", w.t.table.Checks[n].Name)
			}
		}
	}
	return nil
}

// rowText writes a row as Postgres's details do.
func (w *rowWriter) rowText(b *column.Batch, row int) string {
	var parts []string
	for _, v := range b.Cols {
		switch {
		case v == nil:
		case v.IsNull(row):
			parts = append(parts, "null")
		default:
			parts = append(parts, string(column.AppendText(nil, v, row, w.s.vars.format)))
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
