package function

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// builtin is a function of the language written in Go.
type builtin func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// operators are the guards of rewrite by their names without the mark.
func (m *meter) operators() map[string]builtin {
	out := map[string]builtin{"slice": m.slice, "tuple": m.tuple, "made": m.made, "call": m.call, "attr": attr}
	for op := syntax.PLUS; op <= syntax.NOT_IN; op++ {
		out[op.String()] = func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return m.binary(op, args[0], args[1])
		}
	}
	for op, plain := range map[syntax.Token]syntax.Token{syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR,
		syntax.SLASH_EQ: syntax.SLASH, syntax.SLASHSLASH_EQ: syntax.SLASHSLASH, syntax.PERCENT_EQ: syntax.PERCENT, syntax.AMP_EQ: syntax.AMP,
		syntax.PIPE_EQ: syntax.PIPE, syntax.CIRCUMFLEX_EQ: syntax.CIRCUMFLEX, syntax.LTLT_EQ: syntax.LTLT, syntax.GTGT_EQ: syntax.GTGT} {
		out[op.String()] = func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return m.update(t, plain, args[0], args[1])
		}
		out["[]"+op.String()] = func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			old, err := element(args[0], args[1])
			if err != nil {
				return nil, err
			}
			v, err := m.update(t, plain, old, args[2])
			if err != nil {
				return nil, err
			}
			return starlark.None, setElement(args[0], args[1], v)
		}
	}
	return out
}

// binary is x op y.
func (m *meter) binary(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		if !scalar(x) && !scalar(y) {
			if err := m.both(x, y); err != nil {
				return nil, err
			}
		}
		ok, err := starlark.Compare(op, x, y)
		return starlark.Bool(ok), err
	case syntax.IN, syntax.NOT_IN:
		if err := m.contains(x, y); err != nil {
			return nil, err
		}
		if op == syntax.NOT_IN {
			v, err := starlark.Binary(syntax.IN, x, y)
			if err != nil {
				return nil, err
			}
			return !v.Truth(), nil
		}
	default:
		if err := m.combines(op, x, y); err != nil {
			return nil, err
		}
	}
	v, err := starlark.Binary(op, x, y)
	if err != nil {
		return nil, err
	}
	return bounded(v)
}

func (m *meter) both(x, y starlark.Value) error {
	if err := m.walk(x); err != nil {
		return err
	}
	return m.walk(y)
}

// contains charges for looking x up in y: in a list every value is compared.
func (m *meter) contains(x, y starlark.Value) error {
	switch y.(type) {
	case *starlark.Dict, *starlark.Set:
		return m.work(size(x) / 64)
	}
	return m.both(x, y)
}

// combines charges for the result of an operator on containers and texts.
func (m *meter) combines(op syntax.Token, x, y starlark.Value) error {
	if scalar(x) && scalar(y) {
		return nil
	}
	switch op {
	case syntax.STAR:
		if n, ok := x.(starlark.Int); ok {
			x, y = y, n
		}
		if n, err := starlark.AsInt32(y); err == nil && n > 0 {
			if size(x) > 0 && n > memoryMax/size(x) {
				return errMemory
			}
			return m.take(n * size(x))
		}
		return nil
	case syntax.PERCENT:
		if f, ok := x.(starlark.String); ok {
			return m.formats(string(f), '%', y)
		}
		return nil
	}
	return m.take(size(x) + size(y))
}

// formats charges for a text made by a pattern in which v may stand at every mark.
func (m *meter) formats(pattern string, mark byte, v starlark.Value) error {
	n := strings.Count(pattern, string(rune(mark))) + 1
	w := weigh(v, memoryMax)
	if w > memoryMax/n {
		return errMemory
	}
	return m.take(len(pattern) + n*2*w)
}

// update is x op= y: a list, a dict or a set is changed in place.
func (m *meter) update(t *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	method := ""
	switch x.(type) {
	case *starlark.List:
		if _, iterable := y.(starlark.Iterable); op == syntax.PLUS && iterable {
			method = "extend"
		}
	case *starlark.Dict, *starlark.Set:
		if op == syntax.PIPE {
			method = "update"
		}
	}
	if method == "" {
		return m.binary(op, x, y)
	}
	_, err := m.invoke(t, x, method, starlark.Tuple{y}, nil)
	return x, err
}

// element is x[k], setElement x[k] = v.
func element(x, k starlark.Value) (starlark.Value, error) {
	switch x := x.(type) {
	case starlark.Mapping:
		v, found, err := x.Get(k)
		if err == nil && !found {
			err = fmt.Errorf("key %s not in %s", shown(k), x.Type())
		}
		return v, err
	case starlark.Indexable:
		i, err := position(x.Len(), k)
		if err != nil {
			return nil, err
		}
		return x.Index(i), nil
	}
	return nil, fmt.Errorf("unhandled index operation %s[%s]", x.Type(), k.Type())
}

func setElement(x, k, v starlark.Value) error {
	switch x := x.(type) {
	case starlark.HasSetKey:
		return x.SetKey(k, v)
	case starlark.HasSetIndex:
		i, err := position(x.Len(), k)
		if err != nil {
			return err
		}
		return x.SetIndex(i, v)
	}
	return fmt.Errorf("%s value does not support item assignment", x.Type())
}

func position(n int, k starlark.Value) (int, error) {
	i, err := starlark.AsInt32(k)
	if err != nil {
		return 0, err
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return 0, fmt.Errorf("index %s out of range", k)
	}
	return i, nil
}

// shown is a value in a message.
func shown(v starlark.Value) string {
	if weigh(v, 200) > 200 {
		return "a " + v.Type()
	}
	return v.String()
}

// slice is x[lo:hi:step].
func (m *meter) slice(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	x, ok := args[0].(starlark.Sliceable)
	if !ok {
		return nil, fmt.Errorf("invalid slice operand %s", args[0].Type())
	}
	if err := m.take(size(x)); err != nil {
		return nil, err
	}
	n, step := x.Len(), 1
	if args[3] != starlark.None {
		var err error
		if step, err = starlark.AsInt32(args[3]); err != nil || step == 0 {
			return nil, fmt.Errorf("invalid slice step %s", shown(args[3]))
		}
	}
	lo, hi := 0, n
	if step < 0 {
		lo, hi = n-1, -1
	}
	for i, to := range []*int{&lo, &hi} {
		if args[1+i] == starlark.None {
			continue
		}
		at, err := starlark.AsInt32(args[1+i])
		if err != nil {
			return nil, fmt.Errorf("invalid slice index %s", shown(args[1+i]))
		}
		if at < 0 {
			at += n
		}
		if step > 0 {
			*to = min(max(at, 0), n)
		} else {
			*to = min(max(at, -1), n-1)
		}
	}
	if step > 0 {
		hi = max(lo, hi)
	} else {
		hi = min(lo, hi)
	}
	return x.Slice(lo, hi, step), nil
}

// tuple is (x, y).
func (m *meter) tuple(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if err := m.take(len(args) * listCell); err != nil {
		return nil, err
	}
	return bounded(append(starlark.Tuple{}, args...))
}

// made charges for a list, a dict or a function that an expression made.
func (m *meter) made(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	const container = 256 // bytes of one without values, about
	return args[0], m.take(container + size(args[0]))
}
