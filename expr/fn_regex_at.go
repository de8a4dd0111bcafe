package expr

import (
	"unicode/utf8"

	"wmsql/column"
	"wmsql/sqlerr"
)

// regexAtFunctions are the functions on regular expressions that begin at a character and choose a match by its number, all but the first two
// arguments optional.
func regexAtFunctions() []*Function {
	out := []*Function{
		def("regexp_count(text,text,int4) int4", regexCountFrom), def("regexp_count(text,text,int4,text) int4", regexCountFrom),
		def("regexp_replace(text,text,text,int4) text", regexReplaceAt), def("regexp_replace(text,text,text,int4,int4) text", regexReplaceAt),
		def("regexp_replace(text,text,text,int4,int4,text) text", regexReplaceAt),
		def("regexp_instr(text,text) int4", regexInstr),
	}
	for _, rest := range []string{"int4", "int4,int4", "int4,int4,int4", "int4,int4,int4,text", "int4,int4,int4,text,int4"} {
		out = append(out, def("regexp_instr(text,text,"+rest+") int4", regexInstr))
	}
	for _, rest := range []string{"int4", "int4,int4", "int4,int4,text", "int4,int4,text,int4"} {
		out = append(out, def("regexp_substr(text,text,"+rest+") text", regexSubstrAt))
	}
	return out
}

// regexCall is what one row asks of a text: where its matches stand, by byte.
type regexCall struct {
	text    []byte
	from    int     // byte the search begins at
	matches [][]int // each match's bounds, then its groups', from from on
}

// regexAt reads text and pattern of row i, the character to begin at, the number of the match (0 without one) and the options; arguments
// numbered -1 are not there.
func regexAt(in []column.Vector, startArg, flagsArg int) func(i int) (*regexCall, error) {
	var cache flagged
	steps := regexStepsMax
	text, pattern := in[0].(*column.Bytes), in[1].(*column.Bytes)
	return func(i int) (*regexCall, error) {
		c := &regexCall{text: text.Value(i)}
		if startArg >= 0 && startArg < len(in) {
			start := in[startArg].(*column.Of[int64]).Values[i]
			if start < 1 {
				return nil, errBelow("start", start)
			}
			c.from = byteOfChar(c.text, int(start-1))
		}
		var letters []byte
		if flagsArg >= 0 && flagsArg < len(in) {
			letters = in[flagsArg].(*column.Bytes).Value(i)
		}
		re, _, err := cache.get(pattern.Value(i), letters, false)
		if err != nil {
			return nil, err
		}
		c.matches, err = re.all(c.text, c.from, -1, &steps)
		return c, err
	}
}

func errBelow(name string, v int64) error {
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid value for parameter \"%s\": %d", name, v)
}

// optional reads a whole argument that may be missing and must not be below least.
func optional(in []column.Vector, arg, i int, name string, missing, least int64) (int64, error) {
	if arg >= len(in) {
		return missing, nil
	}
	v := in[arg].(*column.Of[int64]).Values[i]
	if v < least {
		return 0, errBelow(name, v)
	}
	return v, nil
}

func regexCountFrom(s *site) body {
	out := output[int64]{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		row := regexAt(in, 2, 3)
		return out.fill(nulls, n, func(i int) (int64, error) {
			c, err := row(i)
			if err != nil {
				return 0, err
			}
			return int64(len(c.matches)), nil
		})
	}
}

// regexInstr is where the numbered match, or a group of it, begins or (endoption 1) what follows it; 0 if there is none.
func regexInstr(s *site) body {
	out := output[int64]{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		row := regexAt(in, 2, 5)
		return out.fill(nulls, n, func(i int) (int64, error) {
			nth, err := optional(in, 3, i, "n", 1, 1)
			if err != nil {
				return 0, err
			}
			end, err := optional(in, 4, i, "endoption", 0, 0)
			if err == nil && end > 1 {
				err = errBelow("endoption", end)
			}
			if err != nil {
				return 0, err
			}
			group, err := optional(in, 6, i, "subexpr", 0, 0)
			if err != nil {
				return 0, err
			}
			c, err := row(i)
			if err != nil || int(nth) > len(c.matches) {
				return 0, err
			}
			m := c.matches[nth-1]
			if at := 2*int(group) + int(end); at < len(m) && m[at] >= 0 {
				return int64(utf8.RuneCount(c.text[:m[at]])) + 1, nil
			}
			return 0, nil
		})
	}
}

// regexSubstrAt is the numbered match, or a group of it; NULL if there is none.
func regexSubstrAt(s *site) body {
	out := bytesOutput{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		row := regexAt(in, 2, 4)
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			nth, err := optional(in, 3, i, "n", 1, 1)
			if err != nil {
				return nil, err
			}
			group, err := optional(in, 5, i, "subexpr", 0, 0)
			if err != nil {
				return nil, err
			}
			c, err := row(i)
			if err != nil {
				return nil, err
			}
			at := 2 * int(group)
			if int(nth) > len(c.matches) || at >= len(c.matches[nth-1]) || c.matches[nth-1][at] < 0 {
				return nil, errNull
			}
			m := c.matches[nth-1]
			return append(dst, c.text[m[at]:m[at+1]]...), nil
		})
	}
}

// regexReplaceAt replaces the numbered match, or all if the number is 0.
func regexReplaceAt(s *site) body {
	out := bytesOutput{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		row, with := regexAt(in, 3, 5), in[2].(*column.Bytes)
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			nth, err := optional(in, 4, i, "n", 1, 0)
			if err != nil {
				return nil, err
			}
			c, err := row(i)
			if err != nil {
				return nil, err
			}
			at := 0
			for k, m := range c.matches {
				if nth != 0 && int64(k) != nth-1 {
					continue
				}
				dst = appendExpansion(append(dst, c.text[at:m[0]]...), c.text, m, with.Value(i))
				at = m[1]
			}
			return append(dst, c.text[at:]...), nil
		})
	}
}
