package logicalplan

import (
	"fmt"
	"math"
	"strings"

	"wmsql/types"
)

// Microseconds of the units that intervals are shown in.
const (
	microsPerSecond = 1_000_000
	microsPerMinute = 60 * microsPerSecond
	microsPerHour   = 60 * microsPerMinute
	// MicrosPerDay is the length of a day of a window or a delay, which knows no clock changes.
	MicrosPerDay = 24 * microsPerHour
	daysPerMonth = 31 // of a delay, as in Spark
	// Longest is the longest size, gap, delay or time to live, µs: 100,000 years. Two of them still fit into an int64, and any
	// time less two of them.
	Longest = 100_000 * 12 * daysPerMonth * MicrosPerDay
)

// TooLong reports whether v is longer than Longest, forward or back. Micros may overflow then.
func TooLong(v types.IntervalValue) bool {
	days := float64(v.Months)*daysPerMonth + float64(v.Days)
	return math.Abs(days*MicrosPerDay+float64(v.Micros)) > Longest
}

// Micros is the length of v in microseconds: a day has 24 hours, a month 31 days.
func Micros(v types.IntervalValue) int64 {
	return (int64(v.Months)*daysPerMonth+int64(v.Days))*MicrosPerDay + v.Micros
}

// FormatInterval writes v in words: "10 minutes", "1 day 2 hours", "0 seconds".
func FormatInterval(v types.IntervalValue) string {
	var parts []string
	add := func(n int64, unit string) {
		switch n {
		case 0:
		case 1, -1:
			parts = append(parts, fmt.Sprintf("%d %s", n, unit))
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, unit))
		}
	}
	add(int64(v.Months/12), "year")
	add(int64(v.Months%12), "month")
	add(int64(v.Days), "day")
	us := v.Micros
	add(us/microsPerHour, "hour")
	add(us%microsPerHour/microsPerMinute, "minute")
	us %= microsPerMinute
	switch {
	case us%microsPerSecond == 0:
		add(us/microsPerSecond, "second")
	case us%1000 == 0 && us/microsPerSecond == 0:
		add(us/1000, "millisecond")
	default:
		parts = append(parts, strings.TrimRight(fmt.Sprintf("%.6f", float64(us)/microsPerSecond), "0")+" seconds")
	}
	if len(parts) == 0 {
		return "0 seconds"
	}
	return strings.Join(parts, " ")
}

// FormatMicros writes a length of so many microseconds in words.
func FormatMicros(us int64) string { return FormatInterval(types.IntervalValue{Micros: us}) }
