package physicalplan_test

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/logicalplan/rule"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// names is the relations of a script.
type names map[string]build.Relation

// Relation resolves a name.
func (n names) Relation(parts []string, _ []string) (build.Relation, error) {
	if r, ok := n[parts[len(parts)-1]]; ok {
		return r, nil
	}
	return build.Relation{}, sqlerr.Newf(sqlerr.UndefinedTable, "relation %q does not exist", parts[len(parts)-1])
}

func (n names) env(continuous bool) *build.Env {
	var params []types.Type
	return &build.Env{Catalog: n, SearchPath: []string{"public"}, Zone: "UTC", Params: &params, Continuous: continuous,
		Context: &expr.Context{Format: types.UTC}}
}

// create adds a stream or a table.
func (n names) create(stmt sql.Stmt) error {
	id := catalog.ID(16384 + len(n))
	switch c := stmt.(type) {
	case *sql.CreateStream:
		s, err := build.Stream(c, n.env(true))
		if err != nil {
			return err
		}
		s.ID, s.Name, s.Options = id, c.Name.Parts[0], map[string]string{}
		if old, ok := n[s.Name]; ok {
			s.ID = old.Stream.ID // defined anew
		}
		for _, o := range c.Options {
			s.Options[o.Name] = o.Value
		}
		n[s.Name] = build.Relation{Stream: s}
	case *sql.CreateTable:
		t := &catalog.Table{Object: catalog.Object{ID: id, Name: c.Name.Parts[0], Kind: catalog.KindTable}}
		for i, col := range c.Columns {
			ty, err := build.Type(*col.Type)
			if err != nil {
				return err
			}
			t.Columns = append(t.Columns, catalog.Column{Name: col.Name.Name, Type: ty})
			if col.PrimaryKey {
				t.PrimaryKey = append(t.PrimaryKey, i)
			}
		}
		n[t.Name] = build.Relation{Table: t}
	}
	return nil
}

// plan lowers a query: for a view in the given mode, or a SELECT with none.
func (n names) plan(stmt sql.Stmt, mode string) (*physicalplan.Plan, error) {
	q, err := build.Query(stmt.(*sql.SelectStmt).Query, n.env(mode != ""))
	if err != nil {
		return nil, err
	}
	q.Root, _ = rule.Run(q.Root)
	if mode == "" {
		return physicalplan.New(q, physicalplan.Target{})
	}
	m, _ := catalog.ParseOutputMode(mode)
	v := &catalog.MaterializedView{Object: catalog.Object{ID: 20000, Name: "r"}, Mode: m}
	for _, f := range q.Schema().Fields {
		v.Columns = append(v.Columns, catalog.Column{Name: f.Name, Type: f.Type})
	}
	for _, id := range logicalplan.Derive(q.Root).Key {
		for i, c := range q.Root.Columns() {
			if c.ID == id {
				v.Key = append(v.Key, i)
			}
		}
	}
	return physicalplan.New(q, physicalplan.Target{View: v})
}

// TestGolden draws the operators of the queries in testdata/physical.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "../testdata/physical", func(t *testing.T, path string) {
		n, last := names{}, ""
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			out, err := n.run(d, &last)
			if err != nil {
				e := sqlerr.From(err)
				return fmt.Sprintf("ERROR %s: %s\n", e.Code, e.Msg)
			}
			return out
		})
	})
}

// run runs one directive; last is the fingerprint of the plan before.
func (n names) run(d *datadriven.TestData, last *string) (string, error) {
	ps, err := sql.Parse(d.Input)
	if err != nil {
		return "", err
	}
	if d.Cmd == "create" {
		return "ok\n", n.create(ps[0].Stmt)
	}
	mode := ""
	if d.Cmd == "view" {
		mode = d.CmdArgs[0].Key
	}
	p, err := n.plan(ps[0].Stmt, mode)
	if err != nil {
		return "", err
	}
	before := *last
	*last = p.Fingerprint
	if d.HasArg("fingerprint") {
		return fmt.Sprintf("same state as the plan before: %v\n", before == p.Fingerprint), nil
	}
	return physicalplan.Format(p), nil
}
