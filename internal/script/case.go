package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// What a step asks of the progress tables. Counts of state operators are of the last epoch.
const (
	lateTotal  = "SELECT rows_late FROM wm_catalog.queries WHERE name = 'r'"
	epoch      = "SELECT epoch FROM wm_catalog.queries WHERE name = 'r'"
	partlyLate = "SELECT coalesce(sum(num_rows_partly_late), 0) FROM wm_catalog.state_operators WHERE view = 'r'"
)

// Step is one micro-batch as the recorded cases have it: the lines of input, each a stream's name and a row as JSON, go in as
// one transaction; when all of it has been counted, Step returns the watermark, whether the batch lost a late row,
// the rows in state, and the whole result of view r in the order of its text.
func (e *Engine) Step(input string) (string, error) {
	insert, err := inserts(input)
	if err != nil {
		return "", err
	}
	lateBefore, epochBefore := e.one(lateTotal), e.one(epoch)
	if out := e.Exec(insert); strings.Contains(out, "ERROR:") {
		return out, nil
	}
	if e.opt.Crash != "" {
		if err := e.Crash(e.opt.Crash); err != nil && !errors.Is(err, errNotReached) {
			return "", err
		}
	}
	if out := e.Exec("FLUSH"); strings.Contains(out, "ERROR:") {
		return out, nil
	}
	late := "no"
	if e.one(lateTotal) != lateBefore || e.one(epoch) != epochBefore && e.one(partlyLate) != "0" {
		late = "yes"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "watermark=%s late=%s", e.watermark(), late)
	if n := e.one("SELECT sum(num_rows_total) FROM wm_catalog.state_operators WHERE view = 'r'"); n != "NULL" {
		fmt.Fprintf(&b, " state=%s", n)
	}
	b.WriteByte('\n')
	b.WriteString(e.result())
	return b.String(), nil
}

// inserts makes a transaction of the rows. Every value is a literal of unknown type, so the column's type reads it.
func inserts(input string) (string, error) {
	var b strings.Builder
	for line := range strings.Lines(input) {
		stream, row, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			return "", fmt.Errorf("%q is not a stream and a row", line)
		}
		var cols map[string]any
		dec := json.NewDecoder(strings.NewReader(row))
		dec.UseNumber()
		if err := dec.Decode(&cols); err != nil {
			return "", fmt.Errorf("%q: %w", row, err)
		}
		var names, values []string
		for _, name := range slices.Sorted(maps.Keys(cols)) {
			names = append(names, `"`+name+`"`)
			if cols[name] == nil {
				values = append(values, "NULL")
				continue
			}
			values = append(values, "'"+strings.ReplaceAll(fmt.Sprint(cols[name]), "'", "''")+"'")
		}
		fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES (%s);\n", stream, strings.Join(names, ", "), strings.Join(values, ", "))
	}
	if b.Len() == 0 {
		return "", nil
	}
	return "BEGIN;\n" + b.String() + "COMMIT;\n", nil
}

// one returns the only value of a query, as text.
func (e *Engine) one(query string) string { return strings.TrimSpace(e.Exec(query)) }

func (e *Engine) watermark() string {
	w := e.one("SET TimeZone = 'UTC'; SELECT watermark FROM wm_catalog.query_progress WHERE view = 'r' ORDER BY epoch DESC LIMIT 1")
	w = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(w, "SET")), "+00")
	if w == "NULL" || w == "" {
		return "none"
	}
	return w
}

// result is view r with rows sorted by their text and values that compare by value: a timestamp without its UTC zone, a number
// to 15 digits.
func (e *Engine) result() string {
	raw := e.Exec("SELECT * FROM r")
	var rows []string
	for line := range strings.Lines(raw) {
		vals := strings.Split(strings.TrimRight(line, "\n"), " | ")
		for i, v := range vals {
			vals[i] = plain(v)
		}
		rows = append(rows, strings.Join(vals, " | "))
	}
	slices.Sort(rows)
	var b bytes.Buffer
	for _, r := range rows {
		b.WriteString(r)
		b.WriteByte('\n')
	}
	return b.String()
}

func plain(v string) string {
	if t, ok := strings.CutSuffix(v, "+00"); ok && strings.Count(t, ":") == 2 {
		return t
	}
	if strings.ContainsAny(v, ".eE") || strings.HasPrefix(v, "-") {
		if f, err := strconv.ParseFloat(v, 64); err == nil && f-f == 0 {
			return strconv.FormatFloat(f+0, 'g', 15, 64)
		}
	}
	return v
}
