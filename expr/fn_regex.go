package expr

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"wmsql/column"
	"wmsql/sqlerr"
)

// regexOperators are ~ ~* !~ !~*.
func regexOperators() []*Function {
	var out []*Function
	for _, o := range []struct {
		name      string
		fold, not bool
	}{{"~", false, false}, {"!~", false, true}, {"~*", true, false}, {"!~*", true, true}} {
		k := regexOperator(regexFlags{fold: o.fold}, o.not)
		for _, t := range []string{"text", "name", "bpchar"} {
			out = append(out, def(o.name+"("+t+",text) bool", k))
		}
	}
	return append(out, def("^@(text,text) bool", fn2(bytes.HasPrefix), total))
}

// regexOperator tells whether a text matches, or with not whether it does not.
func regexOperator(flags regexFlags, not bool) kernel {
	return func(s *site) body {
		out, cache := output[bool]{t: s.ret}, regexCache{flags: flags}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			text, pattern, steps := in[0].(*column.Bytes), in[1].(*column.Bytes), regexStepsMax
			return out.fill(nulls, n, func(i int) (bool, error) {
				re, err := cache.get(pattern.Value(i))
				if err != nil {
					return false, err
				}
				found, err := re.match(text.Value(i), &steps)
				return found != not, err
			})
		}
	}
}

func regexFunctions() []*Function {
	return []*Function{
		def("regexp_replace(text,text,text) text", regexReplace), def("regexp_replace(text,text,text,text) text", regexReplace),
		def("regexp_match(text,text) text[]", regexMatch), def("regexp_match(text,text,text) text[]", regexMatch),
		def("regexp_split_to_array(text,text) text[]", regexSplit), def("regexp_split_to_array(text,text,text) text[]", regexSplit),
		def("regexp_like(text,text) bool", regexLike), def("regexp_like(text,text,text) bool", regexLike),
		def("regexp_count(text,text) int4", regexCount),
		def("regexp_substr(text,text) text", regexSubstring), def("substring(text,text) text", regexSubstring),
		def("substring(text,text,text) text", similarSubstring),
	}
}

// regexRows reads text, pattern and options of row i of a batch; the options are the argument numbered opt, if there. steps is the work that
// is left for the batch.
func regexRows(in []column.Vector, opt int, allowGlobal bool, steps *int) func(i int) (a []byte, re *regex, f regexFlags, err error) {
	*steps = regexStepsMax
	var cache flagged
	text, pattern := in[0].(*column.Bytes), in[1].(*column.Bytes)
	return func(i int) ([]byte, *regex, regexFlags, error) {
		var letters []byte
		if opt < len(in) {
			letters = in[opt].(*column.Bytes).Value(i)
		}
		re, f, err := cache.get(pattern.Value(i), letters, allowGlobal)
		return text.Value(i), re, f, err
	}
}

func regexReplace(s *site) body {
	out := bytesOutput{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		var steps int
		row, with := regexRows(in, 3, true, &steps), in[2].(*column.Bytes)
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			a, re, f, err := row(i)
			if err != nil {
				return nil, err
			}
			return appendRegexReplaced(dst, a, re, with.Value(i), f.global, &steps)
		})
	}
}

// appendRegexReplaced replaces the first match, or all; \1 to \9 and \& in with stand for parts of the match.
func appendRegexReplaced(dst, a []byte, re *regex, with []byte, all bool, steps *int) ([]byte, error) {
	count := 1
	if all {
		count = -1
	}
	matches, err := re.all(a, 0, count, steps)
	if err != nil {
		return nil, err
	}
	at := 0
	for _, m := range matches {
		dst = append(dst, a[at:m[0]]...)
		dst = appendExpansion(dst, a, m, with)
		at = m[1]
	}
	return append(dst, a[at:]...), nil
}

func appendExpansion(dst, a []byte, m []int, with []byte) []byte {
	for i := 0; i < len(with); i++ {
		if with[i] != '\\' || i+1 == len(with) {
			dst = append(dst, with[i])
			continue
		}
		i++
		switch c := with[i]; {
		case c == '&':
			dst = append(dst, a[m[0]:m[1]]...)
		case c >= '1' && c <= '9':
			if g := 2 * int(c-'0'); g < len(m) && m[g] >= 0 {
				dst = append(dst, a[m[g]:m[g+1]]...)
			}
		case c == '\\':
			dst = append(dst, '\\')
		default:
			dst = append(dst, '\\', c)
		}
	}
	return dst
}

// regexMatch is regexp_match: the groups of the first match, or the match itself; NULL if there is none.
func regexMatch(s *site) body {
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		var steps int
		row := regexRows(in, 2, false, &steps)
		return fillAny(s.ret, nulls, n, func(i int) (any, error) {
			a, re, _, err := row(i)
			if err != nil {
				if sqlerr.From(err).Msg == "invalid regular expression option: \"g\"" {
					err = errFormat("regexp_match() does not support the \"global\" option").WithHint("Use the regexp_matches function instead.")
				}
				return nil, err
			}
			m, err := re.first(a, &steps)
			if m == nil || err != nil {
				return nil, err
			}
			return matchGroups(a, m), nil
		})
	}
}

func matchGroups(a []byte, m []int) []any {
	if len(m) == 2 {
		return []any{string(a[m[0]:m[1]])}
	}
	out := make([]any, 0, len(m)/2-1)
	for g := 2; g < len(m); g += 2 {
		if m[g] < 0 {
			out = append(out, nil)
		} else {
			out = append(out, string(a[m[g]:m[g+1]]))
		}
	}
	return out
}

func regexSplit(s *site) body {
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		var steps int
		row := regexRows(in, 2, false, &steps)
		return fillAny(s.ret, nulls, n, func(i int) (any, error) {
			a, re, _, err := row(i)
			if err != nil {
				return nil, err
			}
			matches, err := re.all(a, 0, -1, &steps)
			if err != nil {
				return nil, err
			}
			return splitAt(a, matches), nil
		})
	}
}

// splitAt splits a at the matches; an empty match at either end, or right behind the one before, splits nothing.
func splitAt(a []byte, matches [][]int) []any {
	var out []any
	at := 0
	for _, m := range matches {
		if m[0] == m[1] && (m[0] == 0 || m[0] == len(a) || m[0] == at) {
			continue
		}
		out = append(out, string(a[at:m[0]]))
		at = m[1]
	}
	return append(out, string(a[at:]))
}

func regexLike(s *site) body {
	out := output[bool]{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		var steps int
		row := regexRows(in, 2, false, &steps)
		return out.fill(nulls, n, func(i int) (bool, error) {
			a, re, _, err := row(i)
			if err != nil {
				return false, err
			}
			return re.match(a, &steps)
		})
	}
}

func regexCount(s *site) body {
	out := output[int64]{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		var steps int
		row := regexRows(in, 2, false, &steps)
		return out.fill(nulls, n, func(i int) (int64, error) {
			a, re, _, err := row(i)
			if err != nil {
				return 0, err
			}
			matches, err := re.all(a, 0, -1, &steps)
			return int64(len(matches)), err
		})
	}
}

// regexSubstring is the first group of the first match, or the match if the pattern has no group.
func regexSubstring(s *site) body {
	out, group := bytesOutput{t: s.ret}, s.fn.Name == "substring"
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		var steps int
		row := regexRows(in, len(in), false, &steps)
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			a, re, _, err := row(i)
			if err != nil {
				return nil, err
			}
			m, err := re.first(a, &steps)
			if err != nil {
				return nil, err
			}
			if m == nil {
				return nil, errNull
			}
			if group && len(m) > 2 {
				m = m[2:]
			}
			if m[0] < 0 {
				return nil, errNull
			}
			return append(dst, a[m[0]:m[1]]...), nil
		})
	}
}

// similarSubstring is SUBSTRING(text SIMILAR pattern ESCAPE e); the pattern's parts are separated by e".
func similarSubstring(s *site) body {
	return tx3e(func(dst, a, pattern, escape []byte) ([]byte, error) {
		p, err := appendSimilar(nil, pattern, escape)
		if err != nil {
			return nil, err
		}
		re, err := compileRegex(string(shortFirst(p)), regexFlags{})
		if err != nil {
			return nil, err
		}
		steps := regexStepsMax
		m, err := re.first(a, &steps)
		if err != nil {
			return nil, err
		}
		if m == nil {
			return nil, errNull
		}
		if len(m) > 2 && m[2] >= 0 {
			m = m[2:]
		}
		return append(dst, a[m[0]:m[1]]...), nil
	})(s)
}

// shortFirst has the part before the first separator take as little as it can, where a % stands in it: {1,1}? says so in Postgres.
func shortFirst(p []byte) []byte {
	first, rest, found := bytes.Cut(p, []byte("){1,1}?("))
	if !found {
		return p
	}
	var out []byte
	for i, c := range first {
		out = append(out, c)
		if c == '*' && i > 1 && first[i-1] == '.' && first[i-2] != '\\' {
			out = append(out, '?')
		}
	}
	return slices.Concat(out, []byte("){1,1}?("), rest)
}

// appendSimilar turns a SIMILAR TO pattern into a regular expression.
func appendSimilar(dst, p, escape []byte) ([]byte, error) {
	if utf8.RuneCount(escape) > 1 {
		return nil, sqlerr.Newf(sqlerr.InvalidEscape, "invalid escape string").WithHint("Escape string must be empty or one character.")
	}
	dst = append(dst, "^(?:"...)
	inBracket, parts := false, 0
	for len(p) > 0 {
		_, size := utf8.DecodeRune(p)
		c := p[:size]
		p = p[size:]
		switch {
		case len(escape) > 0 && bytes.Equal(c, escape):
			if len(p) == 0 {
				return append(dst, ")$"...), nil
			}
			_, size = utf8.DecodeRune(p)
			if p[0] == '"' && !inBracket {
				parts++
				switch parts {
				case 1:
					dst = append(dst, "){1,1}?("...)
				case 2:
					dst = append(dst, "){1,1}(?:"...)
				default:
					return nil, sqlerr.Newf("2200C", "SQL regular expression may not contain more than two escape-double-quote separators")
				}
			} else if strings.IndexByte(`"%_`, p[0]) >= 0 {
				dst = append(dst, p[0])
			} else {
				dst = append(append(dst, '\\'), p[:size]...)
			}
			p = p[size:]
		case inBracket:
			if c[0] == ']' {
				inBracket = false
			}
			if c[0] == '\\' {
				dst = append(dst, '\\')
			}
			dst = append(dst, c...)
		case c[0] == '[':
			inBracket = true
			dst = append(dst, '[')
		case c[0] == '%':
			dst = append(dst, ".*"...)
		case c[0] == '_':
			dst = append(dst, '.')
		case c[0] == '(':
			dst = append(dst, "(?:"...)
		case strings.IndexByte(`\.^$`, c[0]) >= 0:
			dst = append(dst, '\\', c[0])
		default:
			dst = append(dst, c...)
		}
	}
	return append(dst, ")$"...), nil
}
