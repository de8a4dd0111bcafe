package types

import "time"

// Format is the session's rules for the text of values: Postgres's DateStyle is ISO always.
type Format struct {
	Zone             *time.Location // of timestamptz; never nil
	ZoneName         string         // as SHOW TimeZone says it
	ExtraFloatDigits int            // Postgres's extra_float_digits; 1 by default
	ByteaEscape      bool           // bytea_output = 'escape'
	IntervalStyle    string         // "postgres" only, for now

	// Now is what the words now, today, yesterday and tomorrow mean: the start of the transaction. 0: the wall clock.
	Now MicroTime
	// RegName names the object of a reg* value; nil, or "" as its answer: the oid is written.
	RegName func(k Kind, oid int64) string
	// Lookup finds the object that the text of a reg* value names; nil: only numbers are read.
	Lookup func(k Kind, name string) (oid int64, err error)
}

// UTC is the format of a session that set nothing. Callers must not change it.
var UTC = &Format{Zone: time.UTC, ZoneName: "UTC", ExtraFloatDigits: 1, IntervalStyle: "postgres"}
