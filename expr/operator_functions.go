package expr

import (
	_ "embed"
	"strings"
	"sync"
)

// The functions under Postgres's operators and casts have names of their own, int4pl and numeric(int4), which may be called as well.
var (
	// operatorList is, of each operator of Postgres 15 over types that wmsql knows: its oid, its function, the oids of its commutator and its
	// negator, whether it may merge and hash, and its estimators.
	//
	//go:embed opcodes.txt
	operatorList string
	// castFunctionList is, of each cast that a function makes, its oid and the function.
	//
	//go:embed castfuncs.txt
	castFunctionList string
)

// OperatorInfo is what pg_operator says of an operator beyond its signature. Commutator and Negator are 0 where there is none.
type OperatorInfo struct {
	Code                string
	Commutator, Negator uint32
	Merges, Hashes      bool
	Rest, Join          string // estimators; "-": none
}

// OperatorInfos are those of Postgres's own operators, by oid.
var OperatorInfos = sync.OnceValue(func() map[uint32]OperatorInfo {
	out := map[uint32]OperatorInfo{}
	for line := range strings.Lines(operatorList) {
		f := strings.Fields(line)
		out[parseOID(f[0])] = OperatorInfo{
			Code: f[1], Commutator: parseOID(f[2]), Negator: parseOID(f[3]), Merges: f[4] == "t", Hashes: f[5] == "t", Rest: f[6], Join: f[7],
		}
	}
	return out
})

// underlying are the functions under the operators and casts that have no other function of their name and arguments.
func (l *library) underlying() []*Function {
	have := map[string]bool{}
	for _, f := range l.functions {
		have[oidKey(f.Name, f.Args)] = true
	}
	var out []*Function
	add := func(name string, of *Function) {
		if key := oidKey(name, of.Args); name != "" && !have[key] {
			have[key] = true
			f := *of
			f.Name, f.OID, f.cmp = name, 0, cmpNone
			out = append(out, &f)
		}
	}
	codes := OperatorInfos()
	for _, f := range l.operators {
		if f.cmp > cmpNE && isCollatable(f.Args[0]) {
			continue // the operator orders by a collation, which is not its function's business
		}
		add(codes[f.OID].Code, f)
	}
	casts := map[uint32]string{}
	for line := range strings.Lines(castFunctionList) {
		oid, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		casts[parseOID(oid)] = name
	}
	for _, c := range l.casts {
		if c.fn != nil {
			add(casts[c.oid], c.fn)
		}
	}
	return out
}
