package server

import (
	_ "embed" // the operator classes of Postgres's btree
	"strings"
	"sync"

	"wmsql/types"
)

// The operator classes of the types that wmsql knows, in btree, which every index here is: rows as fixedRows reads them.
var (
	//go:embed pgdata/pg_opclass.txt
	pgOpclassRows string
	//go:embed pgdata/pg_opfamily.txt
	pgOpfamilyRows string
	//go:embed pgdata/pg_amop.txt
	pgAmopRows string
)

// defaultOpclasses are the operator classes that an index uses if it does not say, by the type's oid.
var defaultOpclasses = sync.OnceValue(func() map[int64]int64 {
	out := map[int64]int64{}
	_, rows, _ := strings.Cut(pgOpclassRows, "\n")
	for line := range strings.Lines(rows) {
		f := strings.Split(strings.TrimSpace(line), "|") // oid, method, name, namespace, owner, family, type, default, key type
		if f[7] == "t" {
			ids := oidsOf([]string{f[0], f[6]})
			out[ids[1]] = ids[0]
		}
	}
	return out
})

// opclassNamed finds an operator class, and the type it is of; false if there is none.
func opclassNamed(name string) (class, of int64, ok bool) {
	_, rows, _ := strings.Cut(pgOpclassRows, "\n")
	for line := range strings.Lines(rows) {
		if f := strings.Split(strings.TrimSpace(line), "|"); f[2] == name {
			ids := oidsOf([]string{f[0], f[6]})
			return ids[0], ids[1], true
		}
	}
	return 0, 0, false
}

// orNamedClass is the operator class that an index's column names, usual if it names none.
func orNamedClass(name string, usual int64) int64 {
	if class, _, ok := opclassNamed(name); ok {
		return class
	}
	return usual
}

// opclass is the operator class by which an index orders a column of type t, 0 if there is none.
func opclass(t types.Type) int64 {
	classes := defaultOpclasses()
	switch {
	case t.Array:
		return classes[int64(types.AnyArray.Info().OID)]
	case t.Kind == types.Varchar:
		return classes[int64(types.Text.Info().OID)]
	case strings.HasPrefix(t.Kind.Info().PgName, "reg"):
		return classes[int64(types.OID.Info().OID)]
	}
	return classes[int64(t.OID())]
}
