package expr

import (
	"fmt"
	"strconv"
	"strings"

	"wmsql/types"
)

// exprReader reads SQL expressions for the tests of this package: enough of Postgres's grammar to write golden files as a SQL
// user would. It is no parser of the product.
type exprReader struct {
	toks []token
	pos  int
	cols map[string]*Column
}

type token struct {
	kind byte // 'i' identifier, 'q' quoted identifier, 'n' number, 's' string, 'o' operator or punctuation, 0 end
	text string
}

// readExpr reads one expression; cols are the columns it may name.
func readExpr(text string, cols map[string]*Column) (e Expr, err error) {
	toks, err := scan(text)
	if err != nil {
		return nil, err
	}
	r := &exprReader{toks: toks, cols: cols}
	defer func() {
		if p := recover(); p != nil {
			fail, ok := p.(readFailure)
			if !ok {
				panic(p)
			}
			e, err = nil, fail.err
		}
	}()
	e = r.expr(0)
	if t := r.peek(); t.kind != 0 {
		return nil, fmt.Errorf("unexpected %q in %s", t.text, text)
	}
	return e, nil
}

type readFailure struct{ err error }

func must[T any](v T, err error) T {
	if err != nil {
		panic(readFailure{err})
	}
	return v
}

func scan(s string) ([]token, error) {
	var out []token
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t':
			i++
		case c == '\'' || (c == 'E' || c == 'e') && i+1 < len(s) && s[i+1] == '\'':
			text, n := scanString(s[i:])
			if n == 0 {
				return nil, fmt.Errorf("unterminated string in %s", s)
			}
			out = append(out, token{'s', text})
			i += n
		case c == '"':
			j := strings.IndexByte(s[i+1:], '"')
			out = append(out, token{'q', s[i+1 : i+1+j]})
			i += j + 2
		case c >= '0' && c <= '9' || c == '.' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			j := i
			for j < len(s) && (s[j] >= '0' && s[j] <= '9' || s[j] == '.' || (s[j] == 'e' || s[j] == 'E') ||
				(s[j] == '-' || s[j] == '+') && (s[j-1] == 'e' || s[j-1] == 'E')) {
				j++
			}
			out = append(out, token{'n', s[i:j]})
			i = j
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			j := i
			for j < len(s) && (s[j] == '_' || s[j] >= 'a' && s[j] <= 'z' || s[j] >= 'A' && s[j] <= 'Z' || s[j] >= '0' && s[j] <= '9' || s[j] >= 0x80) {
				j++
			}
			out = append(out, token{'i', strings.ToLower(s[i:j])})
			i = j
		case strings.HasPrefix(s[i:], "::"):
			out = append(out, token{'o', "::"})
			i += 2
		case strings.IndexByte("(),[]:", c) >= 0:
			out = append(out, token{'o', string(c)})
			i++
		default:
			j := i
			for j < len(s) && strings.IndexByte("+-*/<>=~!@#%^&|?", s[j]) >= 0 {
				j++
			}
			if j == i {
				return nil, fmt.Errorf("stray %q in %s", c, s)
			}
			op := s[i:j]
			for len(op) > 1 && (op[len(op)-1] == '-' || op[len(op)-1] == '+') && !strings.ContainsAny(op, "~!@#%^&|?") {
				op = op[:len(op)-1]
			}
			out = append(out, token{'o', op})
			i += len(op)
		}
	}
	return append(out, token{}), nil
}

// scanString reads a string literal and returns its value and its length in s.
func scanString(s string) (string, int) {
	escapes := s[0] != '\''
	i := 1
	if escapes {
		i = 2
	}
	var sb strings.Builder
	for i < len(s) {
		switch {
		case s[i] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			sb.WriteByte('\'')
			i += 2
		case s[i] == '\'':
			return sb.String(), i + 1
		case s[i] == '\\' && escapes:
			switch s[i+1] {
			case 'n':
				sb.WriteByte('\n')
			case 't':
				sb.WriteByte('\t')
			default:
				sb.WriteByte(s[i+1])
			}
			i += 2
		default:
			sb.WriteByte(s[i])
			i++
		}
	}
	return "", 0
}

func (r *exprReader) peek() token { return r.toks[r.pos] }

func (r *exprReader) next() token {
	t := r.toks[r.pos]
	r.pos++
	return t
}

// is reports whether the next tokens are the given words or punctuation.
func (r *exprReader) is(words ...string) bool {
	for i, w := range words {
		if r.pos+i >= len(r.toks) {
			return false
		}
		if t := r.toks[r.pos+i]; t.text != w || t.kind != 'i' && t.kind != 'o' {
			return false
		}
	}
	return true
}

func (r *exprReader) accept(words ...string) bool {
	if !r.is(words...) {
		return false
	}
	r.pos += len(words)
	return true
}

func (r *exprReader) expect(word string) {
	if !r.accept(word) {
		panic(readFailure{fmt.Errorf("expected %s, got %q", word, r.peek().text)})
	}
}

// binding strengths, as in Postgres's manual, table 4.2
const (
	bindOr = iota + 1
	bindAnd
	bindNot
	bindIs
	bindCompare
	bindLike
	bindOther
	bindAdd
	bindMul
	bindPow
	bindZone
	bindUnary
	bindPost
)

func strength(op string) int {
	switch op {
	case "=", "<", ">", "<=", ">=", "<>", "!=":
		return bindCompare
	case "+", "-":
		return bindAdd
	case "*", "/", "%":
		return bindMul
	case "^":
		return bindPow
	case ")", "(", "[", "]", ",", ":", "::":
		return 0
	}
	return bindOther
}

func (r *exprReader) expr(min int) Expr {
	l := r.prefix()
	for {
		n, ok := r.infix(l, min)
		if !ok {
			return l
		}
		l = n
	}
}

func (r *exprReader) infix(l Expr, min int) (Expr, bool) {
	t := r.peek()
	switch {
	case t.kind == 'o' && t.text == "::":
		r.next()
		return must(NewCast(l, r.typeName(), Explicit)), true
	case t.kind == 'o' && t.text == "[":
		return r.subscript(l), true
	case r.is("at", "time", "zone") && min <= bindZone:
		r.pos += 3
		return must(NewFunc("timezone", []Expr{r.expr(bindZone + 1), l})), true
	case t.kind == 'o' && strength(t.text) > 0 && strength(t.text) >= min:
		return r.operator(l), true
	case t.kind == 'i':
		return r.word(l, min)
	}
	return nil, false
}

func (r *exprReader) operator(l Expr) Expr {
	op := r.next().text
	for _, word := range []string{"any", "some", "all"} {
		if r.is(word, "(") {
			r.pos += 2
			array := r.expr(0)
			r.expect(")")
			return must(NewAnyAll(op, l, array, word == "all"))
		}
	}
	return must(NewOp(op, l, r.expr(strength(op)+1)))
}

func (r *exprReader) subscript(l Expr) Expr {
	r.next()
	var lo, hi Expr
	if !r.is(":") {
		lo = r.expr(0)
	}
	if r.accept("]") {
		return must(NewSubscript(l, lo))
	}
	r.expect(":")
	if !r.is("]") {
		hi = r.expr(0)
	}
	r.expect("]")
	return must(NewSlice(l, [][2]Expr{{lo, hi}}))
}

func (r *exprReader) word(l Expr, min int) (Expr, bool) {
	not := false
	switch {
	case min <= bindOr && r.accept("or"):
		return &Or{Args: []Expr{must(NewBool("OR", l)), must(NewBool("OR", r.expr(bindOr+1)))}}, true
	case min <= bindAnd && r.accept("and"):
		return &And{Args: []Expr{must(NewBool("AND", l)), must(NewBool("AND", r.expr(bindAnd+1)))}}, true
	case min <= bindIs && r.accept("is"):
		return r.isTest(l), true
	case min <= bindLike && (r.is("not", "like") || r.is("not", "ilike") || r.is("not", "in") || r.is("not", "between") || r.is("not", "similar")):
		r.next()
		not = true
	}
	switch {
	case min <= bindLike && r.accept("like"):
		return r.like(l, "~~", not), true
	case min <= bindLike && r.accept("ilike"):
		return r.like(l, "~~*", not), true
	case min <= bindLike && r.accept("similar", "to"):
		pattern := must(NewFunc("similar_to_escape", []Expr{r.expr(bindLike + 1)}))
		op := "~"
		if not {
			op = "!~"
		}
		return must(NewOp(op, l, pattern)), true
	case min <= bindLike && r.accept("in"):
		r.expect("(")
		list := r.list(")")
		return must(NewInList(l, list, not)), true
	case min <= bindLike && r.accept("between"):
		lo := r.expr(bindLike + 1)
		r.expect("and")
		hi := r.expr(bindLike + 1)
		var e Expr = &And{Args: []Expr{must(NewOp(">=", l, lo)), must(NewOp("<=", l, hi))}}
		if not {
			e = &Not{X: e}
		}
		return e, true
	}
	return nil, false
}

func (r *exprReader) like(l Expr, op string, not bool) Expr {
	pattern := r.expr(bindLike + 1)
	if r.accept("escape") {
		pattern = must(NewFunc("like_escape", []Expr{pattern, r.expr(bindLike + 1)}))
	}
	if not {
		op = "!" + op
	}
	return must(NewOp(op, l, pattern))
}

func (r *exprReader) isTest(l Expr) Expr {
	not := r.accept("not")
	switch {
	case r.accept("null"):
		return &IsNull{X: l, Not: not}
	case r.accept("distinct", "from"):
		op := "is distinct from"
		if not {
			op = "is not distinct from"
		}
		return must(NewOp(op, l, r.expr(bindIs+1)))
	}
	panic(readFailure{fmt.Errorf("unknown IS test")})
}

func (r *exprReader) list(end string) []Expr {
	var out []Expr
	for !r.accept(end) {
		out = append(out, r.expr(0))
		if !r.is(end) {
			r.expect(",")
		}
	}
	return out
}

func (r *exprReader) prefix() Expr {
	t := r.next()
	switch t.kind {
	case 'n':
		return number(t.text)
	case 's':
		return &Const{Value: t.text, T: types.Of(types.Unknown)}
	case 'o':
		if t.text == "(" {
			items := r.list(")")
			if len(items) == 1 {
				return items[0]
			}
			return &Row{Items: items}
		}
		bind := bindOther
		if t.text == "-" || t.text == "+" {
			bind = bindUnary
			if n := r.peek(); n.kind == 'n' && t.text == "-" && r.toks[r.pos+1].text != "::" && r.toks[r.pos+1].text != "^" {
				r.next()
				return number("-" + n.text)
			}
		}
		return must(NewOp(t.text, nil, r.expr(bind)))
	case 'i', 'q':
		return r.name(t)
	}
	panic(readFailure{fmt.Errorf("unexpected %q", t.text)})
}

func number(text string) Expr {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		k := types.Int4
		if int64(int32(n)) != n {
			k = types.Int8
		}
		return &Const{Value: n, T: types.Of(k)}
	}
	return must(NewCast(&Const{Value: text, T: types.Of(types.Unknown)}, types.Of(types.Numeric), Explicit))
}

func (r *exprReader) name(t token) Expr {
	switch t.text {
	case "null":
		return &Const{T: types.Of(types.Unknown)}
	case "true", "false":
		return &Const{Value: t.text == "true", T: boolType}
	case "not":
		return &Not{X: must(NewBool("NOT", r.expr(bindNot)))}
	case "case":
		return r.caseExpr()
	case "array":
		if r.accept("[") {
			if r.accept("]") {
				r.expect("::")
				return &Array{T: r.typeName()}
			}
			return must(NewArray(r.list("]")))
		}
	case "row":
		if r.accept("(") {
			return &Row{Items: r.list(")")}
		}
	case "cast":
		r.expect("(")
		x := r.expr(0)
		r.expect("as")
		to := r.typeName()
		r.expect(")")
		return must(NewCast(x, to, Explicit))
	case "extract":
		r.expect("(")
		field := r.next().text
		r.expect("from")
		x := r.expr(0)
		r.expect(")")
		return must(NewFunc("extract", []Expr{&Const{Value: field, T: types.Of(types.Unknown)}, x}))
	case "current_date", "current_timestamp", "current_user", "session_user", "current_schema", "localtimestamp", "user":
		if !r.is("(") {
			return must(NewFunc(t.text, nil))
		}
	}
	if r.peek().kind == 's' {
		to := must(TypeByName("", t.text, nil, 0))
		return must(NewCast(&Const{Value: r.next().text, T: types.Of(types.Unknown)}, to, Explicit))
	}
	if r.accept("(") {
		return must(NewFunc(t.text, r.list(")")))
	}
	if c := r.cols[t.text]; c != nil {
		return c
	}
	panic(readFailure{fmt.Errorf("no column %s", t.text)})
}

func (r *exprReader) caseExpr() Expr {
	var conds, thens []Expr
	var last Expr
	for r.accept("when") {
		conds = append(conds, r.expr(0))
		r.expect("then")
		thens = append(thens, r.expr(0))
	}
	if r.accept("else") {
		last = r.expr(0)
	}
	r.expect("end")
	return must(NewCase(conds, thens, last))
}

func (r *exprReader) typeName() types.Type {
	t := r.next()
	name := t.text
	switch {
	case name == "double" && r.accept("precision"):
		name = "double precision"
	case name == "character" && r.accept("varying"):
		name = "character varying"
	case name == "char" && t.kind == 'i':
		name = "character"
	}
	var mods []int
	if r.accept("(") {
		for !r.accept(")") {
			n, _ := strconv.Atoi(r.next().text)
			mods = append(mods, n)
			r.accept(",")
		}
	}
	dims := 0
	for r.accept("[", "]") {
		dims++
	}
	return must(TypeByName("", name, mods, dims))
}
