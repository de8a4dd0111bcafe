package rule_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/logicalplan/rule"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// world is a small catalog that the DDL of a test file fills.
type world struct {
	relations map[string]build.Relation
	nextID    catalog.ID
	zone      string
}

func newWorld() *world {
	w := &world{relations: map[string]build.Relation{}, nextID: 16384, zone: "UTC"}
	w.relations["pg_class"] = build.Relation{Virtual: &build.Virtual{ID: 1259, Schema: "pg_catalog", Name: "pg_class", Columns: []types.Field{
		{Name: "oid", Type: types.Of(types.OID)}, {Name: "relname", Type: types.Of(types.Name)},
		{Name: "relnamespace", Type: types.Of(types.OID)}, {Name: "relkind", Type: types.Of(types.Char)},
	}}}
	w.relations["pg_namespace"] = build.Relation{Virtual: &build.Virtual{ID: 2615, Schema: "pg_catalog", Name: "pg_namespace", Columns: []types.Field{
		{Name: "oid", Type: types.Of(types.OID)}, {Name: "nspname", Type: types.Of(types.Name)},
	}}}
	return w
}

func (w *world) Relation(parts []string, _ []string) (build.Relation, error) {
	r, ok := w.relations[parts[len(parts)-1]]
	if !ok {
		return r, sqlerr.Newf(sqlerr.UndefinedTable, "relation \"%s\" does not exist", strings.Join(parts, "."))
	}
	return r, nil
}

func (w *world) env(continuous bool) *build.Env {
	return &build.Env{Catalog: w, SearchPath: []string{"public"}, Zone: w.zone, Params: &[]types.Type{}, Continuous: continuous,
		Context: &expr.Context{Format: types.UTC}}
}

func (w *world) object(name string, k catalog.Kind) catalog.Object {
	w.nextID++
	return catalog.Object{ID: w.nextID - 1, Kind: k, Schema: "public", Name: name}
}

// define runs CREATE statements.
func (w *world) define(text string) error {
	parsed, err := sql.Parse(text)
	if err != nil {
		return err
	}
	for _, p := range parsed {
		if err := w.create(p.Stmt); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) create(stmt sql.Stmt) error {
	switch s := stmt.(type) {
	case nil:
	case *sql.CreateStream:
		def, err := build.Stream(s, w.env(false))
		if err != nil {
			return err
		}
		def.Object = w.object(def.Name, catalog.KindStream)
		def.Options = map[string]string{}
		for _, o := range s.Options {
			def.Options[o.Name] = o.Value
		}
		def.Connector = def.Options["connector"]
		def.Query = s.Text
		w.relations[def.Name] = build.Relation{Stream: def}
	case *sql.CreateTable:
		t := &catalog.Table{Object: w.object(s.Name.Parts[0], catalog.KindTable)}
		for i, c := range s.Columns {
			ty, err := build.Type(*c.Type)
			if err != nil {
				return err
			}
			t.Columns = append(t.Columns, catalog.Column{Name: c.Name.Name, Type: ty})
			if c.PrimaryKey {
				t.PrimaryKey = append(t.PrimaryKey, i)
			}
		}
		w.relations[t.Name] = build.Relation{Table: t}
	case *sql.CreateView:
		q, err := build.Query(s.Query, w.env(false))
		if err != nil {
			return err
		}
		v := &catalog.View{Object: w.object(s.Name.Parts[0], catalog.KindView), Query: s.Text}
		for _, f := range q.Schema().Fields {
			v.Columns = append(v.Columns, catalog.Column{Name: f.Name, Type: f.Type})
		}
		w.relations[v.Name] = build.Relation{View: v}
	case *sql.Alter:
		def := *w.relations[s.Name.Parts[0]].Stream
		var err error
		if def.Watermark, err = build.Watermark(s.Watermark, &def, w.env(false)); err != nil {
			return err
		}
		w.relations[def.Name] = build.Relation{Stream: &def}
	default:
		return fmt.Errorf("cannot define %T", stmt)
	}
	return nil
}

// query binds the one query or CREATE MATERIALIZED VIEW of text.
func (w *world) query(text string) (*logicalplan.Query, *rule.Target, *build.Env, error) {
	parsed, err := sql.Parse(text)
	if err != nil {
		return nil, nil, nil, err
	}
	switch s := parsed[0].Stmt.(type) {
	case *sql.SelectStmt:
		env := w.env(false)
		q, err := build.Query(s.Query, env)
		return q, nil, env, err
	case *sql.CreateMaterializedView:
		env := w.env(true)
		t := &rule.Target{Name: s.Name.Parts[0], Text: text, Allow: "error", Policy: "min"}
		if s.Emit == "window close" {
			t.Mode = catalog.Append
		}
		for _, o := range s.Options {
			switch o.Name {
			case "output_mode":
				t.Mode = map[string]catalog.OutputMode{"append": catalog.Append, "update": catalog.Update, "complete": catalog.Complete}[o.Value]
			case "unbounded_state":
				t.Allow = o.Value
			case "state_ttl":
				iv, err := types.ParseInterval(o.Value, types.NoMod)
				if err != nil {
					return nil, nil, nil, err
				}
				t.TTL = logicalplan.Micros(iv)
			}
		}
		q, err := build.Query(s.Query, env)
		return q, t, env, err
	}
	return nil, nil, nil, fmt.Errorf("no query: %T", parsed[0].Stmt)
}

// paste runs a hint that is a statement, in a world of its own: streams must be made, and views must not be refused for the same reason.
func (w *world) paste(t *testing.T, d *datadriven.TestData, hint string, code sqlerr.Code) {
	fresh := &world{relations: maps.Clone(w.relations), nextID: w.nextID, zone: w.zone}
	parsed, err := sql.Parse(hint)
	if err != nil {
		d.Fatalf(t, "the hint does not parse: %v\n%s", err, hint)
	}
	for _, p := range parsed {
		if _, view := p.Stmt.(*sql.CreateMaterializedView); !view {
			if err := fresh.create(p.Stmt); err != nil {
				d.Fatalf(t, "the hint does not run: %v\n%s", err, p.Text)
			}
			continue
		}
		q, target, _, err := fresh.query(p.Text)
		if err != nil {
			d.Fatalf(t, "the hint does not bind: %v\n%s", err, p.Text)
		}
		for _, f := range rule.Gate(q.Root, target) {
			if f.Code == code && f.Severity == sqlerr.SevError {
				d.Fatalf(t, "the hint is refused too: %v\n%s", f, p.Text)
			}
		}
	}
}

// show prints an error as psql does, the place as the text from it on.
func show(text string, err error) string {
	e := sqlerr.From(err)
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s %s: %s\n", [...]string{"ERROR", "WARNING", "NOTICE", "INFO", "FATAL"}[e.Severity], e.Code, e.Msg)
	if e.Pos > 0 {
		rest := text[min(e.Pos-1, len(text)):]
		rest, _, _ = strings.Cut(rest, "\n")
		if len(rest) > 40 {
			rest = rest[:40] + "..."
		}
		fmt.Fprintf(&sb, "  AT: %s\n", rest)
	}
	for _, part := range [][2]string{{"DETAIL", e.Detail}, {"HINT", e.Hint}} {
		if part[1] != "" {
			fmt.Fprintf(&sb, "  %s: %s\n", part[0], strings.ReplaceAll(part[1], "\n", "\n        "))
		}
	}
	return sb.String()
}

func schemaOf(q *logicalplan.Query, env *build.Env) string {
	var sb strings.Builder
	for i, f := range q.Schema().Fields {
		if i > 0 {
			sb.WriteString(", ")
		}
		sb.WriteString(f.Name + " " + f.Type.String())
	}
	if q.Hidden > 0 {
		fmt.Fprintf(&sb, " (+%d hidden)", q.Hidden)
	}
	for i, p := range *env.Params {
		fmt.Fprintf(&sb, "; $%d %s", i+1, p)
	}
	return sb.String() + "\n"
}

// TestPlans runs testdata/{plan,rule,refuse,explain}: the DDL of a file defines its world, then each case binds one statement.
func TestPlans(t *testing.T) {
	for _, dir := range []string{"plan", "rule", "refuse", "explain"} {
		datadriven.Walk(t, "../../testdata/"+dir, func(t *testing.T, path string) {
			w := newWorld()
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				return w.run(t, d)
			})
		})
	}
}

func (w *world) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "define":
		if err := w.define(d.Input); err != nil {
			return show(d.Input, err)
		}
		return "ok\n"
	case "zone":
		w.zone = d.Input
		return "ok\n"
	}
	q, target, env, err := w.query(d.Input)
	if err != nil {
		return show(d.Input, err)
	}
	switch d.Cmd {
	case "bind":
		return schemaOf(q, env) + logicalplan.Format(q.Root)
	case "schema":
		return schemaOf(q, env)
	case "rewrite":
		n, fired := rule.Run(q.Root)
		return strings.Join(fired, ", ") + "\n" + logicalplan.Format(n)
	case "explain":
		o := logicalplan.ExplainOptions{Watermark: d.HasArg("watermark"), State: d.HasArg("state")}
		if target != nil {
			o.Mode = &target.Mode
		}
		n, _ := rule.Run(q.Root)
		if target != nil {
			if target.Mode == catalog.Update {
				n = logicalplan.WithNumbers(rule.Changing(n))
			}
			n = logicalplan.WithTTL(n, target.TTL, target.Mode)
		}
		e := logicalplan.Explain(n, o)
		if d.HasArg("json") {
			text, err := json.MarshalIndent(e, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			return string(text) + "\n"
		}
		return strings.Join(e.Lines(), "\n") + "\n"
	case "gate":
		var sb strings.Builder
		for _, f := range rule.Gate(q.Root, target) {
			sb.WriteString(show(d.Input, f))
			switch {
			case strings.HasPrefix(f.Hint, "CREATE"):
				w.paste(t, d, f.Hint, f.Code)
			case strings.Contains(f.Hint, "\nCREATE MATERIALIZED VIEW"), // the query changes, too
				strings.Contains(f.Hint, " ALTER WATERMARK ") && f.Code == sqlerr.WatermarkAboveAgg:
				w.paste(t, d, f.Hint, f.Code)
			case strings.Contains(f.Hint, " ALTER WATERMARK "):
				w.paste(t, d, f.Hint+"\n"+d.Input, f.Code)
			}
		}
		if sb.Len() == 0 {
			return "accepted\n"
		}
		return sb.String()
	}
	d.Fatalf(t, "unknown command %q", d.Cmd)
	return ""
}
