package build

import (
	"slices"
	"strconv"
	"strings"

	"wmsql/expr"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

func itoa(n int) string { return strconv.Itoa(n) }

// call binds a function call of any kind.
func (c *exprCtx) call(f *sql.Func) (expr.Expr, error) {
	name, err := c.b.functionName(f)
	if err != nil {
		return nil, err
	}
	switch {
	case f.Over != nil:
		return c.windowCall(name, f)
	case isGroupWindow(f) || isGroupWindowPart(f):
		return c.groupWindowCall(f)
	case name == "grouping" && f.Keyword:
		return c.groupingCall(f)
	case expr.IsAggregate(name), expr.IsHypothetical(name) && len(f.Within) > 0:
		return c.aggregate(name, f)
	case expr.IsSetReturning(name):
		return c.setCall(name, f)
	case rankingFunction(name):
		return nil, c.b.withoutOver(name, f)
	}
	if name == "pg_collation_for" && len(f.Args) == 1 {
		if x, ok := f.Args[0].Value.(*sql.Collate); ok {
			if _, err := c.bind(x); err != nil {
				return nil, err
			}
			return &expr.Const{Value: `"` + x.Name.Parts[len(x.Name.Parts)-1] + `"`, T: textType}, nil
		}
	}
	if err := c.b.scalarOnly(name, f); err != nil {
		return nil, err
	}
	args, err := c.arguments(name, f)
	if err != nil {
		return nil, err
	}
	return c.scalarCall(name, args, f)
}

// withoutOver is the error of a window function that is called without a window.
func (b *binder) withoutOver(name string, f *sql.Func) error {
	err := b.errorf(f.Pos, sqlerr.WrongObjectType, "window function %s requires an OVER clause", name)
	if pick, ok := strings.CutSuffix(name, "_value"); ok && pick != "nth" {
		return err.WithHint("The aggregate is called %s: %s(x ORDER BY t).", pick, pick)
	}
	return err
}

// scalarCall binds the functions that are syntax (COALESCE, NULLIF, ...) and all others by their overloads.
func (c *exprCtx) scalarCall(name string, args []expr.Expr, f *sql.Func) (expr.Expr, error) {
	switch name {
	case "coalesce":
		args, t, err := c.b.unify("COALESCE", args, f.Pos)
		if err != nil || len(args) == 1 {
			return first(args), err
		}
		return &expr.Coalesce{Args: args, T: t}, nil
	case "nullif":
		if len(args) == 2 {
			return c.nullif(args[0], args[1], f)
		}
	case "greatest", "least":
		var err error
		if args, _, err = c.b.unify(strings.ToUpper(name), args, f.Pos); err != nil {
			return nil, err
		}
	case "to_jsonb", "to_json", "row_to_json", "array_to_json":
		if len(args) == 1 && args[0].Type().Kind == types.Record {
			if x, err := c.b.namedJSON(args[0], name == "to_jsonb", f.Pos); err != nil || x != args[0] {
				return x, err
			}
		}
		if shape := c.b.recordOf(first(args)); len(args) == 2 && shape != nil && !strings.HasPrefix(name, "to_") {
			lines, err := c.b.cast(args[1], boolType, expr.Implicit, f.Pos)
			return expr.NamedJSON(args[0], lines, shape.names(), false), err
		}
	case "json_build_object", "jsonb_build_object", "json_build_array", "jsonb_build_array":
		for i := range args {
			var err error
			if args[i], err = c.b.namedJSON(args[i], strings.HasPrefix(name, "jsonb"), f.Pos); err != nil {
				return nil, err
			}
		}
	}
	return c.b.fn(name, args, f.Pos)
}

func first(es []expr.Expr) expr.Expr {
	if len(es) == 0 {
		return nil
	}
	return es[0]
}

func (c *exprCtx) nullif(x, y expr.Expr, f *sql.Func) (expr.Expr, error) {
	eq, err := c.b.op("=", x, y, f.Pos)
	if err != nil {
		return nil, err
	}
	if call, ok := eq.(*expr.Call); ok {
		x = call.Args[0] // the left side as = compares it: Postgres gives that
		if x.Type().Kind == types.Varchar && !x.Type().Array {
			if x, err = expr.NewCast(x, textType, expr.Implicit); err != nil {
				return nil, err
			}
		}
	} else if x, err = c.known(x, f.Pos); err != nil {
		return nil, err
	}
	return &expr.Case{
		Whens: []expr.When{{Cond: eq, Then: &expr.Const{T: x.Type()}}},
		Else:  x,
		T:     x.Type(),
	}, nil
}

// namedJSON is jsonOf, but of a row that is written out, which is made an object field by field.
func (b *binder) namedJSON(x expr.Expr, binary bool, p sql.Pos) (expr.Expr, error) {
	row, ok := x.(*expr.Row)
	if !ok {
		return b.jsonOf(x, binary), nil
	}
	var args []expr.Expr
	for i, f := range b.shapeOf(row) {
		args = append(args, &expr.Const{Value: f.Name, T: textType}, b.jsonOf(row.Items[i], false))
	}
	name := "wm_row_to_json"
	if binary {
		name = "jsonb_build_object"
	}
	return b.fn(name, args, p)
}

// functionName checks the schema of a call and returns its bare name.
func (b *binder) functionName(f *sql.Func) (string, error) {
	parts := f.Name.Parts
	name := parts[len(parts)-1]
	if len(parts) > 1 && !slices.Contains([]string{"pg_catalog", "information_schema", "wm_catalog"}, parts[len(parts)-2]) {
		return "", b.errorf(f.Pos, sqlerr.UndefinedFunction, "function %s does not exist", strings.Join(parts, "."))
	}
	return name, nil
}

// scalarOnly refuses what only aggregates may carry.
func (b *binder) scalarOnly(name string, f *sql.Func) error {
	what := ""
	switch {
	case f.Star && !expr.KnowsFunction(name) && !expr.IsSetReturning(name):
		_, err := b.fn(name, nil, f.Pos)
		return err
	case f.Star:
		what = name + "(*) specified, but " + name + " is not an aggregate function"
	case f.Distinct:
		what = "DISTINCT specified, but " + name + " is not an aggregate function"
	case len(f.OrderBy) > 0:
		what = "ORDER BY specified, but " + name + " is not an aggregate function"
	case f.Filter != nil:
		what = "FILTER specified, but " + name + " is not an aggregate function"
	case len(f.Within) > 0:
		what = "WITHIN GROUP specified, but " + name + " is not an aggregate function"
	default:
		return nil
	}
	return b.errorf(f.Pos, sqlerr.WrongObjectType, "%s", what)
}

// makeIntervalArgs is the parameters of make_interval, the one function that clients call by name.
var makeIntervalArgs = []string{"years", "months", "weeks", "days", "hours", "mins", "secs"}

// arguments binds the arguments of a call.
func (c *exprCtx) arguments(name string, f *sql.Func) ([]expr.Expr, error) {
	if slices.ContainsFunc(f.Args, func(a sql.Arg) bool { return a.Name != "" }) {
		if name != "make_interval" {
			return nil, c.b.unsupported(f.Pos, "naming the arguments of %s", name)
		}
		return c.makeInterval(f)
	}
	out := make([]expr.Expr, len(f.Args))
	for i, a := range f.Args {
		if a.Variadic {
			return nil, c.b.unsupported(a.Value.At(), "VARIADIC")
		}
		var err error
		if out[i], err = c.bind(a.Value); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *exprCtx) makeInterval(f *sql.Func) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(makeIntervalArgs))
	for i := range out {
		out[i] = &expr.Const{Value: int64(0), T: types.Of(types.Int4)}
	}
	for i, a := range f.Args {
		k := i
		if a.Name != "" {
			if k = slices.Index(makeIntervalArgs, a.Name); k < 0 {
				return nil, c.b.errorf(a.Value.At(), sqlerr.UndefinedFunction, "make_interval has no argument \"%s\"", a.Name)
			}
		}
		if k >= len(out) {
			return nil, c.b.errorf(f.Pos, sqlerr.UndefinedFunction, "make_interval takes at most %d arguments", len(out))
		}
		var err error
		if out[k], err = c.bind(a.Value); err != nil {
			return nil, err
		}
	}
	return out, nil
}
