//go:build peers

package peers

import (
	"fmt"
	"strings"
	"testing"
)

// steps feeds a topic micro-batch by micro-batch: FLUSH returns when all of a step has been counted.
type steps struct {
	*wmsql
	topic *topic
}

const clicksColumns = "page TEXT, v BIGINT, event_time TIMESTAMPTZ"

// clicks starts a server with a stream over a fresh topic of one partition and a view r.
func clicks(t *testing.T, delay, options, view string) *steps {
	t.Helper()
	s := start(t)
	k := newTopic(t, "clicks", 1)
	s.exec(fmt.Sprintf("CREATE STREAM clicks (%s, WATERMARK FOR event_time AS event_time - INTERVAL %s) %s", clicksColumns, delay, k.with(options)))
	s.exec(view)
	return &steps{wmsql: s, topic: k}
}

// step sends records and waits until they are counted. A bare time of day is a click on page a that day.
func (s *steps) step(records ...string) {
	s.t.Helper()
	for i, r := range records {
		if !strings.HasPrefix(r, "{") {
			records[i] = fmt.Sprintf(`{"page":"a","event_time":"2026-03-01T%sZ"}`, r)
		}
	}
	s.topic.send(records...)
	s.exec("FLUSH")
}

// watermark compares the stream's watermark, given as a time of day of 2026-03-01 or in full.
func (s *steps) watermark(want string) {
	s.t.Helper()
	if len(want) == len("12:00:00") {
		want = "2026-03-01 " + want
	}
	s.want("SELECT to_char(watermark, 'YYYY-MM-DD HH24:MI:SS') FROM wm_catalog.watermarks WHERE view = 'r'", want)
}

// counts compares late rows, rows without an event time and rejected records of view r.
func (s *steps) counts(late, noTime, rejected int) {
	s.t.Helper()
	s.want("SELECT rows_late, rows_without_event_time, rows_rejected FROM wm_catalog.queries WHERE name = 'r'",
		fmt.Sprintf("%d|%d|%d", late, noTime, rejected))
}

// warned looks for one line of the server's log that has all the words.
func (s *steps) warned(words ...string) {
	s.t.Helper()
	found := 0
	for line := range strings.Lines(s.out.String()) {
		all := true
		for _, w := range words {
			all = all && strings.Contains(line, w)
		}
		if all {
			found++
		}
	}
	if found != 1 {
		s.t.Errorf("%d lines of the log have %q:\n%s", found, words, s.out.String())
	}
}

const tumble10 = `CREATE MATERIALIZED VIEW r AS SELECT window_start, window_end, page, count(*) AS n
FROM clicks GROUP BY TUMBLE(event_time, INTERVAL '10' MINUTE), page EMIT ON WINDOW CLOSE`

const tumble5 = `CREATE MATERIALIZED VIEW r AS SELECT window_start, count(*) AS n
FROM clicks GROUP BY TUMBLE(event_time, INTERVAL '5' MINUTE) EMIT ON WINDOW CLOSE`

// The last window comes out by itself as soon as the watermark reaches its end, and not before.
func TestLastWindowComesOut(t *testing.T) {
	s := clicks(t, "'10' MINUTE", "", tumble10)
	const r = "SELECT to_char(window_start, 'HH24:MI'), to_char(window_end, 'HH24:MI'), page, n FROM r ORDER BY 1, 3"
	s.step("12:01:00", "12:08:00")
	s.watermark("11:58:00")
	s.want(r, "")
	s.step("12:19:59")
	s.watermark("12:09:59")
	s.want(r, "")
	s.step(`{"page":"b","event_time":"2026-03-01T12:20:00Z"}`)
	s.watermark("12:10:00")
	s.want(r, "12:00|12:10|a|2")
	s.step("12:05:00", "12:12:00")
	s.watermark("12:10:00")
	s.want(r, "12:00|12:10|a|2")
	s.counts(1, 0, 0)
}

// A row exactly at the watermark is not late: its window is open.
func TestRowAtTheWatermark(t *testing.T) {
	s := clicks(t, "'0' SECOND", "", `CREATE MATERIALIZED VIEW r AS
SELECT window_start, count(*) AS n FROM clicks GROUP BY TUMBLE(event_time, INTERVAL '10' MINUTE) EMIT ON WINDOW CLOSE`)
	const r = "SELECT to_char(window_start, 'HH24:MI'), n FROM r ORDER BY 1"
	s.step("12:00:00", "12:09:59")
	s.step("12:10:00")
	s.want(r, "12:00|2")
	s.step("12:10:00")
	s.want(r, "12:00|2")
	s.step("12:20:00")
	s.want(r, "12:00|2\n12:10|2")
}

// One row from the future moves the watermark when nothing guards it; it is never silent.
func TestRowFromTheFuture(t *testing.T) {
	const r = "SELECT to_char(window_start, 'YYYY-MM-DD HH24:MI'), n FROM r ORDER BY 1"
	far := `{"page":"a","event_time":"2131-01-01T00:00:00Z"}`
	t.Run("guard off", func(t *testing.T) {
		s := clicks(t, "'5' MINUTE", "max_future_skew = 'off'", tumble5)
		s.step("12:01:00")
		s.watermark("11:56:00")
		s.step(far)
		s.watermark("2130-12-31 23:55:00")
		s.want(r, "2026-03-01 12:00|1")
		s.warned("an event time ahead of the clock moved the watermark", "stream=clicks", `"2131-01-01 00:00:00+00"`, "ahead=")
		s.step("12:07:00", "12:08:00", "12:30:00")
		s.want(r, "2026-03-01 12:00|1")
		s.counts(3, 0, 0)
		s.step(`{"page":"a","event_time":"2131-01-01T00:20:00Z"}`)
		s.watermark("2131-01-01 00:15:00")
		s.want(r, "2026-03-01 12:00|1\n2131-01-01 00:00|1")
	})
	for name, row := range map[string]string{"guard on": far, "infinity": `{"page":"a","event_time":"infinity"}`} {
		word := map[string]string{"guard on": "event times ahead of the clock were rejected", "infinity": "infinity is no event time"}[name]
		t.Run(name, func(t *testing.T) {
			s := clicks(t, "'5' MINUTE", "", tumble5)
			s.step("12:01:00")
			s.step(row)
			s.watermark("11:56:00")
			s.warned(word, "stream=clicks", "count=1")
			s.step("12:07:00", "12:08:00", "12:30:00")
			s.watermark("12:25:00")
			s.want(r, "2026-03-01 12:00|1\n2026-03-01 12:05|2")
			s.counts(0, 0, 1)
			if out := s.query("SELECT reason FROM wm_catalog.rejected_rows"); strings.TrimSpace(out) == "" {
				t.Error("the rejected row has no reason")
			}
		})
	}
}

// Neither an empty partition nor a filter holds the watermark back.
func TestWatermarkIsNotHeldBack(t *testing.T) {
	s := start(t)
	k := newTopic(t, "clicks", 2)
	s.exec("CREATE STREAM clicks (" + clicksColumns + ", WATERMARK FOR event_time AS event_time - INTERVAL '1' MINUTE) " + k.with(""))
	s.exec(strings.Replace(tumble5, "FROM clicks", "FROM clicks WHERE page = 'a'", 1))
	c := &steps{wmsql: s, topic: k}
	const r = "SELECT to_char(window_start, 'HH24:MI'), n FROM r ORDER BY 1"
	c.step("12:01:00", `{"page":"b","event_time":"2026-03-01T12:01:00Z"}`)
	c.watermark("12:00:00")
	c.want(r, "")
	c.step(`{"page":"b","event_time":"2026-03-01T12:30:00Z"}`)
	c.watermark("12:29:00")
	c.want(r, "12:00|1")
	c.step("12:02:00")
	c.want(r, "12:00|1")
	c.counts(1, 0, 0)
	c.step("12:40:00")
	c.watermark("12:39:00")
	c.want(r, "12:00|1")
}

// Rows without an event time belong to no window, do not move the watermark and are counted.
func TestRowsWithoutEventTime(t *testing.T) {
	s := clicks(t, "'1' MINUTE", "", tumble5)
	s.step(`{"page":"a","event_time":null}`, "12:01:00", `{"page":"b"}`)
	s.watermark("12:00:00")
	s.want("SELECT num_rows_total FROM wm_catalog.state_operators WHERE view = 'r'", "1")
	s.step(`{"page":"z","event_time":null}`)
	s.watermark("12:00:00")
	s.step("12:06:00")
	s.watermark("12:05:00")
	s.want("SELECT to_char(window_start, 'HH24:MI'), n FROM r", "12:00|1")
	s.counts(0, 3, 0)
}

// Day windows are days of UTC whoever creates or reads them.
func TestDayWindowsAndTheSessionZone(t *testing.T) {
	s := clicks(t, "'0' SECOND", "", `SET TimeZone = 'America/New_York';
CREATE MATERIALIZED VIEW r AS SELECT window_start, window_end, count(*) AS n FROM clicks
GROUP BY TUMBLE(event_time, INTERVAL '1' DAY) EMIT ON WINDOW CLOSE`)
	at := func(t string) string { return fmt.Sprintf(`{"page":"a","event_time":%q}`, t) }
	s.step(at("2026-03-08T03:30:00Z"), at("2026-03-08T23:30:00Z"), at("2026-03-09T00:30:00Z"))
	s.step(at("2026-03-11T00:00:00Z"))
	s.want("SET TimeZone = 'UTC'; SELECT * FROM r ORDER BY 1", `2026-03-08 00:00:00+00|2026-03-09 00:00:00+00|2
		2026-03-09 00:00:00+00|2026-03-10 00:00:00+00|1`)
	s.want("SET TimeZone = 'America/New_York'; SELECT * FROM r ORDER BY 1", `2026-03-07 19:00:00-05|2026-03-08 20:00:00-04|2
		2026-03-08 20:00:00-04|2026-03-09 20:00:00-04|1`)
}

// An offset moves where windows begin.
func TestWindowOffset(t *testing.T) {
	s := clicks(t, "'0' SECOND", "", `CREATE MATERIALIZED VIEW r AS SELECT window_start, window_end, count(*) AS n
FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' DAY, INTERVAL '5' HOUR) GROUP BY window_start, window_end EMIT ON WINDOW CLOSE`)
	at := func(t string) string { return fmt.Sprintf(`{"page":"a","event_time":%q}`, t) }
	s.step(at("2026-03-01T03:30:00Z"), at("2026-03-01T23:30:00Z"), at("2026-03-02T04:59:59Z"))
	s.step(at("2026-03-05T00:00:00Z"))
	s.want("SELECT * FROM r ORDER BY 1", `2026-02-28 05:00:00+00|2026-03-01 05:00:00+00|1
		2026-03-01 05:00:00+00|2026-03-02 05:00:00+00|2`)
}

// count(DISTINCT) is exact, also over batches and with NULLs.
func TestCountDistinctIsExact(t *testing.T) {
	s := clicks(t, "'1' MINUTE", "", `CREATE MATERIALIZED VIEW r AS SELECT window_start, count(DISTINCT page) AS u, count(page) AS p, count(*) AS n
FROM clicks GROUP BY TUMBLE(event_time, INTERVAL '5' MINUTE) EMIT ON WINDOW CLOSE`)
	var recs []string
	for i := range 2000 {
		recs = append(recs, fmt.Sprintf(`{"page":"p%d","event_time":"2026-03-01T12:01:00Z"}`, i%1000+1))
	}
	for range 3 {
		recs = append(recs, `{"page":null,"event_time":"2026-03-01T12:01:00Z"}`)
	}
	s.step(recs...)
	s.step(`{"page":"p1","event_time":"2026-03-01T12:02:00Z"}`)
	s.step(`{"page":"x","event_time":"2026-03-01T12:30:00Z"}`)
	s.want("SELECT to_char(window_start, 'HH24:MI'), u, p, n FROM r", "12:00|1000|2001|2004")
}

var poison = []string{
	`{"page":"a","v":1,"event_time":"2026-03-01T12:00:00Z"}`,
	`{"page":"b", v:2}`,
	``,
	`{"page":"c","v":"three","event_time":"2026-03-01T12:00:02Z"}`,
	`[1,2]`,
	`null`,
	`{"page":"d","v":4,"event_time":"2026-03-01T12:00:03Z"}`,
}

// A bad record is put aside with its reason and its place; the query goes on.
func TestBadRecordIsRejected(t *testing.T) {
	s := clicks(t, "'0' SECOND", "", "CREATE MATERIALIZED VIEW r AS SELECT page, v FROM clicks EMIT ON WINDOW CLOSE")
	s.exec("CREATE MATERIALIZED VIEW t AS SELECT count(*) AS n FROM clicks")
	s.step(poison...)
	s.want("SELECT * FROM r ORDER BY 1", "a|1\nd|4")
	s.want("SELECT * FROM t", "2")
	s.counts(0, 0, 5)
	s.watermark("12:00:03")
	s.want(`SELECT count(*), count(DISTINCT position), bool_and(reason <> '') FROM wm_catalog.rejected_rows WHERE stream = 'clicks' AND view = 'r'`, "5|5|t")
}

// With on_error = 'fail' the query stops at the record, names it, and goes on behind it once told to reject.
func TestBadRecordStopsWhenAsked(t *testing.T) {
	s := clicks(t, "'0' SECOND", "on_error = 'fail'", "CREATE MATERIALIZED VIEW r AS SELECT page, v FROM clicks EMIT ON WINDOW CLOSE")
	s.topic.send(poison...)
	eventually(t, 10e9, func() string {
		out := s.query("SELECT state, error FROM wm_catalog.queries WHERE name = 'r'")
		if strings.HasPrefix(out, "failed|") && strings.Contains(out, "offset 1") {
			return ""
		}
		return out
	})
	s.want("SELECT 1", "1")
	s.exec("ALTER STREAM clicks SET (on_error = 'reject')")
	s.exec("FLUSH")
	s.want("SELECT * FROM r ORDER BY 1", "a|1\nd|4")
}

// Event times are read as Postgres reads a timestamptz; numbers only in the unit that the stream names.
func TestEventTimeFormats(t *testing.T) {
	s := start(t)
	k := newTopic(t, "e", 1)
	s.exec("CREATE STREAM e (i INT, event_time TIMESTAMPTZ) " + k.with(""))
	s.exec("CREATE MATERIALIZED VIEW r AS SELECT i, event_time FROM e EMIT ON WINDOW CLOSE")
	for i, v := range []string{`"2026-03-01T12:00:00Z"`, `"2026-03-01T12:00:00.5+02:00"`, `"2026-03-01 12:00:00"`,
		`"2026-03-01T12:00:00.123456789Z"`, `"2026-03-01T12:00+0530"`, `"2026-03-01T12:00:00-08"`, `"2026-03-01"`,
		`"not a time"`, `"2026-02-29T00:00:00Z"`, `1772366400`, `1772366400000`, `""`} {
		k.send(fmt.Sprintf(`{"i":%d,"event_time":%s}`, i+1, v))
	}
	s.exec("FLUSH")
	s.want("SELECT * FROM r ORDER BY 1", `1|2026-03-01 12:00:00+00
		2|2026-03-01 10:00:00.5+00
		3|2026-03-01 12:00:00+00
		4|2026-03-01 12:00:00.123457+00
		5|2026-03-01 06:30:00+00
		6|2026-03-01 20:00:00+00
		7|2026-03-01 00:00:00+00`)
	s.want("SELECT count(*) FROM wm_catalog.rejected_rows WHERE view = 'r'", "5")
	if out := s.query("SELECT reason FROM wm_catalog.rejected_rows WHERE record LIKE '%1772366400}%'"); !strings.Contains(out, "timestamp_format") {
		t.Errorf("the reason for a number does not name timestamp_format: %q", out)
	}
	for format, n := range map[string]string{"epoch_seconds": "1772366400", "epoch_millis": "1772366400000"} {
		name := "e_" + format
		kk := newTopic(t, format, 1)
		s.exec("CREATE STREAM " + name + " (event_time TIMESTAMPTZ) " + kk.with("timestamp_format = '"+format+"'"))
		s.exec("CREATE MATERIALIZED VIEW v_" + name + " AS SELECT event_time FROM " + name + " EMIT ON WINDOW CLOSE")
		kk.send(`{"event_time":` + n + `}`)
		s.exec("FLUSH")
		s.want("SELECT * FROM v_"+name, "2026-03-01 12:00:00+00")
	}
	// The wrong unit: seconds read as milliseconds lie in 1970, milliseconds read as seconds beyond any clock.
	for format, n := range map[string]string{"epoch_millis": "1772366400", "epoch_seconds": "1772366400000"} {
		name := "wrong_" + format
		kk := newTopic(t, name, 1)
		s.exec("CREATE STREAM " + name + " (event_time TIMESTAMPTZ, WATERMARK FOR event_time AS event_time - INTERVAL '1' MINUTE) " + kk.with("timestamp_format = '"+format+"'"))
		s.exec("CREATE MATERIALIZED VIEW v_" + name + " AS SELECT event_time FROM " + name + " EMIT ON WINDOW CLOSE")
		kk.send(`{"event_time":` + n + `}`)
		s.exec("FLUSH")
		warning := map[string]string{"epoch_millis": "event times lie in 1970", "epoch_seconds": "event times ahead of the clock were rejected"}[format]
		bare := "bare_" + format
		kb := newTopic(t, bare, 1)
		s.exec("CREATE STREAM " + bare + " (event_time TIMESTAMPTZ) " + kb.with("timestamp_format = '"+format+"'"))
		s.exec("CREATE MATERIALIZED VIEW v_" + bare + " AS SELECT event_time FROM " + bare + " EMIT ON WINDOW CLOSE")
		kb.send(`{"event_time":`+n+`}`, `{"event_time":`+n+`}`)
		s.exec("FLUSH")
		(&steps{wmsql: s}).warned("times lie in 1970 or beyond the year 9999", "stream="+bare, "column=event_time")
		if log := s.out.String(); !strings.Contains(log, warning+`; timestamp_format may name the wrong unit" stream=`+name) && !strings.Contains(log, warning+`" stream=`+name) {
			t.Errorf("no warning %q of %s in\n%s", warning, name, log)
		}
	}
}

// A plan whose state can never be cleaned is refused by its code with a fix, before anything has been made.
func TestPlansThatAreNeverCleaned(t *testing.T) {
	s := start(t)
	s.exec(`CREATE STREAM clicks (page TEXT, v BIGINT, event_time TIMESTAMPTZ, WATERMARK FOR event_time AS event_time - INTERVAL '5' MINUTE);
CREATE STREAM bare (page TEXT, event_time TIMESTAMPTZ);
CREATE STREAM l (k TEXT, lts TIMESTAMPTZ, WATERMARK FOR lts AS lts - INTERVAL '1' MINUTE);
CREATE STREAM r (k TEXT, rts TIMESTAMPTZ, WATERMARK FOR rts AS rts - INTERVAL '1' MINUTE);
CREATE STREAM l0 (k TEXT, lts TIMESTAMPTZ);
CREATE STREAM r0 (k TEXT, rts TIMESTAMPTZ)`)
	const onTime = "l.k = r.k AND rts BETWEEN lts AND lts + INTERVAL '5' MINUTE"
	for _, x := range []struct{ query, code string }{
		{"SELECT window_start, count(*) AS n FROM TUMBLE(TABLE bare, DESCRIPTOR(event_time), INTERVAL '5' MINUTE) GROUP BY window_start, window_end", "WM001"},
		{"SELECT page, count(*) AS n FROM clicks GROUP BY page", "WM007"},
		{"SELECT DISTINCT ON (page) page, event_time FROM clicks", "WM009"},
		{"SELECT l.k, rts FROM l0 AS l LEFT JOIN r0 AS r ON " + onTime, "WM008"},
		{"SELECT l.k, rts FROM l LEFT JOIN r0 AS r ON " + onTime, "WM008"},
		{"SELECT l.k, rts FROM l LEFT JOIN r ON l.k = r.k", "WM008"},
		{"SELECT l.k, rts FROM l0 AS l LEFT JOIN r ON " + onTime, "WM008"},
		{"SELECT l.k, rts FROM l JOIN r ON l.k = r.k", "WM008"},
	} {
		out := s.psql("\\set VERBOSITY verbose\nCREATE MATERIALIZED VIEW v AS " + x.query + " EMIT ON WINDOW CLOSE;\n")
		for _, part := range []string{"ERROR:  " + x.code, "DETAIL:  ", "HINT:  "} {
			if !strings.Contains(out, part) {
				t.Errorf("%s: no %q in\n%s", x.query, part, out)
			}
		}
	}
	if out := s.psql("CREATE MATERIALIZED VIEW v WITH (output_mode = 'complete') AS SELECT page, count(*) AS n FROM clicks GROUP BY page;\n"); !strings.Contains(out, "ERROR:  WM010") {
		t.Error(out)
	}
	s.want("SELECT relname FROM pg_class WHERE relkind = 'm'", "")
	out := s.psql("SET wmsql.unbounded_state = 'warn';\nCREATE MATERIALIZED VIEW w AS SELECT l.k, rts FROM l JOIN r ON l.k = r.k EMIT ON WINDOW CLOSE;\n")
	if !strings.Contains(out, "WARNING:  WM008") || !strings.Contains(out, "CREATE MATERIALIZED VIEW") {
		t.Error(out)
	}
}

// Duplicates are dropped for ever, or within the watermark: a key that comes again after it has been forgotten comes out again.
func TestDuplicates(t *testing.T) {
	for name, x := range map[string]struct{ distinct, want string }{
		"for ever":             {"DISTINCT ON (page)", "12:00|a\n12:00|b\n14:00|c"},
		"within the watermark": {"DISTINCT ON (page) WITHIN WATERMARK", "12:00|a\n12:00|b\n14:00|c\n14:30|a"},
	} {
		t.Run(name, func(t *testing.T) {
			s := clicks(t, "'5' MINUTE", "", "CREATE MATERIALIZED VIEW r WITH (unbounded_state = 'allow') AS SELECT "+x.distinct+" page, event_time FROM clicks EMIT ON WINDOW CLOSE")
			at := func(page, time string) string {
				return fmt.Sprintf(`{"page":%q,"event_time":"2026-03-01T%s:00Z"}`, page, time)
			}
			s.step(at("a", "12:00"), at("b", "12:00"))
			s.step(at("c", "14:00"))
			s.step(at("a", "14:30"))
			s.want("SELECT to_char(event_time, 'HH24:MI'), page FROM r ORDER BY event_time, page", x.want)
		})
	}
}
