package script

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestAsOf compares ASOF joins of two streams with their definition over random rows: every left row that was on time gets the newest
// right row of its key at or before it, of all that were on time, once the watermark is there.
func TestAsOf(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		m := &asOfModel{restart: r.IntN(3) == 0}
		if fault := m.compare(r); fault != "" {
			t.Fatalf("seed %d: %s", seed, fault)
		}
	}
}

// asOfRow is a row of either side; key 3 is NULL. at is in seconds.
type asOfRow struct{ id, key, at int }

// asOfModel is all rows that were on time; watermark is in seconds, -1 before the first.
type asOfModel struct {
	left, right []asOfRow
	newest      [2]int
	watermark   int
	restart     bool
}

const asOfDelay = 20

func (m *asOfModel) compare(r *rand.Rand) string {
	e, err := New(Options{})
	if err != nil {
		return err.Error()
	}
	defer func() { _ = e.Close() }()
	if out := e.Exec(`SET TimeZone = 'UTC';
		CREATE STREAM l (id INT, k INT, at TIMESTAMPTZ, WATERMARK FOR at AS at - INTERVAL '20' SECOND);
		CREATE STREAM r (id INT, k INT, at TIMESTAMPTZ, WATERMARK FOR at AS at - INTERVAL '20' SECOND);
		CREATE MATERIALIZED VIEW v WITH (unbounded_state = 'allow') AS SELECT l.id, r.id AS r FROM l ASOF LEFT JOIN r ON l.k = r.k AND l.at >= r.at`); strings.Contains(out, "ERROR") {
		return out
	}
	m.newest, m.watermark = [2]int{-1, -1}, -1
	id := 0
	for n := range 8 {
		var text [2]string
		late := m.watermark
		for range 1 + r.IntN(12) {
			id++
			x := asOfRow{id, r.IntN(4), max(0, n*15+r.IntN(60)-30)}
			side := r.IntN(2)
			text[side] += m.add(side, x, late)
		}
		stmt := "BEGIN;"
		for side, name := range []string{"l", "r"} {
			if text[side] != "" {
				stmt += "INSERT INTO " + name + " VALUES " + strings.TrimSuffix(text[side], ",") + ";"
			}
		}
		if out := e.Exec(stmt + "COMMIT"); strings.Contains(out, "ERROR") {
			return out
		}
		if out, err := e.steps(100); err != nil {
			return out
		}
		if m.newest[0] >= 0 && m.newest[1] >= 0 {
			m.watermark = max(m.watermark, min(m.newest[0], m.newest[1])-asOfDelay)
		}
		if got, want := sortedRows(e, "SELECT id, r FROM v"), m.rows(); !slices.Equal(got, want) {
			return fmt.Sprintf("after epoch %d, watermark %d, the view is\n%v\nby definition\n%v", n+1, m.watermark, got, want)
		}
		if m.restart {
			if err := e.Restart(); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}

// add takes a row in unless it is late, and returns it as SQL.
func (m *asOfModel) add(side int, x asOfRow, late int) string {
	m.newest[side] = max(m.newest[side], x.at)
	if late < 0 || x.at > late {
		*[]*[]asOfRow{&m.left, &m.right}[side] = append(*[]*[]asOfRow{&m.left, &m.right}[side], x)
	}
	key := fmt.Sprint(x.key)
	if x.key == 3 {
		key = "NULL"
	}
	return fmt.Sprintf("(%d, %s, '2024-01-01 %02d:%02d:%02d+00'),", x.id, key, 12+x.at/3600, x.at/60%60, x.at%60)
}

// rows is the view by its definition.
func (m *asOfModel) rows() []string {
	var out []string
	for _, l := range m.left {
		if m.watermark < 0 || l.at > m.watermark {
			continue
		}
		partner, best := "NULL", -1
		for _, r := range m.right {
			if r.key == l.key && l.key != 3 && r.at <= l.at && r.at >= best {
				partner, best = fmt.Sprint(r.id), r.at
			}
		}
		out = append(out, fmt.Sprintf("%d | %s", l.id, partner))
	}
	slices.Sort(out)
	return out
}

// sortedRows is the rows of a query, sorted.
func sortedRows(e *Engine, query string) []string {
	rows := strings.Split(strings.TrimSpace(e.Exec(query)), "\n")
	rows = slices.DeleteFunc(rows, func(s string) bool { return s == "" })
	slices.Sort(rows)
	return rows
}
