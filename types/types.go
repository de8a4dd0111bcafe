// Package types defines the SQL types, their scalar values and the row schema that every other
// package speaks. It imports nothing of wmsql.
package types

import "time"

// Kind is the family of a SQL type.
type Kind uint8

// The kinds, in the order of Postgres's numeric promotion where there is one.
const (
	Unknown Kind = iota // a string literal or NULL that nothing has typed yet
	Bool
	Int2
	Int4
	Int8
	Numeric
	Float4
	Float8
	Text
	Varchar
	BPChar // char(n)
	Name
	Char // Postgres's one-byte "char"
	Bytea
	Bit
	VarBit
	Date
	Time
	TimeTZ
	Timestamp
	TimestampTZ
	Interval
	UUID
	JSON
	JSONB
	JSONPathKind // jsonpath
	OID
	RegClass // the first of those that IsReg knows
	RegType
	RegProc
	RegProcedure
	RegOper
	RegOperator
	RegNamespace
	RegRole
	RegCollation
	RegConfig
	RegDictionary // the last of them
	Int2Vector
	OIDVector
	ACLItem
	PgNodeTree
	XID
	Record
	Void
	// The pseudo-types below stand only in the signatures of polymorphic functions; no value has one.
	Any
	AnyElement
	AnyArray
	AnyNonArray
	AnyCompatible
	AnyCompatibleArray
	AnyCompatibleNonArray
	NumKinds
)

// IsReg reports whether values of k are object ids that are shown by name.
func (k Kind) IsReg() bool { return k >= RegClass && k <= RegDictionary }

// Type is the SQL type of a column or expression. It is comparable with ==.
type Type struct {
	Kind  Kind
	Array bool  // an array of Kind
	Mod   int32 // typmod as Postgres stores it, NoMod if none
	Coll  Collation
}

// NoMod is the typmod of a type without modifiers.
const NoMod int32 = -1

// Of returns the type of kind k without modifiers.
func Of(k Kind) Type { return Type{Kind: k, Mod: NoMod} }

// ArrayOf returns the array type over kind k.
func ArrayOf(k Kind) Type { return Type{Kind: k, Array: true, Mod: NoMod} }

// Elem returns the element type of an array type.
func (t Type) Elem() Type { return Type{Kind: t.Kind, Mod: t.Mod} }

// Same reports whether t and u differ in nothing but modifiers.
func (t Type) Same(u Type) bool { return t.Kind == u.Kind && t.Array == u.Array }

// Layout is how the values of a type lie in a vector.
type Layout uint8

// The layouts; see column.Vector for the vector of each.
const (
	LayoutBool     Layout = iota // *column.Of[bool]
	LayoutInt64                  // *column.Of[int64]: integers, oid and reg*, date (days since 1970), time and timestamps (µs), timetz (see PackTimeTZ)
	LayoutFloat64                // *column.Of[float64]
	LayoutDecimal                // *column.Of[Decimal]
	LayoutInterval               // *column.Of[IntervalValue]
	LayoutBytes                  // *column.Bytes: text, varchar, name, bytea, uuid (16 bytes), json, jsonb (canonical text), bit strings (see bits.go)
	LayoutList                   // *column.List: arrays, int2vector, oidvector
	LayoutRecord                 // *column.Record
)

// MicroTime is a point in time in microseconds since 1970-01-01 00:00:00 UTC. Vectors hold it as
// int64; MicroTime is for scalars such as watermarks.
type MicroTime int64

// The ends of time. Infinity and NegInfinity are Postgres's; MinTime is also the watermark of a
// stream that has seen no row yet: nothing is late.
const (
	MinTime     MicroTime = -1 << 63
	NegInfinity MicroTime = -1 << 63
	Infinity    MicroTime = 1<<63 - 1
)

// Time returns t as a time.Time in UTC.
func (t MicroTime) Time() time.Time { return time.UnixMicro(int64(t)).UTC() }

// IntervalValue is a Postgres interval: three fields that are not folded into each other.
type IntervalValue struct {
	Months, Days int32
	Micros       int64
}

// Field is one column of a schema.
type Field struct {
	Name    string
	Type    Type
	NotNull bool
	Origin  Origin
}

// Origin is the column of a relation that a field of a result shows unchanged, by its oid and number (from 1). Zero: the field is computed.
type Origin struct {
	Table  uint32
	Column int16
}

// Schema is an ordered list of columns. A Schema is never changed after it is built.
type Schema struct{ Fields []Field }

// Find returns the ordinal of the column called name, -1 if there is none.
func (s *Schema) Find(name string) int {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return i
		}
	}
	return -1
}
