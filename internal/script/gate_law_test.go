package script

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wmsql/connector"
)

// The streams of the laws of the gate: two with a watermark and two without.
const gateStreams = `
CREATE STREAM s (k TEXT, v BIGINT, at TIMESTAMPTZ, seen TIMESTAMPTZ, ts TEXT, WATERMARK FOR at AS at - INTERVAL '5' MINUTE);
CREATE STREAM z (k TEXT, v BIGINT, at TIMESTAMPTZ, seen TIMESTAMPTZ, ts TEXT, WATERMARK FOR at AS at - INTERVAL '5' MINUTE);
CREATE STREAM bare (k TEXT, v BIGINT, at TIMESTAMPTZ, seen TIMESTAMPTZ, ts TEXT);
CREATE STREAM bare2 (k TEXT, v BIGINT, at TIMESTAMPTZ, seen TIMESTAMPTZ, ts TEXT)`

const (
	gateWindows = 50 // of 5 minutes, one a micro-batch
	gateRows    = 20 // in each, of each stream, with keys that never come again
	gateEarly   = 20 // windows after which state is what it will be
)

// bounded are queries that the gate accepts: what they keep does not grow with the stream.
var bounded = map[string]string{
	"tumble":           "SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k",
	"hop":              "SELECT window_start, window_end, k, sum(v) AS n FROM HOP(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE, INTERVAL '20' MINUTE) GROUP BY window_start, window_end, k",
	"hop_uneven":       "SELECT window_start, window_end, k, sum(v) AS n FROM HOP(TABLE s, DESCRIPTOR(at), INTERVAL '3' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k",
	"cumulate":         "SELECT window_start, window_end, k, sum(v) AS n FROM CUMULATE(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE, INTERVAL '15' MINUTE) GROUP BY window_start, window_end, k",
	"session":          "SELECT window_start, window_end, k, count(*) AS n FROM SESSION(TABLE s PARTITION BY k, DESCRIPTOR(at), INTERVAL '4' MINUTE) GROUP BY window_start, window_end, k",
	"time":             "SELECT at, k, count(*) AS n FROM s GROUP BY at, k",
	"date_trunc":       "SELECT date_trunc('hour', at) AS h, count(DISTINCT k) AS n FROM s GROUP BY 1",
	"lists":            "SELECT window_end, array_agg(k ORDER BY v) AS ks FROM TUMBLE(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_end",
	"grouping_sets":    "SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, ROLLUP (k)",
	"distinct":         "SELECT DISTINCT k, at FROM s",
	"distinct_on":      "SELECT DISTINCT ON (k, at) k, at, v FROM s",
	"within":           "SELECT DISTINCT ON (k) WITHIN WATERMARK k, at, v FROM s",
	"within_pruned":    "SELECT count(v) AS n FROM (SELECT DISTINCT ON (k) WITHIN WATERMARK * FROM (SELECT k, v + 1 AS v, at FROM s) x) y",
	"join":             "SELECT s.k, s.at, z.at AS zat, s.v FROM s JOIN z ON s.k = z.k AND z.at BETWEEN s.at AND s.at + INTERVAL '5' MINUTE",
	"join_left":        "SELECT s.k, s.at, z.at AS zat, s.v FROM s LEFT JOIN z ON s.k = z.k AND z.v > s.v AND z.at > s.at - INTERVAL '5' MINUTE AND z.at < s.at + INTERVAL '5' MINUTE",
	"join_full":        "SELECT s.k, s.at, z.k AS zk, z.at AS zat FROM s FULL JOIN z ON s.k = z.k AND z.v > s.v AND z.at BETWEEN s.at - INTERVAL '3' MINUTE AND s.at",
	"semi":             "SELECT s.k, s.at FROM s LEFT SEMI JOIN z ON s.k = z.k AND z.v > s.v AND z.at BETWEEN s.at AND s.at + INTERVAL '5' MINUTE",
	"anti":             "SELECT s.k, s.at FROM s LEFT ANTI JOIN z ON s.k = z.k AND z.at BETWEEN s.at AND s.at + INTERVAL '5' MINUTE",
	"join_of_windows":  "SELECT l.k, l.window_end, r.v FROM TUMBLE(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE) l LEFT JOIN TUMBLE(TABLE z, DESCRIPTOR(at), INTERVAL '5' MINUTE) r ON l.k = r.k AND l.window_start = r.window_start AND l.window_end = r.window_end",
	"join_then_window": "SELECT window_start, window_end, count(*) AS n FROM TUMBLE(TABLE (SELECT s.at, z.v FROM s JOIN z ON s.k = z.k AND z.at BETWEEN s.at AND s.at + INTERVAL '5' MINUTE), DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end",
	"union":            "SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE (SELECT k, at FROM s UNION ALL SELECT k, at FROM z), DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k",
	"dedup_then_count": "SELECT window_start, window_end, count(*) AS n FROM TUMBLE(TABLE (SELECT DISTINCT ON (k, at) * FROM s), DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end",
	"limit":            "SELECT k, at FROM s LIMIT 7",
	"ttl":              "SELECT k, count(*) AS n FROM s GROUP BY k",
}

// unbounded are queries that the gate refuses, by the code it refuses them with. Those of grows it lets run when told to, and their
// state grows with the stream; those of never it does not.
var (
	grows = []gateCase{
		{"WM001", "update", "SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE bare, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k"},
		{"WM001", "update", "SELECT window_start, window_end, k, count(*) AS n FROM SESSION(TABLE bare PARTITION BY k, DESCRIPTOR(at), INTERVAL '4' MINUTE) GROUP BY window_start, window_end, k"},
		{"WM003", "update", "SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE s, DESCRIPTOR(seen), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k"},
		{"WM003", "update", "SELECT window_start, window_end, k, count(*) AS n FROM HOP(TABLE s, DESCRIPTOR(seen), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k"},
		{"WM004", "update", "SELECT window.start AS w, k, count(*) AS n FROM s GROUP BY window(ts::timestamptz, '5 minutes'), k"},
		{"WM004", "update", "SELECT date_trunc('minute', at - INTERVAL '1 hour') AS m, k, count(*) AS n FROM s GROUP BY 1, k"},
		{"WM006", "update", "SELECT at::date AS d, k, count(*) AS n FROM s GROUP BY 1, k"},
		{"WM006", "update", "SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE (SELECT k, at FROM s UNION ALL SELECT k, at FROM bare), DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k"},
		{"WM007", "update", "SELECT k, count(*) AS n FROM s GROUP BY k"},
		{"WM007", "update", "SELECT k, count(*) AS n FROM bare GROUP BY k"},
		{"WM008", "append", "SELECT s.k, s.v, z.v AS zv FROM s JOIN z ON s.k = z.k"},
		{"WM008", "update", "SELECT s.k, s.v, z.v AS zv FROM s JOIN z ON s.k = z.k AND z.at >= s.at"},
		{"WM008", "append", "SELECT s.k, s.v, z.v AS zv FROM s JOIN bare z ON s.k = z.k AND z.at BETWEEN s.at AND s.at + INTERVAL '5' MINUTE"},
		{"WM008", "append", "SELECT s.k, s.v, z.v AS zv FROM bare s JOIN bare2 z ON s.k = z.k AND z.at BETWEEN s.at AND s.at + INTERVAL '5' MINUTE"},
		{"WM009", "append", "SELECT DISTINCT ON (k) k, at FROM s"},
		{"WM009", "update", "SELECT DISTINCT k FROM s"},
		{"WM010", "complete", "SELECT k, count(*) AS n FROM s GROUP BY k"},
		{"WM010", "complete", "SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k"},
	}
	never = []gateCase{
		{"WM001", "append", "SELECT window_start, window_end, count(*) AS n FROM TUMBLE(TABLE bare, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end"},
		{"WM001", "append", "SELECT DISTINCT ON (k) WITHIN WATERMARK k, at FROM bare"},
		{"WM002", "append", "SELECT * FROM (SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE bare, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k) c WATERMARK window_end DELAY OF INTERVAL 5 MINUTES"},
		{"WM002", "update", "SELECT * FROM (SELECT window_start, window_end, k, count(*) AS n FROM TUMBLE(TABLE bare, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k) c WATERMARK window_end DELAY OF INTERVAL 5 MINUTES"},
		{"WM003", "append", "SELECT window_start, window_end, count(*) AS n FROM TUMBLE(TABLE s, DESCRIPTOR(seen), INTERVAL '5' MINUTE) GROUP BY window_start, window_end"},
		{"WM004", "append", "SELECT window.start AS w, count(*) AS n FROM s GROUP BY window(ts::timestamptz, '5 minutes')"},
		{"WM005", "update", "SELECT window_start, count(*) AS n FROM TUMBLE(TABLE (SELECT * FROM bare WATERMARK ts DELAY OF INTERVAL 5 MINUTES), DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end"},
		{"WM006", "append", "SELECT at::date AS d, count(*) AS n FROM s GROUP BY 1"},
		{"WM007", "append", "SELECT k, count(*) AS n FROM s GROUP BY k"},
		{"WM008", "append", "SELECT s.k, z.v FROM s LEFT JOIN z ON s.k = z.k"},
		{"WM008", "update", "SELECT s.k, z.v FROM s RIGHT JOIN z ON s.k = z.k AND z.at >= s.at"},
		{"WM008", "append", "SELECT s.k, z.v FROM s FULL JOIN bare z ON s.k = z.k AND z.at BETWEEN s.at AND s.at + INTERVAL '5' MINUTE"},
		{"WM008", "append", "SELECT s.k FROM s LEFT ANTI JOIN z ON s.k = z.k"},
		{"WM008", "append", "SELECT s.k FROM s LEFT SEMI JOIN z ON s.k = z.k"},
		{"WM009", "append", "SELECT DISTINCT k FROM s"},
	}
)

type gateCase struct{ code, mode, query string }

// create is the statement that makes a case a view.
func (c gateCase) create(name, allow string) string {
	return fmt.Sprintf("CREATE MATERIALIZED VIEW %s WITH (output_mode = '%s', unbounded_state = '%s') AS %s", name, c.mode, allow, c.query)
}

// TestAcceptedStateIsFlat feeds 50 windows to every accepted query, with a restart on the way: it keeps no more, in rows and bytes, than
// after the first 20.
func TestAcceptedStateIsFlat(t *testing.T) {
	e := gateEngine(t)
	for name, query := range bounded {
		for _, mode := range []string{"append", "update"} {
			create := gateCase{"", mode, query}.create(name+"_"+mode, "error")
			if name == "ttl" || name == "within_pruned" {
				create = strings.Replace(create, "unbounded_state = 'error'", "state_ttl = '15 minutes'", 1)
			}
			switch out := e.Exec(create); {
			case mode == "append" && (name == "ttl" || name == "within_pruned"), mode == "update" && name == "limit": // no such mode
			case strings.Contains(out, "ERROR"):
				t.Errorf("%s\n%s", create, out)
			}
		}
	}
	for view, state := range gateFeed(t, e) {
		early, late := state.most(0, gateEarly), state.most(gateEarly, gateWindows)
		if late.rows > early.rows || late.bytes > early.bytes+early.bytes/4 {
			t.Errorf("%s keeps at most %+v after %d windows, %+v after %d", view, early, gateEarly, late, gateWindows)
		}
		if late.rows == 0 && !strings.HasPrefix(view, "limit") {
			t.Errorf("%s keeps nothing: the case shows nothing", view)
		}
	}
}

// TestForcedStateGrows: what the gate refuses but lets run when told to keeps more with every window.
func TestForcedStateGrows(t *testing.T) {
	e := gateEngine(t)
	for i, c := range grows {
		name := fmt.Sprintf("v%d", i)
		if got := strings.TrimSpace(sqlstate(e.Exec(c.create(name, "error")))); got != c.code {
			t.Errorf("%s, want %s, for\n%s", got, c.code, c.query)
		}
		if out := e.Exec(c.create(name, "allow")); strings.Contains(out, "ERROR") {
			t.Errorf("%s allowed in %s mode:\n%s\n%s", c.code, c.mode, c.query, out)
		}
	}
	states := gateFeed(t, e)
	for i, c := range grows {
		state := states[fmt.Sprintf("v%d", i)]
		if state == nil {
			t.Errorf("%s: the query does not run:\n%s\n%s", c.code, c.query, e.Exec("SELECT name, error FROM wm_catalog.queries WHERE error IS NOT NULL"))
			continue
		}
		early, late := state.most(0, gateEarly), state.most(gateEarly, gateWindows)
		if least := int64(gateRows * (gateWindows - gateEarly - 1)); late.rows < early.rows+least || late.bytes <= early.bytes {
			t.Errorf("%s is refused, but keeps only %+v after %d windows, %+v after %d:\n%s", c.code, early, gateEarly, late, gateWindows, c.query)
		}
	}
}

// TestNeverAllowed: what could not run, or only wrongly, is refused whatever the writer says.
func TestNeverAllowed(t *testing.T) {
	e := gateEngine(t)
	for _, c := range never {
		for _, allow := range []string{"error", "warn", "allow"} {
			if got := strings.TrimSpace(sqlstate(e.Exec(c.create("v", allow)))); got != c.code {
				t.Errorf("%s, want %s, with unbounded_state = '%s' in %s mode for\n%s", got, c.code, allow, c.mode, c.query)
			}
		}
	}
}

func gateEngine(t *testing.T) *Engine {
	t.Helper()
	e, err := New(Options{Connectors: connector.Registry{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	if out := e.Exec(gateStreams); strings.Contains(out, "ERROR") {
		t.Fatal(out)
	}
	return e
}

// kept is what a view keeps.
type kept struct{ rows, bytes int64 }

// history is what a view keeps after each window.
type history []kept

// most is the most that was kept after any of the windows.
func (h history) most(from, to int) (out kept) {
	for _, k := range h[from:to] {
		out.rows, out.bytes = max(out.rows, k.rows), max(out.bytes, k.bytes)
	}
	return out
}

// gateFeed feeds all streams a window a micro-batch and returns what every view kept after each.
func gateFeed(t *testing.T, e *Engine) map[string]history {
	t.Helper()
	out := map[string]history{}
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for w := range gateWindows {
		var rows []string
		for i := range gateRows {
			at := start.Add(time.Duration(w)*5*time.Minute + time.Duration(i)*10*time.Second).Format("2006-01-02 15:04:05+00")
			rows = append(rows, fmt.Sprintf("('w%d-%d', %d, '%s', '%s', '%s')", w, i, i, at, at, at))
		}
		text := "BEGIN;\n"
		for _, s := range []string{"s", "z", "bare", "bare2"} {
			text += "INSERT INTO " + s + " VALUES " + strings.Join(rows, ", ") + ";\n"
		}
		e.Clock.Move(5 * time.Minute)
		if o := e.Exec(text + "COMMIT; FLUSH"); strings.Contains(o, "ERROR") {
			t.Fatal(o)
		}
		for line := range strings.Lines(e.Exec("SELECT view, sum(num_rows_total), sum(state_bytes) FROM wm_catalog.state_operators GROUP BY view")) {
			cells := strings.Split(strings.TrimSpace(line), " | ")
			r, _ := strconv.ParseInt(cells[1], 10, 64)
			b, _ := strconv.ParseInt(cells[2], 10, 64)
			out[cells[0]] = append(out[cells[0]], kept{r, b})
		}
		if w == gateWindows*3/5 {
			if err := e.Restart(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for view, h := range out {
		if len(h) != gateWindows || !slices.ContainsFunc(h, func(k kept) bool { return k.rows > 0 }) {
			t.Fatalf("%s: %d windows were measured, %+v", view, len(h), h)
		}
	}
	return out
}
