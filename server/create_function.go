package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/function"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// createFunction runs CREATE [OR REPLACE] FUNCTION. A function that a continuous query runs can be replaced by one with the same
// parameters, columns and states: its queries go on with it from where they are.
func (s *Session) createFunction(ctx context.Context, n *sql.CreateFunction) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	schema, name, err := edit.Target(n.Name.Parts, s.path())
	if err != nil {
		return sqlerr.From(err).At(int(n.Name.Pos))
	}
	f, err := s.defineFunction(n, name)
	if err != nil {
		return err
	}
	f.Schema, f.Name = schema, name
	f.SQL = createFunctionSQL(f)
	old := edit.Function(schema, name)
	if old == nil || !n.OrReplace {
		return edit.Create(f)
	}
	f.ID, f.Comment = old.ID, old.Comment
	users := continuousUsers(edit, f.ID)
	if len(users) > 0 || len(edit.Users(f.ID)) > 0 {
		if what := difference(old, f); what != "" {
			return sqlerr.Newf(sqlerr.DependentObjects, "cannot change the %s of function %q because other objects depend on it", what, f.Name).
				WithDetail("What they keep was kept under the old definition: only the text of its functions may be another.").
				WithHint("Create a function with another name, or drop what uses this one first.")
		}
	}
	edit.Replace(f)
	for _, id := range users {
		s.restart(id)
	}
	return nil
}

// defineFunction checks the statement and compiles the text.
func (s *Session) defineFunction(n *sql.CreateFunction, name string) (*catalog.Function, error) {
	if n.Language.Name != function.Language {
		return nil, sqlerr.Unsupported("LANGUAGE %s", n.Language.Name).At(int(n.Language.Pos)).
			WithHint("Write LANGUAGE %s: its text is a small Python.", function.Language)
	}
	f := &catalog.Function{Object: catalog.Object{Kind: catalog.KindFunction}, Table: n.Table.Name, Language: n.Language.Name, Source: n.Source, TimeColumn: -1}
	var err error
	if f.Params, err = functionColumns(n.Params, "parameter name"); err != nil {
		return nil, err
	}
	if f.Returns, err = functionColumns(n.Returns, "column"); err != nil {
		return nil, err
	}
	if n.Watermark.Name != "" {
		f.TimeColumn = slices.IndexFunc(f.Returns, func(c catalog.Column) bool { return c.Name == n.Watermark.Name })
		if f.TimeColumn < 0 {
			return nil, sqlerr.Newf(sqlerr.UndefinedColumn, "column %q does not exist", n.Watermark.Name).At(int(n.Watermark.Pos))
		}
		if t := f.Returns[f.TimeColumn].Type; t.Array || t.Kind != types.TimestampTZ && t.Kind != types.Timestamp {
			return nil, sqlerr.Newf(sqlerr.WatermarkNotTimestamp, "WM005: the watermark column %q is no timestamp", n.Watermark.Name).At(int(n.Watermark.Pos)).
				WithHint("Return it as TIMESTAMPTZ.")
		}
	}
	var params []string
	for _, p := range f.Params {
		params = append(params, p.Name)
	}
	p, err := function.Compile(name, n.Source, params)
	if err != nil {
		return nil, err
	}
	f.States, f.FiresTimers, f.EventTimers = p.States, p.OnTimer, p.AtTimer
	return f, nil
}

// functionColumns are the types of parameters or returned columns; names must differ.
func functionColumns(defs []sql.ColumnDef, what string) ([]catalog.Column, error) {
	var out []catalog.Column
	for _, d := range defs {
		if slices.ContainsFunc(out, func(c catalog.Column) bool { return c.Name == d.Name.Name }) {
			return nil, sqlerr.Newf(sqlerr.DuplicateColumn, "%s %q used more than once", what, d.Name.Name).At(int(d.Pos))
		}
		t, err := build.Type(*d.Type)
		if err != nil {
			return nil, err
		}
		out = append(out, catalog.Column{Name: d.Name.Name, Type: t, Default: d.DefaultText})
	}
	return out, nil
}

// continuousUsers lists the continuous queries that depend on id, through views and streams, too.
func continuousUsers(edit *catalog.Edit, id catalog.ID) []catalog.ID {
	var out []catalog.ID
	for _, u := range edit.Users(id) {
		if _, ok := edit.ByID(u).(*catalog.MaterializedView); ok {
			out = append(out, u)
		}
		out = append(out, continuousUsers(edit, u)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// difference names what of a function a user of it would notice, "" if only its text changed.
func difference(old, fresh *catalog.Function) string {
	same := func(a, b []catalog.Column) bool {
		return slices.EqualFunc(a, b, func(x, y catalog.Column) bool { return x.Name == y.Name && x.Type == y.Type && x.Default == y.Default })
	}
	switch {
	case !same(old.Params, fresh.Params) || old.Table != fresh.Table:
		return "parameters"
	case !same(old.Returns, fresh.Returns) || old.TimeColumn != fresh.TimeColumn:
		return "returned columns"
	case !slices.Equal(old.States, fresh.States):
		return "states"
	case old.FiresTimers && !fresh.FiresTimers:
		return "timers"
	}
	return ""
}

// createFunctionSQL is the statement that makes the function again.
func createFunctionSQL(f *catalog.Function) string {
	var returns []string
	for _, c := range f.Returns {
		returns = append(returns, columnSQL(c))
	}
	if f.TimeColumn >= 0 {
		returns = append(returns, "WATERMARK FOR "+catalog.QuoteIdent(f.Returns[f.TimeColumn].Name))
	}
	quote := "$$"
	for n := 1; strings.Contains(f.Source, quote); n++ {
		quote = fmt.Sprintf("$text%d$", n)
	}
	return "CREATE FUNCTION " + qualifiedName(&f.Object) + "(" + functionParams(f) + ")\nRETURNS TABLE (" + strings.Join(returns, ", ") + ")\nLANGUAGE " +
		f.Language + " AS " + quote + f.Source + quote
}

// functionParams is the list of parameters as CREATE FUNCTION writes it.
func functionParams(f *catalog.Function) string {
	var out []string
	if f.Table != "" {
		out = append(out, catalog.QuoteIdent(f.Table)+" TABLE")
	}
	for _, c := range f.Params {
		out = append(out, columnSQL(c))
	}
	return strings.Join(out, ", ")
}

// findFunction finds what a statement names; nil and an error when it is not there.
func (s *Session) findFunction(snap *catalog.Snapshot, name sql.Name) (*catalog.Function, error) {
	if f := snap.FindFunction(name.Parts, s.path()); f != nil {
		return f, nil
	}
	return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "could not find a function named %q", strings.Join(name.Parts, ".")).At(int(name.Pos))
}

// showFunctions lists the user's functions.
func (s *Session) showFunctions(n *sql.Show) plan {
	return s.listing("schema text, name text, parameters text, returns text, states text, comment text", func(out *rowSet) {
		for e := range s.snapshot().All() {
			f, ok := e.(*catalog.Function)
			if !ok || !likeMatch(n.Like, f.Name) {
				continue
			}
			var states []string
			for _, st := range f.States {
				states = append(states, st.String())
			}
			out.add(f.Schema, f.Name, functionParams(f), returnsText(f), orNull(strings.Join(states, ", ")), orNull(f.Comment))
		}
	})
}

// returnsText is TABLE(name type, ...), as Postgres writes the result of a function.
func returnsText(f *catalog.Function) string {
	var cols []string
	for _, c := range f.Returns {
		cols = append(cols, catalog.QuoteIdent(c.Name)+" "+c.Type.String())
	}
	return "TABLE(" + strings.Join(cols, ", ") + ")"
}
