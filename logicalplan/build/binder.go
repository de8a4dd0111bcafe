package build

import (
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// maxRelations bounds how many relations a query may hold once views and CTEs are written out: CTEs
// that read each other twice would double at every step.
const maxRelations = 2000

// binder is the state of binding one statement.
type binder struct {
	env        *Env
	top        *sql.Select // the whole query
	path       []string    // search path of the text that is being bound
	ctes       *cteScope
	nextID     expr.ColumnID
	within     []string // the parts of the query around what is being bound where a recursive term may not name its item, innermost last
	nextRec    int
	relations  int
	stored     int // depth of text from the catalog: its positions mean nothing to the client
	refs       map[*expr.Column]ref
	literals   map[*expr.Const]int            // places of string literals, whose type and fault show later
	shapes     map[expr.ColumnID]*recordShape // of the columns that are records, or arrays of them
	origins    map[expr.ColumnID]types.Origin // of the columns that are a relation's
	whole      map[*expr.Row]bool             // rows of relations, whose fields have the names of columns
	aggregates map[expr.ColumnID]*grouping    // whose aggregate a column is
	params     map[int]types.Type
	locks      bool                         // FOR UPDATE or SHARE stands somewhere
	noWait     string                       // with NOWAIT
	written    map[expr.ColumnID]readColumn // with env.Read: the columns of relations that the query's own text names
}

// readColumn is the column of a relation that a column of FROM is, by ordinal.
type readColumn struct {
	relation catalog.ID
	column   int
}

// watch remembers which columns those of a relation in FROM are.
func (b *binder) watch(r *rel) {
	if b.env.Read == nil || b.stored > 0 || r.oid == 0 {
		return
	}
	if b.written == nil {
		b.written = map[expr.ColumnID]readColumn{}
	}
	for i, c := range r.cols {
		b.written[c.ID] = readColumn{r.oid, i}
	}
}

// reads tells of a column that is named.
func (b *binder) reads(c logicalplan.Column) {
	if o, ok := b.written[c.ID]; ok {
		b.env.Read(o.relation, o.column)
	}
}

// ref is where a column reference stands, and as what.
type ref struct {
	pos  int
	name string // "clicks.page"
}

func newBinder(env *Env) *binder {
	return &binder{
		env:        env,
		path:       env.SearchPath,
		refs:       map[*expr.Column]ref{},
		literals:   map[*expr.Const]int{},
		shapes:     map[expr.ColumnID]*recordShape{},
		origins:    map[expr.ColumnID]types.Origin{},
		whole:      map[*expr.Row]bool{},
		aggregates: map[expr.ColumnID]*grouping{},
		params:     map[int]types.Type{},
	}
}

// column makes a new column.
func (b *binder) column(name string, t types.Type) logicalplan.Column {
	b.nextID++
	return logicalplan.Column{ID: b.nextID, Name: name, Type: t}
}

// pos is the place of a node in the client's text, 0 in text from the catalog.
func (b *binder) pos(p sql.Pos) int {
	if b.stored > 0 {
		return 0
	}
	return int(p)
}

// fail sets the place of an error of a lower layer.
func (b *binder) fail(err error, p sql.Pos) error { return at(err, b.pos(p)) }

// errorf is an error at a place.
func (b *binder) errorf(p sql.Pos, code sqlerr.Code, format string, args ...any) *sqlerr.Error {
	return sqlerr.Newf(code, format, args...).At(b.pos(p))
}

// unsupported is the 0A000 error at a place.
func (b *binder) unsupported(p sql.Pos, format string, args ...any) *sqlerr.Error {
	return sqlerr.Unsupported(format, args...).At(b.pos(p))
}

// failIn is fail for an error of resolving something over operands: that a literal cannot be read as its type is
// the literal's fault, and is shown there.
func (b *binder) failIn(err error, operands []expr.Expr, p sql.Pos) error {
	if strings.HasPrefix(string(sqlerr.From(err).Code), "22") {
		for _, x := range operands {
			if k, ok := x.(*expr.Const); ok && b.literals[k] > 0 {
				return at(err, b.literals[k])
			}
		}
	}
	return b.fail(err, p)
}

func at(err error, pos int) error {
	e := *sqlerr.From(err)
	return (&e).At(pos)
}

// context is what constants are computed under.
func (b *binder) context() *expr.Context {
	if b.env.Context != nil {
		return b.env.Context
	}
	return &expr.Context{Format: types.UTC}
}

// use makes a reference to a column of the input.
func use(c logicalplan.Column) *expr.Column { return &expr.Column{ID: c.ID, Name: c.Name, T: c.Type} }

// pass names the columns as they are.
func pass(cols []logicalplan.Column) []logicalplan.Named {
	out := make([]logicalplan.Named, len(cols))
	for i, c := range cols {
		out[i] = logicalplan.Named{Out: c, Expr: use(c)}
	}
	return out
}

// isUnknown reports whether t is the type of a literal that nothing has typed yet.
func isUnknown(t types.Type) bool { return t.Kind == types.Unknown && !t.Array }

var (
	boolType     = types.Of(types.Bool)
	textType     = types.Of(types.Text)
	int8Type     = types.Of(types.Int8)
	intervalType = types.Of(types.Interval)
)
