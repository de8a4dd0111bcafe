package exec

import (
	"fmt"
	"testing"
)

// The numbers are what stores hold: should they change, groups that are stored are not found again.
func TestShardsAreTheSameForEver(t *testing.T) {
	for key, want := range map[string]uint8{
		"": 35, "a": 27, "\x01\x01\x00\x00\x00\x00\x00\x00\x00": 55, "/page/0001": 28, "a text longer than two words": 16,
	} {
		if got := shardOf([]byte(key)); got != want {
			t.Errorf("shardOf(%q) = %d, want %d", key, got, want)
		}
	}
}

func TestShardsAreEven(t *testing.T) {
	for _, form := range []string{"%d", "user-%06d", "\x01%08b\x00\x00\x00\x00"} {
		var n [shards]int
		for i := range 64 * shards {
			n[shardOf(fmt.Appendf(nil, form, i))]++
		}
		for s, k := range n {
			if k < 24 || k > 128 {
				t.Errorf("%q: shard %d has %d keys of %d", form, s, k, 64*shards)
			}
		}
	}
}
