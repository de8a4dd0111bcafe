package sql

import (
	"sort"
	"strconv"
)

// shapeLiteralsMax is how many constants a text may have that is looked at for its shape: what has more is rows of data.
const shapeLiteralsMax = 64

// AppendShape appends to key what the text has in common with all texts that are read as the same tree but for the values of their constants:
// white space, comments and spelling are no part of it, but whether a constant is a string, or how large a number, is. ok is false when the
// text is not one query, UPDATE or DELETE without parameters.
func (t *Tokens) AppendShape(key []byte) (_ []byte, ok bool) {
	toks := t.statement()
	if len(toks) == 0 || toks[0].kind != tokWord || !shapedWords[toks[0].text] {
		return key, false
	}
	for i, tok := range toks {
		switch tok.kind {
		case tokParam:
			return key, false
		case tokInt, tokNum, tokString:
			if len(t.literals) == shapeLiteralsMax {
				return key, false
			}
			t.literals = append(t.literals, i)
			key = append(key, literalClass(tok))
			continue
		case tokPunct:
			if tok.text == ";" {
				return key, false
			}
		}
		key = append(append(append(key, byte(tok.kind)), tok.text...), 0)
	}
	return key, true
}

// shapedWords begin the statements of which plans are kept.
var shapedWords = wordSet("select with update delete")

// The classes of constants: two of one class have the same type wherever they stand, unless a minus stands before them.
const (
	classString = 'a' + iota
	classInt4
	classInt8
	classLargeInt
	classDecimal
)

func literalClass(t token) byte {
	switch t.kind {
	case tokString:
		return classString
	case tokNum:
		return classDecimal
	}
	n, err := strconv.ParseInt(t.text, 10, 64)
	switch {
	case err != nil:
		return classLargeInt
	case n == int64(int32(n)):
		return classInt4
	}
	return classInt8
}

// statement is the tokens without the semicolons behind them.
func (t *Tokens) statement() []token {
	toks := t.toks[:len(t.toks)-1]
	for len(toks) > 0 && toks[len(toks)-1].isPunct(";") {
		toks = toks[:len(toks)-1]
	}
	return toks
}

// Text is the one statement's own text, as in Parsed.
func (t *Tokens) Text() string {
	toks := t.statement()
	return t.src[toks[0].pos:toks[len(toks)-1].end]
}

// AppendOthers appends to key the values of the constants that no hole is made of, each with its end.
func (t *Tokens) AppendOthers(key []byte, holes []Hole) []byte {
	for k, i := range t.literals {
		if len(holes) > 0 && holes[0].Literal == k {
			holes = holes[1:]
			continue
		}
		key = append(append(key, t.toks[i].text...), 0)
	}
	return key
}

// Fill is the constant that stands where the hole is.
func (t *Tokens) Fill(h Hole) Literal {
	tok := t.toks[t.literals[h.Literal]]
	if tok.kind == tokString {
		return Literal{Kind: String, Text: tok.text}
	}
	if h.Negative {
		tok.text = "-" + tok.text
	}
	kind := Decimal
	if tok.kind == tokInt {
		if _, err := strconv.ParseInt(tok.text, 10, 64); err == nil {
			kind = Integer
		}
	}
	return Literal{Kind: kind, Text: tok.text}
}

// Places are where the tokens begin, in order: texts of one shape differ in nothing else that a position can mean.
func (t *Tokens) Places() []int {
	out := make([]int, 0, len(t.toks))
	for _, tok := range t.toks {
		out = append(out, tok.pos)
	}
	return out
}

// Moved is the position that pos, in another text of the same shape whose tokens begin at places, has in this one. Positions count
// from 1.
func (t *Tokens) Moved(pos int, places []int) int {
	k := sort.SearchInts(places, pos) - 1 // the last token that begins before pos, or at it
	if k < 0 || k >= len(t.toks) {
		return pos
	}
	return t.toks[k].pos + pos - places[k]
}
