package server

import (
	"context"
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/logicalplan/build"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/stream"
	"wmsql/types"
)

// subscribePlan is SUBSCRIBE: the rows of a view's result and then, without an end, what each of its micro-batches changes. Each row says
// which micro-batch it is of and whether it is added (1) or taken back (-1).
type subscribePlan struct {
	s        *Session
	view     *catalog.MaterializedView
	rows     *types.Schema // the view's columns
	out      *types.Schema
	from     stream.SubscribeFrom
	progress bool
}

func (s *Session) planSubscribe(n *sql.Subscribe) (*subscribePlan, error) {
	mv, err := s.subscribed(n)
	if err != nil {
		return nil, err
	}
	p := &subscribePlan{s: s, view: mv, from: stream.SubscribeFrom{AsOf: n.AsOf, Snapshot: n.AsOf < 0}}
	for _, o := range n.Options {
		if err := p.option(o); err != nil {
			return nil, sqlerr.From(err).At(int(o.Pos))
		}
	}
	if n.AsOf >= 0 && p.from.Snapshot {
		return nil, sqlerr.Unsupported("SUBSCRIBE with SNAPSHOT as of a micro-batch of the past").
			WithHint("AS OF goes on behind what you have read; leave SNAPSHOT out.").At(int(n.Pos))
	}
	p.rows, p.out = &types.Schema{}, &types.Schema{Fields: []types.Field{{Name: "wm_epoch", Type: types.Of(types.Int8)}}}
	if p.progress {
		p.out.Fields = append(p.out.Fields, types.Field{Name: "wm_progressed", Type: types.Of(types.Bool)})
	}
	p.out.Fields = append(p.out.Fields, types.Field{Name: "wm_diff", Type: types.Of(types.Int8)})
	for _, c := range mv.Columns {
		f := types.Field{Name: c.Name, Type: c.Type}
		p.rows.Fields = append(p.rows.Fields, f)
		p.out.Fields = append(p.out.Fields, f)
	}
	return p, nil
}

// subscribed finds the view to follow.
func (s *Session) subscribed(n *sql.Subscribe) (*catalog.MaterializedView, error) {
	if n.Name == nil {
		return nil, sqlerr.Unsupported("SUBSCRIBE to a query").At(int(n.Pos)).
			WithHint("Make the query over a stream a continuous one, CREATE MATERIALIZED VIEW v AS SELECT ..., and SUBSCRIBE v.")
	}
	rel, err := s.names().Relation(n.Name.Parts, s.path())
	if err != nil {
		return nil, sqlerr.From(err).At(int(n.Name.Pos))
	}
	if rel.MatView == nil {
		return nil, notFollowed(rel).At(int(n.Name.Pos))
	}
	if _, err := rel.Result(); err != nil {
		return nil, sqlerr.From(err).At(int(n.Name.Pos))
	}
	return rel.MatView, nil
}

// notFollowed says what to follow in place of what has no micro-batches.
func notFollowed(rel build.Relation) *sqlerr.Error {
	e := sqlerr.Unsupported("SUBSCRIBE to what is no materialized view")
	switch {
	case rel.Stream != nil:
		name := catalog.QuoteIdent(rel.Stream.Name)
		e.Hint = fmt.Sprintf("CREATE MATERIALIZED VIEW v AS SELECT * FROM %s keeps its rows as a result; then SUBSCRIBE v.", name)
	case rel.Table != nil:
		e.Hint = "The changes of a table are not followed. A stream takes rows by INSERT too, and a materialized view over it can be subscribed to."
	default:
		e.Hint = "Make the query over a stream a continuous one, CREATE MATERIALIZED VIEW v AS SELECT ..., and SUBSCRIBE v."
	}
	return e
}

func (p *subscribePlan) option(o sql.Option) error {
	on, ok := parseBool(o.Value)
	if !ok && o.Value != "" {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "option %q needs a boolean, not %q", o.Name, o.Value)
	}
	on = on || o.Value == ""
	switch strings.ToLower(o.Name) {
	case "snapshot":
		p.from.Snapshot = on
	case "progress":
		p.progress = on
	default:
		return sqlerr.Newf(sqlerr.SyntaxError, "option %q not recognized", o.Name).WithHint("There are SNAPSHOT and PROGRESS.")
	}
	return nil
}

func (p *subscribePlan) schema() *types.Schema { return p.out }

func (p *subscribePlan) run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	return p.open(ctx, args)
}

func (p *subscribePlan) open(ctx context.Context, _ []column.Vector) (pgwire.Result, error) {
	feed, err := p.s.srv.results.Subscribe(ctx, p.view.ID, p.view.Name, p.rows, p.from)
	if err != nil {
		return nil, err
	}
	return &subscription{plan: p, feed: feed}, nil
}

// subscription is a running SUBSCRIBE.
type subscription struct {
	plan *subscribePlan
	feed *stream.Subscription
}

// Live says that Next waits for what the view will change.
func (r *subscription) Live() bool { return true }

// Next returns the next rows, or with PROGRESS that a micro-batch has been read to its end. It ends with an error only.
func (r *subscription) Next(ctx context.Context) (*column.Batch, error) {
	for {
		e, err := r.feed.Next(ctx)
		switch {
		case err != nil:
			return nil, err
		case e.Rows != nil && e.Rows.Rows > 0:
			return r.plan.changed(e), nil
		case e.Rows == nil && r.plan.progress:
			return r.plan.progressed(e.Epoch), nil
		}
	}
}

// Tag is the command tag of a FETCH, COPY or row limit that ends it.
func (r *subscription) Tag(rows int64) string { return tagRows("SUBSCRIBE")(rows) }

// Close ends the subscription.
func (r *subscription) Close() error { return r.feed.Close() }

// changed puts what tells of the change before the columns.
func (p *subscribePlan) changed(e stream.Event) *column.Batch {
	n := e.Rows.Rows
	epochs, diffs := make([]int64, n), make([]int64, n)
	for i := range n {
		epochs[i], diffs[i] = e.Epoch, 1
		if e.Rows.Ops != nil && (e.Rows.Ops[i] == column.Delete || e.Rows.Ops[i] == column.UpdateBefore) {
			diffs[i] = -1
		}
	}
	int8s := types.Of(types.Int8)
	cols := []column.Vector{&column.Of[int64]{T: int8s, Values: epochs}}
	if p.progress {
		cols = append(cols, &column.Of[bool]{T: types.Of(types.Bool), Values: make([]bool, n)})
	}
	cols = append(cols, &column.Of[int64]{T: int8s, Values: diffs})
	return &column.Batch{Schema: p.out, Cols: append(cols, e.Rows.Cols...), Rows: n}
}

// progressed is the row that says that all changes up to a micro-batch have come.
func (p *subscribePlan) progressed(epoch int64) *column.Batch {
	out := newRowSet(p.out.Fields)
	values := make([]any, len(p.out.Fields))
	values[0], values[1] = epoch, true
	out.add(values...)
	return out.batch()
}

// planDeclareSubscribe resolves DECLARE c CURSOR FOR SUBSCRIBE.
func (s *Session) planDeclareSubscribe(n *sql.DeclareCursor, text string) (plan, error) {
	if n.Hold || n.Scroll == "scroll" {
		return nil, sqlerr.Unsupported("a cursor WITH HOLD or SCROLL for SUBSCRIBE").
			WithHint("It has no end that could be kept: read it inside of its transaction, forward.").At(int(n.Pos))
	}
	p, err := s.planSubscribe(n.Subscribe)
	if err != nil {
		return nil, err
	}
	return &declarePlan{s: s, n: n, text: text, query: p}, nil
}
