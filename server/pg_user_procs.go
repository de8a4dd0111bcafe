package server

import (
	"wmsql/catalog"
)

// oidRecord is the type of a function's table parameter and of the rows it returns.
const oidRecord = int64(2249)

// userFunction finds a user's function by its oid, given as a datum; nil if there is none.
func (s *Session) userFunction(oid any) *catalog.Function {
	id, _ := oid.(int64)
	f, _ := s.snapshot().ByID(catalog.ID(id)).(*catalog.Function)
	return f
}

// userFunctionNamed finds a user's function along the search path, nil if there is none. Names have one function each.
func (s *Session) userFunctionNamed(name string) *catalog.Function {
	return s.snapshot().FindFunction(splitName(name), s.path())
}

// putUserProcs adds the users' functions to pg_proc. A table parameter is a record; the columns of RETURNS TABLE are parameters of mode t.
func (s *Session) putUserProcs(out *rowSet) {
	s.userFunctions(func(f *catalog.Function) {
		all, modes, names := inputOIDs(f), []string{}, []string{}
		if f.Table != "" {
			modes, names = append(modes, "i"), append(names, f.Table)
		}
		for _, p := range f.Params {
			modes, names = append(modes, "i"), append(names, p.Name)
		}
		args := len(all)
		for _, c := range f.Returns {
			all, modes, names = append(all, int64(c.Type.OID())), append(modes, "t"), append(names, c.Name)
		}
		out.put("oid", f.ID, "proname", f.Name, "pronamespace", s.schemaOID(f.Schema), "proowner", oidSuperuser, "prolang", oidStarlark, "procost", 100.0, "prorows", 1000.0,
			"prokind", "f", "proisstrict", false, "proretset", true, "provolatile", "v", "proparallel", "u", "pronargs", args, "prorettype", oidRecord,
			"proargtypes", all[:args], "proallargtypes", all, "proargmodes", modes, "proargnames", names, "prosrc", f.Source)
	})
}

// inputOIDs are the types of what a call of f is given.
func inputOIDs(f *catalog.Function) []int64 {
	var out []int64
	if f.Table != "" {
		out = append(out, oidRecord)
	}
	for _, p := range f.Params {
		out = append(out, int64(p.Type.OID()))
	}
	return out
}
