package exec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every lateness lies in a bucket that ends at or after it, and at most a thirty-second of it later; buckets lie in order.
func TestLateness_Buckets(t *testing.T) {
	for range 100000 {
		us := rand.Uint64() >> rand.IntN(64)
		b := latenessBucket(us)
		end := latenessEnd(b)
		if end < us || end-us > us/32+1<<latenessUnit {
			t.Fatalf("%d µs is in bucket %d, which ends at %d", us, b, end)
		}
		if end != math.MaxUint64 && latenessBucket(end+1) != b+1 {
			t.Fatalf("bucket %d ends at %d, but then comes %d", b, end, latenessBucket(end+1))
		}
	}
}

// What is measured in batches, by several workers, stored and read again is what was measured at once.
func TestLateness_Measures(t *testing.T) {
	var times []int64
	for i := range int64(10000) {
		times = append(times, i*1e6-rand.Int64N(60e6)*rand.Int64N(2))
	}
	var whole Lateness
	whole.measure(times, math.MinInt64)
	var sum, part Lateness
	newest := int64(math.MinInt64)
	for batch := range slices.Chunk(times, 77) {
		newest = part.measure(batch, newest)
		sum.add(&part)
		part.reset()
	}
	var stored Lateness
	d := decoder{data: sum.appendTo(nil)}
	stored.decode(&d)
	if d.err != nil || stored != whole {
		t.Errorf("%v; %d rows, the longest %d, are not %d, %d", d.err, stored.Rows(), stored.Longest(), whole.Rows(), whole.Longest())
	}
	var late []int64
	high := int64(math.MinInt64)
	for _, at := range times {
		high = max(high, at)
		late = append(late, high-at)
	}
	slices.Sort(late)
	for _, q := range []float64{0.5, 0.9, 0.99, 0.999, 1} {
		want := late[int(math.Ceil(q*float64(len(late))))-1]
		if got := whole.Quantile(q); got < want-1<<latenessUnit || got > want+want/32+1<<latenessUnit {
			t.Errorf("quantile %v is %d, not %d", q, got, want)
		}
	}
	beyond := whole.Beyond(30e6)
	i, _ := slices.BinarySearch(late, 30e6)
	if exact := int64(len(late) - i); beyond > exact || beyond < exact-int64(len(late)/20) {
		t.Errorf("%d rows are later than 30 s, not %d", beyond, exact)
	}
}
