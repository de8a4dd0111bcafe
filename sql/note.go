package sql

import "strconv"

// The front transcribes a Postgres query for a MySQL grammar. Whatever that grammar would read
// differently (names, constants, calls, operators, types, clauses it does not have) is parsed here
// and kept as a note; the text handed over holds only the note's number, as an identifier n12. So no
// user's word ever reaches the other grammar, and every node keeps the place it came from.
//
//	a || 'x' ~ b::text AND f(c) > 2
//	n1 << n2 << n3 << n4 << n5 || n6 AND n7 AND n8(n9) = n10 = n11
//
// A note is an AST node with holes. The decoder finds the note of each identifier of the parsed tree
// and fills its holes from that tree:
//
//	n1             an atom: a constant, a column
//	n8(x, y)       a call: its arguments fill the holes in order
//	l << n2 << r   an infix operator, written between two copies of a MySQL operator that binds as the
//	               Postgres one does
//	l || n6        a postfix operator, such as a cast

// note is one entry of an encoder.
type note struct {
	node  any     // Expr, TableExpr, *Query, *Values, *Join, *levelNote, ...
	holes []*Expr // what the arguments of a call fill
	left  *Expr   // what the left operand fills; nil for atoms and calls
	right *Expr   // what the right operand fills; nil but for infix operators
}

// encoder is the transcription of one query or expression.
type encoder struct {
	text  []byte
	notes []note
}

// newEncoder returns an encoder whose note 0 means nothing: it is the table of a query without
// FROM.
func newEncoder() *encoder {
	return &encoder{text: make([]byte, 0, 256), notes: make([]note, 1, 12)}
}

// word writes a piece of the MySQL grammar.
func (e *encoder) word(s string) {
	e.text = append(e.text, s...)
	e.text = append(e.text, ' ')
}

// id writes the identifier of a note.
func (e *encoder) id(n int) {
	e.text = append(e.text, 'n')
	e.text = strconv.AppendInt(e.text, int64(n), 10)
	e.text = append(e.text, ' ')
}

// add keeps a note and returns its number.
func (e *encoder) add(n note) int {
	e.notes = append(e.notes, n)
	return len(e.notes) - 1
}

// atom writes a node without holes.
func (e *encoder) atom(node any) { e.id(e.add(note{node: node})) }

// insert puts s at an earlier place of the text.
func (e *encoder) insert(at int, s string) {
	e.text = append(e.text, s...)
	copy(e.text[at+len(s):], e.text[at:])
	copy(e.text[at:], s)
}

// call is a note being written with its arguments.
type call struct {
	enc  *encoder
	id   int
	args int // arguments begun
}

// newCall keeps a note that will be written as a call.
func newCall(e *encoder, n note) *call { return &call{enc: e, id: e.add(n)} }

// open begins n(...).
func (e *encoder) open(n note) *call {
	c := newCall(e, n)
	e.word(c.head())
	return c
}

// head returns the text that begins the call.
func (c *call) head() string { return "n" + strconv.Itoa(c.id) + " (" }

// next separates the coming argument from the one before.
func (c *call) next() {
	if c.args > 0 {
		c.enc.word(",")
	}
	c.args++
}

// close ends the call; holes are the places that its arguments fill.
func (c *call) close(holes ...*Expr) {
	c.enc.word(")")
	c.enc.notes[c.id].holes = holes
}
