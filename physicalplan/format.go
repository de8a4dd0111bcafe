package physicalplan

import "strings"

// Format draws the operators, their state tables and keys, for EXPLAIN (PHYSICAL).
func Format(p *Plan) string {
	var b strings.Builder
	draw(&b, p.Root, 0)
	return b.String()
}

func draw(b *strings.Builder, n Node, depth int) {
	b.WriteString(strings.Repeat("  ", depth))
	b.WriteString(n.Title())
	b.WriteByte('\n')
	for _, c := range n.Inputs() {
		draw(b, c, depth+1)
	}
}
