package build

import (
	"strconv"

	"wmsql/expr"
	"wmsql/sql"
	"wmsql/types"
)

// literal types a constant: the smallest of int4, int8 and numeric that holds a number; a string stays unknown.
func (b *binder) literal(l *sql.Literal) (expr.Expr, error) {
	switch l.Kind {
	case sql.Null:
		return &expr.Const{T: types.Of(types.Unknown)}, nil
	case sql.Bool:
		return &expr.Const{Value: l.Text == "true", T: boolType}, nil
	case sql.String:
		k := unknown(l.Text)
		b.literals[k] = b.pos(l.Pos)
		return k, nil
	case sql.Integer, sql.Decimal:
		x, err := Number(l)
		if err != nil {
			return nil, b.fail(err, l.Pos)
		}
		return x, nil
	}
	return &expr.Const{Value: l.Text, T: types.Of(types.Bit)}, nil
}

// Number types a constant that is an Integer or a Decimal.
func Number(l *sql.Literal) (expr.Expr, error) {
	if n, err := strconv.ParseInt(l.Text, 10, 64); err == nil && l.Kind == sql.Integer {
		t := int8Type
		if n == int64(int32(n)) {
			t = types.Of(types.Int4)
		}
		return &expr.Const{Value: n, T: t}, nil
	}
	return expr.NewCast(unknown(l.Text), types.Of(types.Numeric), expr.Implicit)
}

func unknown(text string) *expr.Const {
	return &expr.Const{Value: text, T: types.Of(types.Unknown)}
}

// interval reads INTERVAL 'text' fields. A bare number has the unit of the last field; what is finer than that is cut off.
func (b *binder) interval(i *sql.Interval) (expr.Expr, error) {
	t, err := Type(sql.TypeName{Name: "interval", Fields: i.Fields, Pos: i.Pos})
	if err != nil {
		return nil, b.fail(err, i.Pos)
	}
	return b.cast(unknown(i.Text), t, expr.Explicit, i.Pos)
}
