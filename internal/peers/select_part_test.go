//go:build peers

package peers

import "strings"

// part is a piece of a random SELECT: text with places for other parts, so that a SELECT that fails can be made smaller.
type part struct {
	text []string // around the parts of in: one more than those
	in   []*part
	typ  string // what it gives: parts of one type may stand for each other. "" if it gives nothing
	none string // what may stand in its place, "" if nothing: a value of its type, or a space for what may be left out
}

// say makes a part of a text in which each %v is a part or a string.
func say(text string, args ...any) *part {
	p := &part{text: []string{""}}
	add := func(s string) { p.text[len(p.text)-1] += s }
	for i, s := range strings.Split(text, "%v") {
		if i > 0 {
			switch a := args[i-1].(type) {
			case string:
				add(a)
			case *part:
				p.in, p.text = append(p.in, a), append(p.text, "")
			}
		}
		add(s)
	}
	return p
}

// list joins parts, of which all but the first may be left out.
func list(ps []*part, sep string) *part {
	out := say("")
	for i, p := range ps {
		if i > 0 {
			p = maybe(say(sep+"%v", p))
		}
		out.in, out.text = append(out.in, p), append(out.text, "")
	}
	return out
}

// maybe marks a part that may be left out.
func maybe(p *part) *part {
	p.none = " "
	return p
}

// of says what type a part gives.
func (p *part) of(typ string) *part {
	p.typ, p.none = typ, "NULL::"+typeNames[typ]
	return p
}

func (p *part) String() string {
	var b strings.Builder
	p.write(&b)
	return b.String()
}

func (p *part) write(b *strings.Builder) {
	for i, s := range p.text {
		b.WriteString(s)
		if i < len(p.in) {
			p.in[i].write(b)
		}
	}
}

// shrinkTriesMax bounds the SELECTs that are tried to make one smaller.
const shrinkTriesMax = 600

// shrink makes the SELECT smaller as long as it fails in the same way: a part is left out, or another of its type stands for it. It may
// be made wrong on the way, for then the servers agree.
func (p *part) shrink(fails func(query string) bool) {
	tries := 0
	smaller := func() bool {
		for _, q := range p.all(nil) {
			old := *q
			for _, n := range q.instead() {
				if tries++; tries > shrinkTriesMax {
					return false
				}
				if *q = *n; fails(p.String()) {
					return true
				}
				*q = old
			}
		}
		return false
	}
	for smaller() {
	}
}

// clone is a copy that shrinking does not change.
func (p *part) clone() *part {
	out := *p
	out.in = nil
	for _, q := range p.in {
		out.in = append(out.in, q.clone())
	}
	return &out
}

// all is p and all parts in it, the outer ones first.
func (p *part) all(to []*part) []*part {
	to = append(to, p)
	for _, q := range p.in {
		to = q.all(to)
	}
	return to
}

// instead are the smaller parts that may stand for p.
func (p *part) instead() (out []*part) {
	text := p.String()
	if p.none != "" && len(p.none) < len(text) {
		out = append(out, &part{text: []string{p.none}})
	}
	if p.typ == "" {
		return out
	}
	for _, q := range p.all(nil)[1:] {
		if q.typ == p.typ && len(q.String()) < len(text) {
			out = append(out, q)
		}
	}
	return out
}
