package server

import (
	"strconv"
	"strings"
	"sync"

	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/types"
)

// pgTypeNames are the names that pg_type has, by oid and back: more types than wmsql has values of.
var pgTypeNames = sync.OnceValues(func() (names map[int64]string, oids map[string]int64) {
	names, oids = map[int64]string{}, map[string]int64{}
	_, rows, _ := strings.Cut(pgTypeRows, "\n")
	for line := range strings.Lines(rows) {
		f := strings.SplitN(line, "|", 3)
		oid, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			panic("server: bad type " + line)
		}
		names[oid], oids[f[1]] = f[1], oid
	}
	return names, oids
})

// typeIn reads a regtype. Types that only pg_type has, such as trigger, are known by their bare name.
func typeIn(_ *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	name, err := sql.ParseType(text)
	if err == nil {
		var t types.Type
		if t, err = build.Type(name); err == nil {
			return int64(t.OID()), nil
		}
	}
	_, oids := pgTypeNames()
	if oid, ok := oids[lastPart(strings.TrimSpace(text))]; ok {
		return oid, nil
	}
	return nil, err
}

func typeOut(_ *Session, args []any) (any, error) {
	id, _ := args[0].(int64)
	if text := typeText(id); text != "???" {
		return text, nil
	}
	return nil, nil
}

// typeText is a type as format_type writes it, ??? when there is none.
func typeText(oid int64) string {
	if t, ok := types.ByOID(uint32(oid)); ok {
		return t.String()
	}
	names, _ := pgTypeNames()
	name, ok := names[oid]
	if !ok {
		return "???"
	}
	if elem, array := strings.CutPrefix(name, "_"); array {
		return elem + "[]"
	}
	return name
}

func typeNames(oids []int64, between string) string {
	names := make([]string, len(oids))
	for i, o := range oids {
		names[i] = typeText(o)
	}
	return strings.Join(names, between)
}

// formatType is format_type(oid, typmod) of the types that expr does not know.
func formatType(_ *Session, args []any) (any, error) {
	id, _ := args[0].(int64)
	if id == 0 {
		return "-", nil
	}
	return typeText(id), nil
}

// typeVector is oidvectortypes(oidvector).
func typeVector(_ *Session, args []any) (any, error) {
	list, _ := args[0].([]any)
	oids := make([]int64, len(list))
	for i, o := range list {
		oids[i], _ = o.(int64)
	}
	return typeNames(oids, ", "), nil
}
