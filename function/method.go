package function

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// call is x.name(args) where name is a method that some value of the language has.
func (m *meter) call(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return m.invoke(t, args[0], string(args[1].(starlark.String)), args[2:], kwargs)
}

// attr is x.name where it is not called: of a row, say, a column that is called like a method.
func attr(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	v, err := attribute(args[0], string(args[1].(starlark.String)))
	if _, method := v.(*starlark.Builtin); err == nil && method {
		return nil, fmt.Errorf("method %s must be called", args[1])
	}
	return v, err
}

func attribute(x starlark.Value, name string) (starlark.Value, error) {
	h, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .%s attribute", x.Type(), name)
	}
	v, err := h.Attr(name)
	if v == nil && err == nil {
		err = fmt.Errorf("%s has no .%s attribute", x.Type(), name)
	}
	return v, err
}

func (m *meter) invoke(t *starlark.Thread, x starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f, err := attribute(x, name)
	if err != nil {
		return nil, err
	}
	if !ours(x) {
		if err := m.method(x, name, args, kwargs); err != nil {
			return nil, err
		}
	}
	v, err := starlark.Call(t, f, args, kwargs)
	if err != nil || ours(x) {
		return v, err
	}
	return bounded(v)
}

// ours reports whether x charges for its methods itself.
func ours(x starlark.Value) bool {
	switch x.(type) {
	case starlark.String, starlark.Bytes, *starlark.List, *starlark.Dict, *starlark.Set:
		return false
	}
	return true
}

// method charges for a method of the language.
func (m *meter) method(x starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	n := 64
	for _, a := range args {
		if s, ok := a.(starlark.Sequence); ok && s.Len() > memoryMax/listCell {
			return errMemory // a range
		}
		n += size(a)
	}
	switch x := x.(type) {
	case starlark.String:
		return m.textMethod(string(x), name, n, args, kwargs)
	case *starlark.List:
		switch name {
		case "append", "pop", "clear":
			return m.take(64)
		case "index", "remove":
			return m.both(x, args)
		case "insert":
			return m.work(x.Len())
		case "extend":
			return m.iterated(args, listCell)
		}
	case *starlark.Dict:
		switch name {
		case "get", "pop", "setdefault", "popitem", "clear":
			return m.take(dictCell)
		case "update":
			return m.iterated(args, dictCell)
		}
	case *starlark.Set:
		switch name {
		case "add", "discard", "remove", "pop", "clear":
			return m.take(dictCell)
		}
		if err := m.iterated(args, dictCell); err != nil {
			return err
		}
	}
	return m.take(n + 2*size(x))
}

// iterated charges for going through the arguments, each value costing some bytes. What has no length is refused.
func (m *meter) iterated(args starlark.Tuple, cell int) error {
	for _, a := range args {
		if _, ok := a.(starlark.Iterable); !ok {
			continue
		}
		n := starlark.Len(a)
		if n < 0 {
			return fmt.Errorf("a %s cannot be used here", a.Type())
		}
		if err := m.cells(n, cell); err != nil {
			return err
		}
	}
	return nil
}

// textMethod charges for a method of a string; n is the bytes of the arguments.
func (m *meter) textMethod(s, name string, n int, args starlark.Tuple, kwargs []starlark.Tuple) error {
	switch name {
	case "join":
		return m.joins(s, args)
	case "format":
		v := append(starlark.Tuple{}, args...)
		for _, kv := range kwargs {
			v = append(v, kv[1])
		}
		return m.formats(s, '{', v)
	case "replace":
		if len(args) >= 2 {
			old, _ := starlark.AsString(args[0])
			with, _ := starlark.AsString(args[1])
			if err := m.take(2 * len(s)); err != nil {
				return err
			}
			return m.cells(strings.Count(s, old), len(with)+1)
		}
	case "split", "rsplit", "splitlines", "elems", "codepoints", "elem_ords", "codepoint_ords":
		return m.take(listCell*len(s) + n)
	}
	return m.take(2*len(s) + n)
}

// joins charges for sep.join(values).
func (m *meter) joins(sep string, args starlark.Tuple) error {
	if len(args) != 1 {
		return nil // refused by the method itself
	}
	if err := m.iterated(args, listCell+len(sep)); err != nil {
		return err
	}
	var v starlark.Value
	it := starlark.Iterate(args[0])
	if it == nil {
		return nil
	}
	defer it.Done()
	for it.Next(&v) {
		if err := m.take(size(v)); err != nil {
			return err
		}
	}
	return nil
}
