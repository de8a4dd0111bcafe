package script

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// What random queries are made of: types of keys, aggregates and conditions on groups, each as SQL and as what it means.

// key is a value of a group key: how SQL writes it, how it is shown, and the group it belongs to.
type key struct{ literal, shown, class string }

// keyTypes are types of group keys with values, some of which are equal though they look different. The last is NULL.
var keyTypes = map[string][]key{
	"TEXT":     {{"a", "a", "a"}, {"A", "A", "A"}, {"", "", "empty"}, {"ä", "ä", "ä"}, {"a ", "a ", "a_"}},
	"BIGINT":   {{"0", "0", "0"}, {"-9223372036854775808", "-9223372036854775808", "min"}, {"9223372036854775807", "9223372036854775807", "max"}},
	"SMALLINT": {{"0", "0", "0"}, {"-1", "-1", "-1"}},
	"NUMERIC":  {{"1", "1", "1"}, {"1.00", "1.00", "1"}, {"-0.10", "-0.10", "-0.1"}, {"-0.1", "-0.1", "-0.1"}, {"NaN", "NaN", "NaN"}, {"12345678901234567890123", "12345678901234567890123", "big"}},
	"DATE":     {{"2024-02-29", "2024-02-29", "x"}, {"infinity", "infinity", "inf"}, {"0044-03-15 BC", "0044-03-15 BC", "bc"}},
	"BOOLEAN":  {{"true", "t", "t"}, {"false", "f", "f"}},
	"INTERVAL": {{"1 month", "1 mon", "30d"}, {"30 days", "30 days", "30d"}, {"720 hours", "720:00:00", "30d"}, {"-1 second", "-00:00:01", "-1s"}},
	"UUID":     {{"00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000001", "1"}, {"F0000000000000000000000000000000", "f0000000-0000-0000-0000-000000000000", "f"}},
	"JSONB":    {{`{"a": 1}`, `{"a": 1}`, "a"}, {`{"a":1.0}`, `{"a": 1.0}`, "a"}, {"null", "null", "jnull"}, {"[]", "[]", "[]"}},
	"FLOAT8":   {{"0", "0", "0"}, {"-0", "-0", "0"}, {"NaN", "NaN", "NaN"}, {"1e300", "1e+300", "big"}},
	"BYTEA":    {{`\x`, `\x`, "empty"}, {`\x00ff`, `\x00ff`, "x"}},
}

// aggregate is an aggregate's SQL and its meaning over the rows of a group.
type aggregate struct {
	sql  string
	eval func(rows []event) string
}

func values(rows []event, when func(event) bool) (out []int64) {
	for _, r := range rows {
		if r.v != nil && when(r) {
			out = append(out, *r.v)
		}
	}
	slices.Sort(out)
	return out
}

func always(event) bool { return true }

func isTrue(r event) bool { return r.b != nil && *r.b }

func sum(vs []int64) *big.Int {
	s := new(big.Int)
	for _, v := range vs {
		s.Add(s, big.NewInt(v))
	}
	return s
}

// orNull is f of the values, NULL when there is none.
func orNull[T any](vs []T, f func([]T) string) string {
	if len(vs) == 0 {
		return "NULL"
	}
	return f(vs)
}

func bools(rows []event, seek bool) string {
	var bs []bool
	for _, r := range rows {
		if r.b != nil {
			bs = append(bs, *r.b)
		}
	}
	return orNull(bs, func(bs []bool) string {
		return map[bool]string{true: "t", false: "f"}[slices.Contains(bs, seek) == seek]
	})
}

func sumText(vs []int64) string { return sum(vs).String() }

func join(vs []int64) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(vs), " ", ","), "[]") }

// aggregates are of any type; the first bigints are BIGINT.
var aggregates = []aggregate{
	{"count(*)", func(rs []event) string { return fmt.Sprint(len(rs)) }},
	{"count(v)", func(rs []event) string { return fmt.Sprint(len(values(rs, always))) }},
	{"count(DISTINCT v)", func(rs []event) string { return fmt.Sprint(len(slices.Compact(values(rs, always)))) }},
	{"min(v)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string { return fmt.Sprint(v[0]) })
	}},
	{"max(v)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string { return fmt.Sprint(v[len(v)-1]) })
	}},
	{"sum(v)", func(rs []event) string { return orNull(values(rs, always), sumText) }},
	{"round(avg(v % 1000), 4)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string {
			for i := range v {
				v[i] %= 1000 // few digits, so that Postgres's scale of a quotient has no say
			}
			return strings.Replace(new(big.Rat).SetFrac(sum(v), big.NewInt(int64(len(v)))).FloatString(4), "-0.0000", "0.0000", 1)
		})
	}},
	{"sum(DISTINCT v)", func(rs []event) string { return orNull(slices.Compact(values(rs, always)), sumText) }},
	{"sum(v) FILTER (WHERE b)", func(rs []event) string { return orNull(values(rs, isTrue), sumText) }},
	{"count(DISTINCT v) FILTER (WHERE b)", func(rs []event) string { return fmt.Sprint(len(slices.Compact(values(rs, isTrue)))) }},
	{"bool_and(b)", func(rs []event) string { return bools(rs, false) }},
	{"bool_or(b)", func(rs []event) string { return bools(rs, true) }},
	{"string_agg(v::text, ',' ORDER BY v)", func(rs []event) string { return orNull(values(rs, always), join) }},
}

const bigints = 5

// having are conditions on a group; some stop holding when rows come.
var having = map[string]func([]event) bool{
	"count(*) > 1":   func(rs []event) bool { return len(rs) > 1 },
	"count(*) < 3":   func(rs []event) bool { return len(rs) < 3 },
	"sum(v) > 0":     func(rs []event) bool { return sum(values(rs, always)).Sign() > 0 },
	"min(v) IS NULL": func(rs []event) bool { return len(values(rs, always)) == 0 },
}
