package server

import (
	"context"
	"fmt"
	"strings"

	"wmsql/column"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// planCopy resolves COPY ... FROM STDIN and COPY ... TO STDOUT.
func (s *Session) planCopy(n *sql.Copy) (plan, error) {
	if n.File != "" {
		instead := "COPY ... TO STDOUT"
		if n.From {
			instead = "COPY ... FROM STDIN"
		}
		return nil, sqlerr.Unsupported("COPY with a file of the server").
			WithHint(`Use psql's \copy, or %s.`, instead).At(int(n.Pos))
	}
	opts, err := copyOptions(n)
	if err != nil {
		return nil, err
	}
	if n.From {
		return s.planCopyIn(n, opts)
	}
	return s.planCopyOut(n, opts)
}

func (s *Session) planCopyOut(n *sql.Copy, opts pgwire.CopyOptions) (plan, error) {
	if n.Subscribe != nil {
		p, err := s.planSubscribe(n.Subscribe)
		if err != nil {
			return nil, err
		}
		return &copyOutPlan{rows: p, opts: opts}, nil
	}
	q := n.Query
	if q == nil {
		q = selectFrom(n)
		if err := s.copyable(n); err != nil {
			return nil, err
		}
	}
	p, err := s.planSelect(q, nil)
	if err != nil {
		return nil, err
	}
	return &copyOutPlan{rows: p, opts: opts}, nil
}

// copyable refuses COPY of what has no rows of its own, as Postgres does.
func (s *Session) copyable(n *sql.Copy) error {
	rel, err := s.names().Relation(n.Table.Parts, s.path())
	if err != nil {
		return sqlerr.From(err).At(int(n.Table.Pos))
	}
	if rel.View != nil {
		return sqlerr.Newf(sqlerr.WrongObjectType, "cannot copy from view %q", rel.View.Name).
			WithHint("Try the COPY (SELECT ...) TO variant.")
	}
	return nil
}

// selectFrom is the query of COPY t (a, b) TO.
func selectFrom(n *sql.Copy) *sql.Select {
	q := &sql.Query{From: []sql.TableExpr{&sql.Table{Name: *n.Table, Pos: n.Table.Pos}}, Pos: n.Pos}
	for _, c := range n.Columns {
		q.Items = append(q.Items, sql.Item{X: &sql.ColumnRef{Parts: []string{c.Name}, Pos: c.Pos}})
	}
	if len(n.Columns) == 0 {
		q.Items = []sql.Item{{X: &sql.Star{Pos: n.Pos}}}
	}
	return &sql.Select{Body: q, Pos: n.Pos}
}

// rowsPlan is a plan whose rows may go elsewhere than to the client at once: out by COPY, or into a cursor.
type rowsPlan interface {
	plan
	// open starts the plan like run, but leaves all rows to Next.
	open(ctx context.Context, args []column.Vector) (pgwire.Result, error)
}

type copyOutPlan struct {
	rows rowsPlan
	opts pgwire.CopyOptions
}

func (p *copyOutPlan) schema() *types.Schema { return nil }

func (p *copyOutPlan) run(ctx context.Context, _ []column.Vector) (pgwire.Result, error) {
	r, err := p.rows.open(ctx, nil)
	if err != nil {
		return nil, err
	}
	return &copyOut{Result: r, out: p.rows.schema(), opts: p.opts}, nil
}

// copyOut is a query whose rows go out by COPY.
type copyOut struct {
	pgwire.Result
	out  *types.Schema
	opts pgwire.CopyOptions
}

// CopyOut tells the rows' type and the form they go out in.
func (c *copyOut) CopyOut() (*types.Schema, pgwire.CopyOptions) { return c.out, c.opts }

// Live reports that the rows may be of what has not happened yet.
func (c *copyOut) Live() bool {
	l, ok := c.Result.(pgwire.Live)
	return ok && l.Live()
}

// Tag is the command tag.
func (c *copyOut) Tag(rows int64) string { return fmt.Sprintf("COPY %d", rows) }

func (s *Session) planCopyIn(n *sql.Copy, opts pgwire.CopyOptions) (plan, error) {
	if n.Table == nil {
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "COPY (query) can only be used with TO").At(int(n.Pos))
	}
	t, err := s.target("COPY", *n.Table)
	if err != nil {
		return nil, err
	}
	given, err := t.ordinals(n.Columns)
	if err != nil {
		return nil, err
	}
	for i, o := range given {
		if c := t.columns[o]; c.Generated != "" {
			return nil, sqlerr.Newf(sqlerr.InvalidColumnReference, "column %q is a generated column", c.Name).
				WithDetail("Generated columns cannot be used in COPY.").At(int(n.Columns[i].Pos))
		}
	}
	opts.Relation = n.Table.Parts[len(n.Table.Parts)-1]
	return &copyInPlan{s: s, t: t, given: given, opts: opts}, nil
}

type copyInPlan struct {
	s     *Session
	t     *target
	given []int
	opts  pgwire.CopyOptions
}

func (p *copyInPlan) schema() *types.Schema { return nil }

func (p *copyInPlan) run(ctx context.Context, _ []column.Vector) (pgwire.Result, error) {
	if err := p.s.writes("COPY FROM"); err != nil {
		return nil, err
	}
	w, err := p.s.newRowWriter(ctx, p.t, p.given, nil)
	if err != nil {
		return nil, err
	}
	return &copyIn{plan: p, w: w}, nil
}

// copyIn takes the rows of COPY FROM STDIN into the session's transaction.
type copyIn struct {
	plan *copyInPlan
	w    *rowWriter
	rows int64
}

// CopyIn tells which rows are wanted, and in which form.
func (c *copyIn) CopyIn() (*types.Schema, pgwire.CopyOptions) {
	return c.plan.t.rowType(c.plan.given), c.plan.opts
}

// Append takes over a batch.
func (c *copyIn) Append(_ context.Context, b *column.Batch) error {
	_, n, err := c.w.write(b)
	c.rows += n
	return err
}

// Done makes the rows durable, or leaves that to the block's COMMIT.
func (c *copyIn) Done(ctx context.Context) (int64, error) {
	if c.plan.s.alone() {
		if err := c.plan.s.commit(ctx); err != nil {
			return 0, c.plan.s.translate(ctx, err)
		}
	}
	return c.rows, nil
}

// Abort does nothing: the error ends the transaction.
func (c *copyIn) Abort(context.Context, error) {}

// Next returns nil: there are no rows.
func (c *copyIn) Next(context.Context) (*column.Batch, error) { return nil, nil }

// Tag is the command tag.
func (c *copyIn) Tag(int64) string { return fmt.Sprintf("COPY %d", c.rows) }

// Close does nothing.
func (c *copyIn) Close() error { return nil }

// copyOptions reads the options of COPY.
func copyOptions(n *sql.Copy) (pgwire.CopyOptions, error) {
	o := pgwire.CopyOptions{Format: "text"}
	for _, opt := range n.Options {
		if err := copyOption(&o, opt, n); err != nil {
			return o, err
		}
	}
	if o.Format != "csv" && (o.Quote != 0 || o.Escape != 0 || o.ForceNull != nil || o.ForceNotNull != nil || o.ForceQuote != nil) {
		return o, sqlerr.Newf(sqlerr.FeatureNotSupported, "COPY quote, escape and force options are available only in CSV mode")
	}
	if o.Format == "binary" && (o.Delimiter != 0 || o.Null != nil || o.Header) {
		return o, sqlerr.Newf(sqlerr.SyntaxError, "cannot specify DELIMITER, NULL or HEADER in BINARY mode")
	}
	return o, nil
}

func copyOption(o *pgwire.CopyOptions, opt sql.Option, n *sql.Copy) error {
	var err error
	switch name := strings.ToLower(opt.Name); name {
	case "format":
		o.Format = strings.ToLower(opt.Value)
		if o.Format != "text" && o.Format != "csv" && o.Format != "binary" {
			err = sqlerr.Newf(sqlerr.InvalidParameterValue, "COPY format %q not recognized", opt.Value)
		}
	case "csv", "binary":
		o.Format = name
	case "delimiter":
		o.Delimiter, err = oneByte("delimiter", opt.Value)
	case "null":
		v := opt.Value
		o.Null = &v
	case "header":
		on, ok := parseBool(opt.Value)
		o.HeaderMatch = strings.EqualFold(opt.Value, "match")
		o.Header = on || opt.Value == "" || o.HeaderMatch
		switch {
		case o.HeaderMatch && !n.From:
			err = sqlerr.Newf(sqlerr.FeatureNotSupported, `cannot use "match" with HEADER in COPY TO`)
		case !ok && !o.Header:
			err = sqlerr.Newf(sqlerr.SyntaxError, `header requires a Boolean value or "match"`)
		}
	case "quote":
		o.Quote, err = oneByte("quote", opt.Value)
	case "escape":
		o.Escape, err = oneByte("escape", opt.Value)
	case "force_null":
		o.ForceNull = forceColumns(opt.Value, n)
	case "force_not_null":
		o.ForceNotNull = forceColumns(opt.Value, n)
	case "force_quote":
		o.ForceQuote = forceColumns(opt.Value, n)
	case "encoding":
		_, err = checkEncoding(opt.Value)
	case "freeze":
	default:
		err = sqlerr.Newf(sqlerr.SyntaxError, "option %q not recognized", opt.Name)
	}
	if err != nil {
		return sqlerr.From(err).At(int(opt.Pos))
	}
	return nil
}

func oneByte(name, v string) (byte, error) {
	if len(v) != 1 {
		return 0, sqlerr.Newf(sqlerr.FeatureNotSupported, "COPY %s must be a single one-byte character", name)
	}
	return v[0], nil
}

// forceColumns reads the column list of a FORCE option; * is kept as it is.
func forceColumns(v string, _ *sql.Copy) []string {
	var out []string
	for c := range strings.SplitSeq(v, ",") {
		out = append(out, strings.Trim(strings.TrimSpace(c), `"`))
	}
	return out
}
