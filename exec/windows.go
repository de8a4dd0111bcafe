package exec

// tumble is windows [offset + k size, offset + (k+1) size) for all whole k, before 1970 too. The offset is from 0 to less than size.
//
// A bound that is beyond all times is at infinity, here and below.
type tumble struct{ size, offset int64 }

func newTumble(size, offset int64) tumble { return tumble{size, floorMod(offset, size)} }

func floorMod(a, b int64) int64 {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}

func (w tumble) window(t int64) span {
	start := floorTo(t, w.offset, w.size)
	return span{start, plusMicros(start, w.size)}
}

func (w tumble) hold(dst []span, t int64) []span { return append(dst, w.window(t)) }

// floorTo returns the last point offset + k size that is not after t.
func floorTo(t, offset, size int64) int64 {
	return t - floorMod(t-offset, size)
}

// hop is windows of one size that start at every slide.
type hop struct {
	slide tumble
	size  int64
}

func (w hop) hold(dst []span, t int64) []span {
	last := floorTo(t, w.slide.offset, w.slide.size)
	n := (w.size - (t - last) + w.slide.size - 1) / w.slide.size // how many starts lie in (t - size, t]
	for k := n - 1; k >= 0; k-- {
		s := last - k*w.slide.size
		dst = append(dst, span{s, plusMicros(s, w.size)})
	}
	return dst
}

// cumulate is windows that start together and end step by step up to the size of base.
type cumulate struct {
	base tumble
	step int64
}

func (w cumulate) hold(dst []span, t int64) []span {
	b := w.base.window(t)
	for k := (t-b.start)/w.step + 1; k <= w.base.size/w.step; k++ {
		dst = append(dst, span{b.start, plusMicros(b.start, k*w.step)})
	}
	return dst
}
