package expr

import (
	"iter"
	"math/bits"
	"slices"
)

// places is a set of places in a text: before its first character is 0.
type places []uint64

func newPlaces(chars int) places { return make(places, chars/64+1) }

func (p places) add(i int)      { p[i>>6] |= 1 << (i & 63) }
func (p places) has(i int) bool { return p[i>>6]>>(i&63)&1 != 0 }

func (p places) join(q places) {
	for k, w := range q {
		p[k] |= w
	}
}

func (p places) without(q places) {
	for k, w := range q {
		p[k] &^= w
	}
}

func (p places) equal(q places) bool { return slices.Equal(p, q) }

func (p places) empty() bool {
	return !slices.ContainsFunc(p, func(w uint64) bool { return w != 0 })
}

// all yields the places in order.
func (p places) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, w := range p {
			for ; w != 0; w &= w - 1 {
				if !yield(k<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// list is the places in the order in which a part of such a taste tries them.
func (p places) list(t taste) []int {
	out := slices.Collect(p.all())
	if t != shortest {
		slices.Reverse(out)
	}
	return out
}
