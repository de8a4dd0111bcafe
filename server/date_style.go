package server

import (
	"slices"
	"strings"

	"wmsql/sqlerr"
	"wmsql/types"
)

// The names of types.DateStyle, types.DateOrder and types.IntervalStyle, as settings have them.
func dateStyles() []string { return []string{"ISO", "SQL", "Postgres", "German"} }
func dateOrders() []string { return []string{"MDY", "DMY", "YMD"} }
func intervalStyles() []string {
	return []string{"postgres", "postgres_verbose", "sql_standard", "iso_8601"}
}

// dateStyleWords reads the words of a DateStyle: the style and the order, "" for what is not said. wrong is a word that is none, or
// says another thing than the one before.
func dateStyleWords(v string) (style, order, wrong string) {
	set := func(to *string, what string) bool {
		if *to != "" && *to != what {
			return false
		}
		*to = what
		return true
	}
	implied := ""
	for word := range strings.SplitSeq(v, ",") {
		w, ok := strings.ToLower(strings.TrimSpace(word)), true
		switch {
		case w == "iso", w == "sql", w == "postgres", w == "german":
			at := slices.IndexFunc(dateStyles(), func(s string) bool { return strings.ToLower(s) == w })
			ok = set(&style, dateStyles()[at])
			if w == "german" {
				implied = "DMY"
			}
		case w == "ymd":
			ok = set(&order, "YMD")
		case w == "dmy", strings.HasPrefix(w, "euro"):
			ok = set(&order, "DMY")
		case w == "mdy", w == "us", strings.HasPrefix(w, "noneuro"):
			ok = set(&order, "MDY")
		case w == "default":
			style, order = orString(style, "ISO"), orString(order, "MDY")
		default:
			return "", "", strings.TrimSpace(word)
		}
		if !ok {
			return "", "", ","
		}
	}
	return style, orString(order, implied), ""
}

func orString(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// checkDateStyle brings a DateStyle into its canonical form.
func checkDateStyle(v string) (string, error) {
	style, order, wrong := dateStyleWords(v)
	if wrong != "" {
		e := sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for parameter %q: %q", "DateStyle", v)
		if wrong == "," {
			return "", e.WithDetail(`Conflicting "datestyle" specifications.`)
		}
		return "", e.WithDetail("Unrecognized key word: %q.", wrong)
	}
	return orString(style, "ISO") + ", " + orString(order, "MDY"), nil
}

// completeDateStyle adds to v what it leaves as it is now.
func completeDateStyle(v, now string) string {
	style, order, wrong := dateStyleWords(v)
	if wrong != "" {
		return v
	}
	nowStyle, nowOrder, _ := dateStyleWords(now)
	return orString(style, nowStyle) + ", " + orString(order, nowOrder)
}

// dateStyleOf reads the canonical form.
func dateStyleOf(v string) (types.DateStyle, types.DateOrder) {
	style, order, _ := dateStyleWords(v)
	return types.DateStyle(slices.Index(dateStyles(), style)), types.DateOrder(slices.Index(dateOrders(), order))
}
