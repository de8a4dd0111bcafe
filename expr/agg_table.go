package expr

import (
	"strings"
)

// agg defines an aggregate from its signature; an aggregate whose kernel has no retract is not retractable.
func agg(sig string, mk func(*aggSite) Accumulator, opts ...func(*AggFunction)) *AggFunction {
	f := def(sig, nil)
	a := &AggFunction{Name: f.Name, Args: f.Args, Return: f.Return, make: mk}
	for _, o := range opts {
		o(a)
	}
	return a
}

// cellAgg defines an aggregate by a kernel.
func cellAgg[S any](sig string, k *cellKernel[S], opts ...func(*AggFunction)) *AggFunction {
	a := agg(sig, makeCells(k), opts...)
	a.Retractable = k.retract != nil
	return a
}

// ordered marks an aggregate whose result depends on the order of the rows.
func ordered(a *AggFunction) { a.ordered = true }

// retractable marks an aggregate whose kernel has a retract.
func retractable(a *AggFunction) { a.Retractable = true }

// aggregateTable is every aggregate by name.
func aggregateTable() map[string][]*AggFunction {
	m := map[string][]*AggFunction{}
	add := func(as ...*AggFunction) {
		for _, a := range as {
			m[a.Name] = append(m[a.Name], a)
		}
	}
	add(cellAgg("count() int8", &countCells), cellAgg("count(any) int8", &countCells))
	add(sumsAndAverages()...)
	for _, k := range orderedKinds {
		t := typeOf(k)
		least, greatest := agg("min("+k+") "+k, makeExtreme(-1)), agg("max("+k+") "+k, makeExtreme(1))
		least.Args[0], greatest.Args[0] = t, t
		add(least, greatest)
	}
	both := func(s *boolCounts) bool { return s.no == 0 }
	some := func(s *boolCounts) bool { return s.yes > 0 }
	add(cellAgg("bool_and(bool) bool", boolKernel(both)), cellAgg("every(bool) bool", boolKernel(both)),
		cellAgg("bool_or(bool) bool", boolKernel(some)))
	for _, k := range []string{"int2", "int4", "int8"} {
		add(cellAgg("bit_and("+k+") "+k, bitKernel(func(a, b int64) int64 { return a & b })),
			cellAgg("bit_or("+k+") "+k, bitKernel(func(a, b int64) int64 { return a | b })),
			cellAgg("bit_xor("+k+") "+k, bitKernel(func(a, b int64) int64 { return a ^ b })))
	}
	add(cellAgg("bit_and(bit) bit", bitStringKernel("AND", func(a, b byte) byte { return a & b })),
		cellAgg("bit_or(bit) bit", bitStringKernel("OR", func(a, b byte) byte { return a | b })),
		cellAgg("bit_xor(bit) bit", bitStringKernel("XOR", xorBits)))
	for _, name := range []string{"first", "last", "any_value"} {
		last := name == "last"
		plain := agg(name+"(anyelement) anyelement", makePick(last, name == "any_value"), ordered)
		skip := agg(name+"(anyelement) anyelement", makePick(last, true), ordered)
		skip.Name = name + ignoreNulls
		add(plain, skip)
	}
	add(variances()...)
	add(collectors()...)
	add(regressions()...)
	add(orderedSets()...)
	add(agg("min_by(anyelement,any) anyelement", makeBy(-1)), agg("max_by(anyelement,any) anyelement", makeBy(1)),
		agg("approx_count_distinct(any) int8", makeCountEstimate),
		agg("approx_percentile(float8,float8) float8", makeQuantiles, retractable),
		agg("approx_percentile(float8,float8[]) float8[]", makeQuantiles, retractable))
	return m
}

// orderedKinds are the types that min and max take, by pg_type name.
var orderedKinds = strings.Fields("int2 int4 int8 numeric float4 float8 text bpchar date time timetz timestamp timestamptz " +
	"interval oid anyarray bytea uuid")

func sumsAndAverages() []*AggFunction {
	small := intSumKernel(fixedResult(sumToInt8))
	big := intSumKernel(fixedResult(sumToNumeric))
	avg := intSumKernel(fixedResult(avgToNumeric))
	return []*AggFunction{
		cellAgg("sum(int2) int8", small), cellAgg("sum(int4) int8", small), cellAgg("sum(int8) numeric", big),
		cellAgg("sum(numeric) numeric", numericSumKernel(sumNumeric)),
		cellAgg("sum(float4) float4", realSumKernel()), cellAgg("sum(float8) float8", floatSumKernel(sumFloat8)),
		cellAgg("sum(interval) interval", intervalSumKernel(sumInterval)),
		cellAgg("avg(int2) numeric", avg), cellAgg("avg(int4) numeric", avg), cellAgg("avg(int8) numeric", avg),
		cellAgg("avg(numeric) numeric", numericSumKernel(avgNumeric)),
		cellAgg("avg(float4) float8", floatSumKernel(avgFloat8)), cellAgg("avg(float8) float8", floatSumKernel(avgFloat8)),
		cellAgg("avg(interval) interval", intervalSumKernel(avgInterval)),
	}
}
