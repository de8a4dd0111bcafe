package expr

import (
	"math"
	"strconv"

	"wmsql/sqlerr"
	"wmsql/types"
)

// jsonChangeFunctions change a value deep inside a jsonb, which a path of keys and numbers leads to.
func jsonChangeFunctions() []*Function {
	set := func(create bool) kernel {
		return changeJSON("set", func([]any) jsonChange { return jsonChange{put: true, create: create} })
	}
	insert := func(after bool) kernel {
		return changeJSON("set", func([]any) jsonChange { return jsonChange{insert: true, after: after} })
	}
	return []*Function{
		def("jsonb_set(jsonb,text[],jsonb) jsonb", set(true)),
		def("jsonb_set(jsonb,text[],jsonb,bool) jsonb", changeJSON("set", func(a []any) jsonChange { return jsonChange{put: true, create: a[3].(bool)} })),
		def("jsonb_insert(jsonb,text[],jsonb) jsonb", insert(false)),
		def("jsonb_insert(jsonb,text[],jsonb,bool) jsonb", changeJSON("set", func(a []any) jsonChange { return jsonChange{insert: true, after: a[3].(bool)} })),
		def("jsonb_set_lax(jsonb,text[],jsonb) jsonb", setLax, called), def("jsonb_set_lax(jsonb,text[],jsonb,bool) jsonb", setLax, called),
		def("jsonb_set_lax(jsonb,text[],jsonb,bool,text) jsonb", setLax, called),
		def("jsonb_delete_path(jsonb,text[]) jsonb", deletePath),
	}
}

func jsonChangeOperators() []*Function { return []*Function{def("#-(jsonb,text[]) jsonb", deletePath)} }

func deletePath(s *site) body {
	return changeJSON("delete", func([]any) jsonChange { return jsonChange{} })(s)
}

// jsonChange is what becomes of the value at a path: it is replaced (put), something is put before or after it in an array, or it is deleted.
type jsonChange struct {
	put, create   bool // create: also where nothing is
	insert, after bool
	fresh         []byte
}

func (c *jsonChange) adds() bool { return c.insert || c.put && c.create }

func changeJSON(verb string, of func(args []any) jsonChange) kernel {
	return anysOf(func(args []any) (any, error) {
		c := of(args)
		if len(args) > 2 {
			c.fresh = []byte(args[2].(string))
		}
		return changedAt(verb, []byte(args[0].(string)), elements(args[1]), c)
	})
}

func changedAt(verb string, a []byte, path []any, c jsonChange) (any, error) {
	if a[0] != '{' && a[0] != '[' {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "cannot %s path in scalar", verb)
	}
	if len(path) == 0 || jsonCount(a) == 0 && !c.adds() {
		return string(a), nil
	}
	text, err := c.at(nil, a, path, 0)
	if err != nil {
		return nil, err
	}
	out, err := types.AppendJSONB(nil, string(text))
	return string(out), err
}

// setLax is jsonb_set that has a say what a NULL as the new value means.
func setLax(s *site) body { return anysOf(setLaxRow)(s) }

func setLaxRow(args []any) (any, error) {
	c, how := jsonChange{put: true, create: true}, any("use_json_null")
	if len(args) > 3 {
		if args[3] == nil {
			return nil, nil
		}
		c.create = args[3].(bool)
	}
	if len(args) > 4 {
		how = args[4]
	}
	switch {
	case args[0] == nil || args[1] == nil:
		return nil, nil
	case how == nil:
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"")
	case args[2] != nil:
		c.fresh = []byte(args[2].(string))
	case how == "use_json_null":
		c.fresh = []byte("null")
	case how == "delete_key":
		return changedAt("delete", []byte(args[0].(string)), elements(args[1]), jsonChange{})
	case how == "return_target":
		return args[0], nil
	case how == "raise_exception":
		return nil, sqlerr.Newf(sqlerr.NullNotAllowed, "JSON value must not be null").
			WithDetail("Exception was raised because null_value_treatment is \"raise_exception\".").
			WithHint("To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.")
	default:
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"")
	}
	return changedAt("set", []byte(args[0].(string)), elements(args[1]), c)
}

// at appends a, changed below path[level:].
func (c *jsonChange) at(dst, a []byte, path []any, level int) ([]byte, error) {
	key, ok := path[level].(string)
	if !ok {
		return nil, sqlerr.Newf(sqlerr.NullNotAllowed, "path element at position %d is null", level+1)
	}
	switch a[0] {
	case '{':
		return c.atKey(dst, a, key, path, level)
	case '[':
		return c.atNumber(dst, a, key, path, level)
	}
	return append(dst, a...), nil
}

func (c *jsonChange) atKey(dst, a []byte, key string, path []any, level int) ([]byte, error) {
	last, found := level == len(path)-1, false
	list := jsonList{dst: append(dst, '{')}
	var err error
	jsonItems(a, func(k, v []byte) bool {
		name, e := jsonUnquote(k)
		switch {
		case e != nil || string(name) != key:
			list.add(k, v)
			return true
		case !last:
			var inner []byte
			if inner, err = c.at(nil, v, path, level+1); err == nil {
				list.add(k, inner)
			}
		case c.insert:
			err = sqlerr.Newf(sqlerr.InvalidParameterValue, "cannot replace existing key").WithHint("Try using the function jsonb_set to replace key value.")
		case c.put:
			list.add(k, c.fresh)
		}
		found = true
		return err == nil
	})
	if last && !found && c.adds() {
		list.add(types.AppendJSONString(nil, key), c.fresh)
	}
	return append(list.dst, '}'), err
}

func (c *jsonChange) atNumber(dst, a []byte, key string, path []any, level int) ([]byte, error) {
	at, err := strconv.ParseInt(key, 10, 32)
	if err != nil {
		return nil, sqlerr.Newf(sqlerr.InvalidTextRepresentation, "path element at position %d is not an integer: \"%s\"", level+1, key)
	}
	n := jsonCount(a)
	switch {
	case at < -n:
		at = math.MinInt64
	case at < 0:
		at += n
	case at > n:
		at = n
	}
	last, done := level == len(path)-1, false
	list := jsonList{dst: append(dst, '[')}
	if (at == math.MinInt64 || n == 0) && last && c.adds() {
		list.add(nil, c.fresh)
		done = true
	}
	i := int64(0)
	jsonItems(a, func(_, v []byte) bool {
		switch {
		case i != at:
			list.add(nil, v)
		case !last:
			var inner []byte
			if inner, err = c.at(nil, v, path, level+1); err == nil {
				list.add(nil, inner)
			}
		case c.insert && c.after:
			list.add(nil, v)
			list.add(nil, c.fresh)
		case c.insert:
			list.add(nil, c.fresh)
			list.add(nil, v)
		case c.put:
			list.add(nil, c.fresh)
		}
		done = done || i == at
		i++
		return err == nil
	})
	if last && !done && c.adds() {
		list.add(nil, c.fresh)
	}
	return append(list.dst, ']'), err
}

// jsonList appends the items of an array or an object.
type jsonList struct {
	dst  []byte
	more bool
}

// add appends an item; key is nil in an array.
func (l *jsonList) add(key, value []byte) {
	if l.more {
		l.dst = append(l.dst, ',')
	}
	l.more = true
	if key != nil {
		l.dst = append(append(l.dst, key...), ':')
	}
	l.dst = append(l.dst, value...)
}
