package server

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"wmsql/sqlerr"
)

// settingKind is the vartype of pg_settings.
type settingKind string

const (
	boolSetting   settingKind = "bool"
	intSetting    settingKind = "integer"
	realSetting   settingKind = "real"
	stringSetting settingKind = "string"
	enumSetting   settingKind = "enum"
)

// setting is a configuration parameter: what SHOW, SET, current_setting and pg_settings know of it.
type setting struct {
	name     string
	kind     settingKind
	boot     string // value before anybody set it, in the canonical form
	unit     string // of an integer: "ms", "s", "kB", "8kB", "B", ""
	min, max float64
	enum     []string
	list     bool // takes several values
	internal bool // can only be read
	report   bool // goes out as ParameterStatus
	unlisted bool // SHOW and current_setting know it, SHOW ALL and pg_settings do not
	category string
	doc      string
	// check refuses values or brings them into canonical form; nil: the kind's own rules are enough.
	check func(value string) (string, error)
}

// canonical brings a value given to SET into the form that is kept, or refuses it (22023).
func (d *setting) canonical(value string) (string, error) {
	switch d.kind {
	case boolSetting:
		b, ok := parseBool(value)
		if !ok {
			return "", sqlerr.Newf(sqlerr.InvalidParameterValue, "parameter %q requires a Boolean value", d.name)
		}
		value = onOff(b)
	case enumSetting:
		i := slices.IndexFunc(d.enum, func(e string) bool { return strings.EqualFold(e, value) })
		if i < 0 {
			return "", d.invalid(value).WithHint("Available values: %s.", strings.Join(d.enum, ", "))
		}
		value = d.enum[i]
	case intSetting:
		n, err := d.integer(value)
		if err != nil {
			return "", err
		}
		value = strconv.FormatInt(n, 10)
	case realSetting:
		f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || math.IsNaN(f) {
			return "", d.invalid(value)
		}
		if f < d.min || f > d.max {
			return "", d.outOfRange(strconv.FormatFloat(f, 'g', -1, 64))
		}
		value = strconv.FormatFloat(f, 'g', -1, 64)
	}
	if d.check != nil {
		return d.check(value)
	}
	return value, nil
}

func (d *setting) invalid(value string) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for parameter %q: %q", d.name, value)
}

func (d *setting) outOfRange(value string) *sqlerr.Error {
	unit := ""
	if d.unit != "" {
		unit = " " + d.unit
	}
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "%s%s is outside the valid range for parameter %q (%s .. %s)",
		value, unit, d.name, number(d.min), number(d.max))
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// scale is how many base units one of a written unit is.
type scale struct {
	unit string
	size float64
}

var (
	timeScales   = []scale{{"us", 0.001}, {"ms", 1}, {"s", 1000}, {"min", 60_000}, {"h", 3_600_000}, {"d", 86_400_000}}
	memoryScales = []scale{{"B", 1}, {"kB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"TB", 1 << 40}}
)

// scales returns the units a setting may be written in, and how many of them its own unit is.
func (d *setting) scales() (all []scale, own float64) {
	switch d.unit {
	case "ms":
		return timeScales, 1
	case "s":
		return timeScales, 1000
	case "min":
		return timeScales, 60_000
	case "kB":
		return memoryScales, 1 << 10
	case "8kB":
		return memoryScales, 8 << 10
	case "B":
		return memoryScales, 1
	}
	return nil, 1
}

func (d *setting) integer(value string) (int64, error) {
	text := strings.TrimSpace(value)
	end := strings.LastIndexAny(text, "0123456789.") + 1
	f, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		if n, hexErr := strconv.ParseInt(text, 0, 64); hexErr == nil {
			f, end = float64(n), len(text)
		} else {
			return 0, d.invalid(value)
		}
	}
	if unit := strings.TrimSpace(text[end:]); unit != "" {
		all, own := d.scales()
		i := slices.IndexFunc(all, func(s scale) bool { return s.unit == unit })
		if i < 0 {
			e := d.invalid(value)
			if all != nil {
				e.WithHint("Valid units for this parameter are %s.", unitList(all))
			}
			return 0, e
		}
		f = f * all[i].size / own
	}
	f = math.RoundToEven(f)
	if f < d.min || f > d.max {
		return 0, d.outOfRange(number(f))
	}
	return int64(f), nil
}

func unitList(all []scale) string {
	var names []string
	for _, s := range all {
		names = append(names, strconv.Quote(s.unit))
	}
	return strings.Join(names[:len(names)-1], ", ") + ", and " + names[len(names)-1]
}

// display is how SHOW writes a kept value: in the largest unit that divides it.
func (d *setting) display(value string) string {
	all, own := d.scales()
	n, err := strconv.ParseInt(value, 10, 64)
	if d.kind != intSetting || all == nil || err != nil || n <= 0 {
		return value
	}
	base := float64(n) * own
	for i := len(all) - 1; i >= 0; i-- {
		if s := all[i]; base >= s.size && math.Mod(base, s.size) == 0 {
			return fmt.Sprintf("%d%s", int64(base/s.size), s.unit)
		}
	}
	return value
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

// parseBool reads a truth value as Postgres does: any prefix of true, false, yes, no, and on, off, 1, 0.
func parseBool(s string) (value, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch {
	case s == "":
		return false, false
	case s == "on" || s == "1" || begins(s, "true", "yes"):
		return true, true
	case s == "off" || s == "of" || s == "0" || begins(s, "false", "no"):
		return false, true
	}
	return false, false
}

// begins reports whether s is the beginning of one of the words.
func begins(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return len(s) <= len(w) && w[:len(s)] == s })
}
