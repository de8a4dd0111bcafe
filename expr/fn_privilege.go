package expr

// privilegeFunctions are has_..._privilege and pg_has_role, which the server's catalog answers: the role, which may be left out, and the object
// by name or by number, then the privileges.
func privilegeFunctions() []*Function {
	var out []*Function
	each := func(name, rest string, objects ...string) {
		for _, role := range []string{"", "name,", "oid,"} {
			for _, object := range objects {
				out = append(out, def(name+"("+role+object+rest+",text) bool", catalogKernel(nil), stable))
			}
		}
	}
	for _, kind := range []string{"database", "function", "schema", "table", "any_column", "sequence", "language", "tablespace", "type", "server", "foreign_data_wrapper"} {
		each("has_"+kind+"_privilege", "", "text", "oid")
	}
	each("has_column_privilege", ",text", "text", "oid")
	each("has_column_privilege", ",int2", "text", "oid")
	each("has_parameter_privilege", "", "text")
	each("pg_has_role", "", "name", "oid")
	return out
}
