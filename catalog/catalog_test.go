package catalog

import (
	"reflect"
	"strings"
	"testing"

	"wmsql/types"
)

// memory is a Writer that keeps what it is given, as a store does.
type memory struct {
	defs map[ID][]byte
	next ID
}

func (m *memory) Put(id ID, def []byte) { m.defs[id] = def }
func (m *memory) Delete(id ID)          { delete(m.defs, id) }
func (m *memory) Next(id ID)            { m.next = id }

// commit runs f as one edit of a catalog loaded from m.
func (m *memory) commit(t *testing.T, f func(e *Edit)) *Snapshot {
	t.Helper()
	c, err := Load(m.next, m.defs)
	if err != nil {
		t.Fatal(err)
	}
	before := c.Current()
	count := len(before.byID)
	e := c.Edit()
	f(e)
	if err := c.Save(e, m); err != nil {
		t.Fatal(err)
	}
	c.Publish(e)
	if len(before.byID) != count {
		t.Error("an edit changed the snapshot it began with")
	}
	return c.Current()
}

func create(t *testing.T, e *Edit, x Entry) {
	t.Helper()
	if err := e.Create(x); err != nil {
		t.Fatal(err)
	}
}

func column(name string, k types.Kind) Column { return Column{Name: name, Type: types.Of(k)} }

// What is stored comes back as it was, with its number.
func TestDefinitionsComeBack(t *testing.T) {
	m := &memory{defs: map[ID][]byte{}}
	stream := &Stream{
		Object:    Object{Kind: KindStream, Schema: "public", Name: "s", Comment: "c", SQL: "CREATE ..."},
		Columns:   []Column{{Name: "a", Type: types.Type{Kind: types.Numeric, Mod: 655366}, NotNull: true, Default: "1"}, {Name: "b", Type: types.ArrayOf(types.Text), Generated: "x", Comment: "y"}},
		Watermark: &Watermark{Column: 1, Delay: types.IntervalValue{Months: 1, Days: 2, Micros: 3}}, Connector: "kafka",
		Options: map[string]string{"topic": "t"}, SearchPath: []string{"public"},
	}
	view := &MaterializedView{
		Object: Object{Kind: KindMaterializedView, Schema: "public", Name: "v"}, Columns: []Column{column("n", types.Int8)}, Query: "SELECT 1",
		TimeZone: "Europe/Berlin", Mode: Complete, Key: []int{0}, Options: map[string]string{}, Fingerprint: "f", Policy: "max", Paused: true,
	}
	table := &Table{Object: Object{Kind: KindTable, Schema: "public", Name: "t"}, Columns: []Column{column("n", types.TimestampTZ)}, PrimaryKey: []int{0}, Checks: []Check{{Name: "t_n_check", Expr: "n > 0"}}}
	m.commit(t, func(e *Edit) {
		create(t, e, stream)
		view.Depends = []ID{stream.ID}
		create(t, e, view)
		create(t, e, table)
	})
	s := m.commit(t, func(*Edit) {})
	for _, want := range []Entry{stream, view, table} {
		if got := s.ByID(want.Head().ID); !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	if users := s.Users(stream.ID); len(users) != 1 || users[0] != view.ID {
		t.Errorf("users of the stream are %v", users)
	}
}

// A number is never used again, not even when the newest object is gone and the catalog was loaded anew.
func TestNumbersAreNotReused(t *testing.T) {
	m := &memory{defs: map[ID][]byte{}}
	table := func() *Table { return &Table{Object: Object{Kind: KindTable, Schema: "public", Name: "t"}} }
	first, second := table(), table()
	m.commit(t, func(e *Edit) { create(t, e, first) })
	m.commit(t, func(e *Edit) { e.Delete(first.ID) })
	m.commit(t, func(e *Edit) { create(t, e, second) })
	if first.ID != FirstID || second.ID != FirstID+1 {
		t.Errorf("numbers %d, %d", first.ID, second.ID)
	}
}

// A definition that a newer version wrote is refused, as is one that cannot be read.
func TestUnreadableDefinition(t *testing.T) {
	for def, why := range map[string]string{
		`{"version":2,"kind":"table","entry":{}}`:                                         "newer",
		`{"version":1,"kind":"sink","entry":{}}`:                                          "sink",
		`{"version":1,"kind":"table","entry":{"Columns":[{"name":"a","type":"nosuch"}]}}`: "nosuch",
		`{`: "unexpected end",
	} {
		_, err := Load(0, map[ID][]byte{FirstID: []byte(def)})
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", def, err)
		}
	}
}

// A schema of the path hides those behind it; the name of what is hidden is written in full.
func TestNamesAlongThePath(t *testing.T) {
	m := &memory{defs: map[ID][]byte{}}
	s := m.commit(t, func(e *Edit) {
		create(t, e, &Schema{Object{Kind: KindSchema, Name: "S"}})
		create(t, e, &Table{Object: Object{Kind: KindTable, Schema: "S", Name: "t"}})
		create(t, e, &Table{Object: Object{Kind: KindTable, Schema: "public", Name: "t"}})
		create(t, e, &Table{Object: Object{Kind: KindTable, Schema: "public", Name: "select"}})
	})
	path := []string{"pg_catalog", "S", "public"}
	if e, err := s.Lookup([]string{"t"}, path); err != nil || e.Head().Schema != "S" {
		t.Errorf("t is %v, %v", e, err)
	}
	for name, want := range map[string]string{"S.t": "t", "public.t": "public.t", "public.select": `"select"`} {
		e, err := s.Lookup(strings.Split(name, "."), path)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.QuotedName(e, path); got != want {
			t.Errorf("%s is written %s, not %s", name, got, want)
		}
	}
	if got := s.QuotedName(s.Relation("S", "t"), []string{"public"}); got != `"S".t` {
		t.Errorf("hidden t is written %s", got)
	}
	if got := s.CreationSchema([]string{"pg_catalog", "nosuch", "S"}); got != "S" {
		t.Errorf("new relations go to %q", got)
	}
}
