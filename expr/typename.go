package expr

import (
	"wmsql/sqlerr"
	"wmsql/types"
)

// sqlName maps the spellings of types that are not pg_type names to those.
func sqlName(name string) string {
	switch name {
	case "int", "integer":
		return "int4"
	case "smallint":
		return "int2"
	case "bigint":
		return "int8"
	case "real":
		return "float4"
	case "double precision", "double", "float":
		return "float8"
	case "decimal", "dec":
		return "numeric"
	case "boolean":
		return "bool"
	case "character varying":
		return "varchar"
	case "string":
		return "text" // Flink's STRING has no length
	case "character":
		return "bpchar"
	case "timestamp without time zone":
		return "timestamp"
	case "timestamp with time zone", "timestamp_ltz":
		return "timestamptz"
	case "time without time zone":
		return "time"
	case "time with time zone":
		return "timetz"
	case "bit varying":
		return "varbit"
	}
	return name
}

// TypeByName resolves a type name as written (schema may be "" or pg_catalog): name is folded; mods are its modifiers. dims
// is the number of [] after it; Postgres gives them all one array type.
func TypeByName(schema, name string, mods []int, dims int) (types.Type, error) {
	missing := func() (types.Type, error) {
		full := name
		if schema != "" {
			full = schema + "." + name
		}
		return types.Type{}, sqlerr.Newf(sqlerr.UndefinedObject, "type \"%s\" does not exist", full)
	}
	if schema != "" && schema != "pg_catalog" {
		return missing()
	}
	if name == "float" && len(mods) == 1 {
		return floatByPrecision(mods[0], dims)
	}
	if len(name) > 1 && name[0] == '_' {
		name, dims = name[1:], max(dims, 1)
	}
	full := sqlName(name)
	k, ok := kindByName()[full]
	if !ok {
		if isPostgresType(full) {
			return types.Type{}, sqlerr.Unsupported("type %s", name)
		}
		return missing()
	}
	if k > types.Void && k < types.NumKinds {
		return types.Type{}, sqlerr.Newf(sqlerr.FeatureNotSupported, "pseudo-type %s cannot stand here", name)
	}
	mod, err := typmod(k, full, mods)
	if err != nil {
		return types.Type{}, err
	}
	if name == "character" && mod == types.NoMod {
		mod = 1 + 4 // CHARACTER alone is CHARACTER(1)
	}
	return types.Type{Kind: k, Array: dims > 0, Mod: mod}, nil
}

func floatByPrecision(bits, dims int) (types.Type, error) {
	k := types.Float8
	switch {
	case bits < 1:
		return types.Type{}, sqlerr.Newf(sqlerr.InvalidParameterValue, "precision for type float must be at least 1 bit")
	case bits > 53:
		return types.Type{}, sqlerr.Newf(sqlerr.InvalidParameterValue, "precision for type float must be less than 54 bits")
	case bits <= 24:
		k = types.Float4
	}
	return types.Type{Kind: k, Array: dims > 0, Mod: types.NoMod}, nil
}

// typmod encodes the modifiers of a type as Postgres stores them.
func typmod(k types.Kind, name string, mods []int) (int32, error) {
	if len(mods) == 0 {
		return types.NoMod, nil
	}
	switch k {
	case types.Varchar, types.BPChar:
		if len(mods) == 1 {
			return charTypmod(k, mods[0])
		}
	case types.Numeric:
		if len(mods) <= 2 {
			return numericTypmod(mods)
		}
	case types.Bit, types.VarBit:
		if len(mods) == 1 {
			return types.BitMod(k, mods[0])
		}
	case types.Timestamp, types.TimestampTZ, types.Time, types.TimeTZ, types.Interval:
		if len(mods) == 1 {
			if mods[0] < 0 {
				return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "%s(%d) precision must not be negative", plainUpper(k), mods[0])
			}
			if k == types.Interval {
				return types.IntervalMod(types.IntervalAllFields, int32(min(mods[0], 6))), nil
			}
			return int32(min(mods[0], 6)), nil
		}
	default:
		return 0, sqlerr.Newf(sqlerr.SyntaxError, "type modifier is not allowed for type \"%s\"", name)
	}
	return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid type modifier")
}

func charTypmod(k types.Kind, n int) (int32, error) {
	name := "varchar"
	if k == types.BPChar {
		name = "char"
	}
	if n < 1 {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "length for type %s must be at least 1", name)
	}
	if n > 10485760 {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "length for type %s cannot exceed 10485760", name)
	}
	return int32(n + 4), nil
}

func numericTypmod(mods []int) (int32, error) {
	scale := 0
	if len(mods) == 2 {
		scale = mods[1]
	}
	if mods[0] < 1 || mods[0] > 1000 {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "NUMERIC precision %d must be between 1 and 1000", mods[0])
	}
	if scale < -1000 || scale > 1000 {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "NUMERIC scale %d must be between -1000 and 1000", scale)
	}
	return types.NumericMod(int32(mods[0]), int32(scale)), nil
}

func plainUpper(k types.Kind) string {
	switch k {
	case types.Timestamp, types.TimestampTZ:
		return "TIMESTAMP"
	case types.Time, types.TimeTZ:
		return "TIME"
	}
	return "INTERVAL"
}

// isPostgresType names the types that Postgres has and wmsql lacks.
func isPostgresType(name string) bool {
	switch name {
	case "money", "inet", "cidr", "macaddr", "macaddr8",
		"point", "line", "lseg", "box", "path", "polygon", "circle", "xml", "tsvector", "tsquery", "jsonpath", "hstore",
		"int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange", "pg_lsn", "xid8", "cid", "tid",
		"cstring", "citext":
		return true
	}
	return false
}
