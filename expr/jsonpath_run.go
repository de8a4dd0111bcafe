package expr

import (
	"errors"

	"wmsql/sqlerr"
	"wmsql/types"
)

// pathRun follows one path through one JSON value, by Postgres's rules. Values are JSON text in jsonb's canonical form.
type pathRun struct {
	path    *types.JSONPath
	root    []byte
	vars    []byte // a JSON object
	regex   *pathRegexes
	steps   *int // of matching regular expressions
	lenient int  // >0: what is not there is no error even in strict mode, as behind .**
}

// errPathEnough ends a run whose answer is known.
var errPathEnough = errors.New("enough")

// place is where a node stands: what @ and last mean there.
type place struct {
	current []byte
	size    int // of the innermost array with a subscript
}

func (r *pathRun) strict() bool { return r.path.Strict && r.lenient == 0 }

// structural is an error that lax mode does not have.
func (r *pathRun) structural(code sqlerr.Code, format string, args ...any) error {
	if !r.strict() {
		return nil
	}
	return sqlerr.Newf(code, format, args...)
}

// each calls emit for every value that n, with the steps behind it, leads to from at. unwrap: in lax mode, steps go into the elements of an
// array themselves.
func (r *pathRun) each(n *types.JSONPathNode, at place, item []byte, emit func(v []byte) error) error {
	return r.from(n, at, item, !r.path.Strict, emit)
}

func (r *pathRun) from(n *types.JSONPathNode, at place, item []byte, unwrap bool, emit func(v []byte) error) error {
	next := emit
	if n.Next != nil {
		next = func(v []byte) error { return r.from(n.Next, at, v, !r.path.Strict, emit) }
	}
	switch n.Op {
	case types.PathNull:
		return next([]byte("null"))
	case types.PathBool:
		return next(jsonBool(n.True))
	case types.PathNumber:
		return next(n.Number.Append(nil))
	case types.PathString:
		return next(types.AppendJSONString(nil, n.Text))
	case types.PathVariable:
		v := jsonField(r.vars, []byte(n.Text))
		if v == nil {
			return sqlerr.Newf(sqlerr.UndefinedObject, "could not find jsonpath variable \"%s\"", n.Text)
		}
		return next(v)
	case types.PathRoot:
		return next(r.root)
	case types.PathCurrent:
		return next(at.current)
	case types.PathLast:
		return next(types.DecimalFromInt64(int64(at.size - 1)).Append(nil))
	case types.PathAdd, types.PathSub, types.PathMul, types.PathDiv, types.PathMod:
		v, err := r.arithmetic(n, at, item)
		if err != nil {
			return err
		}
		return next(v)
	case types.PathPlus, types.PathMinus:
		return r.signed(n, at, item, next)
	}
	if n.Op < types.PathAdd {
		truth, err := r.test(n, at, item)
		if err != nil {
			return err
		}
		return next(truth.json())
	}
	if r.entersArray(n, item, unwrap) {
		return eachElement(item, func(v []byte) error { return r.from(n, at, v, false, emit) })
	}
	return r.step(n, at, item, next)
}

// entersArray tells whether a step is taken from the elements of item and not from item, an array.
func (r *pathRun) entersArray(n *types.JSONPathNode, item []byte, unwrap bool) bool {
	if !unwrap || item[0] != '[' {
		return false
	}
	switch n.Op {
	case types.PathKey, types.PathAnyKey, types.PathFilter:
		return true
	case types.PathMethod:
		return n.Text != "type" && n.Text != "size"
	}
	return false
}

// eachElement calls f for the elements of an array until it fails.
func eachElement(array []byte, f func(v []byte) error) error {
	var err error
	jsonItems(array, func(_, v []byte) bool {
		err = f(v)
		return err == nil
	})
	return err
}

func jsonBool(b bool) []byte {
	if b {
		return []byte("true")
	}
	return []byte("false")
}

// step takes one step from item.
func (r *pathRun) step(n *types.JSONPathNode, at place, item []byte, next func(v []byte) error) error {
	switch n.Op {
	case types.PathKey:
		if item[0] != '{' {
			return r.structural("2203A", "jsonpath member accessor can only be applied to an object")
		}
		v := jsonField(item, []byte(n.Text))
		if v == nil {
			return r.structural("2203A", "JSON object does not contain key \"%s\"", n.Text)
		}
		return next(v)
	case types.PathAnyKey:
		if item[0] != '{' {
			return r.structural("2203C", "jsonpath wildcard member accessor can only be applied to an object")
		}
		return eachElement(item, next)
	case types.PathAnyIndex:
		switch {
		case item[0] == '[':
			return eachElement(item, next)
		case r.path.Strict:
			return r.structural("22039", "jsonpath wildcard array accessor can only be applied to an array")
		}
		return next(item)
	case types.PathAnyDepth:
		return r.deep(n, item, next)
	case types.PathIndex:
		return r.elements(n, at, item, next)
	case types.PathFilter:
		truth, err := r.test(n.Args[0], place{current: item, size: at.size}, item)
		if err != nil || truth != pathTrue {
			return err
		}
		return next(item)
	}
	return r.method(n, item, next)
}

// deep calls next for item and what it holds, on the levels of n.
func (r *pathRun) deep(n *types.JSONPathNode, item []byte, next func(v []byte) error) error {
	var down func(v []byte, level int) error
	down = func(v []byte, level int) error {
		leaf := v[0] != '{' && v[0] != '['
		if n.Low >= 0 && level >= n.Low && (n.High < 0 || level <= n.High) || n.Low < 0 && leaf {
			r.lenient++
			err := next(v)
			r.lenient--
			if err != nil {
				return err
			}
		}
		if leaf || n.High >= 0 && level >= n.High {
			return nil
		}
		return eachElement(v, func(v []byte) error { return down(v, level+1) })
	}
	return down(item, 0)
}

// elements calls next for the elements of an array that subscripts name. In lax mode what is no array is one of itself.
func (r *pathRun) elements(n *types.JSONPathNode, at place, item []byte, next func(v []byte) error) error {
	all := [][]byte{item}
	if item[0] == '[' {
		all = all[:0]
		jsonItems(item, func(_, v []byte) bool { all = append(all, v); return true })
	} else if r.path.Strict {
		return r.structural("22039", "jsonpath array accessor can only be applied to an array")
	}
	here := place{at.current, len(all)}
	for i := 0; i < len(n.Args); i += 2 {
		lo, err := r.subscript(n.Args[i], here, item)
		if err != nil {
			return err
		}
		hi := lo
		if n.Args[i+1] != nil {
			if hi, err = r.subscript(n.Args[i+1], here, item); err != nil {
				return err
			}
		}
		if lo < 0 || lo > hi || hi >= len(all) {
			if err := r.structural("22033", "jsonpath array subscript is out of bounds"); err != nil {
				return err
			}
		}
		for k := max(lo, 0); k <= min(hi, len(all)-1); k++ {
			if err := next(all[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// subscript computes a bound, without its fraction.
func (r *pathRun) subscript(n *types.JSONPathNode, at place, item []byte) (int, error) {
	d, ok, err := r.number(n, at, item)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, sqlerr.Newf("22033", "jsonpath array subscript is not a single numeric value")
	}
	k, err := d.Trunc(0).ToInt(types.Int4)
	if err != nil {
		return 0, sqlerr.Newf("22033", "jsonpath array subscript is out of integer range")
	}
	return int(k), nil
}
