package sql

import "strconv"

// tokenKind is the class of a token.
type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokWord             // unquoted identifier or keyword, folded to lower case
	tokIdent            // "quoted" identifier
	tokString           // any spelling of a string constant, decoded
	tokBits             // B'...' or X'...', as binary digits
	tokInt              // digits only
	tokNum              // has a point or an exponent
	tokParam            // $n, text is the digits
	tokOp               // operator
	tokPunct            // ( ) [ ] , ; . : :: := ..
)

// token is one lexical element. pos and end are byte offsets, from 0, in the source.
type token struct {
	kind     tokenKind
	text     string
	pos, end int
}

// at returns the token's place as error positions count it.
func (t token) at() Pos { return Pos(t.pos + 1) }

func (t token) isWord(w string) bool  { return t.kind == tokWord && t.text == w }
func (t token) isPunct(s string) bool { return t.kind == tokPunct && t.text == s }
func (t token) isOp(s string) bool    { return t.kind == tokOp && t.text == s }

// number returns the literal that a number token stands for.
func (t token) number() *Literal {
	kind := Decimal
	if t.kind == tokInt {
		if _, err := strconv.ParseInt(t.text, 10, 64); err == nil {
			kind = Integer
		}
	}
	return &Literal{Kind: kind, Text: t.text, Pos: t.at()}
}
