package types

import "strconv"

// Info is what Postgres's pg_type says of a kind.
type Info struct {
	OID, ArrayOID uint32
	PgName        string // pg_type.typname: int8, timestamptz
	SQLName       string // format_type: bigint, timestamp with time zone
	Len           int16  // typlen: -1 variable
	Category      byte   // typcategory
	Preferred     bool   // typispreferred
	Layout        Layout
}

var infos = [NumKinds]Info{
	Unknown:       {705, 0, "unknown", "unknown", -2, 'X', false, LayoutBytes},
	Bool:          {16, 1000, "bool", "boolean", 1, 'B', true, LayoutBool},
	Int2:          {21, 1005, "int2", "smallint", 2, 'N', false, LayoutInt64},
	Int4:          {23, 1007, "int4", "integer", 4, 'N', false, LayoutInt64},
	Int8:          {20, 1016, "int8", "bigint", 8, 'N', false, LayoutInt64},
	Numeric:       {1700, 1231, "numeric", "numeric", -1, 'N', false, LayoutDecimal},
	Float4:        {700, 1021, "float4", "real", 4, 'N', false, LayoutFloat64},
	Float8:        {701, 1022, "float8", "double precision", 8, 'N', true, LayoutFloat64},
	Text:          {25, 1009, "text", "text", -1, 'S', true, LayoutBytes},
	Varchar:       {1043, 1015, "varchar", "character varying", -1, 'S', false, LayoutBytes},
	BPChar:        {1042, 1014, "bpchar", "character", -1, 'S', false, LayoutBytes},
	Name:          {19, 1003, "name", "name", 64, 'S', false, LayoutBytes},
	Char:          {18, 1002, "char", "\"char\"", 1, 'Z', false, LayoutBytes},
	Bytea:         {17, 1001, "bytea", "bytea", -1, 'U', false, LayoutBytes},
	Bit:           {1560, 1561, "bit", "bit", -1, 'V', false, LayoutBytes},
	VarBit:        {1562, 1563, "varbit", "bit varying", -1, 'V', true, LayoutBytes},
	Date:          {1082, 1182, "date", "date", 4, 'D', false, LayoutInt64},
	Time:          {1083, 1183, "time", "time without time zone", 8, 'D', false, LayoutInt64},
	TimeTZ:        {1266, 1270, "timetz", "time with time zone", 12, 'D', false, LayoutInt64},
	Timestamp:     {1114, 1115, "timestamp", "timestamp without time zone", 8, 'D', false, LayoutInt64},
	TimestampTZ:   {1184, 1185, "timestamptz", "timestamp with time zone", 8, 'D', true, LayoutInt64},
	Interval:      {1186, 1187, "interval", "interval", 16, 'T', true, LayoutInterval},
	UUID:          {2950, 2951, "uuid", "uuid", 16, 'U', false, LayoutBytes},
	JSON:          {114, 199, "json", "json", -1, 'U', false, LayoutBytes},
	JSONB:         {3802, 3807, "jsonb", "jsonb", -1, 'U', false, LayoutBytes},
	JSONPathKind:  {4072, 4073, "jsonpath", "jsonpath", -1, 'U', false, LayoutBytes},
	OID:           {26, 1028, "oid", "oid", 4, 'N', true, LayoutInt64},
	RegClass:      {2205, 2210, "regclass", "regclass", 4, 'N', false, LayoutInt64},
	RegType:       {2206, 2211, "regtype", "regtype", 4, 'N', false, LayoutInt64},
	RegProc:       {24, 1008, "regproc", "regproc", 4, 'N', false, LayoutInt64},
	RegProcedure:  {2202, 2207, "regprocedure", "regprocedure", 4, 'N', false, LayoutInt64},
	RegOper:       {2203, 2208, "regoper", "regoper", 4, 'N', false, LayoutInt64},
	RegOperator:   {2204, 2209, "regoperator", "regoperator", 4, 'N', false, LayoutInt64},
	RegCollation:  {4191, 4192, "regcollation", "regcollation", 4, 'N', false, LayoutInt64},
	RegConfig:     {3734, 3735, "regconfig", "regconfig", 4, 'N', false, LayoutInt64},
	RegDictionary: {3769, 3770, "regdictionary", "regdictionary", 4, 'N', false, LayoutInt64},
	RegNamespace:  {4089, 4090, "regnamespace", "regnamespace", 4, 'N', false, LayoutInt64},
	RegRole:       {4096, 4097, "regrole", "regrole", 4, 'N', false, LayoutInt64},
	Int2Vector:    {22, 1006, "int2vector", "int2vector", -1, 'A', false, LayoutList},
	OIDVector:     {30, 1013, "oidvector", "oidvector", -1, 'A', false, LayoutList},
	ACLItem:       {1033, 1034, "aclitem", "aclitem", 12, 'U', false, LayoutBytes},
	PgNodeTree:    {194, 0, "pg_node_tree", "pg_node_tree", -1, 'Z', false, LayoutBytes},
	XID:           {28, 1011, "xid", "xid", 4, 'U', false, LayoutInt64},
	Record:        {2249, 2287, "record", "record", -1, 'P', false, LayoutRecord},
	Void:          {2278, 0, "void", "void", 4, 'P', false, LayoutBytes},

	Any:                   {2276, 0, "any", "\"any\"", 4, 'P', false, LayoutBytes},
	AnyElement:            {2283, 0, "anyelement", "anyelement", 4, 'P', false, LayoutBytes},
	AnyArray:              {2277, 0, "anyarray", "anyarray", -1, 'P', false, LayoutList},
	AnyNonArray:           {2776, 0, "anynonarray", "anynonarray", 4, 'P', false, LayoutBytes},
	AnyCompatible:         {5077, 0, "anycompatible", "anycompatible", 4, 'P', false, LayoutBytes},
	AnyCompatibleArray:    {5078, 0, "anycompatiblearray", "anycompatiblearray", -1, 'P', false, LayoutList},
	AnyCompatibleNonArray: {5079, 0, "anycompatiblenonarray", "anycompatiblenonarray", 4, 'P', false, LayoutBytes},
}

// Info returns what pg_type says of k.
func (k Kind) Info() *Info { return &infos[k] }

// Layout returns how values of t lie in a vector.
func (t Type) Layout() Layout {
	if t.Array {
		return LayoutList
	}
	return infos[t.Kind].Layout
}

// OID returns the type's Postgres object id.
func (t Type) OID() uint32 {
	if t.Array {
		return infos[t.Kind].ArrayOID
	}
	return infos[t.Kind].OID
}

// String returns the type as Postgres's format_type does: numeric(10,2), text[].
func (t Type) String() string {
	s := infos[t.Kind].SQLName
	if t.Mod >= 0 {
		s = withMod(t.Kind, s, t.Mod)
	}
	if t.Array {
		s += "[]"
	}
	return s
}

func withMod(k Kind, name string, mod int32) string {
	switch k {
	case Varchar, BPChar:
		return name + "(" + strconv.Itoa(int(mod-4)) + ")"
	case Numeric:
		return name + "(" + strconv.Itoa(int((mod-4)>>16&0xffff)) + "," + strconv.Itoa(int((mod-4)&0xffff)) + ")"
	case Bit, VarBit:
		return name + "(" + strconv.Itoa(int(mod)) + ")"
	case Time:
		return "time(" + strconv.Itoa(int(mod)) + ") without time zone"
	case TimeTZ:
		return "time(" + strconv.Itoa(int(mod)) + ") with time zone"
	case Interval:
		return name + intervalModText(mod)
	case Timestamp:
		return "timestamp(" + strconv.Itoa(int(mod)) + ") without time zone"
	case TimestampTZ:
		return "timestamp(" + strconv.Itoa(int(mod)) + ") with time zone"
	}
	return name
}
