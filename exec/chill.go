package exec

import (
	"cmp"
	"iter"
	"slices"

	"wmsql/state"
)

// warmth is when a bucket of state was touched last, and what it then took.
type warmth struct {
	epoch int64 // last touched
	size  int64 // bytes of memory when last touched
}

func (w *warmth) heat() *warmth { return w }

// chillable is a bucket of state that the store holds all of, once the epoch has been written: it may leave memory, and is read again
// when it is needed.
type chillable interface {
	heat() *warmth
	cold() bool
	place() bucketID // a fixed order among those touched in the same epoch: what expires last leaves first
	release()        // takes the bucket out of memory
}

// chill releases the buckets that were not touched longest until the rest fits three quarters of the operator's memory, so that it
// is not asked again at the next epoch, and returns the bytes left. Only the live store can give them back.
func chill[B chillable](env *Env, memory int64, buckets iter.Seq[B]) int64 {
	if _, live := env.Reader.(*state.Store); !live || env.Memory <= 0 || memory <= env.Memory {
		return memory
	}
	order := slices.SortedFunc(buckets, func(x, y B) int {
		p, q := x.place(), y.place()
		return cmp.Or(cmp.Compare(x.heat().epoch, y.heat().epoch), cmp.Compare(q.end, p.end), cmp.Compare(p.shard, q.shard))
	})
	for _, b := range order {
		if memory <= env.Memory*3/4 {
			break
		}
		if b.cold() {
			continue
		}
		memory -= b.heat().size
		b.release()
	}
	return memory
}
