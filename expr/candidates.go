package expr

import (
	"slices"

	"wmsql/types"
)

// candidate is an overload with its argument list stretched to the call's.
type candidate struct {
	fn       *Function
	args     []types.Type
	variadic bool // stretched from a variadic
}

// expand lists the overloads that take n arguments. A variadic is stretched to n; where the same
// list exists without it, that one wins.
func expand(fns []*Function, n int) []candidate {
	var out []candidate
	for _, f := range fns {
		if len(f.Args) == n && !f.Variadic {
			out = append(out, candidate{fn: f, args: f.Args})
		}
	}
	for _, f := range fns {
		if !f.Variadic || n < len(f.Args) {
			continue
		}
		c := candidate{fn: f, args: slices.Clone(f.Args[:len(f.Args)-1]), variadic: true}
		last := f.Args[len(f.Args)-1]
		if last.Array {
			last = last.Elem()
		}
		for len(c.args) < n {
			c.args = append(c.args, last)
		}
		if !slices.ContainsFunc(out, func(o candidate) bool { return slices.Equal(o.args, c.args) }) {
			out = append(out, c)
		}
	}
	return out
}

// choose picks the overload for arguments of the given types. none is true when no overload takes
// them; otherwise a nil result means that the call is ambiguous.
func choose(cs []candidate, actual []types.Type) (best *candidate, none bool) {
	if c := exact(cs, actual); c != nil {
		return c, false
	}
	cs = callable(cs, actual)
	if len(cs) == 0 {
		return nil, true
	}
	if len(cs) > 1 {
		cs = selectCandidate(cs, actual)
	}
	if len(cs) != 1 {
		return nil, false
	}
	return &cs[0], false
}

// exact finds the overload whose argument types are the call's.
func exact(cs []candidate, actual []types.Type) *candidate {
	for i := range cs {
		if slices.EqualFunc(cs[i].args, actual, types.Type.Same) {
			return &cs[i]
		}
	}
	return nil
}

// callable keeps the overloads that implicit casts reach.
func callable(cs []candidate, actual []types.Type) []candidate {
	return slices.DeleteFunc(slices.Clone(cs), func(c candidate) bool {
		for i, t := range actual {
			if !canCoerce(t, c.args[i], Implicit) {
				return true
			}
		}
		_, ok := bindPolymorphic(c.args, actual)
		return !ok
	})
}

// selectCandidate narrows the callable overloads by the steps of Postgres's manual, section 10.3
// (func_select_candidate). One is left if the call is clear.
func selectCandidate(cs []candidate, actual []types.Type) []candidate {
	unknowns := 0
	for _, t := range actual {
		if isUnknown(t) {
			unknowns++
		}
	}
	cs = keepBest(cs, func(c candidate) int { return countArgs(c, actual, types.Type.Same) })
	if len(cs) == 1 {
		return cs
	}
	cs = keepBest(cs, func(c candidate) int {
		return countArgs(c, actual, func(want, have types.Type) bool {
			return want.Same(have) || category(want) == category(have) && isPreferred(want)
		})
	})
	if len(cs) == 1 || unknowns == 0 {
		return cs
	}
	if byCat := byUnknownCategory(cs, actual); len(byCat) == 1 {
		return byCat
	} else if byCat != nil {
		cs = byCat
	}
	return assumeSameType(cs, actual, unknowns)
}

func countArgs(c candidate, actual []types.Type, match func(want, have types.Type) bool) int {
	n := 0
	for i, have := range actual {
		if !isUnknown(have) && match(c.args[i], have) {
			n++
		}
	}
	return n
}

// keepBest keeps the candidates with the highest score.
func keepBest(cs []candidate, score func(candidate) int) []candidate {
	best := -1
	var out []candidate
	for _, c := range cs {
		s := score(c)
		if s > best {
			best, out = s, out[:0:0]
		}
		if s == best {
			out = append(out, c)
		}
	}
	return out
}

// byUnknownCategory decides the category of every unknown argument (string if any candidate takes one, else the
// one all agree on) and keeps the candidates that fit. nil means that it could not decide, or that none fits.
func byUnknownCategory(cs []candidate, actual []types.Type) []candidate {
	keep := slices.Clone(cs)
	for i, have := range actual {
		if !isUnknown(have) {
			continue
		}
		want, preferred, ok := slotCategory(cs, i)
		if !ok {
			return nil
		}
		keep = slices.DeleteFunc(keep, func(c candidate) bool {
			return category(c.args[i]) != want || preferred && !isPreferred(c.args[i])
		})
	}
	if len(keep) == 0 {
		return nil
	}
	return keep
}

// slotCategory is the category that argument i has in the candidates, and whether one of them takes its preferred type there.
func slotCategory(cs []candidate, i int) (want byte, preferred, ok bool) {
	want = category(cs[0].args[i])
	conflict := false
	for _, c := range cs {
		k := category(c.args[i])
		switch k {
		case want:
			preferred = preferred || isPreferred(c.args[i])
		case 'S':
			want, preferred = 'S', isPreferred(c.args[i])
		default:
			conflict = true
		}
	}
	return want, preferred, !conflict || want == 'S'
}

// assumeSameType is the last resort: if all known arguments have one type, the unknown ones are taken to have it too.
func assumeSameType(cs []candidate, actual []types.Type, unknowns int) []candidate {
	if unknowns == len(actual) {
		return cs
	}
	var known types.Type
	first := true
	for _, t := range actual {
		if isUnknown(t) {
			continue
		}
		if !first && !t.Same(known) {
			return cs
		}
		known, first = plain(t), false
	}
	same := callable(cs, slices.Repeat([]types.Type{known}, len(actual)))
	if len(same) == 1 {
		return same
	}
	return cs
}
