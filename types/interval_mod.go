package types

import (
	"strconv"
	"strings"
)

// The fields of an interval's typmod: INTERVAL '10' MINUTE keeps IntervalMinute. The typmod is the fields
// << 16 | digits after the second, as in Postgres.
const (
	IntervalMonth  int32 = 1 << 1
	IntervalYear   int32 = 1 << 2
	IntervalDay    int32 = 1 << 3
	IntervalHour   int32 = 1 << 10
	IntervalMinute int32 = 1 << 11
	IntervalSecond int32 = 1 << 12

	IntervalAllFields    int32 = 0x7fff
	IntervalAllPrecision int32 = 0xffff
)

// IntervalMod returns the typmod of an interval of some fields and digits after the second.
func IntervalMod(fields, precision int32) int32 { return fields<<16 | precision }

// intervalFields are the fields of an interval as typmods and types spell them, the largest first.
var intervalFields = []struct {
	word string
	bit  int32
}{{"year", IntervalYear}, {"month", IntervalMonth}, {"day", IntervalDay}, {"hour", IntervalHour}, {"minute", IntervalMinute}, {"second", IntervalSecond}}

// IntervalFields returns the fields of words such as "day to minute"; 0 if they name none.
func IntervalFields(words string) (fields int32) {
	first, last, several := strings.Cut(words, " to ")
	if !several {
		last = first
	}
	in := false
	for _, f := range intervalFields {
		in = in || f.word == first
		if in {
			fields |= f.bit
		}
		if f.word == last {
			break
		}
	}
	return fields
}

// intervalModText is what stands behind "interval" for a typmod: " day to second(3)".
func intervalModText(mod int32) (text string) {
	fields, precision := mod>>16&IntervalAllFields, mod&IntervalAllPrecision
	if fields != IntervalAllFields {
		first, last := "", ""
		for _, f := range intervalFields {
			if fields&f.bit == 0 {
				continue
			}
			if first == "" {
				first = f.word
			}
			last = f.word
		}
		if text = " " + first; last != first {
			text += " to " + last
		}
	}
	if precision != IntervalAllPrecision {
		text += "(" + strconv.Itoa(int(precision)) + ")"
	}
	return text
}
