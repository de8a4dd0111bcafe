package expr

import (
	"strings"

	"wmsql/sqlerr"
)

// hole writes the character that stands for n.
func (t *regexTranslator) hole(n *regexNode) error {
	if len(t.holes) == holesMax {
		return sqlerr.Unsupported("more than %d constraints and back references in a regular expression", holesMax)
	}
	t.out.WriteRune(firstHole + rune(len(t.holes)))
	t.holes = append(t.holes, n)
	return nil
}

// lookaround copies (?=re), (?!re), (?<=re) or (?<!re).
func (t *regexTranslator) lookaround(s string) (int, error) {
	n := &regexNode{op: regexLook}
	begin := 3
	switch {
	case strings.HasPrefix(s, "(?="):
	case strings.HasPrefix(s, "(?!"):
		n.not = true
	case strings.HasPrefix(s, "(?<="):
		n.behind, begin = true, 4
	case strings.HasPrefix(s, "(?<!"):
		n.behind, n.not, begin = true, true, 4
	default:
		return 0, errRegexp("quantifier operand invalid")
	}
	size := t.closing(s[begin:])
	if size < 0 {
		return 0, errRegexp("parentheses () not balanced")
	}
	end := begin + size + 1
	if end < len(s) && strings.IndexByte("*+?", s[end]) >= 0 {
		return 0, errRegexp("quantifier operand invalid")
	}
	inner := &regexTranslator{flags: t.flags, looking: true, closed: []bool{false}}
	if err := inner.atoms(s[begin : begin+size]); err != nil {
		return 0, err
	}
	_, parsed, err := inner.parse()
	if err != nil {
		return 0, err
	}
	b := regexTreeBuilder{holes: inner.holes}
	n.subs = []*regexNode{b.build(parsed)}
	return end, t.hole(n)
}

// closing is where the parenthesis is closed that stands before s, -1 if it is not.
func (t *regexTranslator) closing(s string) int {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			i += bracketLength(s[i:]) - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// bracketLength is the length of the bracket expression at the beginning of s, or all of s if it does not end.
func bracketLength(s string) int {
	i := 1
	if strings.HasPrefix(s[i:], "^") {
		i++
	}
	if strings.HasPrefix(s[i:], "]") {
		i++
	}
	for ; i < len(s); i++ {
		switch {
		case s[i] == ']':
			return i + 1
		case s[i] == '\\':
			i++
		case s[i] == '[' && i+1 < len(s) && strings.IndexByte(":.=", s[i+1]) >= 0:
			end := strings.Index(s[i+2:], s[i+1:i+2]+"]")
			if end < 0 {
				return len(s)
			}
			i += end + 3
		}
	}
	return len(s)
}

// backReference copies \n: one digit, or more if there are so many groups already.
func (t *regexTranslator) backReference(s string) (int, error) {
	group, size := int(s[1]-'0'), 2
	for size < len(s) && s[size] >= '0' && s[size] <= '9' && group*10+int(s[size]-'0') < len(t.closed) {
		group = group*10 + int(s[size]-'0')
		size++
	}
	if t.looking || group >= len(t.closed) || !t.closed[group] {
		return 0, errRegexp("invalid backreference number")
	}
	return size, t.hole(&regexNode{op: regexBack, group: group, fold: t.flags.fold})
}
