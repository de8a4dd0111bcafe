package build

import (
	"strconv"
	"strings"

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
	unit := i.Fields
	if k := strings.LastIndex(unit, " to "); k >= 0 {
		unit = unit[k+len(" to "):]
	}
	text := i.Text
	if unit != "" && isNumber(text) {
		text += " " + unit
	}
	if i.Fields == "minute to second" && strings.Count(text, ":") == 1 {
		text = "00:" + text
	}
	x, err := b.cast(unknown(text), intervalType, expr.Explicit, i.Pos)
	if err != nil {
		return nil, err
	}
	c, ok := x.(*expr.Const)
	if !ok || unit == "" {
		return x, nil
	}
	v := c.Value.(types.IntervalValue)
	return &expr.Const{Value: cutInterval(v, unit), T: c.T}, nil
}

// cutInterval drops what is finer than unit, as interval's fields do.
func cutInterval(v types.IntervalValue, unit string) types.IntervalValue {
	const minute, hour = int64(60_000_000), int64(3_600_000_000)
	switch unit {
	case "year":
		return types.IntervalValue{Months: v.Months / 12 * 12}
	case "month":
		return types.IntervalValue{Months: v.Months}
	case "day":
		v.Micros = 0
	case "hour":
		v.Micros = v.Micros / hour * hour
	case "minute":
		v.Micros = v.Micros / minute * minute
	}
	return v
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}
