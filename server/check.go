package server

import (
	"context"
	"strings"
	"unicode/utf8"

	"wmsql/connector"
	"wmsql/internal/clock"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/state"
)

// Checker judges scripts with no server and no network: it carries their definitions out on a catalog in memory,
// resolves their other statements, and collects every fault.
type Checker struct {
	store   *state.Store
	srv     *Server
	session *Session
}

// Finding is one fault, with its place in the script: 1-based line and column, the latter in characters.
type Finding struct {
	*sqlerr.Error
	Line, Column int
}

// NewChecker returns a checker that knows the given connectors' options.
func NewChecker(ctx context.Context, r connector.Registry) (*Checker, error) {
	store, err := state.Open("check", state.Options{InMemory: true})
	if err != nil {
		return nil, err
	}
	srv, err := New(ctx, store, Config{Connectors: offline(r), Clock: clock.Real{}, Manual: true, DefinitionsOnly: true})
	if err != nil {
		return nil, err
	}
	s, err := srv.Session(pgwire.Startup{User: "wmsql"})
	return &Checker{store: store, srv: srv, session: s}, err
}

// Close frees the checker.
func (c *Checker) Close() error { return c.store.Close() }

// offline lets connectors check options but not reach out: what only a connection or the server's disk could tell is
// taken for right.
func offline(r connector.Registry) connector.Registry {
	out := connector.Registry{}
	for name, d := range r {
		check := d.Check
		d.Check = func(ctx context.Context, spec connector.Spec) error {
			ctx, cancel := context.WithCancel(ctx)
			cancel() // whoever dials fails at once
			err := check(ctx, spec)
			if err == nil {
				return nil
			}
			code := sqlerr.From(err).Code
			if strings.HasPrefix(string(code), "08") || code == sqlerr.UndefinedFile {
				return nil
			}
			return err
		}
		out[name] = d
	}
	return out
}

// Check judges a script. Definitions of earlier scripts stay known.
func (c *Checker) Check(ctx context.Context, script string) []Finding {
	var out []Finding
	for _, chunk := range SplitScript(script) {
		err := c.statement(ctx, chunk.Text)
		if err != nil {
			out = append(out, finding(script, chunk, sqlerr.From(err)))
		}
		for _, n := range c.session.Notices() {
			if strings.HasPrefix(string(n.Code), "WM") {
				if n.Severity == sqlerr.SevNotice {
					n.Severity = sqlerr.SevError // one more fault of a refused statement
				}
				out = append(out, finding(script, chunk, n))
			}
		}
	}
	return out
}

func (c *Checker) statement(ctx context.Context, text string) error {
	list, err := c.session.Parse(text)
	if err != nil {
		return err
	}
	c.session.Simple(len(list))
	for _, p := range list {
		if err := c.one(ctx, p); err != nil {
			_ = c.session.Sync(ctx, err) // only forgets
			return err
		}
	}
	return c.session.Sync(ctx, nil)
}

// one resolves a statement, and carries it out if it defines something.
func (c *Checker) one(ctx context.Context, p pgwire.Parsed) error {
	if p.Empty() {
		return nil
	}
	switch p.(*parsed).Stmt.(type) {
	case *sql.Transaction, *sql.Flush, *sql.Listen, *sql.Fetch, *sql.CloseCursor:
		return nil
	case *sql.CreateSchema, *sql.CreateFunction, *sql.CreateStream, *sql.CreateTable, *sql.CreateSequence, *sql.AlterSequence, *sql.CreateView,
		*sql.CreateMaterializedView, *sql.Drop, *sql.Alter, *sql.AlterTable, *sql.Grant, *sql.Rename, *sql.Comment, *sql.Role, *sql.DropRole, *sql.Set, *sql.Prepare,
		*sql.Deallocate, *sql.Unsupported:
	default:
		_, err := c.session.Prepare(ctx, p, nil)
		return err
	}
	st, err := c.session.Prepare(ctx, p, nil)
	if err != nil {
		return err
	}
	r, err := st.Run(ctx, nil)
	if err != nil {
		return err
	}
	return r.Close()
}

// finding places a fault: where it points to, else where its statement begins.
func finding(script string, c Chunk, e *sqlerr.Error) Finding {
	at := c.Offset
	if e.Pos > 0 {
		at += min(e.Pos-1, len(c.Text))
	}
	before := script[:at]
	start := strings.LastIndexByte(before, '\n') + 1
	return Finding{Error: e, Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(before[start:]) + 1}
}
