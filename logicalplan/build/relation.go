package build

import (
	"slices"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// relation makes the plan of a catalog object.
func (b *binder) relation(r Relation, t *sql.Table) (*item, error) {
	switch {
	case r.Stream != nil:
		return b.stream(r.Stream, t)
	case r.Table != nil:
		return b.scan(&r.Table.Object, r.Table.Columns, r.Table.PrimaryKey, t), nil
	case r.MatView != nil:
		if b.env.Continuous {
			return b.result(r, t)
		}
		return b.scan(&r.MatView.Object, r.MatView.Columns, r.MatView.ShownKey(), t), nil
	case r.View != nil:
		return b.view(r.View, t)
	case r.Virtual != nil:
		return b.virtual(r.Virtual, t), nil
	}
	panic("build: the catalog found nothing and said nothing")
}

// scan reads a table or the result of a materialized view. Where ctid is asked for it stands behind the columns: the key under
// which a row is stored, opaque bytes, by which UPDATE and DELETE find it again.
func (b *binder) scan(o *catalog.Object, cols []catalog.Column, key []int, t *sql.Table) *item {
	s := &logicalplan.TableScan{Object: o, Alias: t.Alias.Name, Pos: b.pos(t.Name.Pos)}
	for i, c := range cols {
		s.Cols = append(s.Cols, b.column(c.Name, c.Type))
		s.Ords = append(s.Ords, catalog.Number(cols, i)-1)
	}
	r := b.columnsOf(o, s.Cols)
	for i, c := range s.Cols {
		b.origins[c.ID] = types.Origin{Table: uint32(o.ID), Column: int16(catalog.Number(cols, i))}
	}
	r.rowKey = func() logicalplan.Column {
		if s.Ords[len(s.Ords)-1] != logicalplan.RowKey {
			s.Cols = append(s.Cols[:len(s.Cols):len(s.Cols)], b.column("ctid", types.Of(types.Bytea)))
			s.Ords = append(s.Ords, logicalplan.RowKey)
		}
		return s.Cols[len(s.Cols)-1]
	}
	for _, k := range key {
		r.pk = append(r.pk, s.Cols[k].ID)
	}
	s.Key = r.pk
	return &item{node: s, rels: []*rel{r}, cols: r.cols}
}

// columnsOf makes a relation of an object whose columns, in its own order, are cols: what shows one of them unchanged comes from the object.
func (b *binder) columnsOf(o *catalog.Object, cols []logicalplan.Column) *rel {
	for i, c := range cols {
		b.origins[c.ID] = types.Origin{Table: uint32(o.ID), Column: int16(i + 1)}
	}
	return &rel{schema: o.Schema, name: o.Name, cols: cols, oid: o.ID}
}

// originsOf tells where the columns of a result come from.
func (b *binder) originsOf(cols []logicalplan.Column) []types.Origin {
	out := make([]types.Origin, len(cols))
	for i, c := range cols {
		out[i] = b.origins[c.ID]
	}
	return out
}

// virtual scans a table that the server computes. Behind its columns stands xmin, by which tools see what has changed.
func (b *binder) virtual(v *Virtual, t *sql.Table) *item {
	s := &logicalplan.VirtualScan{Schema: v.Schema, Name: v.Name, Pos: b.pos(t.Name.Pos)}
	for i, f := range v.Columns {
		s.Cols = append(s.Cols, b.column(f.Name, f.Type))
		s.Ords = append(s.Ords, i)
	}
	cols := s.Cols
	xmin := b.column("xmin", types.Of(types.XID))
	s.Cols = slices.Concat(cols, []logicalplan.Column{xmin})
	s.Ords = append(s.Ords, len(cols))
	r := b.columnsOf(&catalog.Object{ID: v.ID, Schema: v.Schema, Name: v.Name}, cols)
	r.system = []logicalplan.Column{xmin}
	return &item{node: s, rels: []*rel{r}, cols: cols}
}

// stream reads a stream: the columns that are sent, those computed from them, then the watermark, before anything else.
func (b *binder) stream(s *catalog.Stream, t *sql.Table) (*item, error) {
	if s.Query != "" {
		return b.derivedStream(s, t)
	}
	scan := &logicalplan.StreamScan{Stream: s, Alias: t.Alias.Name, Pos: b.pos(t.Name.Pos)}
	cols := make([]logicalplan.Column, len(s.Columns))
	computed := false
	for i, c := range s.Columns {
		cols[i] = b.column(c.Name, c.Type)
		if c.Generated != "" {
			computed = true
			continue
		}
		scan.Cols, scan.Ords = append(scan.Cols, cols[i]), append(scan.Ords, i)
	}
	var n logicalplan.Node = scan
	if computed {
		exprs, err := b.computed(s, cols, scan.Cols)
		if err != nil {
			return nil, err
		}
		n = &logicalplan.Project{Input: n, Exprs: exprs, Pos: scan.Pos}
	}
	n = b.watermarked(n, s, cols, scan.Pos)
	r := b.columnsOf(&s.Object, cols)
	return &item{node: n, rels: []*rel{r}, cols: cols}, nil
}

// watermarked puts the stream's watermark over n.
func (b *binder) watermarked(n logicalplan.Node, s *catalog.Stream, cols []logicalplan.Column, pos int) logicalplan.Node {
	if s.Watermark == nil {
		return n
	}
	return &logicalplan.EventTimeWatermark{
		Input: n, Column: cols[s.Watermark.Column].ID, Delay: s.Watermark.Delay, Stream: s, Pos: pos,
	}
}

// computed binds the generated columns of a stream over its physical ones.
func (b *binder) computed(s *catalog.Stream, cols, physical []logicalplan.Column) ([]logicalplan.Named, error) {
	out := pass(cols)
	b.stored++
	defer func() { b.stored-- }()
	for i, c := range s.Columns {
		if c.Generated == "" {
			continue
		}
		parsed, err := sql.ParseExpr(c.Generated)
		if err != nil {
			return nil, b.fail(err, 0)
		}
		x, err := b.scalarOver(parsed, physical, "column generation expression")
		if err != nil {
			return nil, err
		}
		if out[i].Expr, err = b.cast(x, c.Type, expr.Assignment, 0); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// view writes a view out: its query, bound by the search path it was made under.
func (b *binder) view(v *catalog.View, t *sql.Table) (*item, error) {
	n, cols, err := b.storedQuery(v.Query, v.SearchPath, v.Columns, v.Name)
	if err != nil {
		return nil, err
	}
	r := b.columnsOf(&v.Object, cols)
	return &item{node: n, rels: []*rel{r}, cols: cols}, nil
}

// derivedStream writes a stream over a query out, with its watermark where the statement put it.
func (b *binder) derivedStream(s *catalog.Stream, t *sql.Table) (*item, error) {
	n, cols, err := b.storedQuery(s.Query, s.SearchPath, s.Columns, s.Name)
	if err != nil {
		return nil, err
	}
	n = b.watermarked(n, s, cols, b.pos(t.Name.Pos))
	r := b.columnsOf(&s.Object, cols)
	return &item{node: n, rels: []*rel{r}, cols: cols}, nil
}

// storedQuery binds a query of the catalog, its columns named and typed as the catalog says.
func (b *binder) storedQuery(text string, path []string, want []catalog.Column, name string) (logicalplan.Node, []logicalplan.Column, error) {
	parsed, err := sql.Parse(text)
	if err != nil {
		return nil, nil, b.fail(err, 0)
	}
	if len(parsed) != 1 {
		return nil, nil, sqlerr.Newf(sqlerr.Internal, "the stored query of \"%s\" is not one statement", name)
	}
	sel, ok := parsed[0].Stmt.(*sql.SelectStmt)
	if !ok {
		return nil, nil, sqlerr.Newf(sqlerr.Internal, "the stored query of \"%s\" is no query", name)
	}
	oldPath, oldCTEs := b.path, b.ctes
	b.path, b.ctes = path, nil
	b.stored++
	defer func() {
		b.path, b.ctes = oldPath, oldCTEs
		b.stored--
	}()
	out, err := b.subselect(sel.Query, nil)
	if err != nil {
		return nil, nil, err
	}
	if len(out.cols) != len(want) {
		return nil, nil, sqlerr.Newf(sqlerr.Internal, "\"%s\" has %d columns, its query %d", name, len(want), len(out.cols))
	}
	types := make([]types.Type, len(want))
	for i, c := range want {
		types[i] = c.Type
	}
	n, cols, err := b.castColumns(out.node, out.cols, types, expr.Assignment)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range want {
		cols[i].Name = c.Name
	}
	return renamed(n, cols), cols, nil
}

// renamed gives the columns of n the names of cols; a Project that changes nothing is left out.
func renamed(n logicalplan.Node, cols []logicalplan.Column) logicalplan.Node {
	same := true
	have := n.Columns()
	for i, c := range cols {
		same = same && i < len(have) && have[i].Name == c.Name && have[i].ID == c.ID
	}
	if same && len(have) == len(cols) {
		return n
	}
	p := &logicalplan.Project{Input: n, Pos: n.At()}
	for _, c := range cols {
		x := use(c)
		if in, ok := logicalplan.FindColumn(n, c.ID); ok {
			x = use(in)
		}
		p.Exprs = append(p.Exprs, logicalplan.Named{Out: c, Expr: x})
	}
	return p
}
