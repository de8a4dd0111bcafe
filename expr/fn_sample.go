package expr

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"wmsql/column"
	"wmsql/sqlerr"
)

// sampleFunctions has the condition of TABLESAMPLE: whether a row, by the key it is stored under, is among so many percent. With a seed
// (REPEATABLE) the same rows are chosen every time; without one, NULL, every run draws its own.
func sampleFunctions() []*Function {
	return []*Function{def("tablesample(bytea,float8,float8) bool", sampleRows, called, volatile)}
}

func sampleRows(s *site) body {
	out := output[bool]{t: s.ret}
	run := rand.Float64()
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		key, percent, seed := reader[[]byte](in[0]), reader[float64](in[1]), reader[float64](in[2])
		return out.fill(nil, n, func(i int) (bool, error) {
			p := percent(i)
			switch {
			case in[1].IsNull(i):
				return false, sqlerr.Newf("2202H", "TABLESAMPLE parameter cannot be null")
			case !(p >= 0 && p <= 100):
				return false, sqlerr.Newf("2202H", "sample percentage must be between 0 and 100")
			}
			draw := run
			if !in[2].IsNull(i) {
				draw = seed(i)
			}
			return sampled(key(i), draw) < p/100, nil
		})
	}
}

// sampled is a number from 0 up to but not including 1 that the row and the draw decide.
func sampled(key []byte, draw float64) float64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(draw))) // a hash takes everything
	_, _ = h.Write(key)
	x := h.Sum64()
	x ^= x >> 33 // fnv leaves the high bits of short keys too regular
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}
