package server

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"wmsql/connector"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// option is what a WITH option takes: one of some words, a number of at least 1, an interval, or whatever the
// connector makes of it.
type option struct {
	words    []string // besides number and interval
	number   bool
	interval bool
	positive bool // the interval is not 0
	free     bool
}

// streamOptions are the options that every stream has.
var streamOptions = map[string]option{
	"connector":       {free: true},
	"idle_timeout":    {interval: true, words: []string{"off"}},
	"idle_advance":    {words: []string{"hold", "wall_clock"}},
	"watermark_scope": {words: []string{"stream", "partition"}},
	"max_future_skew": {interval: true, words: []string{"off"}},
	"null_event_time": {words: []string{"drop", "fail", "skip_watermark"}},
	"late_rows":       {words: []string{"drop", "keep"}},
	"on_error":        {words: []string{"reject", "fail"}},
	"retention":       {interval: true, words: []string{"off"}},
	"max_batch_rows":  {number: true},
	"max_batch_delay": {interval: true},
}

// viewOptions are the options of a materialized view.
var viewOptions = map[string]option{
	"output_mode":      {words: []string{"append", "update", "complete"}},
	"unbounded_state":  {words: []string{"error", "warn", "allow"}},
	"state":            {words: []string{"keep", "reset"}}, // of CREATE OR REPLACE; it is not kept
	"state_ttl":        {interval: true, positive: true},
	"result_retention": {interval: true, positive: true},
	"max_batch_rows":   {number: true},
	"max_batch_delay":  {interval: true},
}

// readOptions checks written options against those known and returns them by name. extra names are the
// connector's, which checks their values itself.
func readOptions(list []sql.Option, known map[string]option, extra []string) (map[string]string, error) {
	out := map[string]string{}
	for _, o := range list {
		name := strings.ToLower(o.Name)
		if _, twice := out[name]; twice {
			return nil, sqlerr.Newf(sqlerr.SyntaxError, "option %q is given twice", name).At(int(o.Pos))
		}
		value, err := readOption(name, o.Value, known, extra)
		if err != nil {
			return nil, sqlerr.From(err).At(int(o.Pos))
		}
		out[name] = value
	}
	return out, nil
}

func readOption(name, value string, known map[string]option, extra []string) (string, error) {
	def, ok := known[name]
	switch {
	case !ok && connector.TakesOption(extra, name), def.free:
		return value, nil
	case !ok:
		return "", unknownOption(name, slices.Concat(slices.Collect(maps.Keys(known)), extra))
	case slices.Contains(def.words, strings.ToLower(value)):
		return strings.ToLower(value), nil
	}
	if def.number {
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 1 {
			return value, nil
		}
	}
	if def.interval {
		if iv, err := types.ParseInterval(value, types.NoMod); err == nil && iv.Months >= 0 && iv.Days >= 0 && iv.Micros >= 0 &&
			!logicalplan.TooLong(iv) && (!def.positive || iv != types.IntervalValue{}) {
			return value, nil
		}
	}
	return "", sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for option %s: %q", name, value).
		WithHint("It takes %s.", def.takes())
}

// checkIdle refuses a stream that is to move on with the clock when it is idle, and never is.
func checkIdle(options map[string]string) error {
	if options["idle_advance"] != "wall_clock" || micros(options, "idle_timeout", 0) > 0 {
		return nil
	}
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "idle_advance = 'wall_clock' needs an idle_timeout").
		WithDetail("The watermark moves on with the clock when no row came for that long.").
		WithHint("Set both: idle_timeout = '1 minute', idle_advance = 'wall_clock'.")
}

// isExtra reports whether a connector takes an option; a name of its that ends in a point is the beginning of many.
func isExtra(extra []string, name string) bool {
	return slices.ContainsFunc(extra, func(e string) bool {
		return e == name || strings.HasSuffix(e, ".") && strings.HasPrefix(name, e)
	})
}

func (o option) takes() string {
	var parts []string
	for _, w := range o.words {
		parts = append(parts, "'"+w+"'")
	}
	if o.number {
		parts = append(parts, "a number of at least 1")
	}
	if o.interval {
		parts = append(parts, "an interval such as '5 minutes'")
	}
	return strings.Join(parts, " or ")
}

func unknownOption(name string, known []string) error {
	slices.Sort(known)
	e := sqlerr.Newf(sqlerr.InvalidParameterValue, "unknown option %q", name)
	if near := sqlerr.Nearest(name, known); near != "" {
		return e.WithHint("Perhaps you meant %q.", near)
	}
	return e.WithHint("The options are: %s.", strings.Join(known, ", "))
}

// micros is an interval option in microseconds, or fallback when it is not given or 'off'.
func micros(options map[string]string, name string, fallback int64) int64 {
	v := options[name]
	if v == "" || v == "off" {
		return fallback
	}
	iv, err := types.ParseInterval(v, types.NoMod)
	if err != nil {
		return fallback // it was checked when it was set
	}
	const day = 86_400_000_000
	return (int64(iv.Months)*31+int64(iv.Days))*day + iv.Micros
}
