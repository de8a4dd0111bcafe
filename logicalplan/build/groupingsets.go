package build

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Postgres's bounds on grouping sets.
const (
	maxGroupingSets = 4096
	maxCube         = 12
	maxGroupingArgs = 31
)

// groupSet is the numbers of the keys of one grouping set, ascending.
type groupSet []int

// union is the keys of both.
func (s groupSet) union(t groupSet) groupSet {
	out := slices.Concat(s, t)
	slices.Sort(out)
	return slices.Compact(out)
}

// groupItems binds the items of GROUP BY. Each stands for one set of keys or several; the query's are one of every item put together,
// in all ways.
func (s *queryBinder) groupItems() error {
	sets := []groupSet{{}}
	for _, x := range s.q.GroupBy {
		item, err := s.groupItem(x)
		if err != nil {
			return err
		}
		if len(sets)*len(item) > maxGroupingSets {
			return sqlerr.Newf(sqlerr.StatementTooComplex, "too many grouping sets present (maximum %d)", maxGroupingSets)
		}
		var all []groupSet
		for _, have := range sets {
			for _, more := range item {
				all = append(all, have.union(more))
			}
		}
		sets = all
	}
	if s.q.GroupDistinct {
		var once []groupSet
		for _, t := range sets {
			if !slices.ContainsFunc(once, func(o groupSet) bool { return slices.Equal(o, t) }) {
				once = append(once, t)
			}
		}
		sets = once
	}
	s.group.setSets(sets)
	return nil
}

// groupItem returns the sets of one item of GROUP BY.
func (s *queryBinder) groupItem(x sql.Expr) ([]groupSet, error) {
	switch x := x.(type) {
	case *sql.GroupingSet:
		return s.groupingSet(x)
	case *sql.Row:
		set, err := s.groupAll(x.Items)
		return []groupSet{set}, err
	}
	set, err := s.groupKey(x)
	return []groupSet{set}, err
}

// groupAll is the set of several keys.
func (s *queryBinder) groupAll(xs []sql.Expr) (groupSet, error) {
	set := groupSet{}
	for _, x := range xs {
		if r, ok := x.(*sql.Row); ok {
			inner, err := s.groupAll(r.Items)
			if err != nil {
				return nil, err
			}
			set = set.union(inner)
			continue
		}
		key, err := s.groupKey(x)
		if err != nil {
			return nil, err
		}
		set = set.union(key)
	}
	return set, nil
}

// groupingSet expands (), GROUPING SETS, ROLLUP and CUBE.
func (s *queryBinder) groupingSet(g *sql.GroupingSet) ([]groupSet, error) {
	switch g.Kind {
	case "empty":
		return []groupSet{{}}, nil
	case "sets":
		return s.listedSets(g)
	}
	var parts []groupSet
	for _, xs := range g.Sets {
		set, err := s.groupAll(xs)
		if err != nil {
			return nil, err
		}
		parts = append(parts, set)
	}
	if g.Kind == "rollup" {
		return rollup(parts), nil
	}
	if len(parts) > maxCube {
		return nil, s.b.errorf(g.Pos, sqlerr.TooManyColumns, "CUBE is limited to %d elements", maxCube)
	}
	return cube(parts), nil
}

// listedSets is the sets of GROUPING SETS: an element may stand for several itself.
func (s *queryBinder) listedSets(g *sql.GroupingSet) ([]groupSet, error) {
	var out []groupSet
	for _, xs := range g.Sets {
		if len(xs) == 1 {
			sets, err := s.groupItem(xs[0])
			if err != nil {
				return nil, err
			}
			out = append(out, sets...)
			continue
		}
		set, err := s.groupAll(xs)
		if err != nil {
			return nil, err
		}
		out = append(out, set)
	}
	return out, nil
}

// rollup is all of parts, all but the last, ..., none.
func rollup(parts []groupSet) []groupSet {
	out := make([]groupSet, len(parts)+1)
	set := groupSet{}
	for i := range out {
		out[len(parts)-i] = set
		if i < len(parts) {
			set = set.union(parts[i])
		}
	}
	return out
}

// cube is every choice of parts, the largest first.
func cube(parts []groupSet) []groupSet {
	var out []groupSet
	for without := range 1 << len(parts) {
		set := groupSet{}
		for i, p := range parts {
			if without>>(len(parts)-1-i)&1 == 0 {
				set = set.union(p)
			}
		}
		out = append(out, set)
	}
	return out
}

// setSets notes the grouping sets. A key that is not in all of them gets a column of its own, which is NULL where it is not.
func (g *grouping) setSets(sets []groupSet) {
	if len(sets) < 2 {
		return
	}
	g.sets = sets
	g.set = g.b.column("grouping_set", types.Of(types.Int4))
	for i := range g.keys {
		k := &g.keys[i]
		for _, set := range sets {
			k.optional = k.optional || !slices.Contains(set, i)
		}
		if k.optional {
			k.Out = g.b.column(k.Out.Name, k.Out.Type)
		}
	}
}

// expand puts the copies of the rows below the grouping, and returns the keys over them and the numbers of the sets without a key.
func (g *grouping) expand() (in logicalplan.Node, keys []logicalplan.Named, totals []int) {
	e := &logicalplan.Expand{Input: g.node, Set: g.set, Pos: g.pos}
	var optional []int
	for i, k := range g.keys {
		if !k.optional {
			keys = append(keys, k.Named)
			continue
		}
		optional = append(optional, i)
		e.Keys = append(e.Keys, k.Named)
		keys = append(keys, logicalplan.Named{Out: k.Out, Expr: use(k.Out)})
	}
	for n, set := range g.sets {
		in := make([]bool, len(optional))
		for j, i := range optional {
			in[j] = slices.Contains(set, i)
		}
		e.Sets = append(e.Sets, in)
		if len(optional) == len(g.keys) && len(set) == 0 {
			totals = append(totals, n+1)
		}
	}
	return e, append(keys, logicalplan.Named{Out: g.set, Expr: use(g.set)}), totals
}

// groupingCall binds GROUPING(...): a bit for each argument, the last one lowest, 1 where it is not in the row's grouping set.
func (c *exprCtx) groupingCall(f *sql.Func) (expr.Expr, error) {
	if len(f.Args) > maxGroupingArgs {
		return nil, c.b.errorf(f.Pos, sqlerr.TooManyArguments, "GROUPING must have fewer than %d arguments", maxGroupingArgs+1)
	}
	g, keys, err := c.groupingArgs(f)
	if err != nil {
		return nil, err
	}
	bits := make([]any, max(1, len(g.sets)))
	for n := range bits {
		var b int64
		for _, at := range keys {
			b <<= 1
			if g.keys[at].optional && !slices.Contains(g.sets[n], at) {
				b |= 1
			}
		}
		bits[n] = b
	}
	if len(bits) == 1 {
		return &expr.Const{Value: bits[0], T: types.Of(types.Int4)}, nil
	}
	return expr.NewSubscript(&expr.Const{Value: bits, T: types.ArrayOf(types.Int4)}, use(g.set))
}

// groupingArgs is the numbers of the keys that the arguments of GROUPING are, and the grouping whose keys these are.
func (c *exprCtx) groupingArgs(f *sql.Func) (*grouping, []int, error) {
	in, asked := c.argumentsOf()
	args := make([]expr.Expr, len(f.Args))
	read := map[expr.ColumnID]bool{}
	for i, a := range f.Args {
		var err error
		if _, known := c.group.numberOf(a.Value); known {
			continue
		}
		if args[i], err = in.bindKnown(a.Value); err != nil {
			return nil, nil, err
		}
		expr.Columns(args[i], func(col *expr.Column) { read[col.ID] = true })
	}
	for _, sub := range *asked {
		for id := range readBy(sub) {
			read[id] = true
		}
	}
	g, err := c.level(read, "grouping operations", f.Pos)
	if err != nil {
		return nil, nil, err
	}
	keys := make([]int, len(args))
	for i, a := range f.Args {
		at, ok := g.numberOf(a.Value)
		if !ok {
			at = slices.IndexFunc(g.keys, func(k groupKey) bool { return args[i] != nil && logicalplan.Equal(k.match, args[i]) })
		}
		if at < 0 {
			return nil, nil, c.b.errorf(a.Value.At(), sqlerr.GroupingError, "arguments to GROUPING must be grouping expressions of the associated query level")
		}
		keys[i] = at
	}
	return g, keys, nil
}
