package exec

import (
	"bytes"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
	"wmsql/types"
)

// keyCond is a comparison of a stored column with a value that does not depend on the row.
type keyCond struct {
	ord   int
	op    string // "=", "<", "<=", ">", ">="
	value expr.Evaluator
	t     types.Type
}

// keyConds finds the comparisons that may narrow a scan.
func (b *builder) keyConds(n *physicalplan.TableScan) ([]keyCond, error) {
	var out []keyCond
	for _, c := range n.Conds {
		call, ok := c.(*expr.Call)
		if !ok || len(call.Args) != 2 {
			continue
		}
		op, l, r := call.Func.Name, call.Args[0], call.Args[1]
		flip, known := flipped[op]
		if !known {
			continue
		}
		at := keyColumn(l, r, n.IDs)
		if at < 0 {
			op, l, r = flip, r, l
			at = keyColumn(l, r, n.IDs)
		}
		if at < 0 || readsAny(r, n.IDs) || depends([]expr.Expr{r}) {
			continue
		}
		ev, err := expr.Compile(r, nil, b.env.Expr, b.outer)
		if err != nil {
			return nil, err
		}
		out = append(out, keyCond{ord: n.Ords[at], op: op, value: ev, t: r.Type()})
	}
	return out, nil
}

// keyColumn is the place among ids of the column that x is, -1 if it is none or if its values and y's do not stand in one order as keys. Whole
// numbers do, and varchar with the text that it is compared as.
func keyColumn(x, y expr.Expr, ids []expr.ColumnID) int {
	if c, ok := x.(*expr.Call); ok && c.Func.Name == "cast" && c.T.Same(types.Of(types.Text)) && c.Args[0].Type().Same(types.Of(types.Varchar)) {
		x = c.Args[0]
	}
	col, ok := x.(*expr.Column)
	if !ok || keyKind(col.T) != keyKind(y.Type()) {
		return -1
	}
	return indexOf(ids, col.ID)
}

// keyKind is t without its modifier, or the type whose keys are in one order with those of t.
func keyKind(t types.Type) types.Type {
	kind := t.Kind
	switch kind {
	case types.Int2, types.Int4:
		kind = types.Int8
	case types.Varchar:
		kind = types.Text
	}
	return types.Type{Kind: kind, Array: t.Array, Mod: types.NoMod}
}

// flipped is each comparison seen from the other side.
var flipped = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func indexOf(ids []expr.ColumnID, id expr.ColumnID) int {
	for i, x := range ids {
		if x == id {
			return i
		}
	}
	return -1
}

func readsAny(e expr.Expr, ids []expr.ColumnID) bool {
	found := false
	expr.Columns(e, func(c *expr.Column) { found = found || indexOf(ids, c.ID) >= 0 })
	return found
}

// oneRow is the input of an expression that reads none.
var oneRow = &column.Batch{Schema: &types.Schema{}, Rows: 1}

// keyRange is the row keys of [lo, hi); with one, the single row key lo.
type keyRange struct {
	lo, hi []byte
	one    bool
	whole  bool // all rows
}

// all reports whether these are all rows.
func (r keyRange) all() bool { return r.whole }

// String is what EXPLAIN ANALYZE says of the range.
func (r keyRange) String() string {
	switch {
	case r.one:
		return "one key"
	case r.all():
		return "all keys"
	}
	return "a range of keys"
}

// narrow returns the range of row keys in which the conditions can be true: equalities on leading key columns, then bounds on
// the next one. An error in a value is left to the Filter above.
func narrow(conds []keyCond, rel *relation) keyRange {
	first := rel.rows()
	r, equal := narrowBy(conds, rel.key, first)
	r.one = len(rel.key) > 0 && equal == len(rel.key)
	r.whole = !r.one && bytes.Equal(r.lo, first) && bytes.Equal(r.hi, successor(first))
	return r
}

// narrowBy returns the range, of keys that begin with prefix and go on with the columns key, in which the conditions can be true, and
// how many of the columns have one value there.
func narrowBy(conds []keyCond, key []int, prefix []byte) (r keyRange, equal int) {
	for n, k := range key {
		part, ok := equalTo(conds, k, prefix)
		if ok {
			prefix = part
			continue
		}
		lo, hi := bounded(conds, k, prefix)
		return keyRange{lo: lo, hi: hi}, n
	}
	return keyRange{lo: prefix, hi: successor(prefix)}, len(key)
}

// equalTo appends to prefix the value that column k equals, if a condition says so.
func equalTo(conds []keyCond, k int, prefix []byte) ([]byte, bool) {
	for _, c := range conds {
		if c.ord != k || c.op != "=" {
			continue
		}
		if v, err := c.value.Eval(oneRow); err == nil && !v.IsNull(0) {
			return column.AppendKey(append([]byte{}, prefix...), v, 0, false), true
		}
	}
	return nil, false
}

// bounded returns the range below prefix that the bounds on column k leave.
func bounded(conds []keyCond, k int, prefix []byte) (lo, hi []byte) {
	lo, hi = prefix, successor(prefix)
	for _, c := range conds {
		if c.ord != k || c.op == "=" {
			continue
		}
		v, err := c.value.Eval(oneRow)
		if err != nil || v.IsNull(0) {
			continue
		}
		at := column.AppendKey(append([]byte{}, prefix...), v, 0, false)
		switch c.op {
		case ">=":
			lo = maxKey(lo, at)
		case ">":
			lo = maxKey(lo, successor(at))
		case "<":
			hi = minKey(hi, at)
		case "<=":
			hi = minKey(hi, successor(at))
		}
	}
	if string(hi) < string(lo) {
		hi = lo
	}
	return lo, hi
}

func maxKey(a, b []byte) []byte {
	if string(a) < string(b) {
		return b
	}
	return a
}

func minKey(a, b []byte) []byte {
	if string(b) < string(a) {
		return b
	}
	return a
}
