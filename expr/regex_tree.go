package expr

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// regexOp says what a regexNode matches.
type regexOp uint8

const (
	regexEmpty  regexOp = iota // nothing, anywhere
	regexNever                 // nothing, nowhere
	regexSet                   // one of a set of characters
	regexSeq                   // its parts, one behind the other
	regexAlt                   // one of its parts
	regexRepeat                // its part, min to max times
	regexGroup                 // its part, remembered under a number
	regexBack                  // what a group matched last
	regexAssert                // nothing, where assert holds
	regexLook                  // nothing, where its part matches ahead (behind) or, if not, does not
)

// regexNode is a node of the tree that regexMatcher walks.
type regexNode struct {
	op       regexOp
	subs     []*regexNode
	set      []rune         // bounds of ranges; in order if they are many
	min, max int            // of regexRepeat; max -1: no bound
	lazy     bool           // of regexRepeat: as few as possible
	group    int            // of regexGroup and regexBack
	fold     bool           // of regexBack: case does not count
	assert   syntax.EmptyOp // of regexAssert, or 0: see word
	word     wordEdge
	behind   bool // of regexLook
	not      bool // of regexLook
}

// wordEdge is one of Postgres's constraints on words: \m, \M, \y, \Y.
type wordEdge uint8

const (
	noEdge wordEdge = iota
	wordBegin
	wordEnd
	wordEither
	wordNeither
)

// taste is what Postgres calls a preference: whether a part of a pattern matches as much as it can or as little, where it has a choice.
type taste uint8

const (
	noTaste taste = iota
	longest
	shortest
)

// taste is that of the first part of the node that has one; alternatives are greedy.
func (n *regexNode) taste() taste {
	switch n.op {
	case regexAlt:
		return longest
	case regexSeq, regexGroup:
		for _, s := range n.subs {
			if t := s.taste(); t != noTaste {
				return t
			}
		}
	case regexRepeat:
		switch {
		case n.min == n.max:
			return n.subs[0].taste()
		case n.lazy:
			return shortest
		}
		return longest
	}
	return noTaste
}

// nullable reports whether the node may match nothing.
func (n *regexNode) nullable() bool {
	switch n.op {
	case regexSet, regexNever:
		return false
	case regexSeq:
		for _, s := range n.subs {
			if !s.nullable() {
				return false
			}
		}
	case regexAlt:
		for _, s := range n.subs {
			if s.nullable() {
				return true
			}
		}
		return false
	case regexRepeat:
		return n.min == 0 || n.subs[0].nullable()
	case regexGroup:
		return n.subs[0].nullable()
	}
	return true
}

// has reports whether one of the ops is in the node.
func (n *regexNode) has(ops ...regexOp) bool {
	return slices.Contains(ops, n.op) || slices.ContainsFunc(n.subs, func(s *regexNode) bool { return s.has(ops...) })
}

// mixed reports whether the node has parts of both tastes, of which Go's engine gives other shares than Postgres.
func (n *regexNode) mixed() bool {
	lazy, greedy := false, false
	var walk func(*regexNode)
	walk = func(n *regexNode) {
		if n.op == regexRepeat && n.min != n.max {
			lazy, greedy = lazy || n.lazy, greedy || !n.lazy
		}
		greedy = greedy || n.op == regexAlt
		for _, s := range n.subs {
			walk(s)
		}
	}
	walk(n)
	return lazy && greedy
}

// forgets reports whether a group may match in one repetition and not in the last, of which Go's engine tells then what it was. repeated
// and optional say where the node stands.
func (n *regexNode) forgets(repeated, optional bool) bool {
	switch n.op {
	case regexGroup:
		if repeated && optional {
			return true
		}
	case regexAlt:
		optional = repeated
	case regexRepeat:
		optional = repeated && n.min == 0
		repeated = repeated || n.max != 1
	}
	return slices.ContainsFunc(n.subs, func(s *regexNode) bool { return s.forgets(repeated, optional) })
}

// regexTreeBuilder makes the tree of a pattern in Go's syntax. Constraints and back references, which that lacks, stand in it as
// characters from firstHole on.
type regexTreeBuilder struct {
	holes  []*regexNode
	groups bool // false: parentheses remember nothing, as within a lookaround
}

// firstHole is the first of the characters, for private use at the end of Unicode, that stand for holes.
const (
	firstHole = rune(0x10ff00)
	holesMax  = 0xfd
)

func (b *regexTreeBuilder) build(re *syntax.Regexp) *regexNode {
	switch re.Op {
	case syntax.OpNoMatch:
		return &regexNode{op: regexNever}
	case syntax.OpLiteral:
		return b.literal(re)
	case syntax.OpCharClass:
		return &regexNode{op: regexSet, set: re.Rune}
	case syntax.OpAnyChar:
		return &regexNode{op: regexSet, set: []rune{0, unicode.MaxRune}}
	case syntax.OpAnyCharNotNL:
		return &regexNode{op: regexSet, set: []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}}
	case syntax.OpBeginLine:
		return &regexNode{op: regexAssert, assert: syntax.EmptyBeginLine}
	case syntax.OpEndLine:
		return &regexNode{op: regexAssert, assert: syntax.EmptyEndLine}
	case syntax.OpBeginText:
		return &regexNode{op: regexAssert, assert: syntax.EmptyBeginText}
	case syntax.OpEndText:
		return &regexNode{op: regexAssert, assert: syntax.EmptyEndText}
	case syntax.OpWordBoundary:
		return &regexNode{op: regexAssert, word: wordEither}
	case syntax.OpNoWordBoundary:
		return &regexNode{op: regexAssert, word: wordNeither}
	case syntax.OpCapture:
		if !b.groups {
			return b.build(re.Sub[0])
		}
		return &regexNode{op: regexGroup, group: re.Cap, subs: b.all(re.Sub)}
	case syntax.OpStar:
		return b.repeat(re, 0, -1)
	case syntax.OpPlus:
		return b.repeat(re, 1, -1)
	case syntax.OpQuest:
		return b.repeat(re, 0, 1)
	case syntax.OpRepeat:
		return b.repeat(re, re.Min, re.Max)
	case syntax.OpConcat:
		return &regexNode{op: regexSeq, subs: b.all(re.Sub)}
	case syntax.OpAlternate:
		return &regexNode{op: regexAlt, subs: b.all(re.Sub)}
	}
	return &regexNode{op: regexEmpty}
}

func (b *regexTreeBuilder) all(res []*syntax.Regexp) []*regexNode {
	out := make([]*regexNode, len(res))
	for i, re := range res {
		out[i] = b.build(re)
	}
	return out
}

func (b *regexTreeBuilder) repeat(re *syntax.Regexp, low, high int) *regexNode {
	return &regexNode{op: regexRepeat, min: low, max: high, lazy: re.Flags&syntax.NonGreedy != 0, subs: b.all(re.Sub)}
}

// literal is a character or several; those that stand for holes are what they stand for.
func (b *regexTreeBuilder) literal(re *syntax.Regexp) *regexNode {
	out := &regexNode{op: regexSeq}
	for _, r := range re.Rune {
		n := &regexNode{op: regexSet, set: []rune{r, r}}
		switch hole := int(r - firstHole); {
		case hole >= 0 && hole < len(b.holes):
			n = b.holes[hole]
		case re.Flags&syntax.FoldCase != 0:
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				n.set = append(n.set, f, f)
			}
		}
		out.subs = append(out.subs, n)
	}
	if len(out.subs) == 1 {
		return out.subs[0]
	}
	return out
}
