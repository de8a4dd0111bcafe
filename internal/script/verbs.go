package script

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"wmsql/internal/failpoint"
	"wmsql/server"
)

// Verb is what one kind of directive does.
type Verb struct {
	Text bool // the input is SQL, which may hold empty lines
	Bare bool // there is no input
	Run  func(*Engine, *Directive) (printed string, err error)
}

// Verbs are the verbs of a script, by name.
type Verbs map[string]Verb

// NewVerbs returns the verbs of every script.
//
//	sql, select        statements, as one simple query
//	explain            EXPLAIN of the statement below
//	include FILE...    the statements of SQL files that lie beside the script
//	feed REL [COL...]  rows, as one transaction: see Engine.feed
//	step               one micro-batch of every view that has something to do
//	run                steps until none has
//	state              what every operator keeps
//	clock +10m         moves the clock; clock 2026-01-01 12:00 sets it, in UTC
//	restart            stops the server and starts it again
//	crash [at=POINT]   cuts the power when the next micro-batch comes to a place, else before its commit, and starts the server again
//	cut [at=POINT]     the same for a micro-batch that the statement below asks for
func NewVerbs() Verbs {
	query := Verb{Text: true, Run: (*Engine).query}
	return Verbs{
		"sql":     query,
		"select":  query,
		"explain": {Text: true, Run: func(e *Engine, d *Directive) (string, error) { return e.Exec("EXPLAIN " + d.Input), nil }},
		"include": {Bare: true, Run: (*Engine).include},
		"feed":    {Run: (*Engine).feed},
		"step":    {Bare: true, Run: func(e *Engine, _ *Directive) (string, error) { return e.steps(1) }},
		"run":     {Bare: true, Run: func(e *Engine, _ *Directive) (string, error) { return e.steps(untilIdle) }},
		"state": {Bare: true, Run: func(e *Engine, _ *Directive) (string, error) {
			return e.Exec("SELECT view, title, num_rows_total FROM wm_catalog.state_operators"), nil
		}},
		"clock":   {Bare: true, Run: (*Engine).moveClock},
		"restart": {Bare: true, Run: func(e *Engine, _ *Directive) (string, error) { e.set = nil; return "", e.Restart() }},
		"crash":   {Bare: true, Run: (*Engine).cutPower},
		"cut":     {Text: true, Run: (*Engine).cutPower},
	}
}

func (e *Engine) query(d *Directive) (string, error) {
	if strings.HasPrefix(strings.ToUpper(d.Input), "SET ") {
		e.set = append(e.set, d.Input)
	}
	return e.Exec(d.Input), nil
}

// include runs the statements of files, up to the first error.
func (e *Engine) include(d *Directive) (string, error) {
	if len(d.Args) == 0 {
		return "", fmt.Errorf("write include FILE..., with paths as seen from the script")
	}
	var out strings.Builder
	for _, name := range d.Args {
		text, err := os.ReadFile(filepath.Join(e.opt.Dir, name))
		if err != nil {
			return "", err
		}
		for _, c := range server.SplitScript(string(text)) {
			printed := e.Exec(c.Text)
			out.WriteString(printed)
			if strings.Contains(printed, "ERROR:  ") {
				line := strings.Count(string(text)[:c.Offset], "\n") + 1
				fmt.Fprintf(&out, "in the statement at %s:%d\n", name, line)
				return out.String(), nil
			}
		}
	}
	return out.String(), nil
}

func (e *Engine) moveClock(d *Directive) (string, error) {
	to := strings.Join(d.Args, " ")
	if by, ok := strings.CutPrefix(to, "+"); ok {
		d, err := time.ParseDuration(by)
		if err != nil || d < 0 {
			return "", fmt.Errorf("%q is no duration: write +10m, +1h30m or +5s", to)
		}
		e.Clock.Move(d)
		return "", nil
	}
	at, err := time.Parse("2006-01-02 15:04:05", to)
	if err != nil {
		at, err = time.Parse("2006-01-02 15:04", to)
	}
	if err != nil {
		return "", fmt.Errorf("%q is neither +DURATION nor a time such as 2026-01-01 12:00", to)
	}
	e.Clock.Move(at.Sub(e.Clock.Now()))
	return "", nil
}

func (e *Engine) cutPower(d *Directive) (string, error) {
	at, err := place(d)
	if err != nil {
		return "", err
	}
	e.set = nil
	if d.Input != "" {
		return "", e.crashDuring(at, d.Input)
	}
	return "", e.Crash(at)
}

// place is where a crash directive wants the power cut.
func place(d *Directive) (failpoint.Point, error) {
	at, ok := d.Arg("at")
	if !ok {
		return failpoint.BatchReady, nil
	}
	var all []string
	for _, p := range failpoint.All() {
		if string(p) == at {
			return p, nil
		}
		all = append(all, string(p))
	}
	return "", fmt.Errorf("%q is no place of a micro-batch: write at= one of %s", at, strings.Join(all, ", "))
}
