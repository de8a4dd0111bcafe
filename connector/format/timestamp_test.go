package format

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"wmsql/column"
	"wmsql/types"
)

// TestTimestampFastPath: where the fast path reads a time, Postgres's parser reads the same.
func TestTimestampFastPath(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	var d dayCache
	b := column.NewFixedBuilder[int64](types.Of(types.TimestampTZ), 1)
	taken := 0
	for range 200_000 {
		s := fmt.Sprintf("%04d-%02d-%02d%s%02d:%02d:%02d", r.IntN(10)*r.IntN(1200), r.IntN(14), r.IntN(33), pick("T", " "), r.IntN(26), r.IntN(62), r.IntN(62))
		s += pick("", ".", ".5", ".123", ".123456", ".1234567", ".000001") + pick("", "Z", "Z", "+00:00", "+02", "z", " UTC")
		us, ok := d.parse([]byte(s))
		if !ok {
			continue
		}
		taken++
		b.Reset()
		if err := b.AppendText([]byte(s), types.UTC); err != nil {
			t.Fatalf("%s: taken as %d, but Postgres's parser says %v", s, us, err)
		}
		if want := b.View().(*column.Of[int64]).Values[0]; us != want {
			t.Fatalf("%s: %d, want %d", s, us, want)
		}
	}
	if taken < 10_000 {
		t.Fatalf("only %d of 200,000 took the fast path", taken)
	}
}
