package sql

import (
	"strings"

	"wmsql/sqlerr"
)

// operatorChars are the characters that make operators.
const operatorChars = "+-*/<>=~!@#%^&|`?"

// operator scans the longest operator. It ends before a comment, and a longer one may end in + or
// - only if it has a character that no standard operator has.
func (s *scanner) operator(pos int) {
	end := pos
	for end < len(s.src) && strings.IndexByte(operatorChars, s.src[end]) >= 0 {
		if rest := s.src[end:]; strings.HasPrefix(rest, "--") || strings.HasPrefix(rest, "/*") {
			break
		}
		end++
	}
	op := s.src[pos:end]
	for len(op) > 1 && (op[len(op)-1] == '+' || op[len(op)-1] == '-') && !strings.ContainsAny(op[:len(op)-1], "~!@#^&|`?%") {
		op = op[:len(op)-1]
	}
	if len(op) > maxNameBytes {
		bail(sqlerr.Newf(sqlerr.SyntaxError, "operator too long").At(pos + 1))
	}
	s.i = pos + len(op)
	if op == "!=" {
		op = "<>"
	}
	s.add(tokOp, op, pos)
}
