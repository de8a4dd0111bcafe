package expr

import "testing"

// TestLibrary_OIDs holds that no two overloads share an object id, and that well-known ones have Postgres's.
func TestLibrary_OIDs(t *testing.T) {
	procs, ops := map[uint32]string{}, map[uint32]string{}
	add := func(m map[uint32]string, id uint32, sig string) {
		if other, ok := m[id]; ok || id == 0 {
			t.Errorf("%s and %s have oid %d", sig, other, id)
		}
		m[id] = sig
	}
	for _, f := range Functions() {
		add(procs, f.OID, signature(f.Name, f.Args))
	}
	for _, f := range SetFunctions() {
		add(procs, f.OID, signature(f.Name, f.Args))
	}
	for _, a := range Aggregates() {
		add(procs, a.OID, signature(a.Name, a.Args))
	}
	for _, f := range Operators() {
		add(ops, f.OID, signature(f.Name, f.Args))
	}
	if procs[870] != "lower(text)" || ops[96] != "=(integer, integer)" {
		t.Errorf("870 is %q, 96 is %q", procs[870], ops[96])
	}
}

// TestLibrary_Kernels holds that every function can run: none is listed without code.
func TestLibrary_Kernels(t *testing.T) {
	for _, f := range append(Functions(), Operators()...) {
		if f.kernel == nil {
			t.Errorf("%s has no kernel", signature(f.Name, f.Args))
		}
	}
}
