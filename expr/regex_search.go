package expr

import (
	"regexp"
	"slices"
	"unicode/utf8"
)

// regex is a compiled regular expression. Go's engine, which takes time in proportion to the text, runs those that mean the same to it.
type regex struct {
	fast   *regexp.Regexp // nil: only the tree can be matched
	tree   *regexNode
	groups int

	// Of those with fast:
	loose    bool // it knows that there is a match, and not which
	nullable bool // it may match nothing
	context  bool // whether it matches depends on what stands before
	edges    bool // it has word boundaries, which Go's engine sees in ASCII only
}

func (re *regex) describe() {
	re.loose = re.tree.mixed() || re.tree.forgets(false, false)
	re.nullable = re.tree.nullable()
	re.context = re.tree.has(regexAssert)
	var walk func(*regexNode)
	walk = func(n *regexNode) {
		re.edges = re.edges || n.word != noEdge
		for _, s := range n.subs {
			walk(s)
		}
	}
	walk(re.tree)
}

// isFast reports that Go's engine can search text.
func (re *regex) isFast(text []byte) bool {
	return re.fast != nil && (!re.edges || !slices.ContainsFunc(text, func(c byte) bool { return c >= utf8.RuneSelf }))
}

// match tells whether the pattern matches somewhere in text. steps is the work that is left for the batch.
func (re *regex) match(text []byte, steps *int) (bool, error) {
	if re.isFast(text) {
		return re.fast.Match(text), nil
	}
	m, err := newRegexMatcher(re, text, steps).find(0)
	return m != nil, err
}

// first is the first match: its bounds, then its groups', by byte; nil if there is none.
func (re *regex) first(text []byte, steps *int) ([]int, error) {
	if !re.loose && re.isFast(text) {
		return re.fast.FindSubmatchIndex(text), nil
	}
	return newRegexMatcher(re, text, steps).find(0)
}

// all is the first most matches (-1: all) from the byte from on. A match of nothing may stand right behind another match, as in Postgres.
func (re *regex) all(text []byte, from, most int, steps *int) (out [][]int, err error) {
	fast := !re.loose && re.isFast(text)
	if fast && from == 0 && !re.nullable {
		return re.fast.FindAllSubmatchIndex(text, most), nil
	}
	next := re.search(text, fast, steps)
	for from <= len(text) && (most < 0 || len(out) < most) {
		m, err := next(from)
		if m == nil || err != nil {
			return out, err
		}
		out = append(out, m)
		if from = m[1]; m[0] == m[1] {
			_, size := utf8.DecodeRune(text[from:])
			from += max(size, 1)
		}
	}
	return out, nil
}

// search makes a function that finds the first match from a byte on.
func (re *regex) search(text []byte, fast bool, steps *int) func(from int) ([]int, error) {
	var m *regexMatcher
	return func(from int) ([]int, error) {
		if fast && (from == 0 || !re.context) {
			found := re.fast.FindSubmatchIndex(text[from:])
			for k := range found {
				if found[k] >= 0 {
					found[k] += from
				}
			}
			return found, nil
		}
		if m == nil {
			m = newRegexMatcher(re, text, steps)
		}
		at, _ := slices.BinarySearch(m.at, from)
		return m.find(at)
	}
}
