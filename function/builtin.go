package function

import (
	"fmt"
	"time"

	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"

	"wmsql/types"
)

// instanceNames are the functions that only an instance can give their meaning.
var instanceNames = []string{"emit"}

// predeclared is what a text can name: the guards, and the built-in functions, those that do more than one step's work charging
// for it.
func (m *meter) predeclared() starlark.StringDict {
	out := starlark.StringDict{}
	add := func(name string, f builtin) { out[name] = starlark.NewBuiltin(name, f) }
	for name, f := range m.operators() {
		add(guardMark+name, f)
	}
	for _, name := range []string{"list", "tuple", "set", "sorted", "reversed", "enumerate", "zip", "any", "all", "min", "max", "dict"} {
		add(name, m.charged(name, m.goesThrough))
	}
	for _, name := range []string{"str", "repr", "fail"} {
		add(name, m.charged(name, m.writesOut))
	}
	for _, name := range []string{"int", "float", "bytes"} {
		add(name, m.charged(name, readsIn))
	}
	for _, name := range []string{"dir", "getattr", "hash"} {
		add(name, missing)
	}
	add("sum", m.sum)
	add("duration", duration)
	add("timestamp", timestamp)
	add("value_state", stateOf("value"))
	add("list_state", stateOf("list"))
	add("map_state", stateOf("map"))
	return out
}

// charged is a function of the language for which cost charges first.
func (m *meter) charged(name string, cost func(args starlark.Tuple, kwargs []starlark.Tuple) error) builtin {
	f := starlark.Universe[name].(*starlark.Builtin)
	return func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := cost(args, kwargs); err != nil {
			return nil, err
		}
		v, err := f.CallInternal(t, args, m.weighedKeys(kwargs))
		if err != nil {
			return nil, err
		}
		return bounded(v)
	}
}

// goesThrough charges for all values of the arguments, which may be compared.
func (m *meter) goesThrough(args starlark.Tuple, _ []starlark.Tuple) error {
	if err := m.iterated(args, 2*dictCell); err != nil {
		return err
	}
	for _, a := range args {
		if _, lazy := a.(interface{ Index(int) starlark.Value }); lazy && scalarElements(a) {
			continue
		}
		for range rounds(max(starlark.Len(a), 1)) {
			if err := m.walk(a); err != nil {
				return err
			}
		}
	}
	return nil
}

// scalarElements reports whether a is a range: its values are ints.
func scalarElements(a starlark.Value) bool { return a.Type() == "range" }

// weighedKeys makes what a key function returns be charged for: it is compared many times.
func (m *meter) weighedKeys(kwargs []starlark.Tuple) []starlark.Tuple {
	for i, kv := range kwargs {
		f, ok := kv[1].(starlark.Callable)
		if !ok || kv[0] != starlark.String("key") {
			continue
		}
		key := func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			v, err := starlark.Call(t, f, args, nil)
			for n := rounds(memoryMax / listCell); n > 0 && err == nil && !scalar(v); n-- {
				err = m.walk(v)
			}
			return v, err
		}
		kwargs[i] = starlark.Tuple{kv[0], starlark.NewBuiltin("key", key)}
	}
	return kwargs
}

// writesOut charges for the text of the arguments.
func (m *meter) writesOut(args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		if err := m.take(4 * weigh(a, memoryMax)); err != nil {
			return err
		}
	}
	return nil
}

// readsIn bounds what is read as a number.
func readsIn(args starlark.Tuple, _ []starlark.Tuple) error {
	for _, a := range args {
		if n := size(a); n > digitsMax {
			return fmt.Errorf("a text of %d bytes is too long", n)
		}
	}
	return nil
}

func missing(_ *starlark.Thread, b *starlark.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return nil, fmt.Errorf("%s is not available in functions", b.Name())
}

// sum is sum(values).
func (m *meter) sum(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var list starlark.Iterable
	if err := starlark.UnpackPositionalArgs("sum", args, kwargs, 1, &list); err != nil {
		return nil, err
	}
	if err := m.iterated(args, listCell); err != nil {
		return nil, err
	}
	var total, v starlark.Value = starlark.MakeInt(0), nil
	it := list.Iterate()
	defer it.Done()
	for it.Next(&v) {
		var err error
		if total, err = m.binary(plus, total, v); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// duration is duration("5 minutes"): an interval as SQL writes it, of a fixed length.
func duration(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var s string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &s); err != nil {
		return nil, err
	}
	us, err := micros(s)
	return startime.Duration(time.Duration(us) * time.Microsecond), err
}

// micros is the length of an interval.
func micros(s string) (int64, error) {
	if len(s) > digitsMax {
		return 0, fmt.Errorf("a text of %d bytes is too long", len(s))
	}
	v, err := types.ParseInterval(s, types.NoMod)
	if err != nil {
		return 0, fmt.Errorf("%q is no interval", s)
	}
	const most = 100 * 365 // days
	if v.Months != 0 || v.Days > most || v.Days < -most || v.Micros > most*types.MicrosPerDay || v.Micros < -most*types.MicrosPerDay {
		return 0, fmt.Errorf("%q has no fixed length of at most 100 years; months have none", s)
	}
	return int64(v.Days)*types.MicrosPerDay + v.Micros, nil
}

// timestamp is timestamp("2026-03-01 12:00"), in UTC unless it says otherwise.
func timestamp(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var s string
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &s); err != nil {
		return nil, err
	}
	if len(s) > digitsMax {
		return nil, fmt.Errorf("a text of %d bytes is too long", len(s))
	}
	f := *types.UTC
	f.Now = 1 // now, today, yesterday: there is no clock
	us, err := types.ParseTimestampTZ(s, &f)
	if err != nil {
		return nil, fmt.Errorf("%q is no timestamp", s)
	}
	return timeOf(us), nil
}
