package rule

import (
	"regexp"

	"wmsql/catalog"
	"wmsql/logicalplan"
)

func (t *Target) complete() bool { return t.Mode == catalog.Complete }

// view is the name of the view, for hints.
func (t *Target) view() string {
	if t.Name == "" {
		return "view"
	}
	return t.Name
}

// consequence is what comes of groups that are never final.
func (t *Target) consequence() string {
	if t.Mode == catalog.Append {
		return "append mode emits a row when it is final, so nothing would ever come out, and all groups would be kept"
	}
	return "every group would be kept for ever"
}

// statement makes the continuous query of a SELECT.
func (t *Target) statement(query string) string {
	if t.Name == "" {
		return query
	}
	out := "CREATE MATERIALIZED VIEW " + ident(t.Name)
	if t.Mode == catalog.Complete {
		out += " WITH (output_mode = 'complete')"
	}
	out += " AS\n" + query
	if t.Mode == catalog.Append {
		out += "\nEMIT ON WINDOW CLOSE"
	}
	return out + ";"
}

var (
	viewHead        = regexp.MustCompile(`(?is)^(\s*create\s+(?:or\s+replace\s+)?materialized\s+view\s+(?:if\s+not\s+exists\s+)?\S+\s+)(as\s)`)
	unboundedOption = regexp.MustCompile(`(?i)(unbounded_state\s*=\s*)'\w+'`)
	partitionBy     = regexp.MustCompile(`(?i)\bpartition\s+by\s+`)
	viewWith        = regexp.MustCompile(`(?is)^(\s*create\s+(?:or\s+replace\s+)?materialized\s+view\s+(?:if\s+not\s+exists\s+)?\S+\s+with\s*\()`)
)

// allowed is the statement with the option that lets its state grow, or the option alone if the text is not known.
func (t *Target) allowed() string {
	if unboundedOption.MatchString(t.Text) {
		return unboundedOption.ReplaceAllString(t.Text, "${1}'allow'")
	}
	return t.with("unbounded_state = 'allow'")
}

// mortal is the statement with a TTL, which frees what no watermark does of an aggregate over in; in append mode none would, and rows that
// change cannot be taken back from a group that is gone.
func (t *Target) mortal(in logicalplan.Node) string {
	if t.Mode == catalog.Append || t.TTL > 0 || logicalplan.TakesBack(in, t.Mode) {
		return t.allowed()
	}
	return t.with("state_ttl = '7 days'")
}

// partitionedBy is the statement whose one PARTITION BY has another column, or that clause alone.
func (t *Target) partitionedBy(column string) string {
	if len(partitionBy.FindAllString(t.Text, 2)) == 1 {
		return partitionBy.ReplaceAllString(t.Text, "${0}"+ident(column)+", ")
	}
	return "PARTITION BY " + ident(column) + ", ..."
}

// with is the statement with one more option, or the option alone if the text is not known.
func (t *Target) with(option string) string {
	switch {
	case viewHead.MatchString(t.Text):
		return viewHead.ReplaceAllString(t.Text, "${1}WITH ("+option+") ${2}")
	case viewWith.MatchString(t.Text):
		return viewWith.ReplaceAllString(t.Text, "${1}"+option+", ")
	}
	return "WITH (" + option + ")"
}
