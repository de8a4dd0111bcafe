package types

import "time"

// DateStyle is how dates and timestamps are written.
type DateStyle uint8

// The styles of Postgres's DateStyle.
const (
	DateISO      DateStyle = iota // 1997-12-17 07:37:16-08
	DateSQL                       // 12/17/1997 07:37:16.00 PST
	DatePostgres                  // Wed Dec 17 07:37:16 1997 PST
	DateGerman                    // 17.12.1997 07:37:16.00 PST
)

// DateOrder is the order of day, month and year in what is read, and in what SQL and Postgres style write.
type DateOrder uint8

// The orders of Postgres's DateStyle.
const (
	OrderMDY DateOrder = iota
	OrderDMY
	OrderYMD // of what is read; what is written is as for OrderMDY
)

// IntervalStyle is how intervals are written.
type IntervalStyle uint8

// The values of Postgres's IntervalStyle.
const (
	IntervalPostgres IntervalStyle = iota // 1 day 02:03:04
	IntervalVerbose                       // @ 1 day 2 hours 3 mins 4 secs
	IntervalSQL                           // 1 2:03:04
	IntervalISO                           // P1DT2H3M4S
)

// Format is the session's rules for the text of values.
type Format struct {
	Zone             *time.Location // of timestamptz; never nil
	ZoneName         string         // as SHOW TimeZone says it
	ExtraFloatDigits int            // Postgres's extra_float_digits; 1 by default
	ByteaEscape      bool           // bytea_output = 'escape'
	DateStyle        DateStyle
	DateOrder        DateOrder
	IntervalStyle    IntervalStyle

	// Now is what the words now, today, yesterday and tomorrow mean: the start of the transaction. 0: the wall clock.
	Now MicroTime
	// RegName names the object of a reg* value; nil, or "" as its answer: the oid is written.
	RegName func(k Kind, oid int64) string
	// Lookup finds the object that the text of a reg* value names; nil: only numbers are read.
	Lookup func(k Kind, name string) (oid int64, err error)
}

// UTC is the format of a session that set nothing. Callers must not change it.
var UTC = &Format{Zone: time.UTC, ZoneName: "UTC", ExtraFloatDigits: 1}
