package server

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"wmsql/expr"
	"wmsql/types"
)

var rewrite = flag.Bool("rewrite", false, "write docs/catalog.md anew")

// docs/catalog.md says what the code does.
func TestCatalogDoc(t *testing.T) {
	const file = "../docs/catalog.md"
	want := catalogDoc()
	if *rewrite {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s does not say what the code does: run go test ./server -run TestCatalogDoc -rewrite", file)
	}
}

func catalogDoc() string {
	var b strings.Builder
	b.WriteString(`# The catalog

What clients find in ` + "`pg_catalog` and `information_schema`" + `, measured by Postgres 15: every relation that Postgres has is there, with its columns, types and oid.
A relation is *full* if it shows all that Postgres would, *partial* if less, and *empty* if there is nothing of the kind in wmsql. This page is written by
` + "`go test ./server -run TestCatalogDoc -rewrite`" + `, and a test keeps it true. ` + "`TestCatalogueAsPostgres`" + ` compares the rows with a real Postgres.

How wmsql's own kinds of relation are shown: a stream is a foreign table whose server is its connector (` + "`relkind f`" + `), a materialized view is a materialized view
(` + "`m`" + `) whose key is a unique index, a continuous query is a row of ` + "`wm_catalog.queries`" + `. Columns of types that wmsql has no values of (` + "`inet`, `pg_lsn`, `anyarray`" + `) are
` + "`text`, the domains of `information_schema` are the types below them" + `. Columns that count what is not counted are NULL.

`)
	relationsDoc(&b, "pg_catalog", pgTables())
	relationsDoc(&b, "information_schema", pgTables())
	b.WriteString("## wm_catalog\n\nwmsql's own.\n\n| relation | columns |\n|---|---|\n")
	for _, v := range wmTables() {
		var names []string
		for _, f := range v.columns {
			names = append(names, f.Name)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", v.name, strings.Join(names, ", "))
	}
	functionsDoc(&b)
	typesDoc(&b)
	return b.String()
}

func relationsDoc(b *strings.Builder, schema string, all []*virtualTable) {
	var filled, empty []string
	for _, v := range all {
		switch {
		case v.schema != schema:
		case v.rows == nil:
			empty = append(empty, "`"+v.name+"`")
		case v.extent == "":
			filled = append(filled, fmt.Sprintf("| `%s` | full | |\n", v.name))
		default:
			filled = append(filled, fmt.Sprintf("| `%s` | partial | %s |\n", v.name, v.extent))
		}
	}
	fmt.Fprintf(b, "## %s\n\n| relation | | how far |\n|---|---|---|\n%s\nEmpty: %s.\n\n", schema, strings.Join(filled, ""), strings.Join(empty, ", "))
}

// functionsDoc tells the functions about the catalog apart: those that look, and those that always say the same.
func functionsDoc(b *strings.Builder) {
	known := catalogFuncs()
	maps.Copy(known, pgFuncs())
	maps.Copy(known, sequenceFuncs())
	maps.Copy(known, privilegeFuncs())
	maps.Copy(known, visibleFuncs())
	maps.Copy(known, sizeFuncs())
	maps.Copy(known, advisoryFuncs())
	var looks []string
	same := map[string][]string{}
	signatures, answers := expr.CatalogFunctions()
	for i, sig := range signatures {
		name, _, _ := strings.Cut(sig, "(")
		name = "`" + name + "`"
		switch {
		case strings.HasPrefix(sig, "wm_"):
		case known[strings.Trim(name, "`")] != nil:
			looks = append(looks, name)
		default:
			same[answers[i]] = append(same[answers[i]], name)
		}
	}
	list := func(names []string) string {
		slices.Sort(names)
		return strings.Join(slices.Compact(names), ", ")
	}
	fmt.Fprintf(b, "\n## Functions about the catalog\n\nThese look: %s.\n\n", list(looks))
	for _, answer := range slices.Sorted(maps.Keys(same)) {
		what := "are NULL"
		if answer != "" {
			what = "are `" + answer + "`"
		}
		fmt.Fprintf(b, "These %s for whatever exists or not: %s.\n\n", what, list(same[answer]))
	}
}

func typesDoc(b *strings.Builder) {
	var values, names []string
	_, rows, _ := strings.Cut(pgTypeRows, "\n")
	for line := range strings.Lines(rows) {
		f := strings.SplitN(line, "|", 3)
		oid := oidsOf(f[:1])[0]
		t, ok := types.ByOID(uint32(oid))
		switch {
		case ok && t.Array, strings.HasPrefix(f[1], "_"):
		case ok && t.Kind.Info().Category != 'P' && t.Kind.Info().Category != 'X':
			values = append(values, "`"+f[1]+"`")
		default:
			names = append(names, "`"+f[1]+"`")
		}
	}
	fmt.Fprintf(b, "## Types\n\nTypes with values, and arrays of them: %s.\n\nOnly in `pg_type`, for clients that look them up: %s.\n", strings.Join(values, ", "), strings.Join(names, ", "))
}
