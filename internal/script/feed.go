package script

import (
	"fmt"
	"regexp"
	"strings"
)

// timeOfDay is a word that stands for a time of the scripts' day.
var timeOfDay = regexp.MustCompile(`^\d\d:\d\d(:\d\d(\.\d+)?)?$`)

// feed inserts the rows below the verb into a stream or table, in one transaction: a row a line, its values between blanks. \N is NULL,
// 12:30 is 2024-01-01 12:30 UTC, a value in single quotes is taken as it is, blanks too.
func (e *Engine) feed(d *Directive) (string, error) {
	if len(d.Args) == 0 {
		return "", fmt.Errorf("write feed RELATION, or feed RELATION COLUMN..., and a row a line below it")
	}
	var rows []string
	for line := range strings.Lines(d.Input) {
		row, err := literals(strings.TrimSpace(line))
		if err != nil {
			return "", err
		}
		rows = append(rows, "("+strings.Join(row, ", ")+")")
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("there are no rows: write a row a line below the verb")
	}
	into := d.Args[0]
	if len(d.Args) > 1 {
		into += " (" + strings.Join(d.Args[1:], ", ") + ")"
	}
	out := e.Exec("INSERT INTO " + into + " VALUES " + strings.Join(rows, ", "))
	if strings.HasPrefix(out, "INSERT") {
		return "", nil
	}
	return out, nil
}

// literals are the values of a line. They are of unknown type, so that the column's type reads them.
func literals(line string) (out []string, err error) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t") {
		if line[0] == '\'' {
			end := quoted(line)
			if end < 0 {
				return nil, fmt.Errorf("a quote is not closed: %s", line)
			}
			out, line = append(out, line[:end]), line[end:]
			continue
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		out, line = append(out, literal(line[:end])), line[end:]
	}
	return out, nil
}

// quoted returns where the literal that s begins with ends, -1 if it does not.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			continue
		}
		if i+1 == len(s) || s[i+1] != '\'' {
			return i + 1
		}
		i++
	}
	return -1
}

func literal(word string) string {
	if word == `\N` {
		return "NULL"
	}
	if timeOfDay.MatchString(word) {
		word = "2024-01-01 " + word + "+00"
	}
	return "'" + strings.ReplaceAll(word, "'", "''") + "'"
}
