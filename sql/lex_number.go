package sql

import (
	"math/big"
	"strings"
)

// number scans a numeric constant: 1, 1.5, .5, 1., 1e3, and also Postgres 16's 0x1F, 0o17, 0b11
// and 1_000.
func (s *scanner) number(pos int) {
	if s.src[s.i] == '0' && strings.IndexByte("xXoObB", s.peek(1)) >= 0 {
		s.radixInteger(pos)
		return
	}
	kind := tokInt
	s.digits()
	if s.peek(0) == '.' && s.peek(1) != '.' {
		kind = tokNum
		s.i++
		s.digits()
	}
	if c := s.peek(0); c == 'e' || c == 'E' {
		k := 1
		if sign := s.peek(1); sign == '+' || sign == '-' {
			k = 2
		}
		if isDigit(s.peek(k)) {
			kind = tokNum
			s.i += k
			s.digits()
		}
	}
	s.noJunk(pos, "trailing junk after numeric literal")
	s.add(kind, strings.ReplaceAll(s.src[pos:s.i], "_", ""), pos)
}

// digits steps over decimal digits and single underscores between them.
func (s *scanner) digits() {
	for isDigit(s.peek(0)) || s.peek(0) == '_' && isDigit(s.peek(1)) {
		s.i++
	}
}

// radixInteger scans 0x, 0o and 0b integers and yields them in decimal.
func (s *scanner) radixInteger(pos int) {
	s.i += 2
	for isNameByte(s.peek(0)) {
		s.i++
	}
	v, ok := new(big.Int).SetString(s.src[pos:s.i], 0)
	if !ok {
		s.fail(pos, "trailing junk after numeric literal")
	}
	s.add(tokInt, v.String(), pos)
}

// noJunk refuses a name character that touches the constant before it.
func (s *scanner) noJunk(pos int, msg string) {
	if isNameStart(s.peek(0)) {
		s.i++
		s.fail(pos, msg)
	}
}
