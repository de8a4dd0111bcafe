package types

import (
	"cmp"
	"slices"
)

// CheckJSON reports whether s is one JSON value (22P02 if not).
func CheckJSON(s string) error {
	p := jsonParser{s: s}
	return p.whole()
}

// AppendJSONB appends s in jsonb's canonical text: one blank after : and , and no other, keys by length and then bytes, of
// equal keys the last, numbers as numeric writes them.
func AppendJSONB(dst []byte, s string) ([]byte, error) {
	p := jsonParser{s: s, build: true}
	if err := p.whole(); err != nil {
		return dst, err
	}
	return p.root.append(dst), nil
}

// jsonDepthMax bounds nesting, since values are read by recursion.
const jsonDepthMax = 6400

// jsonNode is a value of a jsonb: text for scalars, as it is written; elems for arrays; elems and keys for objects.
type jsonNode struct {
	kind  byte // 's' scalar, 'a' array, 'o' object
	text  []byte
	keys  []string // unescaped
	elems []jsonNode
}

func (n *jsonNode) append(dst []byte) []byte {
	switch n.kind {
	case 'a':
		dst = append(dst, '[')
		for k := range n.elems {
			if k > 0 {
				dst = append(dst, ", "...)
			}
			dst = n.elems[k].append(dst)
		}
		return append(dst, ']')
	case 'o':
		return n.appendObject(dst)
	}
	return append(dst, n.text...)
}

func (n *jsonNode) appendObject(dst []byte) []byte {
	order := make([]int, len(n.keys))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := cmp.Compare(len(n.keys[a]), len(n.keys[b])); c != 0 {
			return c
		}
		return cmp.Compare(n.keys[a], n.keys[b])
	})
	dst = append(dst, '{')
	first := true
	for k, at := range order {
		if k+1 < len(order) && n.keys[order[k+1]] == n.keys[at] {
			continue // a later one of the same name wins
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = AppendJSONString(dst, n.keys[at])
		dst = append(dst, ": "...)
		dst = n.elems[at].append(dst)
	}
	return append(dst, '}')
}

// AppendJSONString appends s as a JSON string, escaped as Postgres does: only what must be.
func AppendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for k := range len(s) {
		switch c := s[k]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c < ' ':
			dst = append(dst, `\u00`...)
			dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
