package expr

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// regexTranslator turns one of Postgres's advanced regular expressions into Go's syntax. What Go does not have becomes a hole: a character that
// stands for it.
type regexTranslator struct {
	in      string
	out     strings.Builder
	lazy    bool // a quantifier that takes as little as it can
	flags   regexFlags
	holes   []*regexNode
	looking bool   // within a lookaround: parentheses remember nothing
	open    []int  // numbers of the groups that are open, 0 for those without
	closed  []bool // by number, from 1
}

// regexFlags are the options of a regular expression.
type regexFlags struct {
	fold     bool // i
	newline  bool // n or m: ^ and $ at lines, . and [^a] not over them
	partDot  bool // p: . and [^a] not over lines
	partLine bool // w: ^ and $ at lines
	expanded bool // x
	literal  bool // q
	global   bool // g, of the functions that know it
}

func errRegexp(what string) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.InvalidRegexp, "invalid regular expression: %s", what)
}

// parse reads option letters; g is allowed for some functions only.
func (f *regexFlags) parse(letters string, allowGlobal bool) error {
	for i := range len(letters) {
		switch letters[i] {
		case 'g':
			if !allowGlobal {
				return errFormat("invalid regular expression option: \"g\"")
			}
			f.global = true
		case 'i':
			f.fold = true
		case 'c':
			f.fold = false
		case 'n', 'm':
			f.newline = true
		case 's':
			f.newline = false
		case 'p':
			f.partDot = true
		case 'w':
			f.partLine = true
		case 'x':
			f.expanded = true
		case 't':
			f.expanded = false
		case 'q':
			f.literal = true
		case 'e':
		default:
			_, size := utf8.DecodeRuneInString(letters[i:])
			return errFormat("invalid regular expression option: \"%s\"", letters[i:i+size])
		}
	}
	return nil
}

// compileRegex compiles a pattern of Postgres's.
func compileRegex(pattern string, flags regexFlags) (*regex, error) {
	t := &regexTranslator{in: pattern, flags: flags, closed: []bool{false}}
	if err := t.translate(); err != nil {
		return nil, err
	}
	text, parsed, err := t.parse()
	if err != nil {
		return nil, err
	}
	b := regexTreeBuilder{holes: t.holes, groups: true}
	re := &regex{tree: b.build(parsed), groups: parsed.MaxCap()}
	if len(t.holes) > 0 {
		return re, nil
	}
	if re.fast, err = regexp.Compile(text); err != nil {
		return nil, regexProblem(err)
	}
	if !t.lazy {
		re.fast.Longest() // POSIX: the longest of the leftmost matches
	}
	re.describe()
	return re, nil
}

// parse reads what was written, under the flags.
func (t *regexTranslator) parse() (string, *syntax.Regexp, error) {
	prefix := "(?s"
	if t.flags.newline || t.flags.partDot {
		prefix = "(?-s"
	}
	if t.flags.newline || t.flags.partLine {
		prefix = strings.Replace(prefix, "(?", "(?m", 1)
	}
	if t.flags.fold {
		prefix = strings.Replace(prefix, "(?", "(?i", 1)
	}
	text := prefix + ":" + t.out.String() + ")"
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return "", nil, regexProblem(err)
	}
	return text, parsed, nil
}

// regexProblem tells Go's complaint in Postgres's words.
func regexProblem(err error) error {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return errRegexp(err.Error())
	}
	switch e.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return errRegexp("parentheses () not balanced")
	case syntax.ErrMissingBracket:
		return errRegexp("brackets [] not balanced")
	case syntax.ErrMissingRepeatArgument, syntax.ErrInvalidRepeatOp:
		return errRegexp("quantifier operand invalid")
	case syntax.ErrInvalidRepeatSize:
		return errRegexp("invalid repetition count(s)")
	case syntax.ErrInvalidCharRange:
		return errRegexp("invalid character range")
	case syntax.ErrInvalidEscape, syntax.ErrTrailingBackslash:
		return errRegexp("invalid escape \\ sequence")
	}
	return errRegexp(e.Error())
}

func (t *regexTranslator) translate() error {
	s := t.in
	switch {
	case strings.HasPrefix(s, "***="):
		t.flags.literal = true
		s = s[4:]
	case strings.HasPrefix(s, "***:"):
		s = s[4:]
	}
	if t.flags.literal {
		t.out.WriteString(regexp.QuoteMeta(s))
		return nil
	}
	if strings.HasPrefix(s, "(?") && len(s) > 2 && isLetter(rune(s[2])|0x20) || strings.HasPrefix(s, "(?e") {
		letters, rest, ok := strings.Cut(s[2:], ")")
		if !ok {
			return errRegexp("parentheses () not balanced")
		}
		if t.flags.parse(letters, false) != nil {
			return errRegexp("invalid embedded option")
		}
		s = rest
	}
	return t.atoms(s)
}

// atoms copies a pattern.
func (t *regexTranslator) atoms(s string) error {
	for i := 0; i < len(s); {
		n, err := t.atom(s[i:])
		if err != nil {
			return err
		}
		i += n
	}
	return nil
}

// atom copies one element and returns its length in the pattern.
func (t *regexTranslator) atom(s string) (int, error) {
	switch c := s[0]; {
	case c == '\\':
		return t.escape(s, false)
	case c == '[':
		return t.bracket(s)
	case strings.HasPrefix(s, "(?"):
		if !strings.HasPrefix(s, "(?:") {
			return t.lookaround(s)
		}
		t.open = append(t.open, 0)
		t.out.WriteString("(?:")
		return 3, nil
	case c == '(' && !t.looking:
		t.open = append(t.open, len(t.closed))
		t.closed = append(t.closed, false)
	case c == ')' && len(t.open) > 0:
		t.closed[t.open[len(t.open)-1]] = true
		t.open = t.open[:len(t.open)-1]
	case t.flags.expanded && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
		return 1, nil
	case t.flags.expanded && c == '#':
		return strings.IndexByte(s+"\n", '\n'), nil
	case strings.IndexByte("*+?", c) >= 0, c == '{' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
		return t.quantifier(s)
	case c == '{':
		t.out.WriteString(`\{`)
		return 1, nil
	}
	_, size := utf8.DecodeRuneInString(s)
	t.out.WriteString(s[:size])
	return size, nil
}

func (t *regexTranslator) quantifier(s string) (int, error) {
	n := 1
	if s[0] == '{' {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, errRegexp("braces {} not balanced")
		}
		n = end + 1
	}
	if n < len(s) && s[n] == '?' {
		t.lazy = true
		n++
	}
	if n < len(s) && strings.IndexByte("*+?", s[n]) >= 0 {
		return 0, errRegexp("quantifier operand invalid")
	}
	t.out.WriteString(s[:n])
	return n, nil
}

// escape copies a backslash sequence.
func (t *regexTranslator) escape(s string, inBracket bool) (int, error) {
	if len(s) < 2 {
		return 0, errRegexp("invalid escape \\ sequence")
	}
	switch c := s[1]; c {
	case 'd', 'D', 'a', 'f', 'n', 'r', 't', 'v', 'A':
		t.out.WriteString(s[:2])
	case 'w':
		t.class(`\pL\pM\pN_`, inBracket)
	case 's':
		t.class(`\s\v`, inBracket)
	case 'W', 'S':
		if inBracket {
			return 0, errRegexp("invalid escape \\ sequence")
		}
		if c == 'W' {
			t.out.WriteString(`[^\pL\pM\pN_]`)
		} else {
			t.out.WriteString(`[^\s\v]`)
		}
	case 'Z':
		t.out.WriteString(`\z`)
	case 'y':
		t.out.WriteString(`\b`)
	case 'Y':
		t.out.WriteString(`\B`)
	case 'm', 'M':
		if inBracket {
			return 0, errRegexp("invalid escape \\ sequence")
		}
		return 2, t.hole(&regexNode{op: regexAssert, word: map[byte]wordEdge{'m': wordBegin, 'M': wordEnd}[c]})
	case 'u', 'U', 'x':
		return t.hexEscape(s)
	case 'e':
		t.out.WriteString(`\x1b`)
	case 'B':
		t.out.WriteString(`\\`)
	default:
		if c >= '1' && c <= '9' && !inBracket {
			return t.backReference(s)
		}
		if c == '0' {
			t.out.WriteString(`\x00`)
			return 2, nil
		}
		if isLetter(rune(c)) || c|0x20 == 'e' {
			return 0, errRegexp("invalid escape \\ sequence")
		}
		_, size := utf8.DecodeRuneInString(s[1:])
		t.out.WriteString(regexp.QuoteMeta(s[1 : 1+size]))
		return 1 + size, nil
	}
	return 2, nil
}

func (t *regexTranslator) class(set string, inBracket bool) {
	if inBracket {
		t.out.WriteString(set)
	} else {
		t.out.WriteString("[" + set + "]")
	}
}

func (t *regexTranslator) hexEscape(s string) (int, error) {
	width := map[byte]int{'u': 4, 'U': 8, 'x': 255}[s[1]]
	n := 2
	for n < len(s) && n-2 < width && strings.IndexByte("0123456789abcdefABCDEF", s[n]) >= 0 {
		n++
	}
	if n == 2 || s[1] != 'x' && n-2 != width {
		return 0, errRegexp("invalid escape \\ sequence")
	}
	t.out.WriteString(`\x{` + s[2:n] + `}`)
	return n, nil
}

// bracket copies a bracket expression.
func (t *regexTranslator) bracket(s string) (int, error) {
	if strings.HasPrefix(s, "[[:<:]]") || strings.HasPrefix(s, "[[:>:]]") {
		return 7, t.hole(&regexNode{op: regexAssert, word: map[byte]wordEdge{'<': wordBegin, '>': wordEnd}[s[3]]})
	}
	t.out.WriteByte('[')
	i := 1
	if i < len(s) && s[i] == '^' {
		t.out.WriteByte('^')
		if t.flags.newline || t.flags.partDot {
			t.out.WriteString(`\n`)
		}
		i++
	}
	for first := true; ; first = false {
		switch {
		case i >= len(s):
			return 0, errRegexp("brackets [] not balanced")
		case s[i] == ']' && !first:
			t.out.WriteByte(']')
			return i + 1, nil
		case strings.HasPrefix(s[i:], "[:"):
			end := strings.Index(s[i:], ":]")
			if end < 0 {
				return 0, errRegexp("brackets [] not balanced")
			}
			if err := t.namedClass(s[i+2 : i+end]); err != nil {
				return 0, err
			}
			i += end + 2
		case strings.HasPrefix(s[i:], "[.") || strings.HasPrefix(s[i:], "[="):
			return 0, sqlerr.Unsupported("collating elements in a regular expression")
		case s[i] == '\\':
			n, err := t.escape(s[i:], true)
			if err != nil {
				return 0, err
			}
			i += n
		case strings.IndexByte("[]^&~", s[i]) >= 0:
			t.out.WriteByte('\\')
			t.out.WriteByte(s[i])
			i++
		default:
			_, size := utf8.DecodeRuneInString(s[i:])
			t.out.WriteString(s[i : i+size])
			i += size
		}
	}
}

func (t *regexTranslator) namedClass(name string) error {
	set, ok := map[string]string{
		"alpha": `\pL`, "digit": `0-9`, "alnum": `\pL\pN`, "upper": `\p{Lu}`, "lower": `\p{Ll}`, "space": `\s\v`, "blank": ` \t`,
		"punct": `[:punct:]`, "cntrl": `[:cntrl:]`, "xdigit": `[:xdigit:]`, "graph": `[:graph:]`, "print": `[:print:]`,
		"word": `\pL\pM\pN_`, "ascii": `[:ascii:]`,
	}[name]
	if !ok {
		return errRegexp("invalid character class")
	}
	t.out.WriteString(set)
	return nil
}
