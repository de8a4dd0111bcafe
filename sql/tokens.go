package sql

// Tokens is a text cut into tokens: its shape may be known already, and it need not be parsed then. One Tokens serves one text after the
// other, in the same memory.
type Tokens struct {
	src      string
	toks     []token
	literals []int // tokens that are constants, noted by AppendShape
}

// tokensKeep is how many tokens' memory is kept for the next text.
const tokensKeep = 1 << 10

// Scan cuts a text; the text before is forgotten. The error is Parse's.
func (t *Tokens) Scan(text string) error {
	if cap(t.toks) > tokensKeep {
		t.toks = nil
	}
	if t.toks == nil {
		t.toks = make([]token, 0, len(text)/4+2)
	}
	t.src, t.literals = text, t.literals[:0]
	return guard(func() {
		checkUTF8(text)
		t.toks = lexInto(t.toks[:0], text)
	})
}

// Parse is Parse of the text that was cut.
func (t *Tokens) Parse() (all []Parsed, err error) {
	err = guard(func() { all = newParser(t.src, t.toks).statements() })
	if err != nil {
		return nil, err
	}
	return all, nil
}
