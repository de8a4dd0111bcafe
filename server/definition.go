package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/types"
)

// literal writes s as a SQL string.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func qualifiedName(o *catalog.Object) string {
	if o.Schema == "public" {
		return catalog.QuoteIdent(o.Name)
	}
	return catalog.QuoteIdent(o.Schema) + "." + catalog.QuoteIdent(o.Name)
}

// columnSQL writes a column as CREATE STREAM and CREATE TABLE read it.
func columnSQL(c catalog.Column) string {
	s := catalog.QuoteIdent(c.Name) + " " + c.Type.String()
	if c.Type.Coll != 0 {
		s += " COLLATE " + catalog.QuoteIdent(c.Type.Coll.Name())
	}
	if c.Generated != "" {
		s += " GENERATED ALWAYS AS (" + c.Generated + ") STORED"
	}
	switch {
	case c.Identity != "":
		return s + " GENERATED " + strings.ToUpper(c.Identity) + " AS IDENTITY"
	case c.Default != "":
		s += " DEFAULT " + c.Default
	}
	if c.NotNull {
		s += " NOT NULL"
	}
	return s
}

// createStreamSQL is the statement that makes the stream again.
func createStreamSQL(st *catalog.Stream) string {
	var lines []string
	if st.Query == "" {
		for _, c := range st.Columns {
			lines = append(lines, "  "+columnSQL(c))
		}
	}
	if w := st.Watermark; w != nil {
		name := catalog.QuoteIdent(st.Columns[w.Column].Name)
		delay := string(types.AppendInterval(nil, w.Delay))
		lines = append(lines, fmt.Sprintf("  WATERMARK FOR %s AS %s - INTERVAL %s", name, name, literal(delay)))
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "CREATE STREAM %s", qualifiedName(&st.Object))
	if len(lines) > 0 {
		sb.WriteString(" (\n" + strings.Join(lines, ",\n") + "\n)")
	}
	options := maps.Clone(st.Options)
	if st.Connector != "" {
		if options == nil {
			options = map[string]string{}
		}
		options["connector"] = st.Connector
	}
	sb.WriteString(withSQL(options, "\n"))
	if st.Query != "" {
		sb.WriteString(" AS\n" + st.Query)
	}
	return sb.String()
}

// withSQL is the WITH clause of options, the connector first.
func withSQL(options map[string]string, before string) string {
	if len(options) == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(options), func(a, b string) int {
		if a == "connector" || b == "connector" {
			return strings.Compare(b, "connector") - strings.Compare(a, "connector")
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for _, n := range names {
		parts = append(parts, catalog.QuoteIdent(n)+" = "+literal(options[n]))
	}
	return before + "WITH (" + strings.Join(parts, ", ") + ")"
}

// createTableSQL is the statement that makes the table again.
func createTableSQL(t *catalog.Table) string {
	var lines []string
	for _, c := range t.Columns {
		lines = append(lines, "  "+columnSQL(c))
	}
	for _, ix := range keysOf(t) {
		name := ""
		if !ix.primary || t.KeyName != "" {
			name = "CONSTRAINT " + catalog.QuoteIdent(ix.name) + " "
		}
		lines = append(lines, "  "+name+ix.constraint())
	}
	for _, c := range t.Checks {
		lines = append(lines, "  CONSTRAINT "+catalog.QuoteIdent(c.Name)+" CHECK ("+c.Expr+")")
	}
	return fmt.Sprintf("CREATE TABLE %s (\n%s\n)", qualifiedName(&t.Object), strings.Join(lines, ",\n"))
}

// columnNames is the column list of a view whose columns are not named as the query names them.
func columnNames(cols []catalog.Column, given []string) string {
	if len(given) == 0 {
		return ""
	}
	var names []string
	for _, c := range cols {
		names = append(names, catalog.QuoteIdent(c.Name))
	}
	return " (" + strings.Join(names, ", ") + ")"
}

func createViewSQL(v *catalog.View, given []string) string {
	return "CREATE VIEW " + qualifiedName(&v.Object) + columnNames(v.Columns, given) + " AS\n" + trimQuery(v.Query)
}

func createMaterializedViewSQL(mv *catalog.MaterializedView, given []string) string {
	options := maps.Clone(mv.Options)
	delete(options, "output_mode")
	emit := "\nEMIT ON UPDATE"
	switch mv.Mode {
	case catalog.Append:
		emit = "\nEMIT ON WINDOW CLOSE"
	case catalog.Complete:
		emit = ""
		if options == nil {
			options = map[string]string{}
		}
		options["output_mode"] = "complete"
	case catalog.Update:
	}
	return "CREATE MATERIALIZED VIEW " + qualifiedName(&mv.Object) + columnNames(mv.Columns, given) + withSQL(options, " ") + " AS\n" + trimQuery(mv.Query) + emit
}

func trimQuery(q string) string { return strings.TrimRight(strings.TrimSpace(q), ";") }
