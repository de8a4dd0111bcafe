package expr

import (
	"bytes"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// likePattern is a LIKE pattern taken apart; the backslash is the escape character.
type likePattern struct {
	text   string
	shape  likeShape
	fixed  []byte // of the simple shapes: the text without wildcards
	folded []byte // the pattern in lower case, for ILIKE
}

type likeShape uint8

const (
	likeGeneral  likeShape = iota
	likeExact              // abc
	likePrefix             // abc%
	likeSuffix             // %abc
	likeContains           // %abc%
)

func errLikeEscape() error {
	return sqlerr.Newf(sqlerr.InvalidEscape, "LIKE pattern must not end with escape character")
}

func parseLike(text []byte) *likePattern {
	p := &likePattern{text: string(text), folded: appendLower(nil, text)}
	inner := bytes.TrimPrefix(text, []byte("%"))
	starts := len(inner) < len(text)
	fixed := bytes.TrimSuffix(inner, []byte("%"))
	ends := len(fixed) < len(inner)
	if bytes.ContainsAny(fixed, `%_\`) {
		return p
	}
	p.fixed = append([]byte(nil), fixed...)
	switch {
	case starts && ends:
		p.shape = likeContains
	case starts:
		p.shape = likeSuffix
	case ends:
		p.shape = likePrefix
	default:
		p.shape = likeExact
	}
	return p
}

func (p *likePattern) match(a []byte) (bool, error) {
	switch p.shape {
	case likeExact:
		return bytes.Equal(a, p.fixed), nil
	case likePrefix:
		return bytes.HasPrefix(a, p.fixed), nil
	case likeSuffix:
		return bytes.HasSuffix(a, p.fixed), nil
	case likeContains:
		return bytes.Contains(a, p.fixed), nil
	}
	return matchLike(a, []byte(p.text))
}

// matchLike matches with the last % only tried again: an earlier one never needs to take more.
func matchLike(a, p []byte) (bool, error) {
	var backA, backP []byte // where to go on after the last %
	for {
		switch {
		case len(p) > 0 && p[0] == '%':
			p = p[1:]
			if len(p) == 0 {
				return true, nil
			}
			backA, backP = a, p
			continue
		case len(p) == 0 && len(a) == 0:
			return true, nil
		case len(p) == 1 && p[0] == '\\' && len(a) > 0:
			return false, errLikeEscape()
		case len(p) > 0 && len(a) > 0:
			if p[0] == '_' {
				_, size := utf8.DecodeRune(a)
				a, p = a[size:], p[1:]
				continue
			}
			c := p
			if p[0] == '\\' {
				c = p[1:]
			}
			if c[0] == a[0] {
				a, p = a[1:], c[1:]
				continue
			}
		}
		if backP == nil || len(backA) == 0 {
			return false, nil
		}
		_, size := utf8.DecodeRune(backA)
		backA = backA[size:]
		a, p = backA, backP
	}
}

// likeKernel is LIKE and ILIKE, negated or not. The last pattern is kept taken apart.
func likeKernel(fold, not bool) kernel {
	return fn2s(func(*site) func(a, pattern []byte) (bool, error) {
		var last *likePattern
		var lower []byte
		return func(a, pattern []byte) (bool, error) {
			if last == nil || last.text != string(pattern) {
				last = parseLike(pattern)
			}
			if fold {
				lower = appendLower(lower[:0], a)
				ok, err := matchLike(lower, last.folded)
				return ok != not, err
			}
			ok, err := last.match(a)
			return ok != not, err
		}
	})
}

// appendLikeEscape rewrites a pattern with an escape character of its own to one with the backslash.
func appendLikeEscape(dst, p, escape []byte) ([]byte, error) {
	if utf8.RuneCount(escape) > 1 {
		return nil, sqlerr.Newf(sqlerr.InvalidEscape, "invalid escape string").WithHint("Escape string must be empty or one character.")
	}
	if string(escape) == `\` {
		return append(dst, p...), nil
	}
	for len(p) > 0 {
		_, size := utf8.DecodeRune(p)
		switch c := p[:size]; {
		case len(escape) > 0 && bytes.Equal(c, escape):
			dst = append(dst, '\\')
			p = p[size:]
			if len(p) > 0 {
				_, size = utf8.DecodeRune(p)
				dst = append(dst, p[:size]...)
			} else {
				return dst, nil
			}
		case c[0] == '\\':
			dst = append(dst, '\\', '\\')
		default:
			dst = append(dst, c...)
		}
		p = p[size:]
	}
	return dst, nil
}

func likeOperators() []*Function {
	var out []*Function
	for _, o := range []struct {
		name      string
		fold, not bool
	}{{"~~", false, false}, {"!~~", false, true}, {"~~*", true, false}, {"!~~*", true, true}} {
		for _, t := range []string{"text", "name", "bpchar"} {
			out = append(out, def(o.name+"("+t+",text) bool", likeKernel(o.fold, o.not)))
		}
	}
	return out
}

func likeFunctions() []*Function {
	return []*Function{
		def("like_escape(text,text) text", tx2e(appendLikeEscape)),
		def("similar_to_escape(text) text", tx1e(func(dst, p []byte) ([]byte, error) { return appendSimilar(dst, p, []byte(`\`)) })),
		def("similar_to_escape(text,text) text", tx2e(appendSimilar)),
		def("similar_escape(text,text) text", tx2e(appendSimilar)),
	}
}
