package types

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // zones must not depend on the machine

	"wmsql/sqlerr"
)

//go:embed zone_names.txt
var zoneNameList string

// ZoneNames are the names of the zones of the IANA database that Postgres lists, sorted.
func ZoneNames() []string { return strings.Fields(zoneNameList) }

// zones finds a zone by name in any case. It is filled once; locations are parsed when asked for and kept, which is bounded
// by the number of names.
type zones struct {
	byLower map[string]string
	loaded  sync.Map // name -> *time.Location
}

var allZones = sync.OnceValue(func() *zones {
	z := &zones{byLower: map[string]string{}}
	for _, n := range ZoneNames() {
		z.byLower[strings.ToLower(n)] = n
	}
	return z
})

func (z *zones) find(name string) (*time.Location, string, bool) {
	n, ok := z.byLower[strings.ToLower(name)]
	if !ok {
		return nil, "", false
	}
	if loc, ok := z.loaded.Load(n); ok {
		return loc.(*time.Location), n, true
	}
	loc, err := time.LoadLocation(n)
	if err != nil {
		return nil, "", false
	}
	if n == "UTC" {
		loc = time.UTC
	}
	z.loaded.Store(n, loc)
	return loc, n, true
}

// LoadZone returns the zone called name and its name as Postgres shows it: an IANA name in any
// case, or POSIX's form of a fixed offset (west is positive: UTC+3 is three hours behind). 22023 if there is none.
func LoadZone(name string) (*time.Location, string, error) {
	if loc, n, ok := allZones().find(name); ok {
		return loc, n, nil
	}
	if loc, ok := posixZone(name); ok {
		return loc, strings.ToUpper(name), nil
	}
	return nil, "", errZone(name)
}

func errZone(name string) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "time zone \"%s\" not recognized", name)
}

// ZoneOf returns the zone that AT TIME ZONE and date_trunc name by a text: an abbreviation (PST) first, then as LoadZone. An
// abbreviation that meant several offsets over time is its whole zone.
func ZoneOf(name string) (*time.Location, error) {
	if a, ok := zoneAbbrevs[strings.ToLower(name)]; ok {
		if a.zone != "" {
			name = a.zone
		} else {
			return time.FixedZone(strings.ToUpper(name), int(a.offset)), nil
		}
	}
	loc, _, err := LoadZone(name)
	return loc, err
}

// FixedZone returns the zone of SET TIME ZONE with a number or interval: seconds east of Greenwich. Its name is as
// Postgres shows it: <+05:30>-05:30.
func FixedZone(seconds int) (*time.Location, string) {
	east := string(appendOffset(nil, seconds))
	west := string(appendOffset(nil, -seconds))
	if seconds == 0 {
		west = "-00"
	}
	return time.FixedZone(east, seconds), "<" + east + ">" + west
}

// posixZone reads a name of three letters or more, or one in <>, and hours west of Greenwich.
func posixZone(s string) (*time.Location, bool) {
	var rest string
	if strings.HasPrefix(s, "<") {
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return nil, false
		}
		rest = s[end+1:]
	} else {
		n := 0
		for n < len(s) && isLetter(s[n]) {
			n++
		}
		if n < 3 && n != 0 {
			return nil, false
		}
		rest = s[n:]
	}
	neg, digits := cutSign(rest)
	seconds, ok := clockSeconds(digits)
	if !ok {
		return nil, false
	}
	if !neg {
		seconds = -seconds
	}
	return time.FixedZone(strings.ToUpper(s), seconds), true
}

// clockSeconds reads h, hh:mm or hh:mm:ss, at most 24 hours.
func clockSeconds(s string) (int, bool) {
	total, unit := 0, 3600
	for part := range strings.SplitSeq(s, ":") {
		if part == "" || len(part) > 2 || unit == 0 {
			return 0, false
		}
		n := 0
		for k := range len(part) {
			if !isDigit(part[k]) {
				return 0, false
			}
			n = n*10 + int(part[k]-'0')
		}
		if unit < 3600 && n > 59 {
			return 0, false
		}
		total += n * unit
		unit /= 60
	}
	return total, total <= 24*3600
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// offsetAt returns the seconds east of Greenwich that loc keeps at an instant, in seconds since 1970.
func offsetAt(loc *time.Location, unix int64) int64 {
	if loc == time.UTC {
		return 0
	}
	_, off := time.Unix(unix, 0).In(loc).Zone()
	return int64(off)
}

// isFixedZone reports whether loc has never had another offset: neither a sun's time once nor a summer time now.
func isFixedZone(loc *time.Location) bool {
	const longAgo, winter, summer = -1e10, 946684800, 962409600 // 1653, January and July of 2000
	off := offsetAt(loc, longAgo)
	return off == offsetAt(loc, winter) && off == offsetAt(loc, summer)
}

// LocalToUTC returns the instant of a local time, both in microseconds, as Postgres reads it: a time that the
// clock showed twice is the later one, one that it left out is read with the offset before the gap.
func LocalToUTC(local int64, loc *time.Location) int64 {
	if loc == time.UTC || isInfinite(local) {
		return local
	}
	sec := floorDiv64(local, MicrosPerSecond)
	before := offsetAt(loc, sec-24*3600)
	after := offsetAt(loc, sec+24*3600)
	off := before
	if before != after {
		// The change lies within the two days. Each reading holds if its own instant has its offset.
		if offsetAt(loc, sec-after) == after {
			off = after
		}
	}
	return local - off*MicrosPerSecond
}

// UTCToLocal returns the local time of an instant, both in microseconds.
func UTCToLocal(us int64, loc *time.Location) int64 {
	if loc == time.UTC || isInfinite(us) {
		return us
	}
	return us + offsetAt(loc, floorDiv64(us, MicrosPerSecond))*MicrosPerSecond
}
