// Package function runs user-defined functions: texts in Starlark, a small Python, that are given the rows of one key and keep
// state for it. It is the only package that knows the interpreter.
//
// A text can do nothing but compute: there is no file, network, clock or randomness, and equal calls give equal results. What
// it may spend is bounded. The interpreter counts its own steps; everything whose cost is not that of a step (operators, methods,
// built-in functions) is rewritten into calls of this package, which charge for the work and the memory before it is done.
package function

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"wmsql/catalog"
	"wmsql/sqlerr"
)

// Language is what LANGUAGE names.
const Language = "starlark"

// The bounds of a text and of its calls.
const (
	sourceMax   = 64 << 10 // bytes of a text: what is parsed by recursion stays far below Go's stack limit
	stepsCall   = 1 << 20  // steps of one call, about 30 ms
	stepsRow    = 1 << 12  // and more for each row that it is given
	memoryMax   = 32 << 20 // bytes that one call may ask for, used or not
	valueMax    = 1 << 20  // bytes of one stored value, and of one text
	tupleMax    = 1000     // values in a tuple and the tuples in it: the price of hashing one
	bitsMax     = 4096     // of an int
	timersMax   = 10_000   // pending timers of one key, and firings of one key in an epoch
	digitsMax   = 1200     // of a text that int() reads
	nestingMax  = 50       // levels of a stored value
	keyStateMax = 16 << 20 // bytes of state that one key may have
)

// The functions that a text defines.
const (
	processName = "process"
	timerName   = "on_timer"
	statesName  = "states"
)

// Program is a text that was checked and compiled. It never changes and may be shared.
type Program struct {
	Name    string
	States  []catalog.State // in the order of the text
	OnTimer bool            // it defines on_timer
	AtTimer bool            // it calls timers.at

	file   *starlark.Program
	params []string
}

// Compile checks a text. Names of params are constants in it. The error says in which line what is wrong.
func Compile(name, source string, params []string) (*Program, error) {
	if len(source) > sourceMax {
		return nil, sqlerr.Newf(sqlerr.StatementTooComplex, "the text of function %q is longer than %d KiB", name, sourceMax>>10)
	}
	options := &syntax.FileOptions{Set: true, While: true}
	f, err := options.Parse(name, source, 0)
	if err != nil {
		return nil, invalid(name, err)
	}
	if err := declarationsOnly(f.Stmts); err != nil {
		return nil, invalid(name, err)
	}
	atTimer := callsMethod(f, "at")
	if err := rewrite(f); err != nil {
		return nil, invalid(name, err)
	}
	p := &Program{Name: name, params: params, AtTimer: atTimer}
	m := newMeter()
	known := m.predeclared()
	for _, n := range instanceNames {
		known[n] = starlark.None
	}
	for _, n := range params {
		known[n] = starlark.None
	}
	if p.file, err = starlark.FileProgram(f, known.Has); err != nil {
		return nil, invalid(name, err)
	}
	globals, err := p.init(m, known)
	if err != nil {
		return nil, invalid(name, err)
	}
	if err := p.signatures(globals); err != nil {
		return nil, err
	}
	p.States, err = statesOf(name, globals[statesName])
	return p, err
}

// callsMethod reports whether a text has a call of a method of some name.
func callsMethod(f *syntax.File, name string) bool {
	found := false
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			d, dot := c.Fn.(*syntax.DotExpr)
			found = found || dot && d.Name.Name == name
		}
		return !found
	})
	return found
}

// init runs the module level, which only declares.
func (p *Program) init(m *meter, known starlark.StringDict) (starlark.StringDict, error) {
	m.begin(0)
	globals, err := p.file.Init(m.thread, known)
	if err != nil {
		return nil, err
	}
	globals.Freeze()
	return globals, nil
}

// signatures checks the functions that are called from outside.
func (p *Program) signatures(globals starlark.StringDict) error {
	want := func(name string, params string, n int) error {
		f, ok := globals[name].(*starlark.Function)
		if !ok || f.NumParams() != n || f.HasVarargs() || f.HasKwargs() {
			return sqlerr.Newf(sqlerr.InvalidObjectDefinition, "function %q does not define %s%s", p.Name, name, params).
				WithHint("Define it in the text: def %s%s:", name, params)
		}
		return nil
	}
	if err := want(processName, "(key, rows, state, timers)", 4); err != nil {
		return err
	}
	if p.OnTimer = globals.Has(timerName); p.OnTimer {
		return want(timerName, "(key, time, state, timers)", 4)
	}
	return nil
}

// invalid is the error for a text that cannot be compiled.
func invalid(name string, err error) error {
	var known *sqlerr.Error
	if errors.As(err, &known) {
		return err
	}
	return sqlerr.Newf(sqlerr.SyntaxError, "function %q, %s", name, reasonOf(err))
}

// reasonOf tells an error of the interpreter with its line.
func reasonOf(err error) string {
	at := func(line int32, msg string) string {
		if line <= 0 || msg == errSteps.Error() { // which step was the last says nothing
			return msg
		}
		return fmt.Sprintf("line %d: %s", line, msg)
	}
	var eval *starlark.EvalError
	var parse syntax.Error
	var names resolve.ErrorList
	switch {
	case errors.As(err, &eval):
		msg := strings.TrimPrefix(eval.Msg, "Starlark computation cancelled: ")
		for i := range eval.CallStack {
			if pos := eval.CallStack.At(i).Pos; pos.Line > 0 {
				return at(pos.Line, msg)
			}
		}
		return msg
	case errors.As(err, &parse):
		return at(parse.Pos.Line, parse.Msg)
	case errors.As(err, &names) && len(names) > 0:
		return at(names[0].Pos.Line, names[0].Msg)
	}
	return err.Error()
}
