package types

import (
	"strconv"
	"strings"
)

// JSONPath is a path of SQL/JSON as Postgres 15 has it.
type JSONPath struct {
	Strict bool
	Root   *JSONPathNode
}

// JSONPathOp says what a node of a path is.
type JSONPathOp uint8

// The nodes. Those from PathKey on are steps from one value to others, and stand behind another node.
const (
	PathNull JSONPathOp = iota
	PathBool
	PathNumber
	PathString
	PathVariable // $name
	PathRoot     // $
	PathCurrent  // @
	PathLast     // last

	PathOr
	PathAnd
	PathNot
	PathIsUnknown
	PathExists
	PathStartsWith
	PathLikeRegex
	PathEqual
	PathNotEqual
	PathLess
	PathLessEqual
	PathGreater
	PathGreaterEqual

	PathAdd
	PathSub
	PathMul
	PathDiv
	PathMod
	PathPlus  // of one operand
	PathMinus // of one operand

	PathKey      // .name
	PathAnyKey   // .*
	PathAnyDepth // .**{from to to}
	PathAnyIndex // [*]
	PathIndex    // [from, from to to, ...]
	PathFilter   // ?(condition)
	PathMethod   // .name()
)

// pathSigns are the operators as they are written.
var pathSigns = map[JSONPathOp]string{
	PathOr: "||", PathAnd: "&&", PathStartsWith: "starts with", PathEqual: "==", PathNotEqual: "!=", PathLess: "<", PathLessEqual: "<=",
	PathGreater: ">", PathGreaterEqual: ">=", PathAdd: "+", PathSub: "-", PathMul: "*", PathDiv: "/", PathMod: "%", PathPlus: "+", PathMinus: "-",
}

// JSONPathNode is a node of a path.
type JSONPathNode struct {
	Op     JSONPathOp
	Text   string          // of a string, variable, key, method, pattern
	Flags  string          // of PathLikeRegex
	True   bool            // of PathBool
	Number Decimal         // of PathNumber
	Args   []*JSONPathNode // operands; of PathIndex bounds in pairs, the second nil without "to"
	Low    int             // of PathAnyDepth: levels, -1: the last
	High   int             // the same
	Next   *JSONPathNode   // the step behind
}

// pathRank is how tight an operator binds.
func pathRank(op JSONPathOp) int {
	switch op {
	case PathOr:
		return 0
	case PathAnd:
		return 1
	case PathEqual, PathNotEqual, PathLess, PathLessEqual, PathGreater, PathGreaterEqual, PathStartsWith:
		return 2
	case PathAdd, PathSub:
		return 3
	case PathMul, PathDiv, PathMod:
		return 4
	case PathPlus, PathMinus:
		return 5
	}
	return 6
}

// String is the path as Postgres writes it.
func (p *JSONPath) String() string {
	var w pathWriter
	if p.Strict {
		w.WriteString("strict ")
	}
	w.node(p.Root, true)
	return w.String()
}

type pathWriter struct{ strings.Builder }

func (w *pathWriter) quoted(s string) { w.Write(AppendJSONString(nil, s)) }

// node writes n with all that is behind it; brackets: around an operator.
func (w *pathWriter) node(n *JSONPathNode, brackets bool) {
	open := func() {
		if brackets {
			w.WriteByte('(')
		}
	}
	shut := func() {
		if brackets {
			w.WriteByte(')')
		}
	}
	switch n.Op {
	case PathOr, PathAnd, PathStartsWith, PathEqual, PathNotEqual, PathLess, PathLessEqual, PathGreater, PathGreaterEqual,
		PathAdd, PathSub, PathMul, PathDiv, PathMod:
		open()
		w.operand(n, n.Args[0])
		w.WriteString(" " + pathSigns[n.Op] + " ")
		w.operand(n, n.Args[1])
		shut()
	case PathPlus, PathMinus:
		open()
		w.WriteString(pathSigns[n.Op])
		w.operand(n, n.Args[0])
		shut()
	case PathLikeRegex:
		open()
		w.operand(n, n.Args[0])
		w.WriteString(" like_regex ")
		w.quoted(n.Text)
		if n.Flags != "" {
			w.WriteString(` flag "` + n.Flags + `"`)
		}
		shut()
	case PathNot:
		w.WriteString("!(")
		w.node(n.Args[0], false)
		w.WriteByte(')')
	case PathIsUnknown:
		w.WriteByte('(')
		w.node(n.Args[0], false)
		w.WriteString(") is unknown")
	case PathExists:
		w.WriteString("exists (")
		w.node(n.Args[0], false)
		w.WriteByte(')')
	default:
		w.simple(n)
	}
	if n.Next != nil {
		w.node(n.Next, true)
	}
}

func (w *pathWriter) operand(n, arg *JSONPathNode) { w.node(arg, pathRank(arg.Op) <= pathRank(n.Op)) }

// simple writes a node that is no operator.
func (w *pathWriter) simple(n *JSONPathNode) {
	switch n.Op {
	case PathNull:
		w.WriteString("null")
	case PathBool:
		if n.True {
			w.WriteString("true")
		} else {
			w.WriteString("false")
		}
	case PathNumber:
		w.Write(n.Number.Append(nil))
	case PathString:
		w.quoted(n.Text)
	case PathVariable:
		w.WriteByte('$')
		w.quoted(n.Text)
	case PathRoot:
		w.WriteByte('$')
	case PathCurrent:
		w.WriteByte('@')
	case PathLast:
		w.WriteString("last")
	case PathKey:
		w.WriteByte('.')
		w.quoted(n.Text)
	case PathAnyKey:
		w.WriteString(".*")
	case PathAnyIndex:
		w.WriteString("[*]")
	case PathAnyDepth:
		w.depth(n)
	case PathIndex:
		w.index(n)
	case PathFilter:
		w.WriteString("?(")
		w.node(n.Args[0], false)
		w.WriteByte(')')
	case PathMethod:
		w.WriteString("." + n.Text + "(")
		if len(n.Args) > 0 {
			w.node(n.Args[0], false)
		}
		w.WriteByte(')')
	}
}

func (w *pathWriter) depth(n *JSONPathNode) {
	level := func(k int) string {
		if k < 0 {
			return "last"
		}
		return strconv.Itoa(k)
	}
	switch {
	case n.Low == 0 && n.High < 0:
		w.WriteString(".**")
	case n.Low == n.High:
		w.WriteString(".**{" + level(n.Low) + "}")
	default:
		w.WriteString(".**{" + level(n.Low) + " to " + level(n.High) + "}")
	}
}

func (w *pathWriter) index(n *JSONPathNode) {
	w.WriteByte('[')
	for i := 0; i < len(n.Args); i += 2 {
		if i > 0 {
			w.WriteByte(',')
		}
		w.node(n.Args[i], false)
		if to := n.Args[i+1]; to != nil {
			w.WriteString(" to ")
			w.node(to, false)
		}
	}
	w.WriteByte(']')
}
