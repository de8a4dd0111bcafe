package build

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

func isAsOf(kind logicalplan.JoinKind) bool {
	return kind == logicalplan.AsOfJoin || kind == logicalplan.AsOfLeftJoin
}

// asOfNode makes an ASOF join of its condition: equalities, which are the key, and one comparison of times, in whatever order it is
// written. The newest right row at or before a left one is what DuckDB's and Snowflake's joins of that name give.
func (b *binder) asOfNode(kind logicalplan.JoinKind, l, r logicalplan.Node, conds []expr.Expr, j *sql.Join) (logicalplan.Node, error) {
	n := &logicalplan.Join{Kind: kind, Left: l, Right: r, Pos: b.pos(j.Pos)}
	left, right := logicalplan.ColumnSet(l), logicalplan.ColumnSet(r)
	for _, c := range conds {
		if x, y, ok := logicalplan.EquiKey(c, left, right); ok {
			n.L, n.R = append(n.L, x), append(n.R, y)
			continue
		}
		t, err := b.asOfTimes(c, left, right, j)
		if err != nil {
			return nil, err
		}
		n.On = append(n.On, t)
	}
	if len(n.On) != 1 {
		return nil, b.errorf(j.On.At(), sqlerr.InvalidObjectDefinition, "an ASOF join needs one comparison of times in its condition, and has %d", len(n.On)).
			WithHint("ON a.key = b.key AND a.time >= b.time")
	}
	return n, nil
}

// asOfTimes is a comparison of both sides as left >= right or left > right.
func (b *binder) asOfTimes(c expr.Expr, left, right map[expr.ColumnID]bool, j *sql.Join) (expr.Expr, error) {
	call, ok := c.(*expr.Call)
	if !ok || len(call.Args) != 2 {
		return nil, b.unsupported(j.On.At(), "%s in the condition of an ASOF join", c)
	}
	op, x, y := call.Func.Name, call.Args[0], call.Args[1]
	if readsOnly(x, right) && readsOnly(y, left) {
		op, x, y = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}[op], y, x
	}
	switch {
	case !readsOnly(x, left) || !readsOnly(y, right):
		return nil, b.unsupported(j.On.At(), "%s in the condition of an ASOF join", c)
	case op == "<" || op == "<=":
		return nil, b.unsupported(j.On.At(), "an ASOF join with the first row after another").WithHint("Write it with >=: the newest row at or before the other.")
	case op != ">" && op != ">=":
		return nil, b.unsupported(j.On.At(), "%s in the condition of an ASOF join", c)
	}
	if x.Type() != y.Type() {
		return nil, b.errorf(j.On.At(), sqlerr.DatatypeMismatch, "an ASOF join compares %s with %s", x.Type(), y.Type()).WithHint("Cast one of them.")
	}
	return b.op(op, x, y, j.On.At())
}

// readsOnly reports whether e reads some of the columns, and no others.
func readsOnly(e expr.Expr, cols map[expr.ColumnID]bool) bool {
	some, only := false, true
	expr.Columns(e, func(c *expr.Column) {
		some, only = true, only && cols[c.ID]
	})
	return some && only
}

// isNow reports whether e is the present time, as of which every relation is read anyway: now(), CURRENT_TIMESTAMP, Flink's PROCTIME().
func isNow(e sql.Expr) bool {
	f, ok := e.(*sql.Func)
	if !ok || len(f.Args) > 0 || len(f.Name.Parts) == 0 {
		return false
	}
	switch strings.ToLower(f.Name.Parts[len(f.Name.Parts)-1]) {
	case "now", "current_timestamp", "proctime", "transaction_timestamp", "statement_timestamp":
		return true
	}
	return false
}

// temporalJoin binds JOIN t FOR SYSTEM_TIME AS OF time, Flink's temporal join. As of now, t is a table or a view as it stands. As of a
// time of the left side, t is a stream whose rows are versions: of each key that ON compares, each holds from its event time to the next
// one's. That is an ASOF join by t's event time.
func (b *binder) temporalJoin(j *sql.Join, t *sql.Table, outer *scope, left *item) (*item, error) {
	plain, join := *t, *j
	plain.AsOf, join.R = nil, &plain
	l, err := b.tableExpr(j.L, outer, left)
	if err != nil {
		return nil, err
	}
	r, err := b.table(&plain, outer)
	if err != nil {
		return nil, err
	}
	if err := distinctNames(l, r); err != nil {
		return nil, err
	}
	kind, err := b.joinKind(j)
	if err != nil {
		return nil, err
	}
	if isNow(t.AsOf) {
		if logicalplan.Derive(r.node).Stream {
			return nil, b.errorf(t.Pos, sqlerr.WrongObjectType, "a stream has no state as of now").
				WithHint("Join a table or a materialized view as of now, or write AS OF a time of the left side: the stream's rows are then versions.")
		}
		return b.joinItems(&join, kind, l, r, outer)
	}
	kind, ok := map[logicalplan.JoinKind]logicalplan.JoinKind{
		logicalplan.InnerJoin: logicalplan.AsOfJoin, logicalplan.LeftJoin: logicalplan.AsOfLeftJoin}[kind]
	if !ok || j.On == nil {
		return nil, b.unsupported(j.Pos, "FOR SYSTEM_TIME AS OF in a join other than JOIN ... ON and LEFT JOIN ... ON")
	}
	return b.versionJoin(&join, kind, t, l, r, outer)
}

// versionJoin is the ASOF join of a temporal join.
func (b *binder) versionJoin(j *sql.Join, kind logicalplan.JoinKind, t *sql.Table, l, r *item, outer *scope) (*item, error) {
	at, ok := logicalplan.EventTimeOf(r.node)
	if !ok {
		return nil, b.unsupported(t.Pos, "FOR SYSTEM_TIME AS OF a time over a relation without a watermark").
			WithDetail("Only a stream with a watermark keeps its versions: its rows, by their event time.").
			WithHint("For a table with a column that says from when a row holds: ASOF JOIN ... ON ... AND l.time >= t.valid_from.")
	}
	out := &item{rels: append(append([]*rel{}, l.rels...), r.rels...), cols: append(append([]logicalplan.Column{}, l.cols...), r.cols...)}
	c := &exprCtx{b: b, scope: out.scopeOf(outer), clause: "FOR SYSTEM_TIME AS OF"}
	asOf, err := c.bindKnown(t.AsOf)
	if err != nil {
		return nil, err
	}
	if asOf.Type() != at.Type {
		return nil, b.errorf(t.AsOf.At(), sqlerr.DatatypeMismatch, "FOR SYSTEM_TIME AS OF takes %s, the event time of %q, and not %s", at.Type, t.Name.Parts[len(t.Name.Parts)-1], asOf.Type())
	}
	time := use(at)
	time.Name = r.rels[0].name + "." + at.Name
	since, err := b.op(">=", asOf, time, t.AsOf.At())
	if err != nil {
		return nil, err
	}
	on := &exprCtx{b: b, scope: out.scopeOf(outer), clause: "JOIN conditions"}
	cond, err := on.bindBool(j.On, "JOIN/ON")
	if err != nil {
		return nil, err
	}
	out.node, err = b.asOfNode(kind, l.node, r.node, append(conjuncts(cond), since), j)
	return out, err
}
