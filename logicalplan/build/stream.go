package build

import (
	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// Stream checks CREATE STREAM (columns, computed columns, watermark clause; the gate's WM005) and returns its
// definition without ID and Options. Of a derived stream the text of the query is the caller's to store.
func Stream(s *sql.CreateStream, env *Env) (*catalog.Stream, error) {
	b := newBinder(env)
	out := &catalog.Stream{Object: catalog.Object{Kind: catalog.KindStream}, SearchPath: env.SearchPath}
	out.Name = s.Name.Parts[len(s.Name.Parts)-1]
	if len(s.Name.Parts) > 1 {
		out.Schema = s.Name.Parts[len(s.Name.Parts)-2]
	}
	var cols []logicalplan.Column
	var err error
	if s.Query != nil {
		out.Columns, cols, err = b.queryColumns(s)
	} else {
		out.Columns, cols, err = b.streamColumns(s)
	}
	if err != nil {
		return nil, err
	}
	if out.Watermark, err = b.streamWatermark(s, cols); err != nil {
		return nil, err
	}
	return out, nil
}

// queryColumns are the columns of CREATE STREAM s AS query.
func (b *binder) queryColumns(s *sql.CreateStream) ([]catalog.Column, []logicalplan.Column, error) {
	q, err := b.selectStmt(s.Query, nil, resolveUnknown)
	if err != nil {
		return nil, nil, err
	}
	if len(s.Columns) > 0 {
		return nil, nil, b.errorf(s.Columns[0].Pos, sqlerr.SyntaxError, "the columns of a stream over a query come from the query")
	}
	if !logicalplan.Derive(q.node).Stream {
		return nil, nil, b.errorf(s.Query.Pos, sqlerr.WrongObjectType, "the query of a derived stream must read a stream")
	}
	var out []catalog.Column
	seen := map[string]bool{}
	for i, c := range q.cols {
		if seen[q.names[i]] {
			return nil, nil, b.errorf(s.Query.Pos, sqlerr.DuplicateColumn, "column \"%s\" specified more than once", q.names[i])
		}
		seen[q.names[i]] = true
		out = append(out, catalog.Column{Name: q.names[i], Type: c.Type})
	}
	cols := append([]logicalplan.Column{}, q.cols...)
	for i := range cols {
		cols[i].Name = q.names[i]
	}
	return out, cols, nil
}

// streamColumns types the declared columns. A computed one may read any that is not computed.
func (b *binder) streamColumns(s *sql.CreateStream) ([]catalog.Column, []logicalplan.Column, error) {
	out := make([]catalog.Column, len(s.Columns))
	cols := make([]logicalplan.Column, len(s.Columns))
	seen := map[string]bool{}
	var physical []logicalplan.Column
	for i, d := range s.Columns {
		if seen[d.Name.Name] {
			return nil, nil, b.errorf(d.Name.Pos, sqlerr.DuplicateColumn, "column \"%s\" specified more than once", d.Name.Name)
		}
		seen[d.Name.Name] = true
		if err := b.streamConstraint(d); err != nil {
			return nil, nil, err
		}
		out[i] = catalog.Column{Name: d.Name.Name, NotNull: d.NotNull}
		if d.Type == nil {
			continue
		}
		t, err := Type(*d.Type)
		if err != nil {
			return nil, nil, err
		}
		out[i].Type = t
		cols[i] = b.column(d.Name.Name, t)
		if d.Generated == nil {
			physical = append(physical, cols[i])
		}
	}
	for i, d := range s.Columns {
		if d.Generated == nil {
			continue
		}
		if err := b.readsGenerated(d, s.Columns); err != nil {
			return nil, nil, err
		}
		x, err := b.generated(d, physical)
		if err != nil {
			return nil, nil, err
		}
		out[i].Type, out[i].Generated = x.Type(), d.GeneratedText
		if d.Type != nil {
			out[i].Type = cols[i].Type
		}
		cols[i] = b.column(d.Name.Name, out[i].Type)
	}
	return out, cols, nil
}

// readsGenerated refuses a computed column that reads a computed one.
func (b *binder) readsGenerated(d sql.ColumnDef, all []sql.ColumnDef) error {
	var err error
	walkExpr(d.Generated, func(x sql.Expr) bool {
		r, ok := x.(*sql.ColumnRef)
		for _, o := range all {
			if ok && err == nil && o.Generated != nil && o.Name.Name == r.Parts[len(r.Parts)-1] {
				err = b.errorf(r.Pos, sqlerr.InvalidObjectDefinition, "cannot use generated column \"%s\" in column generation expression", o.Name.Name).
					WithDetail("A generated column cannot reference another generated column.")
			}
		}
		return true
	})
	return err
}

// streamConstraint refuses what a stream cannot hold to.
func (b *binder) streamConstraint(d sql.ColumnDef) error {
	switch {
	case d.Collate != nil:
		return b.unsupported(d.Pos, "COLLATE in a stream")
	case d.PrimaryKey || d.Unique:
		return b.unsupported(d.Pos, "a key of a stream").WithHint("A stream keeps every row: SELECT DISTINCT ON (...) removes duplicates.")
	case d.Default != nil:
		return b.unsupported(d.Pos, "DEFAULT in a stream")
	case d.Checks != nil:
		return b.unsupported(d.Pos, "CHECK in a stream")
	}
	return nil
}

// generated binds a computed column and casts it to the declared type.
func (b *binder) generated(d sql.ColumnDef, physical []logicalplan.Column) (expr.Expr, error) {
	x, err := b.scalarOver(d.Generated, physical, "column generation expression")
	if err != nil {
		return nil, err
	}
	volatile := false
	expr.Walk(x, func(e expr.Expr) bool {
		c, ok := e.(*expr.Call)
		volatile = volatile || ok && c.Func.Volatility == expr.Volatile
		return !volatile
	})
	if volatile {
		return nil, b.errorf(d.Generated.At(), sqlerr.InvalidObjectDefinition, "generation expression is not immutable")
	}
	if d.Type == nil {
		return x, nil
	}
	t, err := Type(*d.Type)
	if err != nil {
		return nil, err
	}
	return b.cast(x, t, expr.Assignment, d.Generated.At())
}

// Watermark checks a WATERMARK clause for a stream that exists: ALTER STREAM ... ALTER WATERMARK.
func Watermark(w *sql.WatermarkClause, st *catalog.Stream, env *Env) (*catalog.Watermark, error) {
	b := newBinder(env)
	var cols []logicalplan.Column
	for _, c := range st.Columns {
		cols = append(cols, b.column(c.Name, c.Type))
	}
	return b.streamWatermark(&sql.CreateStream{Name: sql.Name{Parts: []string{st.Name}}, Watermarks: []sql.WatermarkClause{*w}}, cols)
}

// AddColumn checks a column that a stream gets: ALTER STREAM ... ADD COLUMN. Rows that are there have no value of it.
func AddColumn(d *sql.ColumnDef, st *catalog.Stream, env *Env) (catalog.Column, error) {
	b := newBinder(env)
	for _, c := range st.Columns {
		if c.Name == d.Name.Name {
			return catalog.Column{}, b.errorf(d.Pos, sqlerr.DuplicateColumn, "column \"%s\" of stream \"%s\" already exists", c.Name, st.Name)
		}
	}
	switch {
	case d.Generated != nil:
		return catalog.Column{}, b.unsupported(d.Pos, "to add a computed column")
	case d.NotNull:
		return catalog.Column{}, b.errorf(d.Pos, sqlerr.NotNullViolation, "column \"%s\" of stream \"%s\" would be NULL in the rows that are there", d.Name.Name, st.Name).
			WithHint("Leave NOT NULL out.")
	}
	if err := b.streamConstraint(*d); err != nil {
		return catalog.Column{}, err
	}
	t, err := Type(*d.Type)
	return catalog.Column{Name: d.Name.Name, Type: t}, err
}

// streamWatermark checks the WATERMARK clause.
func (b *binder) streamWatermark(s *sql.CreateStream, cols []logicalplan.Column) (*catalog.Watermark, error) {
	if len(s.Watermarks) == 0 {
		return nil, nil
	}
	if len(s.Watermarks) > 1 {
		return nil, b.errorf(s.Watermarks[1].Pos, invalidTableDefinition, "multiple watermarks for stream \"%s\" are not allowed", s.Name.Parts[len(s.Name.Parts)-1]).
			WithHint("A row has one event time: keep one WATERMARK clause.")
	}
	w := &s.Watermarks[0]
	taken := map[string]bool{}
	ord := -1
	for i, c := range cols {
		taken[c.Name] = true
		if c.Name == w.Column.Name {
			ord = i
		}
	}
	if ord < 0 {
		c := &exprCtx{b: b, scope: &scope{rels: []*rel{{cols: cols}}, cols: cols}}
		_, err := c.columnRef(&sql.ColumnRef{Parts: []string{w.Column.Name}, Pos: w.Column.Pos})
		return nil, err
	}
	if err := b.watermarkType(w.Column.Name, cols[ord].Type, w, taken); err != nil {
		return nil, err
	}
	delay, err := b.delay(w)
	if err != nil {
		return nil, err
	}
	return &catalog.Watermark{Column: ord, Delay: delay}, nil
}
