package server

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"wmsql/sqlerr"
)

// onlyValue is the check of a parameter of which wmsql does one value only.
func onlyValue(name, want string) func(string) (string, error) {
	return func(v string) (string, error) {
		if v != want {
			return "", sqlerr.Unsupported("%s = %s", name, v)
		}
		return v, nil
	}
}

func checkEncoding(v string) (string, error) {
	switch strings.ToUpper(strings.NewReplacer("-", "", "_", "", "'", "").Replace(v)) {
	case "UTF8", "UNICODE", "":
		return "UTF8", nil
	case "SQLASCII":
		return "SQL_ASCII", nil
	case "LATIN1", "ISO88591", "WIN1252", "LATIN9", "ISO885915", "EUCJP", "SJIS", "BIG5", "GBK", "WIN1251", "KOI8R":
		return "", sqlerr.Unsupported("client_encoding = %s", v).WithHint("Use UTF8.")
	}
	return "", sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for parameter %q: %q", "client_encoding", v)
}

func checkTimeZone(v string) (string, error) {
	name, _, ok := zone(v)
	if !ok {
		return "", sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for parameter %q: %q", "TimeZone", v)
	}
	return name, nil
}

// zone finds a time zone by its name in any case, or by a number of hours east of UTC. The name comes
// back as SHOW says it.
func zone(v string) (string, *time.Location, bool) {
	v = strings.TrimSpace(v)
	switch strings.ToLower(v) {
	case "":
		return "", nil, false
	case "utc", "gmt", "zulu":
		return strings.ToUpper(v), time.UTC, true
	case "local", "default":
		return "UTC", time.UTC, true
	}
	if hours, err := strconv.ParseFloat(v, 64); err == nil {
		if hours < -24 || hours > 24 {
			return "", nil, false
		}
		return offsetZone(int(hours * 3600))
	}
	if m := posixForm.FindStringSubmatch(v); m != nil {
		return posixZone(v, m)
	}
	for _, name := range []string{v, strings.ToUpper(v), titleZone(v)} {
		if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") {
			continue
		}
		if loc, err := time.LoadLocation(name); err == nil && name != "Local" {
			return name, loc, true
		}
	}
	return "", nil, false
}

// posixForm is a zone as POSIX writes one: a name, letters or anything in <>, and the hours to add for UTC.
var posixForm = regexp.MustCompile(`^([A-Za-z]{3,}|<[^>]+>)([+-]?)(\d{1,2})(?::(\d{2}))?$`)

// posixZone reads what posixForm matched: hours west of UTC.
func posixZone(name string, m []string) (string, *time.Location, bool) {
	hours, _ := strconv.Atoi(m[3]) // digits, or nothing
	minutes, _ := strconv.Atoi(m[4])
	if hours > 24 || minutes > 59 {
		return "", nil, false
	}
	west := hours*3600 + minutes*60
	if m[2] == "-" {
		west = -west
	}
	return name, time.FixedZone(strings.Trim(m[1], "<>"), -west), true
}

// offsetZone is a fixed offset under its POSIX name, whose sign is turned round: <+05:30>-05:30.
func offsetZone(seconds int) (string, *time.Location, bool) {
	iso, posix := "+", "-"
	abs := seconds
	if seconds < 0 {
		iso, posix, abs = "-", "+", -seconds
	}
	clock := pad2(abs / 3600)
	if m := abs / 60 % 60; m != 0 {
		clock += ":" + pad2(m)
	}
	name := "<" + iso + clock + ">" + posix + clock
	return name, time.FixedZone(iso+clock, seconds), true
}

func pad2(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// titleZone writes europe/berlin as Europe/Berlin.
func titleZone(v string) string {
	b := []byte(strings.ToLower(v))
	for i := range b {
		if b[i] >= 'a' && b[i] <= 'z' && (i == 0 || strings.IndexByte("/_-", b[i-1]) >= 0) {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}

// splitPath reads the value of search_path: identifiers between commas, quoted where need be.
func splitPath(v string) []string {
	var out []string
	for i := 0; i < len(v); {
		switch c := v[i]; {
		case c == ' ' || c == ',' || c == '\t':
			i++
		case c == '"':
			var sb strings.Builder
			for i++; i < len(v); i++ {
				if v[i] == '"' {
					if i+1 < len(v) && v[i+1] == '"' {
						i++
					} else {
						break
					}
				}
				sb.WriteByte(v[i])
			}
			i++
			out = append(out, sb.String())
		default:
			end := i
			for end < len(v) && v[end] != ',' && v[end] != ' ' {
				end++
			}
			out = append(out, strings.ToLower(v[i:end]))
			i = end
		}
	}
	return out
}
