package types

// ByOID returns the type with a Postgres object id, without modifiers. An array has Array set.
func ByOID(oid uint32) (Type, bool) {
	if oid == 0 {
		return Type{}, false
	}
	for k := range infos {
		switch oid {
		case infos[k].OID:
			return Of(Kind(k)), true
		case infos[k].ArrayOID:
			return ArrayOf(Kind(k)), true
		}
	}
	return Type{}, false
}

// Len is pg_type.typlen: -1 for types of varying length, -2 for C strings.
func (t Type) Len() int16 {
	if t.Array {
		return -1
	}
	return infos[t.Kind].Len
}
