package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

// streamDef is a stream of the catalog.
type streamDef = catalog.Stream

// tenMinutes is the delay that hints propose when nothing says another.
var tenMinutes = types.IntervalValue{Micros: 600_000_000}

// streamFix is what a hint changes in a stream.
type streamFix struct {
	watermark string // column
	delay     types.IntervalValue
	generated string // the expression of a new column called watermark; "" if the column is there
	t         types.Type
}

// fixStream writes the statement that gives s the fix, ready to be pasted: ALTER STREAM where a watermark is all that is missing, else
// one that makes the stream anew.
func fixStream(s *streamDef, f streamFix) string {
	if f.generated == "" && s.Watermark == nil {
		return "ALTER STREAM " + ident(s.Name) + " ALTER " + watermarkClause(f.watermark, f.delay) + ";"
	}
	var lines []string
	for _, c := range s.Columns {
		line := ident(c.Name) + " " + typeName(c.Type)
		if c.NotNull {
			line += " NOT NULL"
		}
		if c.Generated != "" {
			line += " GENERATED ALWAYS AS (" + c.Generated + ") STORED"
		}
		lines = append(lines, line)
	}
	if f.generated != "" {
		lines = append(lines, fmt.Sprintf("%s %s GENERATED ALWAYS AS (%s) STORED", ident(f.watermark), typeName(f.t), f.generated))
	}
	lines = append(lines, watermarkClause(f.watermark, f.delay))
	return fmt.Sprintf("CREATE STREAM %s (\n  %s\n)%s;", ident(s.Name), strings.Join(lines, ",\n  "), options(s))
}

func watermarkClause(column string, delay types.IntervalValue) string {
	return fmt.Sprintf("WATERMARK FOR %[1]s AS %[1]s - INTERVAL '%[2]s'", ident(column), logicalplan.FormatInterval(delay))
}

// options writes WITH (...), the connector first. Passwords and the like are left for the user to fill in.
func options(s *streamDef) string {
	var parts []string
	if s.Connector != "" {
		parts = append(parts, "connector = "+literal(s.Connector))
	}
	for _, k := range slices.Sorted(maps.Keys(s.Options)) {
		v := s.Options[k]
		if k == "connector" {
			continue
		}
		if strings.Contains(k, "password") || strings.Contains(k, "secret") {
			v = "..."
		}
		parts = append(parts, k+" = "+literal(v))
	}
	if parts == nil {
		return ""
	}
	return " WITH (" + strings.Join(parts, ", ") + ")"
}

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// ident writes a name as an identifier.
func ident(name string) string { return catalog.QuoteIdent(name) }

// sqlText writes an expression with its columns as identifiers, to be pasted.
func sqlText(e expr.Expr) string { return quoted(e).String() }

func quoted(e expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		c, ok := x.(*expr.Column)
		if !ok {
			return x
		}
		name := ident(c.Name)
		if rel, col, qualified := strings.Cut(c.Name, "."); qualified {
			name = ident(rel) + "." + ident(col)
		}
		return &expr.Column{ID: c.ID, Name: name, T: c.T}
	})
}

// typeName writes a type as users write it.
func typeName(t types.Type) string {
	if t.Mod == types.NoMod && !t.Array {
		switch t.Kind {
		case types.TimestampTZ:
			return "TIMESTAMPTZ"
		case types.Timestamp:
			return "TIMESTAMP"
		}
	}
	return strings.ToUpper(t.String())
}

// timeColumn finds the first timestamp column of the stream that n reads, if it reads one stream.
func timeColumn(n logicalplan.Node) (*streamDef, string, bool) {
	s := onlyStream(n)
	if s == nil {
		return nil, "", false
	}
	for _, c := range s.Columns {
		if !c.Type.Array && (c.Type.Kind == types.TimestampTZ || c.Type.Kind == types.Timestamp) {
			return s, c.Name, true
		}
	}
	return s, "", false
}

// onlyStream is the stream that n reads, nil if it reads several or none.
func onlyStream(n logicalplan.Node) *streamDef {
	var found *streamDef
	several := false
	logicalplan.Walk(n, func(x logicalplan.Node) bool {
		if s, ok := x.(*logicalplan.StreamScan); ok {
			several = several || found != nil && found != s.Stream
			found = s.Stream
		}
		return true
	})
	if several {
		return nil
	}
	return found
}

// generatedHint is the stream with e as a generated column and the watermark on it, if e reads only the stream's own columns.
func generatedHint(n logicalplan.Node, e expr.Expr, name string, delay types.IntervalValue) (string, bool) {
	s := onlyStream(n)
	if s == nil {
		return "", false
	}
	whole := true
	named := expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		c, ok := x.(*expr.Column)
		if !ok {
			return x
		}
		from, col, found := origin(n, c.ID)
		if !found || from != s {
			whole = false
			return x
		}
		for _, sc := range s.Columns {
			whole = whole && (sc.Name != col || sc.Generated == "")
		}
		return &expr.Column{ID: c.ID, Name: ident(col), T: c.T}
	})
	if !whole {
		return "", false
	}
	return fixStream(s, streamFix{watermark: freshName(s, name), delay: delay, generated: named.String(), t: e.Type()}), true
}

// freshName is a column name that s does not have: the one that is wished for, or event_time, event_time2, ...
func freshName(s *streamDef, wish string) string {
	if wish == "" {
		wish = "event_time"
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(s.Columns, func(c catalog.Column) bool { return c.Name == name })
	}
	name := wish
	for i := 2; taken(name); i++ {
		name = fmt.Sprintf("%s%d", wish, i)
	}
	return name
}
