package types

import (
	"math"
	"strconv"
	"strings"
)

func (d *dateTime) setClock(us int64) {
	d.hour, d.min = int(us/MicrosPerHour), int(us/MicrosPerMinute%60)
	d.sec, d.micros = int(us/MicrosPerSecond%60), int(us%MicrosPerSecond)
}

// clock reads hh:mm, hh:mm:ss or mm:ss.fraction.
func (d *dateTime) clock(s string) (mask int, fault dtFault) {
	c, fault := parseClock(s, 0)
	if fault != dtOK {
		return 0, fault
	}
	if c.hour > 24 || c.hour == 24 && (c.min > 0 || c.sec > 0 || c.micros > 0) {
		return 0, dtRange
	}
	d.hour, d.min, d.sec, d.micros = int(c.hour), c.min, c.sec, c.micros
	return partTime, dtOK
}

type clockTime struct {
	hour             int64
	min, sec, micros int
}

// parseClock reads a time with colons. minSec says that two parts are minutes and seconds.
func parseClock(s string, fields int32) (c clockTime, fault dtFault) {
	minSec := fields == IntervalMinute|IntervalSecond
	at := strings.IndexByte(s, ':')
	if at < 0 {
		return c, dtBad
	}
	h, err := strconv.ParseInt(s[:at], 10, 64)
	if err != nil || h > math.MaxInt32 {
		return c, dtRange
	}
	c.hour = h
	var rest string
	if c.min, rest, fault = leadingInt(s[at+1:]); fault != dtOK {
		return c, fault
	}
	switch {
	case rest == "":
		if minSec {
			c.sec, c.min, c.hour = c.min, int(c.hour), 0
		}
	case rest[0] == '.':
		if c.micros, fault = fraction(rest); fault != dtOK {
			return c, fault
		}
		c.sec, c.min, c.hour = c.min, int(c.hour), 0
	case rest[0] == ':':
		if c.sec, rest, fault = leadingInt(rest[1:]); fault != dtOK {
			return c, fault
		}
		if rest != "" {
			if rest[0] != '.' {
				return c, dtBad
			}
			if c.micros, fault = fraction(rest); fault != dtOK {
				return c, fault
			}
		}
	default:
		return c, dtBad
	}
	if c.min > 59 || c.sec > 60 {
		return c, dtRange
	}
	return c, dtOK
}

// zoneField reads +hh, +hhmm, +hh:mm or +hh:mm:ss.
func (d *dateTime) zoneField(s string) (mask int, fault dtFault) {
	h, rest, fault := leadingInt(s[1:])
	if fault != dtOK {
		return 0, dtZone
	}
	m, sec := 0, 0
	if strings.HasPrefix(rest, ":") {
		if m, rest, fault = leadingInt(rest[1:]); fault != dtOK {
			return 0, dtZone
		}
		if strings.HasPrefix(rest, ":") {
			if sec, rest, fault = leadingInt(rest[1:]); fault != dtOK {
				return 0, dtZone
			}
		}
	} else if rest == "" && len(s) > 3 {
		h, m = h/100, h%100
	}
	if h > 15 || m > 59 || sec > 59 {
		return 0, dtZone
	}
	if rest != "" {
		return 0, dtBad
	}
	d.offset = (h*60+m)*60 + sec
	if s[0] == '-' {
		d.offset = -d.offset
	}
	return partZone, dtOK
}

func (d *dateTime) applyMeridiem() dtFault {
	if d.meridiem < 0 {
		return dtOK
	}
	if d.hour > 12 {
		return dtRange
	}
	d.hour = d.hour%12 + d.meridiem
	return dtOK
}

// ofDay is the time of day in microseconds.
func (d *dateTime) ofDay() int64 {
	return int64(d.hour*3600+d.min*60+d.sec)*MicrosPerSecond + int64(d.micros)
}
