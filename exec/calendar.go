package exec

import (
	"math"
	"time"

	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/types"
)

const (
	hourMicros = int64(3600e6)
	dayMicros  = 24 * hourMicros
	// clocksEnd is two days before the end of time: what a clock shows later cannot be said in all zones.
	clocksEnd = math.MaxInt64 - 2*dayMicros
)

// calendar is windows on the clock of a zone: of months, which begin on their first, or of a time that the clock shows, so that
// a day has 23 or 25 hours when the clocks change. Where the clock shows a bound twice the
// first moment counts, where it skips one the moment of the change.
type calendar struct {
	zone *time.Location
	// A point of the line on which windows lie is a month, counted from year 0, or µs that the clock shows.
	months       bool
	size, slide  int64
	origin       int64 // a point where windows start
	offset       int64 // µs from the first of a month
	slack        int64 // how far a moment and what the clock shows may be apart
	last         span  // of windows that do not overlap the one found last: rows near each other share it
	withoutClock bool  // windows of an hour or less, that fill it: the offset that holds at the row will do
}

func newCalendar(n *logicalplan.Window) (windows, error) {
	zone := time.UTC
	if n.Zone != "" {
		var err error
		if zone, _, err = types.LoadZone(n.Zone); err != nil {
			return nil, err
		}
	}
	if n.Size.Months != 0 {
		return &calendar{zone: zone, months: true, size: int64(n.Size.Months), slide: int64(n.Slide.Months),
			origin: 1970 * 12, offset: n.Offset, slack: 1}, nil
	}
	c := &calendar{zone: zone, size: physicalplan.Micros(n.Size), slide: physicalplan.Micros(n.Slide), slack: 3 * hourMicros}
	c.origin = floorMod(n.Offset, c.slide)
	c.withoutClock = c.size <= hourMicros && hourMicros%c.slide == 0
	return c, nil
}

func (c *calendar) hold(dst []span, t int64) []span {
	if c.withoutClock {
		east := c.east(t)
		h := hop{newTumble(c.slide, c.origin-east), c.size}
		return h.hold(dst, t)
	}
	if c.size == c.slide && t >= c.last.start && t < c.last.end {
		return append(dst, c.last)
	}
	if t > clocksEnd {
		return append(dst, span{t, math.MaxInt64})
	}
	at := c.point(t)
	first := floorTo(at-c.size-c.slack, c.origin, c.slide)
	for k := range (at+c.slack-first)/c.slide + 1 {
		p := first + k*c.slide
		if s := (span{c.moment(p), c.moment(plusMicros(p, c.size))}); s.start <= t && t < s.end {
			c.last = s
			dst = append(dst, s)
		}
	}
	return dst
}

// east is how far the clock is ahead of UTC at t, µs.
func (c *calendar) east(t int64) int64 {
	_, s := time.UnixMicro(t).In(c.zone).Zone()
	return int64(s) * 1e6
}

// point is where t lies on the line.
func (c *calendar) point(t int64) int64 {
	local := t + c.east(t)
	if !c.months {
		return local
	}
	at := time.UnixMicro(plusMicros(local, -c.offset)).UTC()
	return int64(at.Year())*12 + int64(at.Month()) - 1
}

// moment is when the clock comes to point p.
func (c *calendar) moment(p int64) int64 {
	local := p
	if c.months {
		days := types.DaysOf(0, p+1, 1)
		switch {
		case days > math.MaxInt64/dayMicros:
			return math.MaxInt64
		case days < math.MinInt64/dayMicros:
			return math.MinInt64
		}
		local = plusMicros(days*dayMicros, c.offset)
	}
	if local > clocksEnd {
		return math.MaxInt64
	}
	before := local - c.east(local-dayMicros)
	if before+c.east(before) == local {
		return before
	}
	after := local - c.east(local+dayMicros)
	if after+c.east(after) == local {
		return after
	}
	change, _ := time.UnixMicro(before).In(c.zone).ZoneBounds()
	return change.UnixMicro()
}
