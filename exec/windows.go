package exec

import (
	"math"
	"time"

	"wmsql/logicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

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

var week = types.IntervalValue{Days: 7}

// calendar is windows that begin at local times of a zone: hours and less in the offset that holds at the row, days and longer at
// local midnight, weeks of date_trunc on Monday, months on their first. A day is 23 or 25 hours long when the clocks change.
type calendar struct {
	zone   *time.Location
	micros int64 // size below a day, else 0
	days   int
	months int
	offset int64 // µs of local time
	last   span  // the window found last: rows near each other share it
}

func newCalendar(n *logicalplan.Window) (windows, error) {
	if n.Kind != logicalplan.Tumble {
		return nil, sqlerr.Unsupported("an overlapping window of months or in a time zone").At(n.Pos)
	}
	zone, err := time.LoadLocation(zoneOrUTC(n.Zone))
	if err != nil {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "time zone \"%s\" not recognized", n.Zone).At(n.Pos)
	}
	c := &calendar{zone: zone, micros: n.Size.Micros, days: int(n.Size.Days), months: int(n.Size.Months), offset: n.Offset}
	parts := 0
	for _, has := range [...]bool{c.micros != 0, c.days != 0, c.months != 0} {
		if has {
			parts++
		}
	}
	if parts != 1 {
		return nil, sqlerr.Unsupported("a window in a time zone whose size mixes months, days and hours").At(n.Pos)
	}
	if n.Spelling == "date_trunc" && n.Size == week {
		c.offset = 4 * dayMicros // 1970-01-05 was a Monday
	}
	return c, nil
}

func zoneOrUTC(z string) string {
	if z == "" {
		return "UTC"
	}
	return z
}

const dayMicros = int64(24 * time.Hour / time.Microsecond)

func (c *calendar) hold(dst []span, t int64) []span {
	if t < c.last.start || t >= c.last.end {
		c.last = c.window(t)
	}
	return append(dst, c.last)
}

func (c *calendar) window(t int64) span {
	at := time.UnixMicro(t).In(c.zone)
	_, east := at.Zone()
	local := t + int64(east)*1e6
	switch {
	case c.micros > 0:
		start := floorTo(local, c.offset, c.micros) - int64(east)*1e6
		return span{start, start + c.micros}
	case c.days > 0:
		size := int64(c.days) * dayMicros
		start := floorTo(local, c.offset, size)
		return span{c.instant(start), c.instant(start + size)}
	}
	months := int64(at.Year())*12 + int64(at.Month()) - 1
	first := int(floorTo(months, 1970*12, int64(c.months)))
	return span{c.month(first), c.month(first + c.months)}
}

// instant is the moment when the zone's clocks show local (µs); if they skip it, the moment after the gap.
func (c *calendar) instant(local int64) int64 {
	l := time.UnixMicro(local).UTC()
	return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), l.Nanosecond(), c.zone).UnixMicro()
}

func (c *calendar) month(m int) int64 {
	if m < -math.MaxInt32 || m > math.MaxInt32 {
		panic("exec: a month out of range")
	}
	return time.Date(0, time.Month(m+1), 1, 0, 0, 0, 0, c.zone).UnixMicro() + c.offset
}
