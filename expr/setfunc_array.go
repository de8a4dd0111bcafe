package expr

import (
	"bytes"

	"wmsql/column"
	"wmsql/types"
)

func arraySets() []*setFunction {
	expand := set("_pg_expandarray(anyarray) record", expandArray)
	expand.cols = func(args []types.Type) []types.Field {
		return []types.Field{{Name: "x", Type: plain(elemOf(args[0]))}, {Name: "n", Type: types.Of(types.Int4)}}
	}
	return []*setFunction{
		set("unnest(anyarray) anyelement", func(args []any, s *site) (*column.Batch, error) { return datums(s.ret, elements(args[0])) }),
		set("generate_subscripts(anyarray,int4) int4", subscripts), set("generate_subscripts(anyarray,int4,bool) int4", subscripts),
		expand,
	}
}

// elements are those of an array's datum, whatever its dimensions.
func elements(array any) []any {
	out, _ := column.Elements(array)
	return out
}

func subscripts(args []any, s *site) (*column.Batch, error) {
	elems, shape := column.Elements(args[0])
	n, low := 0, firstIndex(s.args[0])
	if dims, dim := shape.DimsOf(len(elems)), args[1].(int64); dim >= 1 && dim <= int64(len(dims)) {
		n = int(dims[dim-1].Len)
		if shape != nil {
			low = int64(dims[dim-1].Low)
		}
	}
	vals := make([]int64, n)
	for i := range vals {
		vals[i] = low + int64(i)
	}
	if len(args) == 3 && args[2] == true {
		for i := range n / 2 {
			vals[i], vals[n-1-i] = vals[n-1-i], vals[i]
		}
	}
	return one(&column.Of[int64]{T: s.ret, Values: vals})
}

// expandArray pairs the elements of an array with their numbers, from 1.
func expandArray(args []any, s *site) (*column.Batch, error) {
	items := elements(args[0])
	b, err := datums(plain(elemOf(s.args[0])), items)
	if err != nil {
		return nil, err
	}
	n := make([]int64, len(items))
	for i := range n {
		n[i] = int64(i) + 1
	}
	b.Cols = append(b.Cols, &column.Of[int64]{T: types.Of(types.Int4), Values: n})
	return b, nil
}

func textSets() []*setFunction {
	return []*setFunction{
		set("string_to_table(text,text) text", stringToTable, called), set("string_to_table(text,text,text) text", stringToTable, called),
		set("regexp_split_to_table(text,text) text", regexSplitToTable), set("regexp_split_to_table(text,text,text) text", regexSplitToTable),
		set("regexp_matches(text,text) text[]", regexMatches), set("regexp_matches(text,text,text) text[]", regexMatches),
	}
}

func stringToTable(args []any, s *site) (*column.Batch, error) {
	text, ok := args[0].(string)
	if !ok || text == "" {
		return datums(s.ret, nil)
	}
	sep, isText := args[1].(string)
	var parts [][]byte
	switch {
	case !isText:
		for _, r := range text {
			parts = append(parts, []byte(string(r)))
		}
	case sep == "":
		parts = [][]byte{[]byte(text)}
	default:
		parts = bytes.Split([]byte(text), []byte(sep))
	}
	out := make([]any, len(parts))
	for i, p := range parts {
		if len(args) < 3 || args[2] != string(p) {
			out[i] = string(p)
		}
	}
	return datums(s.ret, out)
}

// regexOption is the options argument of a regular expression function, "" if there is none.
func regexOption(args []any) []byte {
	if len(args) < 3 {
		return nil
	}
	return []byte(args[2].(string))
}

func regexSplitToTable(args []any, s *site) (*column.Batch, error) {
	var f flagged
	re, _, err := f.get([]byte(args[1].(string)), regexOption(args), false)
	if err != nil {
		return nil, err
	}
	text, steps := []byte(args[0].(string)), regexStepsMax
	matches, err := re.all(text, 0, -1, &steps)
	if err != nil {
		return nil, err
	}
	return datums(s.ret, splitAt(text, matches))
}

func regexMatches(args []any, s *site) (*column.Batch, error) {
	var f flagged
	re, flags, err := f.get([]byte(args[1].(string)), regexOption(args), true)
	if err != nil {
		return nil, err
	}
	count := 1
	if flags.global {
		count = -1
	}
	text, steps := []byte(args[0].(string)), regexStepsMax
	matches, err := re.all(text, 0, count, &steps)
	if err != nil {
		return nil, err
	}
	var out []any
	for _, m := range matches {
		out = append(out, matchGroups(text, m))
	}
	return datums(s.ret, out)
}
