package function

import (
	"fmt"
	"time"

	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"

	"wmsql/types"
)

// Timer is a time at which on_timer is called for a key: when the watermark has come to it, or the clock.
type Timer struct {
	Processing bool
	At         int64 // µs
}

// timerSet is the timers argument.
type timerSet struct {
	in      *Instance
	methods map[string]*starlark.Builtin
}

func newTimerSet(in *Instance) *timerSet {
	t := &timerSet{in: in, methods: map[string]*starlark.Builtin{}}
	for name, f := range map[string]builtin{"at": t.setAt, "after": t.setAfter, "cancel": t.cancel, "cancel_all": t.cancelAll, "pending": t.pending} {
		t.methods[name] = starlark.NewBuiltin(name, f)
	}
	return t
}

func (t *timerSet) String() string        { return "timers" }
func (t *timerSet) Type() string          { return "timers" }
func (t *timerSet) Freeze()               {}
func (t *timerSet) Truth() starlark.Bool  { return true }
func (t *timerSet) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: timers") }

// Attr finds a method, or watermark and now.
func (t *timerSet) Attr(name string) (starlark.Value, error) {
	switch name {
	case "watermark":
		if t.in.watermark == int64(types.MinTime) {
			return starlark.None, nil
		}
		return timeOf(t.in.watermark), nil
	case "now":
		return timeOf(t.in.now), nil
	case "processing":
		return starlark.Bool(t.in.fired.Processing), nil
	}
	if m := t.methods[name]; m != nil {
		return m, nil
	}
	return nil, nil
}

// AttrNames lists what there is.
func (t *timerSet) AttrNames() []string {
	return []string{"after", "at", "cancel", "cancel_all", "now", "pending", "processing", "watermark"}
}

// setAt is timers.at(time): when the watermark comes to it.
func (t *timerSet) setAt(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	us, err := timeArg(b, args, kwargs)
	switch {
	case err != nil:
		return nil, err
	case !t.in.marked:
		return nil, fmt.Errorf("timers.at goes by the watermark, and the input has none")
	}
	return starlark.None, t.set(Timer{At: us})
}

// setAfter is timers.after(duration): when the clock has gone on by it.
func (t *timerSet) setAfter(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var v starlark.Value
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &v); err != nil {
		return nil, err
	}
	d, ok := v.(startime.Duration)
	if !ok {
		return nil, fmt.Errorf("timers.after takes a duration, not a %s", v.Type())
	}
	return starlark.None, t.set(Timer{Processing: true, At: t.in.now + time.Duration(d).Microseconds()})
}

func (t *timerSet) set(x Timer) error {
	in := t.in
	switch {
	case !in.program.OnTimer:
		return fmt.Errorf("the text defines no on_timer")
	case in.firing && x.Processing == in.fired.Processing && x.At <= in.fired.At:
		return fmt.Errorf("a timer that is set by on_timer must be later than the one that fires")
	case len(in.store.Timers()) >= timersMax:
		return fmt.Errorf("a key may have %d timers", timersMax)
	}
	if err := in.meter.take(128); err != nil {
		return err
	}
	in.store.SetTimer(x)
	return nil
}

// cancel is timers.cancel(time), of either kind.
func (t *timerSet) cancel(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	us, err := timeArg(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	t.in.store.CancelTimer(Timer{At: us})
	t.in.store.CancelTimer(Timer{Processing: true, At: us})
	return starlark.None, nil
}

func (t *timerSet) cancelAll(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	all := t.in.store.Timers()
	for i := len(all) - 1; i >= 0; i-- {
		t.in.store.CancelTimer(all[i])
	}
	return starlark.None, t.in.meter.work(len(all))
}

// pending is timers.pending(): the times, those by the watermark first.
func (t *timerSet) pending(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	all := t.in.store.Timers()
	if err := t.in.meter.cells(len(all), 2*listCell); err != nil {
		return nil, err
	}
	list := make([]starlark.Value, len(all))
	for i, x := range all {
		list[i] = timeOf(x.At)
	}
	return starlark.NewList(list), nil
}

// timeArg is the one argument of a method, a time, in µs.
func timeArg(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (int64, error) {
	var v starlark.Value
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &v); err != nil {
		return 0, err
	}
	x, ok := v.(startime.Time)
	if !ok {
		return 0, fmt.Errorf("timers.%s takes a time, not a %s", b.Name(), v.Type())
	}
	us, ok := microsOf(x)
	if !ok {
		return 0, fmt.Errorf("timers.%s: the time is out of range", b.Name())
	}
	return us, nil
}
