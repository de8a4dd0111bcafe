package expr

import (
	"errors"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// jsonPathFunctions are those of SQL/JSON paths: target, path, and if given variables and silence.
func jsonPathFunctions() []*Function {
	var out []*Function
	for _, rest := range []string{"", ",jsonb", ",jsonb,bool"} {
		for _, tz := range []string{"", "_tz"} {
			args := tz + "(jsonb,jsonpath" + rest + ") "
			out = append(out,
				def("jsonb_path_exists"+args+"bool", pathKernel(pathExists)), def("jsonb_path_match"+args+"bool", pathKernel(pathMatch)),
				def("jsonb_path_query_array"+args+"jsonb", pathKernel(pathQueryArray)), def("jsonb_path_query_first"+args+"jsonb", pathKernel(pathQueryFirst)))
		}
	}
	return out
}

// jsonPathOperators are @? and @@, which are silent.
func jsonPathOperators() []*Function {
	return []*Function{def("@?(jsonb,jsonpath) bool", pathKernel(pathExists)), def("@@(jsonb,jsonpath) bool", pathKernel(pathMatch))}
}

// pathCall is one call of a path function.
type pathCall struct {
	run    pathRun
	silent bool
}

// values calls emit for what the path leads to. A silent call ends at an error.
func (c *pathCall) values(emit func(v []byte) error) (failed bool, err error) {
	err = c.run.each(c.run.path.Root, place{current: c.run.root}, c.run.root, emit)
	switch {
	case err == nil, errors.Is(err, errPathEnough):
		return false, nil
	case c.silent:
		return true, hardPathError(err)
	}
	return true, err
}

// pathCalls makes the calls of one batch; paths are read once.
type pathCalls struct {
	paths    map[string]*types.JSONPath
	regexes  pathRegexes
	steps    int
	operator bool
}

func newPathCalls(s *site) *pathCalls {
	return &pathCalls{paths: map[string]*types.JSONPath{}, regexes: pathRegexes{}, steps: regexStepsMax, operator: s.fn.Name[0] == '@'}
}

func (p *pathCalls) call(target, path, vars []byte, silent bool) (*pathCall, error) {
	parsed := p.paths[string(path)]
	if parsed == nil {
		var err error
		if parsed, err = types.ParseJSONPath(string(path)); err != nil {
			return nil, err
		}
		if len(p.paths) >= regexCacheMax {
			clear(p.paths)
			clear(p.regexes)
		}
		p.paths[string(path)] = parsed
	}
	if vars != nil && vars[0] != '{' {
		return nil, errFormat("\"vars\" argument is not an object").
			WithDetail("Jsonpath parameters should be encoded as key-value pairs of \"vars\" object.")
	}
	if vars == nil {
		vars = []byte("{}")
	}
	c := &pathCall{silent: silent || p.operator}
	c.run = pathRun{path: parsed, root: target, vars: vars, regex: &p.regexes, steps: &p.steps}
	return c, nil
}

// pathKernel makes the kernel of a function whose result f gives as a datum, nil for NULL.
func pathKernel(f func(c *pathCall) (any, error)) kernel {
	return func(s *site) body {
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			calls := newPathCalls(s)
			return fillAny(s.ret, nulls, n, func(i int) (any, error) {
				var vars []byte
				if len(in) > 2 {
					vars = in[2].(*column.Bytes).Value(i)
				}
				silent := len(in) > 3 && in[3].(*column.Of[bool]).Values[i]
				c, err := calls.call(in[0].(*column.Bytes).Value(i), in[1].(*column.Bytes).Value(i), vars, silent)
				if err != nil {
					return nil, err
				}
				return f(c)
			})
		}
	}
}

func pathExists(c *pathCall) (any, error) {
	found := false
	failed, err := c.values(func([]byte) error {
		found = true
		if c.run.path.Strict {
			return nil
		}
		return errPathEnough
	})
	if err != nil || failed {
		return nil, err
	}
	return found, nil
}

// pathMatch is the one truth that a condition leads to.
func pathMatch(c *pathCall) (any, error) {
	var all [][]byte
	failed, err := c.values(func(v []byte) error { all = append(all, v); return nil })
	if err != nil {
		return nil, err
	}
	if len(all) == 1 && !failed {
		switch all[0][0] {
		case 't', 'f':
			return all[0][0] == 't', nil
		case 'n':
			return nil, nil
		}
	}
	if c.silent {
		return nil, nil
	}
	return nil, sqlerr.Newf("22038", "single boolean result is expected")
}

func pathQueryArray(c *pathCall) (any, error) {
	out := []byte{'['}
	_, err := c.values(func(v []byte) error {
		if len(out) > 1 {
			out = append(out, ", "...)
		}
		out = append(out, v...)
		return nil
	})
	return string(append(out, ']')), err
}

func pathQueryFirst(c *pathCall) (any, error) {
	var first any
	_, err := c.values(func(v []byte) error {
		if first == nil {
			first = string(v)
		}
		return nil
	})
	return first, err
}

// pathQuery is jsonb_path_query: a row for each value.
func pathQuery(args []any, s *site) (*column.Batch, error) {
	calls := &pathCalls{paths: map[string]*types.JSONPath{}, regexes: pathRegexes{}, steps: regexStepsMax}
	var vars []byte
	if len(args) > 2 {
		vars = []byte(args[2].(string))
	}
	c, err := calls.call([]byte(args[0].(string)), []byte(args[1].(string)), vars, len(args) > 3 && args[3].(bool))
	if err != nil {
		return nil, err
	}
	var out []any
	if _, err = c.values(func(v []byte) error { out = append(out, string(v)); return nil }); err != nil {
		return nil, err
	}
	return datums(s.ret, out)
}
