package expr

import (
	"slices"
	"strings"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Aggregate is one aggregate call. It is immutable.
type Aggregate struct {
	Func     *AggFunction
	Args     []Expr
	Distinct bool
	OrderBy  []SortKey // inside the call; nil if none
	Filter   Expr      // nil if none
	T        types.Type
}

// SortKey is one key of an ordering.
type SortKey struct {
	X          Expr
	Desc       bool
	NullsFirst bool // already resolved: Postgres's default is NULLs last for ASC, first for DESC
}

// AggFunction is one overload of an aggregate.
type AggFunction struct {
	OID    uint32
	Name   string
	Args   []types.Type
	Return types.Type
	// Retractable reports whether Retract undoes Add exactly.
	Retractable bool
	// OrderedSet says that it is called WITHIN GROUP (ORDER BY ...), whose keys are its last arguments.
	OrderedSet bool

	make    func(s *aggSite) Accumulator
	ordered bool   // the result depends on the order of the rows
	set     bool   // equal arguments count once, as with DISTINCT
	finish  finish // of an ordered set, in place of make
}

// aggSite is what an aggregate knows of the call it is made for.
type aggSite struct {
	args []types.Type
	ret  types.Type
	ctx  *Context
}

// Accumulator holds one aggregate's running values as columns, one slot a group.
// DISTINCT is handled inside it (an exact set a group). Slots are dense: 0..n-1.
type Accumulator interface {
	// Resize makes n slots exist; new ones are empty.
	Resize(n int)
	// Add folds rows into slots: row rows[k] of args (rows nil: row k) goes to slot slots[k]. For count(*) args is empty.
	// With an ORDER BY inside the call, args goes on with the values of its keys.
	// FILTER has been applied by the caller through rows.
	Add(slots []int32, rows []int32, args []column.Vector) error
	// Retract undoes Add. It panics unless the function is Retractable.
	Retract(slots []int32, rows []int32, args []column.Vector) error
	// Merge folds slot from[k] of other, of the same aggregate, into slot slots[k].
	Merge(slots []int32, other Accumulator, from []int32) error
	// Result appends the value of each slot in slots to b.
	Result(b column.Builder, slots []int32) error
	// Encode appends the state of one slot in a versioned form; Decode reads it into a slot and returns the rest.
	Encode(dst []byte, slot int32) []byte
	Decode(slot int32, data []byte) (rest []byte, err error)
	// Move makes slot to hold what slot from held, and empties from; used to compact after groups are freed.
	Move(to, from int32)
	// Reset empties a slot for reuse.
	Reset(slot int32)
	// Bytes estimates the memory held.
	Bytes() int64
}

// IsAggregate reports whether name is an aggregate function.
func IsAggregate(name string) bool {
	return lib().aggs[name] != nil || slices.Contains(unsupportedAggregates, name)
}

// Aggregates lists every overload of every aggregate, for pg_proc.
func Aggregates() []*AggFunction {
	var out []*AggFunction
	for _, fs := range lib().aggs {
		out = append(out, fs...)
	}
	slices.SortFunc(out, func(a, b *AggFunction) int {
		return strings.Compare(signature(a.Name, a.Args), signature(b.Name, b.Args))
	})
	return out
}

// String is the call as SQL.
func (a *Aggregate) String() string {
	var sb strings.Builder
	name, ignore := strings.CutSuffix(a.Func.Name, ignoreNulls)
	sb.WriteString(name + "(")
	if a.Distinct {
		sb.WriteString("DISTINCT ")
	}
	if len(a.Args) == 0 && !a.Func.OrderedSet {
		sb.WriteByte('*')
	}
	args, order := a.Args, " ORDER BY "
	if a.Func.OrderedSet {
		args, order = args[:len(args)-len(a.OrderBy)], ") WITHIN GROUP (ORDER BY "
	}
	sb.WriteString(join(args, ", "))
	for i, k := range a.OrderBy {
		if i == 0 {
			sb.WriteString(order)
		} else {
			sb.WriteString(", ")
		}
		sb.WriteString(k.String())
	}
	sb.WriteByte(')')
	if ignore {
		sb.WriteString(" IGNORE NULLS")
	}
	if a.Filter != nil {
		sb.WriteString(" FILTER (WHERE " + a.Filter.String() + ")")
	}
	return sb.String()
}

// String is the key as SQL.
func (k SortKey) String() string {
	s := k.X.String()
	if k.Desc {
		s += " DESC"
	}
	switch {
	case k.NullsFirst && !k.Desc:
		s += " NULLS FIRST"
	case !k.NullsFirst && k.Desc:
		s += " NULLS LAST"
	}
	return s
}

// NewAggregate resolves an aggregate. star is count(*). The aggregates first and last with IGNORE NULLS are called
// "first ignore nulls" and "last ignore nulls". The error is a *sqlerr.Error without position.
func NewAggregate(name string, args []Expr, star, distinct bool, orderBy []SortKey, filter Expr) (*Aggregate, error) {
	if slices.Contains(unsupportedAggregates, name) {
		return nil, sqlerr.Unsupported("aggregate %s", name)
	}
	fn, best, err := resolveAggregate(name, args, star)
	if err != nil {
		return nil, err
	}
	a := &Aggregate{Func: fn, Distinct: distinct || fn.set && len(orderBy) > 0, OrderBy: orderBy, Filter: filter}
	b, _ := bindPolymorphic(best.args, typesOf(args))
	if b.guessed {
		return nil, errUnknownElement()
	}
	for i, x := range args {
		x, err = NewCast(x, b.resolve(best.args[i], x.Type()), Implicit)
		if err != nil {
			return nil, err
		}
		a.Args = append(a.Args, x)
	}
	a.T = b.resolve(fn.Return, types.Type{})
	a.T.Mod = types.NoMod // Postgres keeps none, of min and max neither
	if err := checkDirect(fn, a.Args, orderBy); err != nil {
		return nil, err
	}
	if a.Distinct && len(orderBy) > 0 && !orderedByArgs(orderBy, a.Args) {
		return nil, sqlerr.Newf(sqlerr.InvalidColumnReference,
			"in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list")
	}
	if distinct || fn.set {
		if err := needsEquality(a.Args); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func resolveAggregate(name string, args []Expr, star bool) (*AggFunction, *candidate, error) {
	actual := typesOf(args)
	aggs := lib().aggs[name]
	if star && name != "count" {
		return nil, nil, sqlerr.Newf(sqlerr.UndefinedFunction, "function %s() does not exist", name).
			WithHint("No function matches the given name and argument types. You might need to add explicit type casts.")
	}
	if !star && len(args) == 0 && name == "count" {
		return nil, nil, sqlerr.Newf(sqlerr.WrongObjectType, "%s(*) must be used to call a parameterless aggregate function", name)
	}
	fns := make([]*Function, len(aggs))
	for i, a := range aggs {
		fns[i] = &Function{Name: a.Name, Args: a.Args, Return: a.Return}
	}
	best, none := choose(expand(fns, len(args)), actual)
	switch {
	case none:
		return nil, nil, sqlerr.Newf(sqlerr.UndefinedFunction, "function %s does not exist", signature(name, actual)).
			WithHint("No function matches the given name and argument types. You might need to add explicit type casts.")
	case best == nil:
		return nil, nil, sqlerr.Newf(sqlerr.AmbiguousFunction, "function %s is not unique", signature(name, actual)).
			WithHint("Could not choose a best candidate function. You might need to add explicit type casts.")
	}
	return aggs[slices.Index(fns, best.fn)], best, nil
}

// checkDirect checks that an ordered set has its order, and that the fractions of percentiles are the same in every row.
func checkDirect(fn *AggFunction, args []Expr, orderBy []SortKey) error {
	if fn.OrderedSet && len(orderBy) == 0 {
		return sqlerr.Newf(sqlerr.WrongObjectType, "WITHIN GROUP is required for ordered-set aggregate %s", fn.Name)
	}
	var direct []Expr
	switch {
	case fn.OrderedSet:
		direct = args[:len(args)-len(orderBy)]
	case fn.Name == "approx_percentile":
		direct = args[1:]
	}
	var err error
	for _, x := range direct {
		Columns(x, func(*Column) { err = sqlerr.Unsupported("a column in the fraction of %s", fn.Name) })
	}
	return err
}

func orderedByArgs(keys []SortKey, args []Expr) bool {
	for _, k := range keys {
		if !slices.ContainsFunc(args, func(a Expr) bool { return a.String() == k.X.String() }) {
			return false
		}
	}
	return true
}

func needsEquality(args []Expr) error {
	for _, a := range args {
		if t := a.Type(); t.Kind == types.JSON {
			return sqlerr.Newf(sqlerr.UndefinedFunction, "could not identify an equality operator for type %s", plain(t))
		}
	}
	return nil
}

// unsupportedAggregates are aggregates of Postgres and Spark that wmsql knows by name only.
var unsupportedAggregates = []string{
	"percentile", "jsonb_agg_strict", "xmlagg", "range_agg",
}

// NewAccumulator returns an empty accumulator for a.
func NewAccumulator(a *Aggregate, ctx *Context) Accumulator {
	s := &aggSite{args: typesOf(a.Args), ret: a.T, ctx: ctx}
	switch {
	case picks(a):
		return makeCells(pickByKernel(a))(s)
	case len(a.OrderBy) > 0 && a.Func.ordered, a.Distinct && a.Func.ordered:
		return newSortedAccumulator(a, s)
	case (a.Distinct || a.Func.set) && len(a.Args) > 0:
		return newDistinctAccumulator(a, s)
	}
	return a.Func.make(s)
}
