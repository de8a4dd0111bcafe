package function

import (
	"encoding/binary"
	"fmt"

	"go.starlark.net/starlark"

	"wmsql/catalog"
	"wmsql/sqlerr"
)

// declared is what value_state(ttl = "1 hour") gives: one state of the text.
type declared struct{ catalog.State }

func (d *declared) String() string        { return d.Kind + " state" }
func (d *declared) Type() string          { return "state" }
func (d *declared) Freeze()               {}
func (d *declared) Truth() starlark.Bool  { return true }
func (d *declared) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: state") }

// stateOf is value_state, list_state or map_state.
func stateOf(kind string) builtin {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var ttl string
		d := &declared{catalog.State{Kind: kind}}
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "ttl?", &ttl, "with_timer?", &d.WithTimer); err != nil {
			return nil, err
		}
		if ttl == "" {
			return d, nil
		}
		var err error
		if d.TTL, err = micros(ttl); err == nil && d.TTL <= 0 {
			err = fmt.Errorf("ttl must be longer than 0")
		}
		return d, err
	}
}

// statesMax bounds how many states a text declares.
const statesMax = 64

// statesOf reads what a text declares: states = {"name": value_state()}.
func statesOf(name string, v starlark.Value) ([]catalog.State, error) {
	if v == nil {
		return nil, nil
	}
	bad := func(format string, args ...any) error {
		return sqlerr.Newf(sqlerr.InvalidObjectDefinition, "function %q: "+format, append([]any{name}, args...)...).
			WithHint(`Write states = {"count": value_state(ttl = "1 hour")}.`)
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, bad("states is no dict")
	}
	var out []catalog.State
	for k, x := range d.Entries() {
		s, ok := x.(*declared)
		n, isName := starlark.AsString(k)
		switch {
		case !ok || !isName:
			return nil, bad("states maps names to value_state(), list_state() or map_state()")
		case n == "clear" || n == "":
			return nil, bad("a state cannot be called %q", n)
		}
		st := s.State
		st.Name = n
		out = append(out, st)
	}
	if len(out) > statesMax {
		return nil, bad("there are more than %d states", statesMax)
	}
	return out, nil
}

// Store is the state of one key. What it hands out must not be changed.
type Store interface {
	// Get returns an entry of a state; an expired one is not there. sub is "" for a value, the element of a list, the key of a map.
	Get(state int, sub string) ([]byte, bool)
	// Put sets an entry; its time to live begins anew. The error is the call's.
	Put(state int, sub string, value []byte) error
	Delete(state int, sub string)
	// Subs lists the entries of a state, ascending; Last is the last of them.
	Subs(state int) []string
	Last(state int) (sub string, ok bool)
	// Timers lists the pending timers, by kind and time.
	Timers() []Timer
	// SetTimer adds a timer; one that is pending stays.
	SetTimer(Timer)
	CancelTimer(Timer)
}

// stateSet is the state argument: state.name.
type stateSet struct {
	in    *Instance
	names map[string]*handle
}

func (s *stateSet) String() string        { return "state" }
func (s *stateSet) Type() string          { return "state" }
func (s *stateSet) Freeze()               {}
func (s *stateSet) Truth() starlark.Bool  { return true }
func (s *stateSet) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: state") }

// Attr finds a state, or clear, which clears them all.
func (s *stateSet) Attr(name string) (starlark.Value, error) {
	if h := s.names[name]; h != nil {
		return h, nil
	}
	if name == "clear" {
		return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
				return nil, err
			}
			for _, h := range s.names {
				if err := h.clear(); err != nil {
					return nil, err
				}
			}
			return starlark.None, nil
		}), nil
	}
	return nil, fmt.Errorf("the text declares no state %q", name)
}

// AttrNames lists the states.
func (s *stateSet) AttrNames() []string {
	var out []string
	for _, st := range s.in.program.States {
		out = append(out, st.Name)
	}
	return append(out, "clear")
}

// handle is one state of the key in hand.
type handle struct {
	in      *Instance
	at      int
	kind    string
	methods map[string]*starlark.Builtin
}

func newHandle(in *Instance, at int, kind string) *handle {
	h := &handle{in: in, at: at, kind: kind, methods: map[string]*starlark.Builtin{}}
	table := map[string]map[string]stateMethod{"value": valueMethods, "list": listMethods, "map": mapMethods}[kind]
	for name, f := range table {
		h.methods[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(kwargs) > 0 || len(args) < f.least || len(args) > f.most {
				return nil, fmt.Errorf("%s of a %s state takes %s", name, kind, f.takes)
			}
			return f.run(h, args)
		})
	}
	return h
}

func (h *handle) String() string        { return h.kind + " state" }
func (h *handle) Type() string          { return "state" }
func (h *handle) Freeze()               {}
func (h *handle) Truth() starlark.Bool  { return true }
func (h *handle) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable: state") }

// Attr finds a method.
func (h *handle) Attr(name string) (starlark.Value, error) {
	if m := h.methods[name]; m != nil {
		return m, nil
	}
	return nil, nil
}

// AttrNames lists the methods.
func (h *handle) AttrNames() []string {
	var out []string
	for n := range h.methods {
		out = append(out, n)
	}
	return out
}

// stateMethod is a method of a state, with how many arguments it takes.
type stateMethod struct {
	least, most int
	takes       string
	run         func(h *handle, args starlark.Tuple) (starlark.Value, error)
}

// The methods of the kinds of state. They are never changed.
var (
	valueMethods = map[string]stateMethod{
		"get": {0, 1, "a value for when it is absent, or nothing", func(h *handle, args starlark.Tuple) (starlark.Value, error) {
			return h.read("", optional(args, 0))
		}},
		"set": {1, 1, "the value", func(h *handle, args starlark.Tuple) (starlark.Value, error) {
			return starlark.None, h.write("", args[0])
		}},
		"clear": clearMethod,
	}
	listMethods = map[string]stateMethod{
		"get": {0, 0, "nothing", func(h *handle, _ starlark.Tuple) (starlark.Value, error) { return h.elements() }},
		"append": {1, 1, "the value", func(h *handle, args starlark.Tuple) (starlark.Value, error) {
			return starlark.None, h.append(args[0])
		}},
		"set": {1, 1, "a list", func(h *handle, args starlark.Tuple) (starlark.Value, error) {
			return starlark.None, h.replace(args[0])
		}},
		"clear": clearMethod,
	}
	mapMethods = map[string]stateMethod{
		"get": {1, 2, "a key, and a value for when it is absent", func(h *handle, args starlark.Tuple) (starlark.Value, error) {
			sub, err := h.key(args[0])
			if err != nil {
				return nil, err
			}
			return h.read(sub, optional(args, 1))
		}},
		"set": {2, 2, "a key and a value", func(h *handle, args starlark.Tuple) (starlark.Value, error) {
			sub, err := h.key(args[0])
			if err != nil {
				return nil, err
			}
			return starlark.None, h.write(sub, args[1])
		}},
		"remove": {1, 1, "a key", func(h *handle, args starlark.Tuple) (starlark.Value, error) {
			sub, err := h.key(args[0])
			if err == nil {
				h.in.store.Delete(h.at, sub)
			}
			return starlark.None, err
		}},
		"keys":  {0, 0, "nothing", func(h *handle, _ starlark.Tuple) (starlark.Value, error) { return h.keys(false) }},
		"items": {0, 0, "nothing", func(h *handle, _ starlark.Tuple) (starlark.Value, error) { return h.keys(true) }},
		"clear": clearMethod,
	}
	clearMethod = stateMethod{0, 0, "nothing", func(h *handle, _ starlark.Tuple) (starlark.Value, error) {
		return starlark.None, h.clear()
	}}
)

func optional(args starlark.Tuple, i int) starlark.Value {
	if i < len(args) {
		return args[i]
	}
	return starlark.None
}

// read returns an entry, absent if it is not there.
func (h *handle) read(sub string, absent starlark.Value) (starlark.Value, error) {
	data, ok := h.in.store.Get(h.at, sub)
	if !ok {
		return absent, nil
	}
	if err := h.in.meter.take(64 + 4*len(data)); err != nil {
		return nil, err
	}
	v, _, err := decode(data)
	if err != nil {
		h.in.broken = err
	}
	return v, err
}

func (h *handle) write(sub string, v starlark.Value) error {
	data, err := encode(nil, v, 0)
	if err != nil {
		return err
	}
	if len(data) > valueMax {
		return fmt.Errorf("a stored value may have %d KiB", valueMax>>10)
	}
	if err := h.in.meter.take(64 + 2*len(data)); err != nil {
		return err
	}
	return h.in.store.Put(h.at, sub, data)
}

func (h *handle) clear() error {
	subs := h.in.store.Subs(h.at)
	for _, s := range subs {
		h.in.store.Delete(h.at, s)
	}
	return h.in.meter.work(len(subs))
}

// elements are the values of a list, or of a map, in the order of their entries.
func (h *handle) elements() (starlark.Value, error) {
	var list []starlark.Value
	for _, s := range h.in.store.Subs(h.at) {
		v, err := h.read(s, starlark.None)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return starlark.NewList(list), nil
}

// append adds an element behind the last.
func (h *handle) append(v starlark.Value) error {
	next := uint64(0)
	if last, ok := h.in.store.Last(h.at); ok {
		next = binary.BigEndian.Uint64([]byte(last)) + 1
	}
	return h.write(string(binary.BigEndian.AppendUint64(nil, next)), v)
}

// replace makes the list that of v.
func (h *handle) replace(v starlark.Value) error {
	list, ok := v.(starlark.Iterable)
	if n := starlark.Len(v); !ok || n < 0 || n > memoryMax/listCell {
		return fmt.Errorf("set of a list state takes a list")
	}
	if err := h.clear(); err != nil {
		return err
	}
	n := uint64(0)
	for x := range starlark.Elements(list) {
		if err := h.write(string(binary.BigEndian.AppendUint64(nil, n)), x); err != nil {
			return err
		}
		n++
	}
	return nil
}

// key is the entry of a map's key. Equal keys have one: 1 and 1.0 are two.
func (h *handle) key(k starlark.Value) (string, error) {
	if _, err := k.Hash(); err != nil {
		return "", err
	}
	data, err := encode(nil, k, 0)
	if err == nil && len(data) > digitsMax {
		err = fmt.Errorf("a key of a map state may have %d bytes", digitsMax)
	}
	return string(data), err
}

// keys lists the keys of a map, with their values if items is set.
func (h *handle) keys(items bool) (starlark.Value, error) {
	var list []starlark.Value
	for _, s := range h.in.store.Subs(h.at) {
		k, _, err := decode([]byte(s))
		if err != nil {
			h.in.broken = err
			return nil, err
		}
		if err := h.in.meter.take(2*listCell + 4*len(s)); err != nil {
			return nil, err
		}
		if items {
			v, err := h.read(s, starlark.None)
			if err != nil {
				return nil, err
			}
			k = starlark.Tuple{k, v}
		}
		list = append(list, k)
	}
	return bounded(starlark.NewList(list))
}
