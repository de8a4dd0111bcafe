package script

import (
	"fmt"
	"strings"
)

// Fault is a directive that printed something else than was expected of it.
type Fault struct {
	File *File
	*Directive
	Got string
}

// String tells where, and shows the difference line by line.
func (f *Fault) String() string {
	return fmt.Sprintf("%s:%d: %s printed something else than expected (- expected, + printed)\n%s",
		f.File.Name, f.Line, strings.Join(append([]string{f.Verb}, f.Args...), " "), diff(f.Want, f.Got))
}

// Run carries out the directives one by one, on an engine that has seen nothing yet, and returns what each printed. An error is
// of a directive that could not be carried out at all; it ends the script.
func (f *File) Run(e *Engine, verbs Verbs) (printed []string, err error) {
	for _, d := range f.Directives {
		out, err := verbs[d.Verb].Run(e, d)
		if err != nil {
			return printed, fmt.Errorf("%s:%d: %s: %w", f.Name, d.Line, d.Verb, err)
		}
		if out != "" && !strings.HasSuffix(out, "\n") {
			out += "\n"
		}
		printed = append(printed, out)
		if e.opt.Restart && e.Session.Status() == 'I' { // a transaction would not outlive it
			if err := e.Restart(); err != nil {
				return printed, err
			}
			if err := e.resume(); err != nil {
				return printed, err
			}
		}
	}
	return printed, nil
}

// Compare returns the directives that printed something else than was expected.
func (f *File) Compare(printed []string) []*Fault {
	var out []*Fault
	for i, got := range printed {
		if d := f.Directives[i]; got != d.Want {
			out = append(out, &Fault{f, d, got})
		}
	}
	return out
}
