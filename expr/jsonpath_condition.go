package expr

import (
	"bytes"
	"errors"

	"wmsql/types"
)

// pathTruth is what a condition of a path says: SQL's three values.
type pathTruth uint8

const (
	pathFalse pathTruth = iota
	pathTrue
	pathUnknown
)

func (t pathTruth) json() []byte {
	switch t {
	case pathTrue:
		return []byte("true")
	case pathFalse:
		return []byte("false")
	}
	return []byte("null")
}

func truthOf(b bool) pathTruth {
	if b {
		return pathTrue
	}
	return pathFalse
}

// test computes a condition. What fails in an operand makes it unknown.
func (r *pathRun) test(n *types.JSONPathNode, at place, item []byte) (pathTruth, error) {
	switch n.Op {
	case types.PathAnd, types.PathOr:
		return r.connect(n, at, item)
	case types.PathNot:
		t, err := r.test(n.Args[0], at, item)
		if t != pathUnknown {
			t = truthOf(t == pathFalse)
		}
		return t, err
	case types.PathIsUnknown:
		t, err := r.test(n.Args[0], at, item)
		return truthOf(t == pathUnknown), err
	case types.PathExists:
		return r.exists(n.Args[0], at, item)
	}
	return r.compare(n, at, item)
}

func (r *pathRun) connect(n *types.JSONPathNode, at place, item []byte) (pathTruth, error) {
	decides := truthOf(n.Op == types.PathOr)
	left, err := r.test(n.Args[0], at, item)
	if err != nil || left == decides {
		return left, err
	}
	right, err := r.test(n.Args[1], at, item)
	if err != nil || right == decides {
		return right, err
	}
	if left == pathUnknown || right == pathUnknown {
		return pathUnknown, nil
	}
	return 1 - decides, nil
}

// exists tells whether n leads anywhere. In strict mode all of it must be free of errors.
func (r *pathRun) exists(n *types.JSONPathNode, at place, item []byte) (pathTruth, error) {
	found := pathFalse
	err := r.each(n, at, item, func([]byte) error {
		found = pathTrue
		if r.path.Strict {
			return nil
		}
		return errPathEnough
	})
	if err != nil && !errors.Is(err, errPathEnough) {
		return pathUnknown, hardPathError(err)
	}
	return found, nil
}

// compare tests the values of the left operand against those of the right one: one pair is enough, unless strict mode finds one that cannot be
// compared.
func (r *pathRun) compare(n *types.JSONPathNode, at place, item []byte) (pathTruth, error) {
	left, err := r.values(n.Args[0], at, item)
	if err != nil {
		return pathUnknown, hardPathError(err)
	}
	right := [][]byte{nil}
	if len(n.Args) > 1 {
		if right, err = r.values(n.Args[1], at, item); err != nil {
			return pathUnknown, hardPathError(err)
		}
	}
	found, wrong := false, false
	for _, a := range left {
		for _, b := range right {
			t, err := r.pair(n, a, b)
			switch {
			case err != nil:
				return pathUnknown, err
			case t == pathUnknown && r.path.Strict:
				return pathUnknown, nil
			case t == pathUnknown:
				wrong = true
			case t == pathTrue && !r.path.Strict:
				return pathTrue, nil
			case t == pathTrue:
				found = true
			}
		}
	}
	switch {
	case found:
		return pathTrue, nil
	case wrong:
		return pathUnknown, nil
	}
	return pathFalse, nil
}

// pair tests one pair of values.
func (r *pathRun) pair(n *types.JSONPathNode, a, b []byte) (pathTruth, error) {
	switch n.Op {
	case types.PathStartsWith:
		return bothStrings(a, b, bytes.HasPrefix)
	case types.PathLikeRegex:
		return r.likeRegex(n, a)
	}
	return comparePathItems(n.Op, a, b)
}

func bothStrings(a, b []byte, f func(a, b []byte) bool) (pathTruth, error) {
	if a[0] != '"' || b[0] != '"' {
		return pathUnknown, nil
	}
	x, err := jsonUnquote(a)
	if err != nil {
		return pathUnknown, err
	}
	y, err := jsonUnquote(b)
	return truthOf(f(x, y)), err
}

// comparePathItems compares scalars of one type. null is unlike all else; arrays and objects are not compared.
func comparePathItems(op types.JSONPathOp, a, b []byte) (pathTruth, error) {
	kind := jsonType(a)
	if other := jsonType(b); kind != other {
		if kind == "null" || other == "null" {
			return truthOf(op == types.PathNotEqual), nil
		}
		return pathUnknown, nil
	}
	c := 0
	switch kind {
	case "null":
	case "boolean", "number":
		c = compareJSON(a, b)
	case "string":
		return bothStrings(a, b, func(x, y []byte) bool { return holdsCompared(op, bytes.Compare(x, y)) })
	default:
		return pathUnknown, nil
	}
	return truthOf(holdsCompared(op, c)), nil
}

func holdsCompared(op types.JSONPathOp, c int) bool {
	switch op {
	case types.PathEqual:
		return c == 0
	case types.PathNotEqual:
		return c != 0
	case types.PathLess:
		return c < 0
	case types.PathLessEqual:
		return c <= 0
	case types.PathGreater:
		return c > 0
	}
	return c >= 0
}
