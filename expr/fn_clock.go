package expr

import (
	"math"
	"time"

	"wmsql/types"
)

func roundEven(v float64) float64 { return math.RoundToEven(v) }

// clockFunctions tell the time. now() is the statement's, or the epoch's in a continuous query.
func clockFunctions() []*Function {
	at := func(sig string, f func(s *site) int64, opts ...option) *Function {
		return def(sig, fn0s(func(s *site) func() (int64, error) {
			return func() (int64, error) { return f(s), nil }
		}), append(opts, total)...)
	}
	now := func(s *site) int64 { return int64(s.ctx.Now) }
	local := func(s *site) int64 { return toLocal(now(s), s.format().Zone) }
	return []*Function{
		at("now() timestamptz", now, stable), at("current_timestamp() timestamptz", now, stable),
		at("transaction_timestamp() timestamptz", now, stable),
		at("statement_timestamp() timestamptz", statementTime, stable),
		at("clock_timestamp() timestamptz", func(s *site) int64 { return wallClock() }, volatile),
		at("localtimestamp() timestamp", local, stable),
		at("current_date() date", func(s *site) int64 { return microsToDate(local(s)) }, stable),
		at("localtime() time", func(s *site) int64 { _, t := types.SplitMicros(local(s)); return t }, stable),
		def("timeofday() text", tx0(func(s *site, dst []byte) []byte {
			return time.Now().In(s.format().Zone).AppendFormat(dst, "Mon Jan 02 15:04:05.000000 2006 MST")
		}), volatile),
		def("current_timestamp(int4) timestamptz", roundedNow(now), stable),
		def("localtimestamp(int4) timestamp", roundedNow(local), stable),
	}
}

func roundedNow(f func(*site) int64) kernel {
	return fn1s(func(s *site) func(int64) (int64, error) {
		return func(digits int64) (int64, error) { return types.RoundMicros(f(s), int32(max(0, digits))), nil }
	})
}

func statementTime(s *site) int64 {
	if s.ctx.Session == nil {
		return int64(s.ctx.Now)
	}
	return s.ctx.Session.StatementTime().UnixMicro()
}

// wallClock is the one clock that a replay does not repeat; only clock_timestamp reads it.
func wallClock() int64 { return time.Now().UnixMicro() }
