package expr

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// regexMatcher finds what a tree matches in one text, in Postgres's way: the match begins as early as it can and is as long (or short) as the
// pattern's taste says; then each part, from the left, takes as much (or little) as the others leave it. reach says where parts may end
// for all their beginnings at once, so that what has no back references takes no exponential time; take finds the parts.
type regexMatcher struct {
	tree  *regexNode
	text  []rune
	at    []int // byte where each character begins, and where the text ends
	steps *int  // that are left: what is more is refused

	groups []int32               // bounds of the groups' matches, -1: none
	behind map[*regexNode]places // where the parts of lookbehinds end
	ahead  map[regexAttempt]bool // whether the parts of lookaheads match
	failed map[regexAttempt]bool // what take could not do; nil: it may depend on back references
	bodies map[int]*regexNode    // of groups, for back references
}

// regexAttempt is to match a node, of which k parts are done, with the characters from i to j.
type regexAttempt struct {
	n       *regexNode
	k, i, j int
}

// regexStepsMax bounds the work on the rows of one batch, so that a statement can be cancelled within seconds.
const regexStepsMax = 10_000_000

func errRegexSteps() *sqlerr.Error {
	return sqlerr.Newf(sqlerr.StatementTooComplex, "regular expression takes too long to match").
		WithDetail("Matching the rows of one batch takes more than %d steps.", regexStepsMax).
		WithHint("Patterns without lookaround, back references and \\y take time in proportion to the text.")
}

// tooLong carries errRegexSteps out of the depth of a match.
type tooLong struct{}

func newRegexMatcher(re *regex, text []byte, steps *int) *regexMatcher {
	m := &regexMatcher{tree: re.tree, steps: steps, behind: map[*regexNode]places{}, ahead: map[regexAttempt]bool{}, groups: make([]int32, 2*re.groups)}
	if re.tree.has(regexBack) {
		m.bodies = map[int]*regexNode{}
		m.findBodies(re.tree)
	} else {
		m.failed = map[regexAttempt]bool{}
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		m.text, m.at = append(m.text, r), append(m.at, i)
		i += size
	}
	m.at = append(m.at, len(text))
	return m
}

func (m *regexMatcher) findBodies(n *regexNode) {
	if n.op == regexGroup {
		m.bodies[n.group] = n.subs[0]
	}
	for _, s := range n.subs {
		m.findBodies(s)
	}
}

// spend counts work.
func (m *regexMatcher) spend(n int) {
	if *m.steps -= n; *m.steps < 0 {
		panic(tooLong{})
	}
}

// find returns the bounds, by byte, of the first match that begins at character from or later, and of its groups; nil if there is none.
func (m *regexMatcher) find(from int) (out []int, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case tooLong:
			err = errRegexSteps()
		default:
			panic(r)
		}
	}()
	for i := from; i <= len(m.text); i++ {
		start := newPlaces(len(m.text))
		start.add(i)
		ends := m.reach(m.tree, start)
		for _, j := range ends.list(m.tree.taste()) {
			for g := range m.groups {
				m.groups[g] = -1
			}
			if m.take(m.tree, i, j) {
				return m.bounds(i, j), nil
			}
		}
	}
	return nil, nil
}

func (m *regexMatcher) bounds(i, j int) []int {
	out := []int{m.at[i], m.at[j]}
	for _, g := range m.groups {
		if g < 0 {
			out = append(out, -1)
		} else {
			out = append(out, m.at[g])
		}
	}
	return out
}

// reach is where the node's matches that begin at the places of in may end. A back reference may end where its group could.
func (m *regexMatcher) reach(n *regexNode, in places) places {
	m.spend(len(in) + 1)
	switch n.op {
	case regexNever:
		return newPlaces(len(m.text))
	case regexSet:
		out := newPlaces(len(m.text))
		for i := range in.all() {
			m.spend(1)
			if i < len(m.text) && inSet(n.set, m.text[i]) {
				out.add(i + 1)
			}
		}
		return out
	case regexSeq:
		for _, s := range n.subs {
			in = m.reach(s, in)
		}
		return in
	case regexAlt:
		out := newPlaces(len(m.text))
		for _, s := range n.subs {
			out.join(m.reach(s, in))
		}
		return out
	case regexRepeat:
		return m.reachRepeat(n, in)
	case regexGroup:
		return m.reach(n.subs[0], in)
	case regexBack:
		return m.reach(m.bodies[n.group], in)
	case regexAssert, regexLook:
		out := newPlaces(len(m.text))
		for i := range in.all() {
			if m.holds(n, i) {
				out.add(i)
			}
		}
		return out
	}
	return in
}

func (m *regexMatcher) reachRepeat(n *regexNode, in places) places {
	for range n.min {
		next := m.reach(n.subs[0], in)
		if next.equal(in) {
			break // more of it change nothing
		}
		in = next
	}
	out := newPlaces(len(m.text))
	out.join(in)
	for k := n.min; (n.max < 0 || k < n.max) && !in.empty(); k++ {
		in = slices.Clone(m.reach(n.subs[0], in))
		in.without(out)
		out.join(in)
	}
	return out
}

// holds tells whether a constraint holds at place i.
func (m *regexMatcher) holds(n *regexNode, i int) bool {
	if n.op == regexLook {
		return m.looks(n, i) != n.not
	}
	before, after := rune(-1), rune(-1)
	if i > 0 {
		before = m.text[i-1]
	}
	if i < len(m.text) {
		after = m.text[i]
	}
	left, right := isWordRune(before), isWordRune(after)
	switch n.word {
	case wordBegin:
		return !left && right
	case wordEnd:
		return left && !right
	case wordEither:
		return left != right
	case wordNeither:
		return left == right
	}
	switch n.assert {
	case syntax.EmptyBeginText:
		return before < 0
	case syntax.EmptyEndText:
		return after < 0
	case syntax.EmptyBeginLine:
		return before < 0 || before == '\n'
	}
	return after < 0 || after == '\n'
}

// looks tells whether what n looks for is at place i.
func (m *regexMatcher) looks(n *regexNode, i int) bool {
	if n.behind {
		ends, known := m.behind[n]
		if !known {
			anywhere := newPlaces(len(m.text))
			for k := range len(m.text) + 1 {
				anywhere.add(k)
			}
			ends = m.reach(n.subs[0], anywhere)
			m.behind[n] = ends
		}
		return ends.has(i)
	}
	there, known := m.ahead[regexAttempt{n: n, i: i}]
	if !known {
		here := newPlaces(len(m.text))
		here.add(i)
		there = !m.reach(n.subs[0], here).empty()
		m.ahead[regexAttempt{n: n, i: i}] = there
	}
	return there
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// inSet looks r up in ranges.
func inSet(set []rune, r rune) bool {
	if len(set) > 16 {
		at, found := slices.BinarySearch(set, r)
		return found || at%2 == 1
	}
	for k := 0; k < len(set); k += 2 {
		if r >= set[k] && r <= set[k+1] {
			return true
		}
	}
	return false
}
