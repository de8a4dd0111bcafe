package expr

import (
	_ "embed"
	"hash/fnv"
	"strconv"
	"strings"

	"wmsql/types"
)

// oidList is the object ids of Postgres 15, of every function, operator and cast over types that wmsql knows, whether it has it or not yet, one
// a line: f for functions and aggregates, o for operators, c for casts, then the signature, then the id.
//
//go:embed oids.txt
var oidList string

// oidKey is a signature as oidList writes it.
func oidKey(name string, args []types.Type) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = a.Kind.Info().PgName
		if a.Array {
			parts[i] += "[]"
		}
	}
	return name + "(" + strings.Join(parts, ",") + ")"
}

// oidTable finds the id of a function, operator or cast.
type oidTable map[string]uint32

func readOIDs() oidTable {
	t := oidTable{}
	for line := range strings.Lines(oidList) {
		line = strings.TrimSuffix(line, "\n")
		at := strings.LastIndexByte(line, ' ')
		t[line[:at]] = parseOID(line[at+1:])
	}
	return t
}

// parseOID reads an object id of a list that is part of this program.
func parseOID(text string) uint32 {
	id, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		panic("expr: bad object id " + text)
	}
	return uint32(id)
}

// ownOIDs is the start of the ids of what Postgres lacks, above all that it gives out by itself.
const ownOIDs = 1 << 30

// find returns Postgres's id, or one that only the signature decides.
func (t oidTable) find(kind byte, key string) uint32 {
	key = string(kind) + " " + key
	if id, ok := t[key]; ok {
		return id
	}
	h := fnv.New32a()
	h.Write([]byte(key))
	return ownOIDs | h.Sum32()&(ownOIDs-1)
}
