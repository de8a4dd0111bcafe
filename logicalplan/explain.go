package logicalplan

import (
	"strings"

	"wmsql/catalog"
)

// Explained is a node of a plan as EXPLAIN tells it: its line, named facts below it, its inputs. As JSON it has Postgres's
// names.
type Explained struct {
	Type    string       `json:"Node Type"`
	Title   string       `json:"Title"`
	Facts   []Fact       `json:"-"`
	Details Facts        `json:"Details,omitempty"`
	Plans   []*Explained `json:"Plans,omitempty"`
}

// Fact is a named phrase under a node.
type Fact struct{ Name, Value string }

// Facts is the same for JSON.
type Facts map[string]string

// ExplainOptions are what EXPLAIN is to tell beside the tree.
type ExplainOptions struct {
	// Mode is the output mode of the continuous query: every node that keeps state then tells its key, what bounds it and
	// what frees it, when it emits, and after how much event time the first result comes. nil for a SELECT, which keeps none.
	Mode      *catalog.OutputMode
	State     bool // how much state is open at a time, too
	Watermark bool // which columns carry a watermark at every node
}

// explainWidth is the width in characters that the lines of EXPLAIN keep to.
const explainWidth = 100

// Explain tells a plan as a tree.
func Explain(n Node, o ExplainOptions) *Explained {
	kind, _, _ := strings.Cut(n.Title(), " ")
	out := &Explained{Type: kind, Title: n.Title()}
	if o.Mode != nil {
		if f, ok := StateOf(n, *o.Mode); ok {
			out.Facts = f.phrases(o.State)
		}
	}
	if o.Watermark {
		if w := watermarkPhrase(n); w != "" {
			out.Facts = append(out.Facts, Fact{"watermark", w})
		}
	}
	for _, f := range out.Facts {
		if out.Details == nil {
			out.Details = Facts{}
		}
		out.Details[f.Name] = f.Value
	}
	for _, in := range n.Inputs() {
		out.Plans = append(out.Plans, Explain(in, o))
	}
	return out
}

// Lines draws the tree in lines of at most 100 characters.
func (e *Explained) Lines() []string {
	d := &drawer{}
	d.node(e, "", "")
	return d.lines
}

// Wrap breaks text into lines of at most 100 characters behind a label.
func Wrap(label, text string) []string {
	d := &drawer{}
	d.wrap(label, strings.Repeat(" ", len(label)), text)
	return d.lines
}

type drawer struct{ lines []string }

// node draws e: first stands before its title, rest before what is below.
func (d *drawer) node(e *Explained, first, rest string) {
	d.wrap(first, rest+"    ", e.Title)
	for _, f := range e.Facts {
		label := rest + "  " + f.Name + ": "
		d.wrap(label, strings.Repeat(" ", len(label)), f.Value)
	}
	for _, in := range e.Plans {
		d.node(in, rest+"  ->  ", rest+"      ")
	}
}

// wrap breaks text at spaces so that lines keep to the width.
func (d *drawer) wrap(first, rest, text string) {
	line := first
	empty := true
	for word := range strings.SplitSeq(text, " ") {
		if !empty && len(line)+1+len(word) > explainWidth {
			d.lines = append(d.lines, line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	d.lines = append(d.lines, line)
}

// watermarkPhrase says which output columns of n carry a watermark, and which lost one; "" if none has to do with any.
func watermarkPhrase(n Node) string {
	p := Derive(n)
	var parts []string
	for _, c := range n.Columns() {
		if m, ok := p.Marks[c.ID]; ok {
			parts = append(parts, c.Name+[...]string{" (event time)", " (window start)", " (window end)", " (window time)"}[m.Kind])
		}
		if l, ok := p.Lost[c.ID]; ok {
			parts = append(parts, c.Name+" (lost: "+l.Why+")")
		}
	}
	return strings.Join(parts, ", ")
}

func (f *State) phrases(open bool) []Fact {
	key := "(none)"
	if len(f.Key) > 0 {
		key = strings.Join(f.Key, ", ")
	}
	out := []Fact{{"key", key}, {"bound", f.Bound}, {"frees", f.Frees}}
	if len(f.Sides) > 0 {
		out = out[:0]
	}
	for _, s := range f.Sides {
		out = append(out, Fact{s.Name + " key", s.Key}, Fact{s.Name + " bound", s.Bound}, Fact{s.Name + " frees", s.Frees})
	}
	if f.Undoes != "" {
		out = append(out, Fact{"takes back", f.Undoes})
	}
	if f.Keeps != "" {
		out = append(out, Fact{"keeps", f.Keeps})
	}
	out = append(out, Fact{"emits", f.Emits}, Fact{"first result after", f.First})
	if open && f.Open != "" {
		out = append(out, Fact{"open", f.Open})
	}
	return out
}
