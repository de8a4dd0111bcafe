package logicalplan

import "strings"

// Format draws the tree, one node a line, inputs indented below what reads them.
func Format(n Node) string {
	var sb strings.Builder
	format(&sb, n, 0)
	return sb.String()
}

func format(sb *strings.Builder, n Node, depth int) {
	sb.WriteString(strings.Repeat("  ", depth))
	sb.WriteString(n.Title())
	sb.WriteByte('\n')
	for _, in := range n.Inputs() {
		format(sb, in, depth+1)
	}
}
