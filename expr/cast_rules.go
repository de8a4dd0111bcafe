package expr

import (
	"bytes"
	"math"
	"slices"

	"wmsql/sqlerr"
	"wmsql/types"
)

// castRules is pg_cast for the types that wmsql has.
func castRules() map[castKey]*castRule {
	m := map[castKey]*castRule{}
	for _, r := range slices.Concat(numberCasts(), textCasts(), timeCasts(), jsonCasts(), oidCasts(), timeTZCasts(), bitCasts()) {
		m[castKey{r.from, r.to}] = &castRule{context: r.context, fn: r.fn}
	}
	return m
}

// castDef is a row of pg_cast as it is written here; fn nil means that the values are the same.
type castDef struct {
	from, to types.Type
	context  CastContext
	fn       *Function
}

// cast defines a cast by a kernel.
func cast(from, to types.Kind, ctx CastContext, k kernel, opts ...option) castDef {
	d := castDef{from: types.Of(from), to: types.Of(to), context: ctx}
	d.fn = &Function{Name: "cast", Args: []types.Type{d.from}, Return: d.to, Strict: true, kernel: k}
	for _, o := range opts {
		o(d.fn)
	}
	return d
}

// same defines a cast that changes nothing but the name of the type.
func same(from, to types.Kind, ctx CastContext) castDef {
	return castDef{from: types.Of(from), to: types.Of(to), context: ctx}
}

// relabelKernel passes the values on under the result's type.
func relabelKernel(s *site) body { return relabelCast(s.args[0], s.ret).kernel(s) }

func numberCasts() []castDef {
	var out []castDef
	ints := []types.Kind{types.Int2, types.Int4, types.Int8}
	for _, from := range ints {
		for _, to := range ints {
			switch {
			case from < to:
				out = append(out, cast(from, to, Implicit, relabelKernel, total))
			case from > to:
				out = append(out, cast(from, to, Assignment, narrowInt(to)))
			}
		}
		out = append(out,
			cast(from, types.Numeric, Implicit, fn1(types.DecimalFromInt64), total),
			cast(from, types.Float8, Implicit, fn1(func(v int64) float64 { return float64(v) }), total),
			cast(from, types.Float4, Implicit, fn1(func(v int64) float64 { return float64(float32(v)) }), total),
			cast(types.Numeric, from, Assignment, fn1e(func(v types.Decimal) (int64, error) { return v.ToInt(from) })),
			cast(types.Float8, from, Assignment, floatToInt(from)),
			cast(types.Float4, from, Assignment, floatToInt(from)))
	}
	return append(out,
		cast(types.Numeric, types.Float8, Implicit, fn1(types.Decimal.ToFloat64), total),
		cast(types.Numeric, types.Float4, Implicit, fn1e(func(v types.Decimal) (float64, error) { return toFloat4(v.ToFloat64()) })),
		cast(types.Float8, types.Numeric, Assignment, fn1(types.DecimalFromFloat64), total),
		cast(types.Float4, types.Numeric, Assignment, fn1(types.DecimalFromFloat32), total),
		cast(types.Float4, types.Float8, Implicit, relabelKernel, total),
		cast(types.Float8, types.Float4, Assignment, fn1e(toFloat4)),
		cast(types.Int4, types.Bool, Explicit, fn1(func(v int64) bool { return v != 0 }), total),
		cast(types.Bool, types.Int4, Explicit, fn1(func(v bool) int64 {
			if v {
				return 1
			}
			return 0
		}), total))
}

func narrowInt(to types.Kind) kernel {
	limits := limitsOf(to)
	return fn1e(func(v int64) (int64, error) {
		if !limits.hold(v) {
			return 0, types.ErrIntRange(to)
		}
		return v, nil
	})
}

// floatToInt rounds to even, as Postgres's rint does.
func floatToInt(to types.Kind) kernel {
	limits := limitsOf(to)
	return fn1e(func(v float64) (int64, error) {
		r := math.RoundToEven(v)
		if r != r || r < float64(limits.lo) || r >= -float64(limits.lo) {
			return 0, types.ErrIntRange(to)
		}
		return int64(r), nil
	})
}

func toFloat4(v float64) (float64, error) { return checkFloat(v, true, math.IsInf(v, 0), v == 0) }

func textCasts() []castDef {
	trim := tx1(func(dst, a []byte) []byte { return append(dst, bytes.TrimRight(a, " ")...) })
	name := tx1(func(dst, a []byte) []byte { return append(dst, clipName(a)...) })
	trimName := tx1(func(dst, a []byte) []byte { return append(dst, clipName(bytes.TrimRight(a, " "))...) })
	first := tx1(func(dst, a []byte) []byte { return append(dst, a[:min(1, len(a))]...) })
	boolText := tx1(func(dst []byte, v bool) []byte {
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	})
	out := []castDef{
		same(types.Text, types.Varchar, Implicit), same(types.Text, types.BPChar, Implicit),
		same(types.Varchar, types.Text, Implicit), same(types.Varchar, types.BPChar, Implicit),
		cast(types.BPChar, types.Text, Implicit, trim, total), cast(types.BPChar, types.Varchar, Implicit, trim, total),
		cast(types.Text, types.Name, Implicit, name, total), cast(types.Varchar, types.Name, Implicit, name, total),
		cast(types.BPChar, types.Name, Implicit, trimName, total),
		cast(types.Name, types.Text, Implicit, relabelKernel, total),
		cast(types.Name, types.Varchar, Assignment, relabelKernel, total),
		cast(types.Name, types.BPChar, Assignment, relabelKernel, total),
		cast(types.Char, types.Text, Implicit, relabelKernel, total),
		cast(types.Char, types.Int4, Explicit, fn1(charCode), total),
		cast(types.Int4, types.Char, Explicit, tx1e(charOfCode)),
	}
	for _, k := range []types.Kind{types.Text, types.Varchar, types.BPChar} {
		out = append(out, cast(k, types.Char, Assignment, first, total), cast(types.Bool, k, Assignment, boolText, total))
		if k != types.Text {
			out = append(out, cast(types.Char, k, Assignment, relabelKernel, total))
		}
	}
	return out
}

// charCode is the byte of a "char" as a signed number.
func charCode(a []byte) int64 {
	if len(a) == 0 {
		return 0
	}
	return int64(int8(a[0]))
}

func charOfCode(dst []byte, v int64) ([]byte, error) {
	if v < math.MinInt8 || v > math.MaxInt8 {
		return nil, sqlerr.Newf(sqlerr.NumericOutOfRange, "\"char\" out of range")
	}
	if v == 0 {
		return dst, nil
	}
	return append(dst, byte(v)), nil
}

// oidCasts are those among integers, oid and the types that show an oid by name.
func oidCasts() []castDef {
	var out []castDef
	kinds := []types.Kind{types.OID}
	for k := range types.NumKinds {
		if k.IsReg() {
			kinds = append(kinds, k)
		}
	}
	for _, k := range kinds {
		out = append(out,
			cast(types.Int8, k, Implicit, fn1e(intToOID)), cast(types.Int2, k, Implicit, fn1(signedOID), total),
			cast(types.Int4, k, Implicit, fn1(signedOID), total),
			cast(k, types.Int4, Assignment, fn1(func(v int64) int64 { return int64(int32(v)) }), total),
			cast(k, types.Int8, Assignment, relabelKernel, total))
		if k != types.OID {
			out = append(out, same(k, types.OID, Implicit), same(types.OID, k, Implicit))
		}
	}
	for _, k := range []types.Kind{types.Text, types.Varchar} {
		out = append(out, cast(k, types.RegClass, Implicit, regIn, stable))
	}
	for _, p := range [][2]types.Kind{{types.RegProc, types.RegProcedure}, {types.RegOper, types.RegOperator}} {
		out = append(out, same(p[0], p[1], Implicit), same(p[1], p[0], Implicit))
	}
	return out
}

// signedOID reads a negative integer as the oid with the same bits.
func signedOID(v int64) int64 { return int64(uint32(v)) }

func intToOID(v int64) (int64, error) {
	if v < 0 || v > math.MaxUint32 {
		return 0, sqlerr.Newf(sqlerr.NumericOutOfRange, "OID out of range")
	}
	return v, nil
}
