package catalog

import "strings"

// TemporaryPrefix begins the names of the schemas that hold the temporary relations of a session each.
const TemporaryPrefix = "pg_temp_"

// TemporaryAlias is what a session calls its own.
const TemporaryAlias = "pg_temp"

// Temporary reports whether the object goes when its session ends.
func (o *Object) Temporary() bool { return strings.HasPrefix(o.Schema, TemporaryPrefix) }

// own replaces pg_temp by the session's schema for temporary relations, which path then has.
func own(schema string, path []string) string {
	if schema != TemporaryAlias {
		return schema
	}
	for _, p := range path {
		if strings.HasPrefix(p, TemporaryPrefix) {
			return p
		}
	}
	return schema
}

// Locate takes a written name apart as Split does, with pg_temp meaning the session's own schema in path.
func Locate(parts, path []string) (schema, name string, err error) {
	schema, name, err = Split(parts)
	return own(schema, path), name, err
}
