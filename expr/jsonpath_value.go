package expr

import (
	"math"
	"strconv"

	"wmsql/sqlerr"
	"wmsql/types"
)

// values lists what n leads to. In lax mode the elements of an array stand for it.
func (r *pathRun) values(n *types.JSONPathNode, at place, item []byte) (out [][]byte, err error) {
	err = r.each(n, at, item, func(v []byte) error {
		if !r.path.Strict && v[0] == '[' {
			return eachElement(v, func(e []byte) error { out = append(out, e); return nil })
		}
		out = append(out, v)
		return nil
	})
	return out, err
}

func isJSONNumber(v []byte) bool { return v[0] == '-' || v[0] >= '0' && v[0] <= '9' }

// number computes what must be one number; ok is false if it is something else.
func (r *pathRun) number(n *types.JSONPathNode, at place, item []byte) (d types.Decimal, ok bool, err error) {
	vs, err := r.values(n, at, item)
	if err != nil || len(vs) != 1 || !isJSONNumber(vs[0]) {
		return d, false, err
	}
	return jsonNumber(vs[0]), true, nil
}

var pathOperators = map[types.JSONPathOp]string{
	types.PathAdd: "+", types.PathSub: "-", types.PathMul: "*", types.PathDiv: "/", types.PathMod: "%", types.PathPlus: "+", types.PathMinus: "-",
}

func (r *pathRun) arithmetic(n *types.JSONPathNode, at place, item []byte) ([]byte, error) {
	var operands [2]types.Decimal
	for k, side := range [2]string{"left", "right"} {
		d, ok, err := r.number(n.Args[k], at, item)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, sqlerr.Newf("22038", "%s operand of jsonpath operator %s is not a single numeric value", side, pathOperators[n.Op])
		}
		operands[k] = d
	}
	a, b := operands[0], operands[1]
	var out types.Decimal
	var err error
	switch n.Op {
	case types.PathAdd:
		out = a.Add(b)
	case types.PathSub:
		out = a.Sub(b)
	case types.PathMul:
		out, err = a.Mul(b)
	case types.PathDiv:
		out, err = a.Div(b)
	default:
		out, err = a.Mod(b)
	}
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

// signed is + or - before each value.
func (r *pathRun) signed(n *types.JSONPathNode, at place, item []byte, next func(v []byte) error) error {
	vs, err := r.values(n.Args[0], at, item)
	if err != nil {
		return err
	}
	for _, v := range vs {
		if !isJSONNumber(v) {
			return sqlerr.Newf("2203B", "operand of unary jsonpath operator %s is not a numeric value", pathOperators[n.Op])
		}
		d := jsonNumber(v)
		if n.Op == types.PathMinus {
			d = d.Neg()
		}
		if err := next(d.Append(nil)); err != nil {
			return err
		}
	}
	return nil
}

// method is one of the methods of an item.
func (r *pathRun) method(n *types.JSONPathNode, item []byte, next func(v []byte) error) error {
	switch n.Text {
	case "type":
		return next([]byte(`"` + jsonType(item) + `"`))
	case "size":
		if item[0] == '[' {
			return next(strconv.AppendInt(nil, jsonCount(item), 10))
		}
		if r.strict() {
			return sqlerr.Newf("22039", "jsonpath item method .size() can only be applied to an array")
		}
		return next([]byte("1"))
	case "abs", "floor", "ceiling":
		if !isJSONNumber(item) {
			return sqlerr.Newf("22036", "jsonpath item method .%s() can only be applied to a numeric value", n.Text)
		}
		d := jsonNumber(item)
		switch n.Text {
		case "abs":
			d = d.Abs()
		case "floor":
			d = d.Floor()
		default:
			d = d.Ceil()
		}
		return next(d.Append(nil))
	case "double":
		d, err := doubleOfJSON(item)
		if err != nil {
			return err
		}
		return next(d)
	}
	return sqlerr.Unsupported("the jsonpath item method .%s()", n.Text)
}

// doubleOfJSON reads a number or a string as a double precision number.
func doubleOfJSON(item []byte) ([]byte, error) {
	if isJSONNumber(item) {
		if _, err := jsonNumber(item).ToFloat(types.Float8); err != nil {
			return nil, sqlerr.Newf("22036", "numeric argument of jsonpath item method .double() is out of range for type double precision")
		}
		return item, nil
	}
	if item[0] != '"' {
		return nil, sqlerr.Newf("22036", "jsonpath item method .double() can only be applied to a string or numeric value")
	}
	text, err := jsonUnquote(item)
	if err != nil {
		return nil, err
	}
	x, err := types.ParseFloat(string(text), types.Float8)
	if err != nil {
		return nil, sqlerr.Newf("22036", "string argument of jsonpath item method .double() is not a valid representation of a double precision number")
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, sqlerr.Newf("22036", "NaN or Infinity is not allowed for jsonpath item method .double()")
	}
	d, err := types.ParseDecimal(strconv.FormatFloat(x, 'g', 15, 64))
	return d.Append(nil), err
}
