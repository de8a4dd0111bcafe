package expr

import (
	"wmsql/types"
)

// numericOperators are the operators on numeric; package types has their rules for scale.
func numericOperators() []*Function {
	type d = types.Decimal
	return []*Function{
		def("+(numeric,numeric) numeric", fn2(d.Add), total),
		def("-(numeric,numeric) numeric", fn2(d.Sub), total),
		def("*(numeric,numeric) numeric", fn2e(d.Mul)),
		def("/(numeric,numeric) numeric", fn2e(d.Div)),
		def("%(numeric,numeric) numeric", fn2e(d.Mod)),
		def("^(numeric,numeric) numeric", fn2e(powNumeric)),
		def("-(numeric) numeric", fn1(d.Neg), total),
		def("+(numeric) numeric", fn1(func(v d) d { return v }), total),
		def("@(numeric) numeric", fn1(d.Abs), total),
	}
}

// numericLength rounds to a scale and checks the precision.
func numericLength(t types.Type) kernel {
	return fn1e(func(v types.Decimal) (types.Decimal, error) { return v.WithMod(t.Mod) })
}
