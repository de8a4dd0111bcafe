package expr

import (
	_ "embed"
	"strings"
	"sync"
)

// keywordList is Postgres 15's keywords: the word, its category as pg_get_keywords codes it, whether it may be a label without AS.
//
//go:embed keywords.txt
var keywordList string

// keyword is a word of keywordList.
type keyword struct {
	word     string
	category byte // U unreserved, C column name, T type or function name, R reserved
	bare     bool
}

var keywords = sync.OnceValue(func() map[string]keyword {
	m := map[string]keyword{}
	for line := range strings.Lines(keywordList) {
		f := strings.Fields(line)
		m[f[0]] = keyword{word: f[0], category: f[1][0], bare: f[2] == "t"}
	}
	return m
})

// isReservedWord reports whether an identifier must be quoted because it is a keyword.
func isReservedWord(word string) bool {
	k, ok := keywords()[word]
	return ok && k.category != 'U'
}
