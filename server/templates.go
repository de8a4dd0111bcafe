package server

import (
	"wmsql/column"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Who writes values into the text, as the simple protocol asks for and many drivers do, sends another text each time. A session remembers the
// shapes of the last queries (sql.Tokens.AppendShape); the second text of a shape is made a template, which answers the ones after it.

// templatesMax is how many shapes a session remembers, and how many templates; beyond, all are forgotten.
const templatesMax = 128

// othersMax is how many templates of one shape there are: pages by LIMIT and OFFSET are few, or come once.
const othersMax = 16

// templates are what a session knows of texts with constants.
type templates struct {
	shapes map[string]*shape
	made   int    // templates
	key    []byte // memory of the last lookup
}

// shape is what is known of the texts of one shape.
type shape struct {
	refused conditions           // under which they are no template
	made    map[string]*template // by the constants that are no parameters
	holes   []sql.Hole           // once one is made
}

// filled is a text that a template answers.
type filled struct {
	values []column.Vector
	places []int  // of the template's tokens
	text   string // all of it
}

// fromTemplate is the statement that text, which s.tokens has, becomes by a template, nil if there is none for it.
func (s *Session) fromTemplate(text string) *statement {
	if len(text) > recentTextMax || !s.vars.often.templates {
		return nil
	}
	t := s.template()
	if t == nil {
		return nil
	}
	values, ok := t.values(&s.tokens)
	if !ok {
		return nil
	}
	st := &statement{s: s, stmt: t.stmt, text: s.tokens.Text(), resolved: t.resolved, at: types.TimeOf(s.srv.now()), filled: &filled{values, t.places, text}}
	st.params = nil // of the client's there are none
	return st
}

// template finds the template for the text of s.tokens, or makes it.
func (s *Session) template() *template {
	k := &s.templates
	var ok bool
	if k.key, ok = s.tokens.AppendShape(k.key[:0]); !ok {
		return nil
	}
	sh := k.shapes[string(k.key)]
	if sh == nil {
		if k.shapes == nil || len(k.shapes) == templatesMax || k.made > templatesMax {
			*k = templates{shapes: map[string]*shape{}, key: k.key}
		}
		k.shapes[string(k.key)] = &shape{}
		return nil // the first of its shape, and mostly the only one
	}
	now := s.conditions()
	if now.changing || sh.refused == now {
		return nil
	}
	k.key = s.tokens.AppendOthers(k.key[:0], sh.holes)
	t := sh.made[string(k.key)]
	if t != nil && t.under == now {
		return t
	}
	if t = s.newTemplate(); t == nil {
		sh.refused = now
		return nil
	}
	sh.keep(t, s.tokens.AppendOthers(k.key[:0], t.holes))
	k.made++
	return t
}

// keep remembers a template by the constants that it has holes for none of.
func (sh *shape) keep(t *template, others []byte) {
	if sh.made == nil || len(sh.made) == othersMax {
		sh.made = map[string]*template{}
	}
	sh.holes = t.holes
	sh.made[string(others)] = t
}

// written is the tree of the statement's own text, in which no parameters stand for constants.
func (st *statement) written() (sql.Stmt, error) {
	if st.filled == nil {
		return st.stmt, nil
	}
	list, err := sql.Parse(st.filled.text)
	if err != nil {
		return nil, err
	}
	return list[0].Stmt, nil
}

// unfill makes a statement of a template that of its text, to be planned as it is.
func (st *statement) unfill() error {
	if st.filled == nil {
		return nil
	}
	stmt, err := st.written()
	if err == nil {
		st.stmt, st.filled = stmt, nil
	}
	return err
}

// located gives an error the place in the text that the template's has.
func (f *filled) located(err error) error {
	e := *sqlerr.From(err)
	var t sql.Tokens
	if e.Pos == 0 || t.Scan(f.text) != nil {
		return err
	}
	e.Pos = t.Moved(e.Pos, f.places)
	return &e
}
