package catalog

import (
	"encoding/json"
	"fmt"
	"sync"

	"wmsql/types"
)

// definitionVersion is the newest form of a stored definition.
const definitionVersion = 1

// envelope is a definition on disk: JSON, so that a later version can read what it must convert. Types and
// kinds go by name, because their numbers are free to change.
type envelope struct {
	Version int             `json:"version"`
	Kind    string          `json:"kind"`
	Entry   json.RawMessage `json:"entry"`
}

func encode(e Entry) ([]byte, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return json.Marshal(envelope{Version: definitionVersion, Kind: e.Head().Kind.String(), Entry: body})
}

func decode(data []byte) (Entry, error) {
	var env envelope
	if err := json.Unmarshal(data, &env); err != nil {
		return nil, err
	}
	if env.Version > definitionVersion {
		return nil, fmt.Errorf("definition version %d was written by a newer wmsql", env.Version)
	}
	e, kind := newEntry(env.Kind)
	if e == nil {
		return nil, fmt.Errorf("unknown kind %q", env.Kind)
	}
	if err := json.Unmarshal(env.Entry, e); err != nil {
		return nil, err
	}
	e.Head().Kind = kind
	return e, nil
}

func newEntry(kind string) (Entry, Kind) {
	switch kind {
	case "schema":
		return &Schema{}, KindSchema
	case "stream":
		return &Stream{}, KindStream
	case "table":
		return &Table{}, KindTable
	case "view":
		return &View{}, KindView
	case "materialized view":
		return &MaterializedView{}, KindMaterializedView
	case "function":
		return &Function{}, KindFunction
	case "sequence":
		return &Sequence{}, KindSequence
	case "role":
		return &Role{}, KindRole
	case "index":
		return &Index{}, KindIndex
	}
	return nil, 0
}

// storedColumn is a Column on disk.
type storedColumn struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Array     bool   `json:"array,omitempty"`
	Mod       int32  `json:"mod"`
	Collation string `json:"collation,omitempty"`
	NotNull   bool   `json:"notNull,omitempty"`
	Generated string `json:"generated,omitempty"`
	Default   string `json:"default,omitempty"`
	Identity  string `json:"identity,omitempty"`
	Comment   string `json:"comment,omitempty"`

	Number  int     `json:"number,omitempty"`
	Missing *string `json:"missing,omitempty"`
}

// MarshalJSON writes the type by its pg_type name.
func (c Column) MarshalJSON() ([]byte, error) {
	collation := ""
	if c.Type.Coll != 0 {
		collation = c.Type.Coll.Name()
	}
	return json.Marshal(storedColumn{
		Collation: collation,
		Name:      c.Name, Type: c.Type.Kind.Info().PgName, Array: c.Type.Array, Mod: c.Type.Mod,
		NotNull: c.NotNull, Generated: c.Generated, Default: c.Default, Identity: c.Identity, Comment: c.Comment,
		Number: c.Number, Missing: c.Missing,
	})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *Column) UnmarshalJSON(data []byte) error {
	var s storedColumn
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	k, ok := kindByName()[s.Type]
	if !ok {
		return fmt.Errorf("unknown type %q", s.Type)
	}
	coll := types.Collation(0)
	if s.Collation != "" {
		if coll, ok = types.CollationByName(s.Collation); !ok {
			return fmt.Errorf("unknown collation %q", s.Collation)
		}
	}
	*c = Column{
		Name: s.Name, Type: types.Type{Kind: k, Array: s.Array, Mod: s.Mod, Coll: coll},
		NotNull: s.NotNull, Generated: s.Generated, Default: s.Default, Identity: s.Identity, Comment: s.Comment,
		Number: s.Number, Missing: s.Missing,
	}
	return nil
}

// MarshalJSON writes the dropped column as a column without a name.
func (d DroppedColumn) MarshalJSON() ([]byte, error) {
	return json.Marshal(Column{Type: d.Type, Number: d.Number})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *DroppedColumn) UnmarshalJSON(data []byte) error {
	var c Column
	err := json.Unmarshal(data, &c)
	*d = DroppedColumn{Number: c.Number, Type: c.Type}
	return err
}

// kindByName finds a kind by its pg_type name.
var kindByName = sync.OnceValue(func() map[string]types.Kind {
	m := map[string]types.Kind{}
	for k := range types.NumKinds {
		m[k.Info().PgName] = k
	}
	return m
})

// MarshalText writes the mode as the option's value.
func (m OutputMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the option's value.
func (m *OutputMode) UnmarshalText(text []byte) error {
	mode, ok := ParseOutputMode(string(text))
	if !ok {
		return fmt.Errorf("unknown output mode %q", text)
	}
	*m = mode
	return nil
}

// ParseOutputMode reads the option's value.
func ParseOutputMode(s string) (OutputMode, bool) {
	for _, m := range []OutputMode{Update, Append, Complete} {
		if m.String() == s {
			return m, true
		}
	}
	return 0, false
}
