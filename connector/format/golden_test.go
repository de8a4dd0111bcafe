package format

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// TestGolden runs testdata/format: a schema, then records with the rows or the reasons that come of them.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "../../testdata/format", func(t *testing.T, path string) {
		var g golden
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "schema":
				return g.schema(d)
			case "json", "csv":
				return g.records(d)
			}
			return "unknown command " + d.Cmd
		})
	})
}

type golden struct {
	cfg Config
	csv CSVOptions
}

// schema reads a column a line: a name, its type's name, perhaps "not null"; with "-" before it, it is not read.
func (g *golden) schema(d *datadriven.TestData) string {
	s := &types.Schema{}
	g.cfg = Config{EventTime: -1}
	g.csv = CSVOptions{Delimiter: ','}
	for _, line := range strings.Split(d.Input, "\n") {
		hidden := strings.HasPrefix(line, "-")
		name, rest, _ := strings.Cut(strings.TrimPrefix(line, "-"), " ")
		kind, notNull := strings.CutSuffix(rest, " not null")
		kind, isEvent := strings.CutSuffix(kind, " event")
		t, ok := typeNamed(kind)
		if !ok {
			return "no type " + kind
		}
		i := len(s.Fields)
		s.Fields = append(s.Fields, types.Field{Name: name, Type: t, NotNull: notNull})
		if isEvent {
			g.cfg.EventTime = i
		}
		if !hidden {
			g.cfg.Read = append(g.cfg.Read, i)
		}
	}
	g.cfg.Schema = s
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "timestamp_format":
			for i, f := range TimestampFormats {
				if f == a.Vals[0] {
					g.cfg.Epoch = EpochUnit(i)
				}
			}
		case "null":
			g.csv.Null = a.Vals[0]
		}
	}
	if _, err := NewShape(g.cfg); err != nil {
		return sqlerr.From(err).Msg
	}
	return "ok"
}

func typeNamed(name string) (types.Type, bool) {
	base, array := strings.CutSuffix(name, "[]")
	mod := types.NoMod
	if b, m, ok := strings.Cut(base, "("); ok {
		base = b
		n, _ := strconv.Atoi(strings.TrimSuffix(m, ")"))
		mod = int32(n)
		if b == "varchar" {
			mod += 4
		}
	}
	for k := types.Unknown; k < types.NumKinds; k++ {
		if k.Info().PgName == base {
			return types.Type{Kind: k, Array: array, Mod: mod}, true
		}
	}
	return types.Type{}, false
}

// records decodes a record a line; a Go string in quotes is read as one, for bytes that a text file cannot hold.
func (g *golden) records(d *datadriven.TestData) string {
	shape, err := NewShape(g.cfg)
	if err != nil {
		return sqlerr.From(err).Msg
	}
	var dec Decoder = NewJSON(shape)
	if d.Cmd == "csv" {
		c := NewCSV(shape, g.csv)
		for _, a := range d.CmdArgs {
			if a.Key == "header" {
				if reason := c.SetHeader([]byte(strings.Join(a.Vals, ","))); reason != "" {
					return reason
				}
			}
		}
		dec = c
	}
	rows := NewRows(shape, 1)
	var out strings.Builder
	for _, line := range strings.Split(d.Input, "\n") {
		rec := []byte(line)
		if q, ok := strings.CutPrefix(line, "go"); ok {
			s, err := strconv.Unquote(strings.TrimSpace(q))
			if err != nil {
				return "bad Go string: " + q
			}
			rec = []byte(s)
		}
		n := rows.N
		reason := dec.Decode(rows, rec)
		for c, b := range rows.cols {
			if b.Len() != rows.N {
				fmt.Fprintf(&out, "column %d has %d rows, not %d\n", c, b.Len(), rows.N)
			}
		}
		if reason != "" {
			fmt.Fprintf(&out, "rejected: %s\n", reason)
			if rows.N != n {
				out.WriteString("but a row is left\n")
			}
			continue
		}
		out.WriteString(rowText(rows, rows.N-1) + "\n")
	}
	return out.String()
}

func rowText(rows *Rows, i int) string {
	b := rows.Batch()
	var cells []string
	for _, c := range b.Cols {
		if c.IsNull(i) {
			cells = append(cells, "NULL")
			continue
		}
		cells = append(cells, string(column.AppendText(nil, c, i, types.UTC)))
	}
	return strings.Join(cells, " | ")
}
