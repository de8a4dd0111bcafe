package pgwire

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"wmsql/column"
	"wmsql/password"
	"wmsql/sqlerr"
	"wmsql/types"
)

// fake is a backend that knows a dozen statements, for tests of the protocol alone.
type fake struct {
	mu      sync.Mutex
	streams []string
	table   []*column.Batch
}

func (f *fake) Open(_ context.Context, s Startup) (Session, error) {
	if s.Database == "nodb" {
		return nil, sqlerr.Newf(sqlerr.InvalidCatalogName, "database \"nodb\" does not exist")
	}
	out := &fakeSession{f: f, status: 'I', format: *types.UTC}
	out.params = []Parameter{{"server_version", "15.0"}, {"client_encoding", "UTF8"}, {"application_name", s.Params["application_name"]}}
	if t := s.Params["statement_timeout"]; t != "" {
		out.params = append(out.params, Parameter{"statement_timeout", t})
	}
	return out, nil
}

// Verifier knows the password of wmsql: pencil.
func (f *fake) Verifier(user string) password.Verifier {
	if user == "wmsql" {
		return pencil()
	}
	return password.Nobody(user, nil)
}

var pencil = sync.OnceValue(func() password.Verifier {
	v, err := password.New("pencil")
	if err != nil {
		panic(err)
	}
	return v
})

type fakeSession struct {
	f       *fake
	status  byte
	ended   int64
	simple  bool // several statements share an implicit transaction
	created []string
	notices []*sqlerr.Error
	params  []Parameter
	format  types.Format
	closed  bool // the cursor called declared
}

type fakeParsed string

func (p fakeParsed) Empty() bool           { return p == "" }
func (p fakeParsed) AllowedInFailed() bool { return p == "COMMIT" || p == "ROLLBACK" }

func (s *fakeSession) Parse(text string) ([]Parsed, error) {
	var out []Parsed
	for _, p := range strings.Split(text, ";") {
		p = strings.TrimSpace(p)
		if strings.HasPrefix(p, "SELEC ") {
			return nil, sqlerr.Newf(sqlerr.SyntaxError, "syntax error at or near \"SELEC\"").At(strings.Index(text, "SELEC") + 1)
		}
		out = append(out, fakeParsed(p))
	}
	return out, nil
}

func (s *fakeSession) Prepare(_ context.Context, p Parsed, params []types.Type) (Statement, error) {
	text := string(p.(fakeParsed))
	st := &fakeStatement{s: s, text: text}
	switch {
	case strings.Contains(text, "nosuch"):
		return nil, sqlerr.Newf(sqlerr.UndefinedColumn, "column \"nosuch\" does not exist").At(strings.Index(text, "nosuch") + 1)
	case text == "SELECT $1":
		t := types.Of(types.Text)
		if len(params) > 0 && params[0].Kind != types.Unknown {
			t = params[0]
		}
		st.params, st.schema = []types.Type{t}, fakeSchema("p", t)
	case text == "SHOW STREAMS":
		st.schema = fakeSchema("name", types.Of(types.Text))
	case text == "SELECT * FROM t", strings.HasPrefix(text, "SELECT n"), text == "ENDLESS":
		st.schema = fakeTable(text)
	case strings.HasPrefix(text, "SELECT"):
		st.schema = fakeSchema("?column?", types.Of(types.Int4))
	}
	return st, nil
}

func (s *fakeSession) Notifications() []Notification { return nil }

func (s *fakeSession) StatementTimeout() (time.Duration, *sqlerr.Error) { return 0, nil }

func (s *fakeSession) IdleTimeout() (time.Duration, *sqlerr.Error) { return 0, nil }

func fakeSchema(name string, t types.Type) *types.Schema {
	return &types.Schema{Fields: []types.Field{{Name: name, Type: t}}}
}

// fakeTable is the schema of table t, or of a number.
func fakeTable(text string) *types.Schema {
	if strings.Contains(text, " t") {
		return &types.Schema{Fields: []types.Field{{Name: "page", Type: types.Of(types.Text)}, {Name: "v", Type: types.Of(types.Int8)}}}
	}
	return fakeSchema("n", types.Of(types.Int4))
}

func (s *fakeSession) Simple(n int) { s.simple = n > 1 }

func (s *fakeSession) Sync(_ context.Context, err error) error {
	switch {
	case err != nil && s.status != 'I':
		s.status = 'E'
	case s.status == 'I':
		s.f.mu.Lock()
		if err == nil {
			s.f.streams = append(s.f.streams, s.created...)
		}
		s.created = nil
		s.f.mu.Unlock()
	}
	s.simple = false
	return nil
}

func (s *fakeSession) Cursor(name string) *types.Schema {
	if name == "declared" && !s.closed {
		return fakeTable("n")
	}
	return nil
}

func (s *fakeSession) CloseCursor(string) { s.closed = true }

func (s *fakeSession) Status() byte             { return s.status }
func (s *fakeSession) Ended() int64             { return s.ended }
func (s *fakeSession) Level() int64             { return 0 }
func (s *fakeSession) Undone() (from, to int64) { return 0, 0 }
func (s *fakeSession) Format() *types.Format    { return &s.format }
func (s *fakeSession) Close() error             { return nil }

func (s *fakeSession) Notices() []*sqlerr.Error {
	out := s.notices
	s.notices = nil
	return out
}

func (s *fakeSession) Parameters() []Parameter {
	out := s.params
	s.params = nil
	return out
}

type fakeStatement struct {
	s      *fakeSession
	text   string
	params []types.Type
	schema *types.Schema
}

func (st *fakeStatement) Params() []types.Type  { return st.params }
func (st *fakeStatement) Schema() *types.Schema { return st.schema }

func (st *fakeStatement) Run(ctx context.Context, args []column.Vector) (Result, error) {
	s := st.s
	switch verb, rest, _ := strings.Cut(st.text, " "); verb {
	case "SELECT":
		return st.query(rest, args)
	case "ENDLESS":
		return &fakeRows{tag: "SELECT", endless: numbers(st.schema, 1, 1000)}, nil
	case "SHOW":
		s.f.mu.Lock()
		defer s.f.mu.Unlock()
		b := column.NewBuilder(types.Of(types.Text), 1)
		for _, n := range s.f.streams {
			b.AppendDatum(n)
		}
		return &fakeRows{tag: "SHOW", batches: []*column.Batch{column.BuildBatch(st.schema, []column.Builder{b})}}, nil
	case "BEGIN":
		s.status = 'T'
		return fakeTag("BEGIN"), nil
	case "COMMIT", "ROLLBACK":
		return st.end(verb), nil
	case "CREATE":
		s.created = append(s.created, strings.TrimPrefix(rest, "STREAM "))
		return fakeTag("CREATE STREAM"), nil
	case "SET":
		name, value, _ := strings.Cut(rest, "=")
		s.params = append(s.params, Parameter{name, value})
		return fakeTag("SET"), nil
	case "NOTICE":
		s.notices = append(s.notices, &sqlerr.Error{Severity: sqlerr.SevNotice, Code: "00000", Msg: rest})
		return fakeTag("NOTICE"), nil
	case "SLEEP":
		<-ctx.Done()
		return nil, fmt.Errorf("sleeping: %w", ctx.Err())
	case "PANIC":
		panic("by order")
	case "COPY":
		return st.copy(rest)
	}
	return nil, errors.New("unknown statement " + st.text)
}

func (st *fakeStatement) end(verb string) Result {
	s := st.s
	tag := verb
	if s.status == 'I' {
		s.notices = append(s.notices, &sqlerr.Error{Severity: sqlerr.SevWarning, Code: sqlerr.NoActiveTransaction, Msg: "there is no transaction in progress"})
	}
	if s.status == 'E' {
		tag = "ROLLBACK"
	}
	s.status = 'I'
	s.ended++
	return fakeTag(tag)
}

func (st *fakeStatement) query(rest string, args []column.Vector) (Result, error) {
	switch rest {
	case "1/0":
		return nil, sqlerr.Newf(sqlerr.DivisionByZero, "division by zero")
	case "$1":
		return &fakeRows{tag: "SELECT", batches: []*column.Batch{{Schema: st.schema, Cols: args, Rows: 1}}}, nil
	case "n FROM five":
		return &fakeRows{tag: "SELECT", batches: []*column.Batch{numbers(st.schema, 1, 3), numbers(st.schema, 4, 2)}}, nil
	case "n FROM four":
		return &fakeRows{tag: "SELECT", batches: []*column.Batch{numbers(st.schema, 1, 4)}}, nil
	case "* FROM t":
		return &fakeRows{tag: "SELECT", batches: st.s.f.table}, nil
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return nil, err
	}
	return &fakeRows{tag: "SELECT", batches: []*column.Batch{numbers(st.schema, n, 1)}}, nil
}

func numbers(s *types.Schema, first, count int) *column.Batch {
	b := column.NewBuilder(s.Fields[0].Type, count)
	for i := range count {
		b.AppendDatum(int64(first + i))
	}
	return column.BuildBatch(s, []column.Builder{b})
}

type fakeRows struct {
	tag     string
	batches []*column.Batch
	endless *column.Batch
}

func (r *fakeRows) Next(ctx context.Context) (*column.Batch, error) {
	if r.endless != nil {
		return r.endless, ctx.Err()
	}
	if len(r.batches) == 0 {
		return nil, nil
	}
	b := r.batches[0]
	r.batches = r.batches[1:]
	return b, nil
}
func (r *fakeRows) Tag(rows int64) string { return fmt.Sprintf("%s %d", r.tag, rows) }
func (r *fakeRows) Close() error          { return nil }

type fakeTag string

func (t fakeTag) Next(context.Context) (*column.Batch, error) { return nil, nil }
func (t fakeTag) Tag(int64) string                            { return string(t) }
func (t fakeTag) Close() error                                { return nil }

// copy serves COPY t FROM|TO option=value ...; the table is kept as batches.
func (st *fakeStatement) copy(rest string) (Result, error) {
	w := strings.Fields(rest)
	if len(w) < 2 {
		return nil, errors.New("COPY of what?")
	}
	opts := CopyOptions{Relation: w[0], Format: "text"}
	for _, o := range w[2:] {
		name, value, _ := strings.Cut(o, "=")
		switch name {
		case "header":
			opts.Header = true
		case "null":
			opts.Null = &value
		case "delimiter":
			opts.Delimiter = (value + "|")[0]
		case "force_quote":
			opts.ForceQuote = []string{value}
		case "escape":
			opts.Escape = (value + "|")[0]
		case "force_null":
			opts.ForceNull = []string{value}
		case "force_not_null":
			opts.ForceNotNull = []string{value}
		default:
			opts.Format = name
		}
	}
	if w[1] == "FROM" {
		st.s.f.table = nil
		return &fakeCopyIn{st: st, opts: opts}, nil
	}
	return &fakeCopyOut{fakeRows{tag: "COPY", batches: st.s.f.table}, opts}, nil
}

type fakeCopyIn struct {
	fakeTag
	st   *fakeStatement
	opts CopyOptions
	rows int64
}

func (c *fakeCopyIn) CopyIn() (*types.Schema, CopyOptions) { return fakeTable(" t"), c.opts }
func (c *fakeCopyIn) Append(_ context.Context, b *column.Batch) error {
	c.st.s.f.table = append(c.st.s.f.table, b)
	c.rows += int64(b.Rows)
	return nil
}
func (c *fakeCopyIn) Done(context.Context) (int64, error) { return c.rows, nil }
func (c *fakeCopyIn) Abort(_ context.Context, _ error)    { c.st.s.f.table = nil }
func (c *fakeCopyIn) Tag(rows int64) string               { return fmt.Sprintf("COPY %d", rows) }

type fakeCopyOut struct {
	fakeRows
	opts CopyOptions
}

func (c *fakeCopyOut) CopyOut() (*types.Schema, CopyOptions) { return fakeTable(" t"), c.opts }
