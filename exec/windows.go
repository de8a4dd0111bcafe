package exec

import (
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/types"
)

// TimeSpan is [Start, End) of event time.
type TimeSpan struct{ Start, End types.MicroTime }

// WindowsAt returns the windows of w that hold t, earliest end first; for sessions the one that a row at t alone makes, none if its gap is
// not the same for all rows.
func WindowsAt(w *logicalplan.Window, t types.MicroTime) ([]TimeSpan, error) {
	if w.Kind == logicalplan.Session {
		if w.Gap != nil {
			return nil, nil
		}
		return []TimeSpan{{t, types.MicroTime(plusMicros(int64(t), physicalplan.Micros(w.Size)))}}, nil
	}
	lie, err := newWindows(w)
	if err != nil {
		return nil, err
	}
	var out []TimeSpan
	for _, s := range lie.hold(nil, int64(t)) {
		out = append(out, TimeSpan{types.MicroTime(s.start), types.MicroTime(s.end)})
	}
	return out, nil
}

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
