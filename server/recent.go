package server

import (
	"slices"

	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/types"
)

// Drivers that name no prepared statement send Parse for each execution: few texts, again and again. A session remembers those that were
// parsed last, each with the statement that came of it, which serves again while nothing that its plan holds under has changed.

const (
	recentMax     = 64      // texts a session remembers; beyond, all are forgotten
	recentTextMax = 4 << 10 // bytes of one
)

// parsed is one statement of a text.
type parsed struct {
	sql.Parsed
	whole string     // the text, if it has no other statement
	last  *statement // that was prepared of it last, or is a template filled; nil if it is neither
}

// Parse splits a text into statements.
func (s *Session) Parse(text string) ([]pgwire.Parsed, error) {
	if p := s.recent[text]; p != nil {
		return []pgwire.Parsed{p}, nil
	}
	if err := s.tokens.Scan(text); err != nil {
		return nil, err
	}
	if st := s.fromTemplate(text); st != nil {
		return []pgwire.Parsed{&parsed{Parsed: sql.Parsed{Stmt: st.stmt, Text: st.text}, whole: text, last: st}}, nil
	}
	list, err := s.tokens.Parse()
	if err != nil {
		return nil, err
	}
	out := make([]pgwire.Parsed, len(list))
	for i, p := range list {
		own := &parsed{Parsed: p}
		if len(list) == 1 {
			own.whole = text
		}
		out[i] = own
	}
	return out, nil
}

// remember keeps a statement for when its text comes again. One without parameters is mostly of a text with constants in it, which comes
// once; and what is not about rows is planned in no time.
func (s *Session) remember(p *parsed, st *statement) {
	if p.whole == "" || len(p.whole) > recentTextMax || len(st.params) == 0 {
		return
	}
	switch p.Stmt.(type) {
	case *sql.SelectStmt, *sql.Insert, *sql.Update, *sql.Delete, *sql.Merge:
	default:
		return
	}
	if len(s.recent) >= recentMax {
		clear(s.recent)
	}
	p.last = st
	s.recent[p.whole] = p
}

// parse makes the tree of a text that a template was to answer and cannot any more.
func (p *parsed) parse() error {
	if p.last == nil || p.last.filled == nil {
		return nil
	}
	list, err := sql.Parse(p.whole)
	if err == nil {
		p.Parsed, p.last = list[0], nil
	}
	return err
}

// again is the statement that p became last, nil if it would not become the same now.
func (p *parsed) again(params []types.Type) *statement {
	if st := p.last; st != nil && st.current() && slices.Equal(st.given, params) {
		return st
	}
	return nil
}
