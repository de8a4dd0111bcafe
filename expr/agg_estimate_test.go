package expr

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHyperLogLogError counts known numbers of values, in one sketch, in two that overlap, and through the encoded state.
func TestHyperLogLogError(t *testing.T) {
	for _, n := range []int{1, 511, 512, 513, 1000, 5000, 20_000, 100_000, 1_000_000} {
		var whole, left, right hyperLogLog
		for i := range n {
			hash := hashKey(binary.BigEndian.AppendUint64(nil, uint64(i)))
			whole.add(hash)
			whole.add(hash)
			if i < n*2/3 {
				left.add(hash)
			}
			if i >= n/3 {
				right.add(hash)
			}
		}
		left.merge(&right)
		if left.estimate() != whole.estimate() {
			t.Errorf("%d values: merged %d, whole %d", n, left.estimate(), whole.estimate())
		}
		var back hyperLogLog
		if rest, ok := back.decode(whole.encode(nil)); !ok || len(rest) != 0 || back.estimate() != whole.estimate() {
			t.Errorf("%d values: the state does not read back", n)
		}
		got := whole.estimate()
		if n <= sketchFew && got != int64(n) {
			t.Errorf("%d values counted as %d", n, got)
		}
		if off := math.Abs(float64(got)/float64(n) - 1); off > 3*0.01625 {
			t.Errorf("%d values: estimate %d is %.1f %% off", n, got, 100*off)
		}
	}
}

// TestHyperLogLogOfDamagedState reads states that are cut short or hold what no hash gives.
func TestHyperLogLogOfDamagedState(t *testing.T) {
	var few, many hyperLogLog
	for i := range 1000 {
		hash := hashKey([]byte{byte(i), byte(i >> 8)})
		many.add(hash)
		if i < 3 {
			few.add(hash)
		}
	}
	for _, state := range [][]byte{few.encode(nil), many.encode(nil)} {
		for _, n := range []int{0, 1, len(state) / 2, len(state) - 1} {
			var h hyperLogLog
			if _, ok := h.decode(state[:n]); ok {
				t.Errorf("%d of %d bytes are read", n, len(state))
			}
		}
	}
	bad := many.encode(nil)
	bad[7] = sketchTop + 2
	if _, ok := new(hyperLogLog).decode(bad); ok {
		t.Error("a register that no hash gives is read")
	}
}

// TestQuantileError asks sketches of random values for all percents.
func TestQuantileError(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() float64{
		"normal":      func() float64 { return r.NormFloat64() * 1000 },
		"exponential": func() float64 { return r.ExpFloat64() },
		"wide":        func() float64 { return math.Ldexp(r.Float64(), r.IntN(2000)-1000) },
	} {
		var q quantileSketch
		values := make([]float64, 10_001)
		for i := range values {
			values[i] = draw()
			q.change(bucketOf(values[i]), 1)
		}
		slices.Sort(values)
		for p := range 101 {
			at := max(int(math.Ceil(float64(p)/100*float64(len(values))))-1, 0)
			want, got := values[at], q.at(float64(p)/100)
			if math.Abs(got-want) > quantileError*math.Abs(want)*(1+1e-9) {
				t.Errorf("%s: %d %% is %g, the sketch says %g", name, p, want, got)
			}
		}
	}
}
