package expr

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"wmsql/sqlerr"
	"wmsql/types"
)

func errIntervalTemplate() error {
	return sqlerr.Newf(sqlerr.InvalidDatetimeFormat, "invalid format specification for an interval value").
		WithHint("Intervals are not tied to specific calendar dates.")
}

// parsedTime is what a date template has read from a text so far; -1 marks a field that was not there.
type parsedTime struct {
	in    string // all of the text, for errors
	rest  string
	vals  map[string]int64
	clock int // 12 or 24, of the last hour field
	pm    bool
	bc    bool
	zone  *int64 // seconds east
}

func errParse(format string, args ...any) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.InvalidDatetimeFormat, format, args...)
}

// set stores a field; a second value for it must be the same.
func (p *parsedTime) set(name, key string, v int64) error {
	if old, ok := p.vals[name]; ok && old != v {
		return errParse("conflicting values for \"%s\" field in formatting string", key).
			WithDetail("This value contradicts a previous setting for the same field type.")
	}
	p.vals[name] = v
	return nil
}

// parse reads text by the template. As in Postgres, text behind the last field is passed over, and fields behind the end
// of the text keep their defaults.
func (t *template) parse(text string) (*parsedTime, error) {
	p := &parsedTime{in: text, rest: text, vals: map[string]int64{}}
	skipped := 0 // blanks passed over that the template did not ask for
	for i := range t.nodes {
		if p.rest == "" {
			break
		}
		n := &t.nodes[i]
		if !t.fixed && (n.key != "" || i == 0) {
			skipped += p.skipBlanks()
		}
		switch {
		case n.isSeparator():
			if t.fixed {
				p.skipChar()
				continue
			}
			skipped--
			if p.rest != "" && (isSeparator(p.rest[0]) || unicode.IsSpace(rune(p.rest[0]))) {
				p.skipChar()
				skipped++
			}
			continue
		case n.key == "":
			if !t.fixed && skipped > 0 {
				skipped--
			} else {
				p.skipChar()
			}
			continue
		}
		if err := p.field(t, i); err != nil {
			return nil, err
		}
		if n.ordinal != "" && len(p.rest) >= 2 {
			p.rest = p.rest[2:]
		}
		if !t.fixed {
			skipped = p.skipBlanks()
		}
	}
	return p, nil
}

func (p *parsedTime) skipBlanks() int {
	trimmed := strings.TrimLeft(p.rest, " \t\n\r\v\f")
	n := len(p.rest) - len(trimmed)
	p.rest = trimmed
	return n
}

func (p *parsedTime) skipChar() {
	if p.rest != "" {
		_, size := utf8.DecodeRuneInString(p.rest)
		p.rest = p.rest[size:]
	}
}

// number reads the digits of a field of at most width characters; exactly so many if digits follow in the template.
func (p *parsedTime) number(t *template, i, width int) (v int64, digits int, err error) {
	n := &t.nodes[i]
	p.skipBlanks()
	s := p.rest
	end := len(s)
	exact := !n.fill && t.nextIsDigits(i)
	if exact {
		if len(s) < width {
			return 0, 0, errParse("source string too short for \"%s\" formatting field", n.key).
				WithDetail("Field requires %d characters, but only %d remain.", width, len(s)).
				WithHint("If your source string is not fixed-width, try using the \"FM\" modifier.")
		}
		end = width
	}
	k := 0
	if k < end && (s[k] == '-' || s[k] == '+') {
		k++
	}
	first := k
	for k < end && s[k] >= '0' && s[k] <= '9' {
		k++
	}
	shown := s[:min(len(s), width)]
	switch {
	case k == first:
		return 0, 0, errParse("invalid value \"%s\" for \"%s\"", shown, n.key).WithDetail("Value must be an integer.")
	case exact && k < width:
		return 0, 0, errParse("invalid value \"%s\" for \"%s\"", shown, n.key).
			WithDetail("Field requires %d characters, but only %d could be parsed.", width, k).
			WithHint("If your source string is not fixed-width, try using the \"FM\" modifier.")
	}
	v, err = strconv.ParseInt(s[:k], 10, 64)
	if err != nil || v > math.MaxInt32 || v < math.MinInt32 {
		return 0, 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "value for \"%s\" in source string is out of range", n.key).
			WithDetail("Value must be in the range %d to %d.", math.MinInt32, math.MaxInt32)
	}
	p.rest = s[k:]
	return v, k, nil
}

// choice reads one of some words, in any case, and returns its number.
func (p *parsedTime) choice(key string, words []string, length int) (int64, error) {
	for i, w := range words {
		if length > 0 {
			w = w[:length]
		}
		if len(p.rest) >= len(w) && strings.EqualFold(p.rest[:len(w)], w) {
			p.rest = p.rest[len(w):]
			return int64(i), nil
		}
	}
	shown, _, _ := strings.Cut(p.rest, " ")
	return 0, errParse("invalid value \"%s\" for \"%s\"", shown, key).
		WithDetail("The given value did not match any of the allowed values for this field.")
}

// numberFields says how many digits a field has and which value it sets.
var numberFields = map[string]struct {
	width int
	name  string
}{
	"HH": {2, "hour"}, "HH12": {2, "hour"}, "HH24": {2, "hour"}, "MI": {2, "minute"}, "SS": {2, "second"}, "SSSS": {5, "ssss"},
	"SSSSS": {5, "ssss"}, "MM": {2, "month"}, "DD": {2, "day"}, "DDD": {3, "doy"}, "J": {7, "julian"}, "CC": {2, "century"},
	"WW": {2, "week"}, "W": {1, "weekofmonth"}, "IW": {2, "isoweek"}, "ID": {1, "isoday"}, "IDDD": {3, "isodoy"}, "D": {1, "dow"},
	"Q": {1, "quarter"}, "TZM": {2, "tzm"},
}

// field reads the field of node i.
func (p *parsedTime) field(t *template, i int) error {
	n := &t.nodes[i]
	key := strings.ToUpper(n.key)
	if f, ok := numberFields[key]; ok {
		v, _, err := p.number(t, i, f.width)
		switch key {
		case "HH", "HH12":
			p.clock = 12
		case "HH24":
			p.clock = 24
		case "Q":
			return err // read, but of no effect
		}
		if err != nil {
			return err
		}
		return p.set(f.name, n.key, v)
	}
	switch key {
	case "MS", "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		return p.fraction(t, i, key)
	case "AM", "PM":
		v, err := p.choice(n.key, []string{"AM", "PM"}, 0)
		p.pm, p.clock = v == 1, 12
		return err
	case "A.M.", "P.M.":
		v, err := p.choice(n.key, []string{"A.M.", "P.M."}, 0)
		p.pm, p.clock = v == 1, 12
		return err
	case "AD", "BC":
		v, err := p.choice(n.key, []string{"AD", "BC"}, 0)
		p.bc = v == 1
		return err
	case "A.D.", "B.C.":
		v, err := p.choice(n.key, []string{"A.D.", "B.C."}, 0)
		p.bc = v == 1
		return err
	case "MONTH", "MON", "RM", "DAY", "DY":
		return p.name(n, key)
	case "TZH":
		return p.zoneHours(t, i)
	case "TZ", "OF":
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "formatting field \"%s\" is only supported in to_char", n.key)
	}
	return p.year(t, i, key)
}

func (p *parsedTime) fraction(t *template, i int, key string) error {
	width := 6
	switch {
	case key == "MS":
		width = 3
	case key != "US":
		width = int(key[2] - '0')
	}
	v, digits, err := p.number(t, i, width)
	if err != nil {
		return err
	}
	for ; digits < 6; digits++ {
		v *= 10
	}
	return p.set("micros", t.nodes[i].key, v)
}

func (p *parsedTime) name(n *templateNode, key string) error {
	switch key {
	case "MONTH", "MON":
		length := 0
		if key == "MON" {
			length = 3
		}
		v, err := p.choice(n.key, monthNames, length)
		if err != nil {
			return err
		}
		return p.set("month", n.key, v+1)
	case "RM":
		for i := len(romans) - 1; i >= 0; i-- { // VIII before VII
			if len(p.rest) >= len(romans[i]) && strings.EqualFold(p.rest[:len(romans[i])], romans[i]) {
				p.rest = p.rest[len(romans[i]):]
				return p.set("month", n.key, int64(i)+1)
			}
		}
		_, err := p.choice(n.key, romans, 0)
		return err
	}
	length := 0
	if key == "DY" {
		length = 3
	}
	v, err := p.choice(n.key, dayNames, length)
	if err != nil {
		return err
	}
	return p.set("dow", n.key, v+1)
}

func (p *parsedTime) zoneHours(t *template, i int) error {
	sign := int64(1)
	if p.rest != "" && strings.IndexByte("+- ", p.rest[0]) >= 0 {
		if p.rest[0] == '-' {
			sign = -1
		}
		p.rest = p.rest[1:]
	}
	v, _, err := p.number(t, i, 2)
	if err != nil {
		return err
	}
	seconds := sign * v * 3600
	p.zone = &seconds
	return nil
}

// year reads a year of one to four digits; a short one is near 2020.
func (p *parsedTime) year(t *template, i int, key string) error {
	n := &t.nodes[i]
	name := "year"
	if key[0] == 'I' {
		name = "isoyear"
	}
	if key == "Y,YYY" {
		thousands, rest, ok := strings.Cut(p.rest, ",")
		m, err := strconv.ParseInt(thousands, 10, 32)
		if !ok || err != nil || len(rest) < 3 {
			return errParse("invalid input string for \"Y,YYY\"")
		}
		y, err := strconv.ParseInt(rest[:3], 10, 32)
		if err != nil {
			return errParse("invalid input string for \"Y,YYY\"")
		}
		p.rest = rest[3:]
		return p.set(name, n.key, m*1000+y)
	}
	v, digits, err := p.number(t, i, len(key))
	if err != nil {
		return err
	}
	if len(key) < 4 && digits < 4 {
		switch {
		case v < 70:
			v += 2000
		case v < 100:
			v += 1900
		case v < 520:
			v += 2000
		case v < 1000:
			v += 1000
		}
	}
	return p.set(name, n.key, v)
}

// get returns a field, or def if it was not there.
func (p *parsedTime) get(name string, def int64) int64 {
	if v, ok := p.vals[name]; ok {
		return v
	}
	return def
}

func (p *parsedTime) errRange() error {
	return sqlerr.Newf(sqlerr.DatetimeOverflow, "date/time field value out of range: \"%s\"", p.in)
}

// date is the day that the fields name; without any, the first day of 1 BC.
func (p *parsedTime) date() (int64, error) {
	if j, ok := p.vals["julian"]; ok {
		return j - julianEpoch, nil
	}
	y := p.get("year", 0)
	if c, ok := p.vals["century"]; ok && p.get("year", 0) == 0 {
		y = (c-1)*100 + 1
	}
	if p.bc {
		y = -y
	}
	if y < 0 {
		y++
	}
	month, day := p.get("month", 1), p.get("day", 1)
	switch {
	case p.vals["isoyear"] != 0 || p.vals["isoweek"] != 0:
		return p.isoDate()
	case p.vals["doy"] != 0:
		doy := p.vals["doy"]
		if _, ok := p.vals["year"]; !ok {
			return 0, errParse("cannot calculate day of year without year information")
		}
		if doy < 1 || types.DaysOf(y, 1, doy) >= types.DaysOf(y+1, 1, 1) {
			return 0, p.errRange()
		}
		return types.DaysOf(y, 1, doy), nil
	case p.vals["week"] != 0:
		return types.DaysOf(y, 1, (p.vals["week"]-1)*7+1), nil
	case p.vals["weekofmonth"] != 0:
		day = (p.vals["weekofmonth"]-1)*7 + 1
	}
	days := types.DaysOf(y, month, day)
	if cy, cm, cd := types.Civil(days); month < 1 || month > 12 || cy != y || int64(cm) != month || int64(cd) != day {
		return 0, p.errRange()
	}
	return days, nil
}

// isoDate is the day of an ISO year and week.
func (p *parsedTime) isoDate() (int64, error) {
	if _, mixed := p.vals["year"]; mixed {
		return 0, errParse("invalid combination of date conventions").
			WithHint("Do not mix Gregorian and ISO week date conventions in a formatting template.")
	}
	y := p.get("isoyear", 0)
	jan4 := types.DaysOf(y, 1, 4)
	monday := jan4 - isoDay(jan4) + 1
	if doy, ok := p.vals["isodoy"]; ok {
		return monday + doy - 1, nil
	}
	return monday + (p.get("isoweek", 1)-1)*7 + p.get("isoday", 1) - 1, nil
}

// ofDay is the time of day in microseconds.
func (p *parsedTime) ofDay() (int64, error) {
	h, m, s := p.get("hour", 0), p.get("minute", 0), p.get("second", 0)
	if ssss, ok := p.vals["ssss"]; ok {
		h, m, s = ssss/3600, ssss%3600/60, ssss%60
	}
	if _, ok := p.vals["hour"]; ok && p.clock == 12 {
		if h < 1 || h > 12 {
			return 0, errParse("hour \"%d\" is invalid for the 12-hour clock", h).
				WithHint("Use the 24-hour clock, or give an hour between 1 and 12.")
		}
		switch {
		case p.pm && h < 12:
			h += 12
		case !p.pm && h == 12:
			h = 0
		}
	}
	if h < 0 || h > 23 || m < 0 || m > 59 || s < 0 || s > 59 {
		return 0, p.errRange()
	}
	return h*types.MicrosPerHour + m*microsPerMinute + s*types.MicrosPerSecond + p.get("micros", 0), nil
}

// toTimestamp is to_timestamp(text, template).
func toTimestamp(s *site) func(text, tmpl []byte) (int64, error) {
	cache, zone := templateCache{}, s.format().Zone
	return func(text, tmpl []byte) (int64, error) {
		p, err := cache.get(tmpl).parse(string(text))
		if err != nil {
			return 0, err
		}
		days, err := p.date()
		if err != nil {
			return 0, err
		}
		ofDay, err := p.ofDay()
		if err != nil {
			return 0, err
		}
		if days < firstDate || days > 106751990 {
			return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "timestamp out of range: \"%s\"", p.in)
		}
		us := days*types.MicrosPerDay + ofDay
		if p.zone == nil {
			return toUTC(us, zone), nil
		}
		minutes := p.get("tzm", 0) * 60
		if *p.zone < 0 {
			minutes = -minutes
		}
		return us - (*p.zone+minutes)*types.MicrosPerSecond, nil
	}
}

// toDate is to_date(text, template).
func toDate(*site) func(text, tmpl []byte) (int64, error) {
	cache := templateCache{}
	return func(text, tmpl []byte) (int64, error) {
		p, err := cache.get(tmpl).parse(string(text))
		if err != nil {
			return 0, err
		}
		return p.date()
	}
}

func timeTemplateFunctions() []*Function {
	return []*Function{
		def("to_char(timestamp,text) text", toCharMoment(false), stable),
		def("to_char(timestamptz,text) text", toCharMoment(true), stable),
		def("to_char(interval,text) text", tx2s(toCharInterval), stable),
		def("to_timestamp(text,text) timestamptz", fn2s(toTimestamp), stable),
		def("to_date(text,text) date", fn2s(toDate), stable),
	}
}
