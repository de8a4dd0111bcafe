package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
)

// textTable prints rows in aligned columns, numbers to the right, as psql does.
type textTable struct {
	names []string
	right []bool
	rows  [][]string
	width []int
}

func newTable(fields []pgconn.FieldDescription) *textTable {
	t := &textTable{}
	for _, f := range fields {
		t.names = append(t.names, f.Name)
		t.width = append(t.width, utf8.RuneCountInString(f.Name))
		t.right = append(t.right, isNumberOID(f.DataTypeOID))
	}
	return t
}

func isNumberOID(oid uint32) bool {
	switch oid {
	case 20, 21, 23, 26, 700, 701, 1700:
		return true
	}
	return false
}

func (t *textTable) add(values [][]byte) {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = string(v)
		for line := range strings.SplitSeq(row[i], "\n") {
			t.width[i] = max(t.width[i], utf8.RuneCountInString(line))
		}
	}
	t.rows = append(t.rows, row)
}

func (t *textTable) print(out io.Writer) {
	t.header(out)
	for _, r := range t.rows {
		t.row(out, r)
	}
	if n := len(t.rows); n == 1 {
		fmt.Fprint(out, "(1 row)\n\n")
	} else {
		fmt.Fprintf(out, "(%d rows)\n\n", n)
	}
}

func (t *textTable) header(out io.Writer) {
	var names, rule []string
	for i, n := range t.names {
		gap := t.width[i] - utf8.RuneCountInString(n)
		names = append(names, " "+strings.Repeat(" ", gap/2)+n+strings.Repeat(" ", gap-gap/2)+" ")
		rule = append(rule, strings.Repeat("-", t.width[i]+2))
	}
	fmt.Fprintln(out, strings.TrimRight(strings.Join(names, "|"), " "))
	fmt.Fprintln(out, strings.Join(rule, "+"))
}

// row prints one row; a value of several lines takes several.
func (t *textTable) row(out io.Writer, values []string) {
	lines := make([][]string, len(values))
	height := 1
	for i, v := range values {
		lines[i] = strings.Split(v, "\n")
		height = max(height, len(lines[i]))
	}
	for n := range height {
		cells := make([]string, len(values))
		for i := range values {
			text := ""
			if n < len(lines[i]) {
				text = lines[i][n]
			}
			more := " "
			if n+1 < len(lines[i]) {
				more = "+"
			}
			pad := strings.Repeat(" ", t.width[i]-utf8.RuneCountInString(text))
			if t.right[i] {
				cells[i] = " " + pad + text + more
			} else {
				cells[i] = " " + text + pad + more
			}
		}
		fmt.Fprintln(out, strings.TrimRight(strings.Join(cells, "|"), " "))
	}
}
