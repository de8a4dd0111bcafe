package sqlerr

import "strings"

// Nearest returns the name that differs least from s, for a hint; "" when all differ in more than a third of it.
func Nearest(s string, names []string) string {
	best, least := "", len(s)/3+1
	for _, n := range names {
		if d := Distance(strings.ToLower(s), n); d < least {
			best, least = n, d
		}
	}
	return best
}

// Distance is the number of bytes to be inserted, deleted, replaced, or exchanged with their neighbours, between two names.
func Distance(a, b string) int {
	var older []int // the row before the last one
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			change := row[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			next[j] = min(row[j]+1, next[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], older[j-2]+1)
			}
		}
		older, row = row, next
	}
	return row[len(b)]
}
