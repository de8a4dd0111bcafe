//go:build oracle

package types_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestOracle asks the Postgres at WMSQL_ORACLE (a connection string) the questions of testdata/values.
// With -rewrite its answers become the expected ones.
func TestOracle(t *testing.T) {
	ctx := context.Background()
	c, err := pgconn.Connect(ctx, os.Getenv("WMSQL_ORACLE"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(ctx) }()
	ask := func(sql string) (string, error) {
		rs, err := c.Exec(ctx, sql).ReadAll()
		var pe *pgconn.PgError
		if errors.As(err, &pe) {
			s := pe.Code + " " + pe.Message
			if pe.Detail != "" {
				s += " / " + pe.Detail
			}
			return s, nil
		}
		if err != nil {
			return "", err
		}
		return string(rs[len(rs)-1].Rows[0][0]), nil
	}
	datadriven.Walk(t, "../testdata/values", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			set := "RESET TimeZone; RESET extra_float_digits; RESET bytea_output;"
			for _, a := range d.CmdArgs {
				switch a.Key {
				case "zone":
					set += "SET TimeZone='" + a.Vals[0] + "';"
				case "extra":
					set += "SET extra_float_digits=" + a.Vals[0] + ";"
				case "escape":
					set += "SET bytea_output=escape;"
				}
			}
			if _, err := c.Exec(ctx, set).ReadAll(); err != nil {
				t.Fatal(err)
			}
			return eachLine(d, func(line string) (string, error) { return ask(question(d, line)) })
		})
	})
}

func lit(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// question is the SQL of a line.
func question(d *datadriven.TestData, line string) string {
	switch d.Cmd {
	case "value":
		name := typeName(d)
		if strings.HasPrefix(name, "interval ") {
			return "SELECT interval " + lit(line) + strings.TrimPrefix(name, "interval")
		}
		return "SELECT " + lit(line) + "::" + name
	case "numeric":
		w := strings.Fields(line)
		a, b := lit(w[0])+"::numeric", lit(w[2])+"::numeric"
		switch op := w[1]; op {
		case "div":
			return fmt.Sprintf("SELECT div(%s,%s)", a, b)
		case "round", "trunc":
			return fmt.Sprintf("SELECT %s(%s,%s::int)", op, a, b)
		case "ceil", "floor", "sqrt", "trim_scale":
			return fmt.Sprintf("SELECT %s(%s)", op, a)
		case "float8", "int4", "int8":
			return fmt.Sprintf("SELECT %s::%s", a, op)
		case "from_float8":
			return fmt.Sprintf("SELECT %s::float8::numeric", a)
		case "<=>":
			return fmt.Sprintf("SELECT CASE WHEN %[1]s < %[2]s THEN -1 WHEN %[1]s = %[2]s THEN 0 ELSE 1 END", a, b)
		default:
			return fmt.Sprintf("SELECT %s %s %s", a, op, b)
		}
	case "interval":
		w := strings.Split(line, " | ")
		a := "interval " + lit(w[0])
		switch op := w[1]; op {
		case "*", "/":
			return fmt.Sprintf("SELECT %s %s %s::float8", a, op, lit(w[2]))
		case "<=>":
			return fmt.Sprintf("SELECT CASE WHEN %[1]s < interval %[2]s THEN -1 WHEN %[1]s = interval %[2]s THEN 0 ELSE 1 END", a, lit(w[2]))
		case "+", "-":
			return fmt.Sprintf("SELECT %s %s interval %s", a, op, lit(w[2]))
		default:
			return fmt.Sprintf("SELECT %s(%s)", op, a)
		}
	case "add":
		w := strings.Split(line, " + ")
		return fmt.Sprintf("SELECT timestamptz %s + interval %s", lit(w[0]), lit(w[1]))
	case "trunc":
		unit, text, _ := strings.Cut(line, " ")
		return fmt.Sprintf("SELECT date_trunc(%s, timestamptz %s)", lit(unit), lit(text))
	}
	return ""
}
