package script

import (
	"slices"
	"strings"
)

// diff shows how two texts differ: lines of both after two blanks, of the first alone after "- ", of the second alone after "+ ".
func diff(want, got string) string {
	a, b := slices.Collect(strings.Lines(want)), slices.Collect(strings.Lines(got))
	same := common(a, b)
	var out strings.Builder
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out.WriteString("  " + a[i])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || same[i+1][j] >= same[i][j+1]):
			out.WriteString("- " + a[i])
			i++
		default:
			out.WriteString("+ " + b[j])
			j++
		}
	}
	return out.String()
}

// common returns of all pairs of tails how many lines they have in common, in order.
func common(a, b []string) [][]int {
	n := make([][]int, len(a)+1)
	for i := range n {
		n[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				n[i][j] = n[i+1][j+1] + 1
			} else {
				n[i][j] = max(n[i+1][j], n[i][j+1])
			}
		}
	}
	return n
}
