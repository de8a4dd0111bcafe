package types

import "time"

// Format is the session's rules for the text of values: Postgres's DateStyle is ISO always.
type Format struct {
	Zone             *time.Location // of timestamptz; never nil
	ZoneName         string         // as SHOW TimeZone says it
	ExtraFloatDigits int            // Postgres's extra_float_digits; 1 by default
	ByteaEscape      bool           // bytea_output = 'escape'
	IntervalStyle    string         // "postgres" only, for now
}

// UTC is the format of a session that set nothing. Callers must not change it.
var UTC = &Format{Zone: time.UTC, ZoneName: "UTC", ExtraFloatDigits: 1, IntervalStyle: "postgres"}
