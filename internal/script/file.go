package script

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"wmsql/sqlerr"
)

// File is a script that was read: directives, and what is expected of each.
//
//	verb words...
//	input
//	----
//	expected output
//
// An empty line ends the expected output; output that has empty lines stands between two pairs of ---- lines. Where nothing is
// expected of a verb whose input has no empty lines, the ---- line may be left out. Lines that begin with # between directives are comments.
type File struct {
	Name       string
	Directives []*Directive
	tail       string // what follows the last one
}

// Directive is one thing to do.
type Directive struct {
	Line  int // of the verb, from 1
	Verb  string
	Args  []string // the words after it, with their double quotes
	Input string   // without empty lines around it
	Want  string   // nothing, or whole lines

	head    string // the text from the end of the directive before to the end of the input
	divided bool   // a ---- line follows
}

// Arg returns the value of an argument key=value.
func (d *Directive) Arg(key string) (value string, ok bool) {
	for _, a := range d.Args {
		if k, v, _ := strings.Cut(a, "="); k == key {
			return v, true
		}
	}
	return "", false
}

// divider stands between what a directive is given and what it is expected to print.
const divider = "----"

var verbLine = regexp.MustCompile(`^[a-z]+( .*)?$`)

// word is what stands between blanks, and between double quotes blanks too: the name "a b".
var word = regexp.MustCompile(`("[^"]*"|[^ \t])+`)

// notSQL is what begins the next directive when it stands below an empty line.
var notSQL = regexp.MustCompile(`^(run|restart|crash|feed ("[^"]*"|[^ ])+)$`)

// Parse reads a script. Errors name the file and the line.
func Parse(name, text string, verbs Verbs) (*File, error) {
	p := &parser{file: &File{Name: name}, lines: strings.SplitAfter(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), verbs: verbs}
	for p.between() {
		if err := p.directive(); err != nil {
			return nil, err
		}
	}
	p.file.tail = p.taken.String()
	return p.file, nil
}

type parser struct {
	file  *File
	lines []string // with their ends
	at    int
	verbs Verbs
	taken strings.Builder // since the last directive
}

// peek returns the line to be read next, without its end; ok is false at the end of the file.
func (p *parser) peek() (line string, ok bool) {
	if p.at >= len(p.lines) || p.at == len(p.lines)-1 && p.lines[p.at] == "" {
		return "", false
	}
	return strings.TrimRight(p.lines[p.at], " \t\n"), true
}

func (p *parser) take() {
	p.taken.WriteString(strings.TrimSuffix(p.lines[p.at], "\n") + "\n")
	p.at++
}

// between skips empty lines and comments, and reports whether a directive follows.
func (p *parser) between() bool {
	for {
		line, ok := p.peek()
		if !ok || line != "" && line[0] != '#' {
			return ok
		}
		p.take()
	}
}

func (p *parser) fault(line int, hint, format string, args ...any) error {
	return sqlerr.Newf(sqlerr.SyntaxError, "%s:%d: %s", p.file.Name, line, fmt.Sprintf(format, args...)).WithHint("%s", hint)
}

func (p *parser) directive() error {
	line, _ := p.peek()
	d := &Directive{Line: p.at + 1}
	if line == divider {
		return p.fault(d.Line, "Expected output that has empty lines stands between two pairs of ---- lines.", "---- stands below no verb")
	}
	words := word.FindAllString(line, -1)
	verb, known := p.verbs[words[0]]
	if !verbLine.MatchString(line) || !known {
		return p.fault(d.Line, "A directive begins with one of: "+strings.Join(slices.Sorted(maps.Keys(p.verbs)), ", ")+"; comments begin with #.",
			"there is no verb %q", words[0])
	}
	d.Verb, d.Args = words[0], words[1:]
	p.take()
	if err := p.input(d, verb); err != nil {
		return err
	}
	d.head = p.taken.String()
	p.taken.Reset()
	if !d.divided {
		p.file.Directives = append(p.file.Directives, d)
		return nil
	}
	p.at++
	p.file.Directives = append(p.file.Directives, d)
	return p.want(d)
}

// input reads what stands between the verb and the divider.
func (p *parser) input(d *Directive, verb Verb) error {
	var b strings.Builder
	for blank := false; ; {
		line, ok := p.peek()
		switch {
		case !ok && verb.Text, verb.Text && blank && notSQL.MatchString(line):
			return p.fault(d.Line, "SQL may have empty lines in it, so a line of ---- has to say where it ends, also when nothing is expected.",
				"the %s that begins here has no ---- line", d.Verb)
		case !ok, line == "" && !verb.Text, line != divider && verb.Bare:
			d.Input = strings.TrimSpace(b.String())
			return nil
		case line == divider:
			d.Input, d.divided = strings.TrimSpace(b.String()), true
			return nil
		}
		blank = line == ""
		b.WriteString(strings.TrimSuffix(p.lines[p.at], "\n") + "\n")
		p.take()
	}
}

// want reads what is expected.
func (p *parser) want(d *Directive) error {
	var b strings.Builder
	long := false
	for first := true; ; first = false {
		line, ok := p.peek()
		switch {
		case first && ok && line == divider:
			long = true
			p.at++
			continue
		case !ok && long:
			return p.fault(d.Line, "", "the expected output of the %s that begins here lacks its closing pair of ---- lines", d.Verb)
		case !ok, line == "" && !long, long && line == divider && p.pair():
			d.Want = b.String()
			if long {
				p.at += 2
			}
			return nil
		}
		b.WriteString(strings.TrimSuffix(p.lines[p.at], "\n") + "\n")
		p.at++
	}
}

// pair reports whether two dividers follow.
func (p *parser) pair() bool {
	return p.at+1 < len(p.lines) && strings.TrimRight(p.lines[p.at+1], " \t\n") == divider
}

// Text returns the script with what the directives printed in the place of what was expected of them.
func (f *File) Text(printed []string) string {
	var b strings.Builder
	for i, d := range f.Directives {
		b.WriteString(d.head)
		out := printed[i]
		switch {
		case out == "" && !d.divided:
		case out == "":
			b.WriteString(divider + "\n")
		case strings.HasPrefix(out, "\n"), strings.Contains(out, "\n\n"), strings.HasPrefix(out, divider):
			b.WriteString(divider + "\n" + divider + "\n" + out + divider + "\n" + divider + "\n")
		default:
			b.WriteString(divider + "\n" + out)
		}
	}
	return b.String() + f.tail
}
