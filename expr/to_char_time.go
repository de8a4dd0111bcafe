package expr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"wmsql/types"
)

// clockFields is what a date template may show, of a timestamp or of an interval.
type clockFields struct {
	year, month, day int64 // year 0 is 1 BC
	days             int64 // date, of a timestamp
	hour             int64
	minute, second   int64
	micros           int64
	interval         bool
	zone             string // abbreviation; "" if there is none
	offset           int64  // seconds east
}

func fieldsOfMicros(us int64) clockFields {
	days, ofDay := types.SplitMicros(us)
	f := clockFields{days: days}
	y, m, d := types.Civil(days)
	f.year, f.month, f.day = y, int64(m), int64(d)
	f.setTime(ofDay)
	return f
}

func (f *clockFields) setTime(us int64) {
	f.hour, us = us/types.MicrosPerHour, us%types.MicrosPerHour
	f.minute, us = us/microsPerMinute, us%microsPerMinute
	f.second, f.micros = us/types.MicrosPerSecond, us%types.MicrosPerSecond
}

func fieldsOfInterval(v types.IntervalValue) clockFields {
	f := clockFields{interval: true, year: int64(v.Months / 12), month: int64(v.Months % 12), day: int64(v.Days)}
	f.setTime(v.Micros)
	f.days = int64(v.Months)*30 + int64(v.Days)
	return f
}

// append writes the fields by the template.
func (t *template) append(dst []byte, f *clockFields) ([]byte, error) {
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.key == "" {
			dst = append(dst, n.text...)
			continue
		}
		start := len(dst)
		var err error
		if dst, err = n.append(dst, f); err != nil {
			return nil, err
		}
		if n.ordinal != "" {
			dst = append(dst, ordinalSuffix(dst[start:], n.ordinal)...)
		}
	}
	return dst, nil
}

// padded appends v with zeros in front up to width digits, unless FM forbids it.
func (n *templateNode) padded(dst []byte, v int64, width int) []byte {
	if n.fill {
		width = 0
	}
	if v < 0 {
		dst = append(dst, '-')
		v = -v
	}
	text := strconv.FormatInt(v, 10)
	for range width - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}

// word appends a name; without FM it is padded with blanks to width.
func (n *templateNode) word(dst []byte, name string, width int) []byte {
	dst = append(dst, inCase(name, n.key)...)
	if !n.fill {
		for range width - len(name) {
			dst = append(dst, ' ')
		}
	}
	return dst
}

func (n *templateNode) append(dst []byte, f *clockFields) ([]byte, error) {
	switch key := strings.ToUpper(n.key); key {
	case "AM", "PM", "A.M.", "P.M.":
		half := "AM"
		if f.hour%24 >= 12 {
			half = "PM"
		}
		if len(key) == 4 {
			half = half[:1] + "." + half[1:] + "."
		}
		return append(dst, inCase(half, n.key)...), nil
	case "HH", "HH12":
		h, width := f.hour%12, 2
		if h == 0 {
			h = 12
			if f.hour < 0 {
				width = 3 // with room for the sign that is not there, as in Postgres
			}
		}
		return n.padded(dst, h, width), nil
	case "HH24":
		return n.padded(dst, f.hour, 2), nil
	case "MI":
		return n.padded(dst, f.minute, 2), nil
	case "SS":
		return n.padded(dst, f.second, 2), nil
	case "MS":
		return n.padded(dst, f.micros/1000, 3), nil
	case "US":
		return n.padded(dst, f.micros, 6), nil
	case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		digits := int(key[2] - '0')
		v := f.micros
		for range 6 - digits {
			v /= 10
		}
		return n.padded(dst, v, digits), nil
	case "SSSS", "SSSSS":
		return strconv.AppendInt(dst, f.hour*3600+f.minute*60+f.second, 10), nil
	case "TZ", "OF", "TZH", "TZM":
		return n.appendZone(dst, f, key)
	}
	return n.appendDate(dst, f)
}

func (n *templateNode) appendZone(dst []byte, f *clockFields, key string) ([]byte, error) {
	if f.interval {
		return nil, errIntervalTemplate()
	}
	sign, off := byte('+'), f.offset
	if off < 0 {
		sign, off = '-', -off
	}
	two := &templateNode{}
	switch key {
	case "TZ":
		return append(dst, inCase(f.zone, n.key)...), nil
	case "TZM":
		return two.padded(dst, off%3600/60, 2), nil
	}
	dst = two.padded(append(dst, sign), off/3600, 2)
	if key == "OF" && off%3600 != 0 {
		dst = two.padded(append(dst, ':'), off%3600/60, 2)
	}
	return dst, nil
}

// calendarOnly are the fields that an interval does not have.
var calendarOnly = []string{"A.D.", "AD", "B.C.", "BC", "D", "DAY", "DY", "ID", "MON", "MONTH"}

// appendDate writes the fields of the calendar.
func (n *templateNode) appendDate(dst []byte, f *clockFields) ([]byte, error) {
	key := strings.ToUpper(n.key)
	if f.interval && slices.Contains(calendarOnly, key) {
		return nil, errIntervalTemplate()
	}
	switch key {
	case "BC", "AD", "B.C.", "A.D.":
		era := "AD"
		if f.year <= 0 {
			era = "BC"
		}
		if len(key) == 4 {
			era = era[:1] + "." + era[1:] + "."
		}
		return append(dst, inCase(era, n.key)...), nil
	case "MONTH", "MON", "RM":
		return n.appendMonth(dst, f, key), nil
	case "DAY":
		return n.word(dst, dayNames[dayOfWeek(f.days)], 9), nil
	case "DY":
		return append(dst, inCase(dayNames[dayOfWeek(f.days)][:3], n.key)...), nil
	case "MM":
		return n.padded(dst, f.month, 2), nil
	case "DD":
		if f.day < 0 && !n.fill { // the one field whose sign counts as a digit
			return fmt.Appendf(dst, "%02d", f.day), nil
		}
		return n.padded(dst, f.day, 2), nil
	case "DDD":
		if f.interval {
			return n.padded(dst, f.days, 3), nil
		}
		return n.padded(dst, dayOfYear(f.days), 3), nil
	case "IDDD":
		_, w := isoWeek(f.days)
		return n.padded(dst, (w-1)*7+isoDay(f.days), 3), nil
	case "D":
		return strconv.AppendInt(dst, dayOfWeek(f.days)+1, 10), nil
	case "ID":
		return strconv.AppendInt(dst, isoDay(f.days), 10), nil
	case "WW":
		return n.padded(dst, (dayOfYear(f.days)-1)/7+1, 2), nil
	case "IW":
		_, w := isoWeek(f.days)
		return n.padded(dst, w, 2), nil
	case "W":
		return strconv.AppendInt(dst, (f.day-1)/7+1, 10), nil
	case "Q":
		if f.month == 0 {
			return dst, nil
		}
		return strconv.AppendInt(dst, (f.month-1)/3+1, 10), nil
	case "CC":
		c := century(f.year, 100)
		if f.interval {
			c = f.year / 100
		}
		if c > -100 && c < 100 {
			return n.padded(dst, c, 2), nil
		}
		return strconv.AppendInt(dst, c, 10), nil
	case "J":
		return strconv.AppendInt(dst, f.days+julianEpoch, 10), nil
	}
	return n.appendYear(dst, f, key), nil
}

func (n *templateNode) appendMonth(dst []byte, f *clockFields, key string) []byte {
	if f.month == 0 {
		return dst
	}
	switch key {
	case "MONTH":
		return n.word(dst, monthNames[f.month-1], 9)
	case "MON":
		return append(dst, inCase(monthNames[f.month-1][:3], n.key)...)
	}
	return n.word(dst, romans[f.month-1], 4)
}

func (n *templateNode) appendYear(dst []byte, f *clockFields, key string) []byte {
	y := f.year
	if key[0] == 'I' {
		y, _ = isoWeek(f.days)
	}
	if y <= 0 && !f.interval {
		y = 1 - y // the era tells BC
	}
	if key == "Y,YYY" {
		dst = append(strconv.AppendInt(dst, y/1000, 10), ',')
		return (&templateNode{}).padded(dst, y%1000, 3)
	}
	width := len(key)
	switch width {
	case 3:
		y %= 1000
	case 2:
		y %= 100
	case 1:
		y %= 10
	}
	return n.padded(dst, y, width)
}

// toCharMoment is to_char of timestamps.
func toCharMoment(zoned bool) kernel {
	return tx2s(func(s *site) func(dst []byte, v int64, tmpl []byte) ([]byte, error) {
		cache, zone := templateCache{}, s.format().Zone
		return func(dst []byte, v int64, tmpl []byte) ([]byte, error) {
			if isInfinite(v) || len(tmpl) == 0 {
				return nil, errNull
			}
			local := v
			if zoned {
				local = toLocal(v, zone)
			}
			f := fieldsOfMicros(local)
			if zoned {
				f.offset = (local - v) / types.MicrosPerSecond
				f.zone = time.UnixMicro(v).In(zone).Format("MST")
			}
			return cache.get(tmpl).append(dst, &f)
		}
	})
}

// toCharInterval is to_char of intervals.
func toCharInterval(*site) func(dst []byte, v types.IntervalValue, tmpl []byte) ([]byte, error) {
	cache := templateCache{}
	return func(dst []byte, v types.IntervalValue, tmpl []byte) ([]byte, error) {
		if len(tmpl) == 0 {
			return nil, errNull
		}
		f := fieldsOfInterval(v)
		return cache.get(tmpl).append(dst, &f)
	}
}
