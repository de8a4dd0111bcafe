package exec

// tumble is windows [offset + k size, offset + (k+1) size) for all whole k, before 1970 too.
type tumble struct{ size, offset int64 }

func (w tumble) window(t int64) span {
	start := floorTo(t, w.offset, w.size)
	return span{start, start + w.size}
}

func (w tumble) hold(dst []span, t int64) []span { return append(dst, w.window(t)) }

// floorTo returns the last point offset + k size that is not after t.
func floorTo(t, offset, size int64) int64 {
	m := (t - offset) % size
	if m < 0 {
		m += size
	}
	return t - m
}

// hop is windows of one size that start at every slide.
type hop struct {
	slide tumble
	size  int64
}

func (w hop) hold(dst []span, t int64) []span {
	last := floorTo(t, w.slide.offset, w.slide.size)
	n := (w.size - (t - last) + w.slide.size - 1) / w.slide.size // how many starts lie in (t - size, t]
	for s := last - (n-1)*w.slide.size; s <= last; s += w.slide.size {
		dst = append(dst, span{s, s + w.size})
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
	for end := b.start + ((t-b.start)/w.step+1)*w.step; end <= b.end; end += w.step {
		dst = append(dst, span{b.start, end})
	}
	return dst
}
