package types

import (
	"strconv"
	"strings"

	"wmsql/sqlerr"
)

// pathDepthMax bounds nesting, since paths are read and followed by recursion.
const pathDepthMax = 500

// ParseJSONPath reads a path. 42601 and 22P02 are its errors.
func ParseJSONPath(s string) (*JSONPath, error) {
	p := &pathParser{lex: pathLexer{s: s}}
	p.advance()
	if p.tok.kind == pathEnd && p.lex.err == nil {
		return nil, sqlerr.Newf(sqlerr.InvalidTextRepresentation, "invalid input syntax for type jsonpath: \"%s\"", s)
	}
	out := &JSONPath{}
	switch {
	case p.word("strict"):
		out.Strict = true
	case p.word("lax"):
	}
	out.Root = p.or()
	if p.tok.kind != pathEnd {
		p.unexpected()
	}
	if p.lex.err != nil {
		return nil, p.lex.err
	}
	return out, nil
}

// pathParser reads by recursive descent. After an error it is at the end.
type pathParser struct {
	lex    pathLexer
	tok    pathToken
	depth  int
	filter int // conditions that are being read: @ is allowed
	index  int // subscripts that are being read: last is allowed
}

func (p *pathParser) advance() pathToken {
	t := p.tok
	p.tok = p.lex.next()
	return t
}

func (p *pathParser) fail(err error) {
	if p.lex.err == nil {
		p.lex.err = err
	}
	p.lex.s, p.tok = "", pathToken{}
}

func (p *pathParser) unexpected() { p.fail(errPath(p.tok.raw, "syntax error")) }

func (p *pathParser) sign(s string) bool {
	if p.tok.kind != pathSign || p.tok.text != s {
		return false
	}
	p.advance()
	return true
}

func (p *pathParser) isWord(s string) bool {
	return p.tok.kind == pathWord && strings.EqualFold(p.tok.raw, s)
}

func (p *pathParser) word(s string) bool {
	if !p.isWord(s) {
		return false
	}
	p.advance()
	return true
}

func (p *pathParser) wantSign(s string) {
	if !p.sign(s) {
		p.unexpected()
	}
}

// isCondition reports whether n is a predicate and no value.
func isCondition(n *JSONPathNode) bool {
	return n.Next == nil && (n.Op == PathOr || n.Op == PathAnd || n.Op == PathNot || n.Op >= PathIsUnknown && n.Op <= PathGreaterEqual)
}

func (p *pathParser) or() *JSONPathNode {
	return p.connect("||", PathOr, func() *JSONPathNode { return p.connect("&&", PathAnd, p.comparison) })
}

func (p *pathParser) connect(sign string, op JSONPathOp, operand func() *JSONPathNode) *JSONPathNode {
	left := operand()
	for p.tok.kind == pathSign && p.tok.text == sign {
		if !isCondition(left) {
			p.unexpected()
		}
		p.advance()
		right := operand()
		if !isCondition(right) {
			p.unexpected()
		}
		left = &JSONPathNode{Op: op, Args: []*JSONPathNode{left, right}}
	}
	return left
}

var pathComparisons = map[string]JSONPathOp{
	"==": PathEqual, "!=": PathNotEqual, "<>": PathNotEqual, "<": PathLess, "<=": PathLessEqual, ">": PathGreater, ">=": PathGreaterEqual,
}

// comparison reads a condition that is not made of others, or a value.
func (p *pathParser) comparison() *JSONPathNode {
	if p.sign("!") {
		return p.negation()
	}
	if p.isWord("exists") {
		return p.exists()
	}
	left := p.sum()
	op, known := pathComparisons[p.tok.text]
	switch {
	case p.tok.kind == pathSign && known:
		p.value(left)
		p.advance()
		right := p.sum()
		p.value(right)
		return &JSONPathNode{Op: op, Args: []*JSONPathNode{left, right}}
	case p.isWord("starts"):
		p.value(left)
		p.advance()
		if !p.word("with") || p.tok.kind != pathQuoted && p.tok.kind != pathVar {
			p.unexpected()
		}
		return &JSONPathNode{Op: PathStartsWith, Args: []*JSONPathNode{left, p.primary()}}
	case p.isWord("like_regex"):
		p.value(left)
		p.advance()
		return p.likeRegex(left)
	}
	return left
}

// value refuses a condition where a value is needed.
func (p *pathParser) value(n *JSONPathNode) {
	if isCondition(n) {
		p.unexpected()
	}
}

// negation reads what stands behind !: a condition in parentheses, or exists.
func (p *pathParser) negation() *JSONPathNode {
	n := &JSONPathNode{Op: PathNot}
	switch {
	case p.isWord("exists"):
		n.Args = []*JSONPathNode{p.exists()}
	case p.sign("("):
		inner := p.nested(p.or)
		if !isCondition(inner) {
			p.unexpected()
		}
		p.wantSign(")")
		n.Args = []*JSONPathNode{inner}
	default:
		p.unexpected()
		return &JSONPathNode{}
	}
	return n
}

func (p *pathParser) exists() *JSONPathNode {
	p.advance()
	p.wantSign("(")
	x := p.nested(p.sum)
	p.value(x)
	p.wantSign(")")
	return &JSONPathNode{Op: PathExists, Args: []*JSONPathNode{x}}
}

func (p *pathParser) likeRegex(left *JSONPathNode) *JSONPathNode {
	n := &JSONPathNode{Op: PathLikeRegex, Args: []*JSONPathNode{left}}
	if p.tok.kind != pathQuoted {
		p.unexpected()
		return n
	}
	n.Text = p.advance().text
	if !p.word("flag") {
		return n
	}
	if p.tok.kind != pathQuoted {
		p.unexpected()
		return n
	}
	given := p.advance().text
	for _, c := range given {
		if !strings.ContainsRune("ismxq", c) {
			p.fail(sqlerr.Newf(sqlerr.SyntaxError, "invalid input syntax for type jsonpath").
				WithDetail("Unrecognized flag character \"%c\" in LIKE_REGEX predicate.", c))
			return n
		}
	}
	for _, c := range "ismxq" { // Postgres's order
		if strings.ContainsRune(given, c) {
			n.Flags += string(c)
		}
	}
	return n
}

// nested counts the depth of f.
func (p *pathParser) nested(f func() *JSONPathNode) *JSONPathNode {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > pathDepthMax {
		p.fail(sqlerr.Newf(sqlerr.StatementTooComplex, "a jsonpath may be nested %d deep", pathDepthMax))
		return &JSONPathNode{}
	}
	return f()
}

func (p *pathParser) sum() *JSONPathNode {
	return p.binary(map[string]JSONPathOp{"+": PathAdd, "-": PathSub}, func() *JSONPathNode {
		return p.binary(map[string]JSONPathOp{"*": PathMul, "/": PathDiv, "%": PathMod}, p.unary)
	})
}

func (p *pathParser) binary(ops map[string]JSONPathOp, operand func() *JSONPathNode) *JSONPathNode {
	left := operand()
	for {
		op, ok := ops[p.tok.text]
		if !ok || p.tok.kind != pathSign {
			return left
		}
		p.value(left)
		p.advance()
		right := operand()
		p.value(right)
		left = &JSONPathNode{Op: op, Args: []*JSONPathNode{left, right}}
	}
}

func (p *pathParser) unary() *JSONPathNode {
	for sign, op := range map[string]JSONPathOp{"+": PathPlus, "-": PathMinus} {
		if p.sign(sign) {
			x := p.nested(p.unary)
			p.value(x)
			if x.Op == PathNumber && x.Next == nil { // a sign and a number are one number
				if op == PathMinus {
					x.Number = x.Number.Neg()
				}
				return x
			}
			return &JSONPathNode{Op: op, Args: []*JSONPathNode{x}}
		}
	}
	return p.steps()
}

// steps reads a value and the steps behind it.
func (p *pathParser) steps() *JSONPathNode {
	var n *JSONPathNode
	if p.sign("(") {
		n = p.nested(p.or)
		p.wantSign(")")
		if isCondition(n) && p.isWord("is") {
			p.advance()
			if !p.word("unknown") {
				p.unexpected()
			}
			return &JSONPathNode{Op: PathIsUnknown, Args: []*JSONPathNode{n}}
		}
	} else {
		n = p.primary()
	}
	last := n
	for last.Next != nil {
		last = last.Next
	}
	for {
		step := p.step()
		if step == nil {
			return n
		}
		last.Next, last = step, step
	}
}

// primary reads a constant, a variable, $, @ or last.
func (p *pathParser) primary() *JSONPathNode {
	t := p.tok
	switch {
	case t.kind == pathQuoted:
		p.advance()
		return &JSONPathNode{Op: PathString, Text: t.text}
	case t.kind == pathVar:
		p.advance()
		return &JSONPathNode{Op: PathVariable, Text: t.text}
	case t.kind == pathNumeric:
		p.advance()
		d, err := ParseDecimal(t.text)
		if err != nil {
			p.fail(err)
		}
		return &JSONPathNode{Op: PathNumber, Number: d}
	case t.kind == pathSign && t.text == "$":
		p.advance()
		return &JSONPathNode{Op: PathRoot}
	case t.kind == pathSign && t.text == "@":
		p.advance()
		if p.filter == 0 {
			p.fail(sqlerr.Newf(sqlerr.SyntaxError, "@ is not allowed in root expressions"))
		}
		return &JSONPathNode{Op: PathCurrent}
	case p.word("last"):
		if p.index == 0 {
			p.fail(sqlerr.Newf(sqlerr.SyntaxError, "LAST is allowed only in array subscripts"))
		}
		return &JSONPathNode{Op: PathLast}
	case t.kind == pathWord && t.raw == "null":
		p.advance()
		return &JSONPathNode{Op: PathNull}
	case t.kind == pathWord && (t.raw == "true" || t.raw == "false"):
		p.advance()
		return &JSONPathNode{Op: PathBool, True: t.raw == "true"}
	}
	p.unexpected()
	return &JSONPathNode{}
}

// step reads a step, nil if none comes.
func (p *pathParser) step() *JSONPathNode {
	switch {
	case p.sign("."):
		return p.dotted()
	case p.sign("["):
		return p.subscripts()
	case p.sign("?"):
		p.wantSign("(")
		p.filter++
		cond := p.nested(p.or)
		p.filter--
		if !isCondition(cond) {
			p.unexpected()
		}
		p.wantSign(")")
		return &JSONPathNode{Op: PathFilter, Args: []*JSONPathNode{cond}}
	}
	return nil
}

// pathMethods are the methods there are; datetime may have an argument.
const pathMethods = " type size abs floor ceiling double keyvalue datetime "

// dotted reads what stands behind a point.
func (p *pathParser) dotted() *JSONPathNode {
	t := p.tok
	switch {
	case p.sign("**"):
		return p.levels()
	case p.sign("*"):
		return &JSONPathNode{Op: PathAnyKey}
	case t.kind == pathQuoted:
		p.advance()
		return &JSONPathNode{Op: PathKey, Text: t.text}
	case t.kind != pathWord:
		p.unexpected()
		return nil
	}
	p.advance()
	if p.tok.kind != pathSign || p.tok.text != "(" {
		return &JSONPathNode{Op: PathKey, Text: t.text}
	}
	name := strings.ToLower(t.raw)
	if !strings.Contains(pathMethods, " "+name+" ") {
		p.unexpected()
		return nil
	}
	p.advance()
	n := &JSONPathNode{Op: PathMethod, Text: name}
	if name == "datetime" && p.tok.kind == pathQuoted {
		n.Args = []*JSONPathNode{p.primary()}
	}
	p.wantSign(")")
	return n
}

// levels reads {n}, {n to m} or nothing behind .**.
func (p *pathParser) levels() *JSONPathNode {
	n := &JSONPathNode{Op: PathAnyDepth, High: -1}
	if !p.sign("{") {
		return n
	}
	n.Low = p.level()
	n.High = n.Low
	if p.word("to") {
		n.High = p.level()
	}
	p.wantSign("}")
	return n
}

func (p *pathParser) level() int {
	if p.word("last") {
		return -1
	}
	n, err := strconv.ParseUint(p.tok.text, 10, 31)
	if p.tok.kind != pathNumeric || err != nil {
		p.unexpected()
		return 0
	}
	p.advance()
	return int(n)
}

func (p *pathParser) subscripts() *JSONPathNode {
	if p.sign("*") {
		p.wantSign("]")
		return &JSONPathNode{Op: PathAnyIndex}
	}
	n := &JSONPathNode{Op: PathIndex}
	p.index++
	for {
		from := p.nested(p.sum)
		p.value(from)
		var to *JSONPathNode
		if p.word("to") {
			to = p.nested(p.sum)
			p.value(to)
		}
		n.Args = append(n.Args, from, to)
		if !p.sign(",") {
			break
		}
	}
	p.index--
	p.wantSign("]")
	return n
}
