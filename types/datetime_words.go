package types

// wordKind says what a word of a date or time does.
type wordKind uint8

const (
	wordIgnore   wordKind = iota
	wordMonth             // value: 1 to 12
	wordDay               // a day of the week, not checked
	wordAMPM              // value: 0 or 12
	wordEra               // value: 1 for BC
	wordDST               // moves the zone before it by an hour
	wordISOTime           // T before a time
	wordJulian            // J before a day number
	wordUnit              // a unit that no date takes
	wordReserved          // value: a reserved word
)

// The reserved words.
const (
	reservedNow = iota
	reservedToday
	reservedTomorrow
	reservedYesterday
	reservedZulu
	reservedEpoch
	reservedInfinity
	reservedNegInfinity
)

type word struct {
	kind  wordKind
	value int
}

// wordMax is how many letters of a word Postgres looks at.
const wordMax = 10

// lookupWord finds a word in lower case.
func lookupWord(s string) (word, bool) {
	if len(s) > wordMax {
		s = s[:wordMax]
	}
	w, ok := dateWords[s]
	return w, ok
}

var dateWords = map[string]word{
	"infinity": {wordReserved, reservedInfinity}, "-infinity": {wordReserved, reservedNegInfinity},
	"epoch": {wordReserved, reservedEpoch}, "now": {wordReserved, reservedNow}, "today": {wordReserved, reservedToday},
	"tomorrow": {wordReserved, reservedTomorrow}, "yesterday": {wordReserved, reservedYesterday}, "allballs": {wordReserved, reservedZulu},
	"ad": {wordEra, 0}, "bc": {wordEra, 1}, "am": {wordAMPM, 0}, "pm": {wordAMPM, 12},
	"at": {wordIgnore, 0}, "on": {wordIgnore, 0}, "dst": {wordDST, 0}, "t": {wordISOTime, 0},
	"j": {wordJulian, 0}, "jd": {wordJulian, 0}, "julian": {wordJulian, 0},
	"d": {wordUnit, 0}, "dow": {wordUnit, 0}, "doy": {wordUnit, 0}, "h": {wordUnit, 0}, "isodow": {wordUnit, 0}, "isoyear": {wordUnit, 0},
	"m": {wordUnit, 0}, "mm": {wordUnit, 0}, "s": {wordUnit, 0}, "y": {wordUnit, 0},
	"jan": {wordMonth, 1}, "january": {wordMonth, 1}, "feb": {wordMonth, 2}, "february": {wordMonth, 2}, "mar": {wordMonth, 3}, "march": {wordMonth, 3},
	"apr": {wordMonth, 4}, "april": {wordMonth, 4}, "may": {wordMonth, 5}, "jun": {wordMonth, 6}, "june": {wordMonth, 6},
	"jul": {wordMonth, 7}, "july": {wordMonth, 7}, "aug": {wordMonth, 8}, "august": {wordMonth, 8}, "sep": {wordMonth, 9}, "sept": {wordMonth, 9},
	"september": {wordMonth, 9}, "oct": {wordMonth, 10}, "october": {wordMonth, 10}, "nov": {wordMonth, 11}, "november": {wordMonth, 11},
	"dec": {wordMonth, 12}, "december": {wordMonth, 12},
	"sun": {wordDay, 0}, "sunday": {wordDay, 0}, "mon": {wordDay, 1}, "monday": {wordDay, 1}, "tue": {wordDay, 2}, "tues": {wordDay, 2}, "tuesday": {wordDay, 2},
	"wed": {wordDay, 3}, "weds": {wordDay, 3}, "wednesday": {wordDay, 3}, "thu": {wordDay, 4}, "thur": {wordDay, 4}, "thurs": {wordDay, 4}, "thursday": {wordDay, 4},
	"fri": {wordDay, 5}, "friday": {wordDay, 5}, "sat": {wordDay, 6}, "saturday": {wordDay, 6},
}
