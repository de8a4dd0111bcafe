package function

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"wmsql/column"
	"wmsql/types"
)

// Fault is a call that did not end well, by the text's own doing or at a bound. What it changed and emitted is taken back.
type Fault struct{ Reason string }

// Error is the reason, with the function and the line.
func (f *Fault) Error() string { return f.Reason }

// Instance runs a program for one operator. It is for one goroutine.
type Instance struct {
	program *Program
	meter   *meter
	process starlark.Callable
	onTimer starlark.Callable
	state   *stateSet
	timers  *timerSet
	names   map[string]int // columns of the input
	out     *output
	marked  bool // the input has a watermark

	// Of the call in hand.
	store     Store
	now       int64 // µs
	watermark int64 // µs, MinTime: none
	fired     Timer
	firing    bool
	broken    error // state that cannot be read: no fault of the text
	cells     []starlark.Value
}

// Config is what an instance is for.
type Config struct {
	In, Out *types.Schema
	TimeAt  int             // ordinal in Out of the column that carries the watermark on, -1: none
	Marked  bool            // the input has a watermark
	Args    []column.Vector // one value for each parameter
}

// New makes an instance.
func (p *Program) New(c Config) (*Instance, error) {
	in := &Instance{program: p, meter: newMeter(), names: map[string]int{}, out: newOutput(c.Out, c.TimeAt), marked: c.Marked}
	for i, f := range slices.Backward(c.In.Fields) { // of two with one name, the first
		in.names[f.Name] = i
	}
	known := in.meter.predeclared()
	known["emit"] = starlark.NewBuiltin("emit", in.emit)
	for i, name := range p.params {
		v, err := valueOf(c.Args[i], 0)
		if err != nil {
			return nil, err
		}
		v.Freeze()
		known[name] = v
	}
	globals, err := p.init(in.meter, known)
	if err != nil {
		return nil, invalid(p.Name, err)
	}
	in.process = globals[processName].(starlark.Callable)
	if p.OnTimer {
		in.onTimer = globals[timerName].(starlark.Callable)
	}
	in.state = &stateSet{in: in, names: map[string]*handle{}}
	for i, s := range p.States {
		in.state.names[s.Name] = newHandle(in, i, s.Kind)
	}
	in.timers = newTimerSet(in)
	return in, nil
}

// Begin readies the instance for an epoch that began under a watermark, at a time.
func (in *Instance) Begin(now, watermark types.MicroTime) {
	in.now, in.watermark, in.out.late = int64(now), int64(watermark), int64(watermark)
}

// Advance moves the watermark that the timers fire under.
func (in *Instance) Advance(watermark types.MicroTime) { in.watermark = int64(watermark) }

// Process calls process for rows of one key, which is row at of key. An error that is no *Fault is not the text's.
func (in *Instance) Process(key []column.Vector, at int, rows *column.Batch, numbers []int32, store Store) error {
	in.firing, in.fired = false, Timer{}
	return in.run(store, len(numbers), func() error {
		k, err := keyOf(key, at)
		if err != nil {
			return err
		}
		list := make([]starlark.Value, len(numbers))
		for i, n := range numbers {
			list[i] = &row{b: rows, i: int(n), names: in.names}
		}
		_, err = starlark.Call(in.meter.thread, in.process, starlark.Tuple{k, starlark.NewList(list), in.state, in.timers}, nil)
		return err
	})
}

// Fire calls on_timer for a key, which is row at of key.
func (in *Instance) Fire(key []column.Vector, at int, t Timer, store Store) error {
	in.firing, in.fired = true, t
	return in.run(store, 0, func() error {
		k, err := keyOf(key, at)
		if err != nil {
			return err
		}
		_, err = starlark.Call(in.meter.thread, in.onTimer, starlark.Tuple{k, timeOf(t.At), in.state, in.timers}, nil)
		return err
	})
}

// run makes one call; a fault takes its rows back. The store's changes are the caller's to take back.
func (in *Instance) run(store Store, rows int, f func() error) error {
	in.store, in.broken = store, nil
	in.meter.begin(rows)
	before := in.out.rows
	err := in.meter.watched(f)
	if err == nil {
		err = in.kept()
	}
	if in.broken != nil {
		return in.broken
	}
	if err == nil {
		return nil
	}
	in.out.truncate(before)
	return &Fault{fmt.Sprintf("function %s, %s", in.program.Name, reasonOf(err))}
}

// kept checks after a call that a state which lives as long as its key has a timer does not outlive it.
func (in *Instance) kept() error {
	if len(in.store.Timers()) > 0 {
		return nil
	}
	for i, s := range in.program.States {
		if !s.WithTimer {
			continue
		}
		if _, kept := in.store.Last(i); kept && !in.firing {
			return fmt.Errorf("state %q is kept with_timer, and no timer is pending", s.Name)
		}
		for _, sub := range in.store.Subs(i) { // the last timer has fired
			in.store.Delete(i, sub)
		}
	}
	return nil
}

// keyOf is the key argument: None without PARTITION BY, a tuple with several keys.
func keyOf(key []column.Vector, at int) (starlark.Value, error) {
	switch len(key) {
	case 0:
		return starlark.None, nil
	case 1:
		return valueOf(key[0], at)
	}
	t := make(starlark.Tuple, len(key))
	for i, v := range key {
		var err error
		if t[i], err = valueOf(v, at); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Rows is how many emitted rows wait to be taken.
func (in *Instance) Rows() int { return in.out.rows }

// Take returns the emitted rows.
func (in *Instance) Take() *column.Batch {
	b := column.BuildBatch(in.out.schema, in.out.bs)
	b.Rows = in.out.rows
	in.out.rows = 0
	return b
}
