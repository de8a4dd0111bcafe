package exec

import (
	"slices"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/state"
)

// Lookup is a SELECT from the one row that has a key, made ready once for all executions of a statement: it needs no operators.
type Lookup struct {
	id   uint32
	ords []int           // stored columns that are read
	ids  []expr.ColumnID // that they are
	out  []expr.Expr     // columns of the result; nil: those that are read
	eq   []lookupKey     // conditions: all there are
	plan *physicalplan.TableScan
}

// lookupKey says what a column is to be equal to.
type lookupKey struct {
	ord   int
	value expr.Expr // *expr.Param or *expr.Const, see keyColumn
}

// NewLookup returns the lookup that does what p says, nil if p is more than one.
func NewLookup(p *physicalplan.Plan) *Lookup {
	node := p.Root
	pr, _ := node.(*physicalplan.Project)
	if pr != nil {
		node = pr.Input
	}
	f, ok := node.(*physicalplan.Filter)
	if !ok {
		return nil
	}
	scan, ok := f.Input.(*physicalplan.TableScan)
	if !ok || slices.Contains(scan.Ords, logicalplan.RowKey) {
		return nil
	}
	l := &Lookup{id: uint32(scan.Object.ID), ords: scan.Ords, ids: scan.IDs, plan: scan}
	for _, c := range f.Conds {
		k, ok := equality(c, scan)
		if !ok {
			return nil
		}
		l.eq = append(l.eq, k)
	}
	if pr != nil {
		l.out = pr.Exprs
		l.readOnly()
	}
	return l
}

// readOnly leaves out the columns that the result does not need: the key's values are known.
func (l *Lookup) readOnly() {
	ords, ids := l.ords, l.ids
	l.ords, l.ids = nil, nil
	for i, id := range ids {
		for _, e := range l.out {
			if readsAny(e, ids[i:i+1]) {
				l.ords, l.ids = append(l.ords, ords[i]), append(l.ids, id)
				break
			}
		}
	}
}

// equality reads a condition that a stored column equals a parameter or a constant of its type.
func equality(e expr.Expr, scan *physicalplan.TableScan) (lookupKey, bool) {
	call, ok := e.(*expr.Call)
	if !ok || call.Func.Name != "=" || len(call.Args) != 2 {
		return lookupKey{}, false
	}
	l, r := call.Args[0], call.Args[1]
	at := keyColumn(l, r, scan.IDs)
	if at < 0 {
		l, r = r, l
		at = keyColumn(l, r, scan.IDs)
	}
	switch r.(type) {
	case *expr.Param, *expr.Const:
	default:
		return lookupKey{}, false
	}
	if at < 0 {
		return lookupKey{}, false
	}
	return lookupKey{scan.Ords[at], r}, true
}

// Run returns the row, or no row. ok is false when the conditions are not those of a whole key: the plan is to be run as it is.
func (l *Lookup) Run(env *Env) (b *column.Batch, ok bool, err error) {
	rel, err := env.Cache.relation(env.Reader, l.id)
	if rel == nil || err != nil || len(rel.key) != len(l.eq) || len(rel.key) == 0 {
		return nil, false, err
	}
	if err := rel.planned(l.plan.Object); err != nil {
		return nil, false, err
	}
	key, found, ok := l.key(rel, env.Expr)
	if !ok || !found {
		return &column.Batch{}, ok, nil
	}
	v, err := env.Reader.Get(state.Result, l.id, key)
	if v == nil || err != nil {
		return &column.Batch{}, true, err
	}
	row, err := l.decode(rel, v)
	if err == nil {
		row.Cols, err = l.project(row, env.Expr)
	}
	return row, true, err
}

// decode reads the columns of a row.
func (l *Lookup) decode(rel *relation, v []byte) (*column.Batch, error) {
	bs := make([]column.Builder, slices.Max(append([]int{-1}, l.ords...))+1)
	for _, o := range l.ords {
		bs[o] = column.NewBuilder(rel.Types[o], 1)
	}
	if err := rel.Decode(bs, v); err != nil {
		return nil, err
	}
	out := &column.Batch{Cols: make([]column.Vector, len(l.ords)), Rows: 1}
	for i, o := range l.ords {
		out.Cols[i] = bs[o].View()
	}
	return out, nil
}

// project computes the columns of the result.
func (l *Lookup) project(row *column.Batch, ctx *expr.Context) ([]column.Vector, error) {
	if l.out == nil {
		return row.Cols, nil
	}
	out := make([]column.Vector, len(l.out))
	for i, e := range l.out {
		if c, ok := e.(*expr.Column); ok {
			out[i] = row.Cols[indexOf(l.ids, c.ID)]
			continue
		}
		ev, err := expr.Compile(e, l.ids, ctx, nil)
		if err != nil {
			return nil, err
		}
		if out[i], err = ev.Eval(row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// key is the row's key; found is false when a value is NULL, which equals nothing, ok when the conditions are not one for each key column.
func (l *Lookup) key(rel *relation, ctx *expr.Context) (key []byte, found, ok bool) {
	key = append(make([]byte, 0, 32), rel.rows()...)
	for _, o := range rel.key {
		at := slices.IndexFunc(l.eq, func(k lookupKey) bool { return k.ord == o })
		if at < 0 {
			return nil, false, false
		}
		var v column.Vector
		switch x := l.eq[at].value.(type) {
		case *expr.Param:
			v = ctx.Params[x.N-1]
		case *expr.Const:
			v = column.Const(x.T, x.Value, 1)
		}
		if v.IsNull(0) {
			return nil, false, true
		}
		key = column.AppendKey(key, v, 0, false)
	}
	return key, true, true
}
