// Package format turns the records of a source into rows: JSON objects and CSV lines are decoded
// straight into column builders, without a tree and without an allocation per row.
//
// A record is a row or it is rejected, whichever columns a query reads: the columns that are not
// read are checked against their types and stored nowhere. A rejected record leaves nothing behind.
package format

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Decoder turns records into rows. It keeps scratch memory, so a goroutine has its own.
type Decoder interface {
	// Decode appends the row of record rec to out. The reason is empty, or it says why rec is not a row; out is
	// as it was then. out keeps nothing of rec.
	Decode(out *Rows, rec []byte) (reason string)
}

// Shape is what the records of a stream become: which fields they have, and which of them are kept.
type Shape struct {
	Read   *types.Schema // the columns of a batch
	fields []field       // the columns that come from the record, in the stream's order
	from   []int         // for every column of Read its ordinal in the stream's schema
	epoch  EpochUnit
}

// field is one column of the stream that is filled from the record.
type field struct {
	name    string
	key     string // "name": as it stands in JSON, empty if that needs escapes
	t       types.Type
	act     action
	notNull bool
	isEvent bool // the watermark is taken from it: infinity is refused
	col     int  // ordinal in a batch, -1 if it is only checked
	elem    *field
}

// Config says what a Shape is made from.
type Config struct {
	Schema    *types.Schema
	Read      []int          // ordinals of Schema
	EventTime int            // ordinal of Schema, -1 if none
	Other     func(int) bool // whether a column comes from elsewhere than the record; nil: none does
	Epoch     EpochUnit
}

// NewShape compiles a Config. The error is 0A000 for a column type that no record can fill.
func NewShape(c Config) (*Shape, error) {
	s := &Shape{Read: &types.Schema{Fields: make([]types.Field, len(c.Read))}, from: c.Read, epoch: c.Epoch}
	col := make([]int, len(c.Schema.Fields))
	for i := range col {
		col[i] = -1
	}
	for k, i := range c.Read {
		s.Read.Fields[k] = c.Schema.Fields[i]
		col[i] = k
	}
	for i, f := range c.Schema.Fields {
		if c.Other != nil && c.Other(i) {
			continue
		}
		nf, ok := newField(f, col[i])
		if !ok {
			return nil, sqlerr.Unsupported("a column of type %s in the records of a source", f.Type)
		}
		nf.isEvent = i == c.EventTime && nf.act == actTime
		s.fields = append(s.fields, nf)
	}
	return s, nil
}

func newField(f types.Field, col int) (field, bool) {
	nf := field{name: f.Name, key: string(appendKey(nil, []byte(f.Name))), t: f.Type, act: actionOf(f.Type), notNull: f.NotNull, col: col}
	if nf.act == actList {
		e, ok := newField(types.Field{Name: f.Name, Type: column.ElemType(f.Type)}, col)
		if !ok || e.act == actList {
			return nf, false
		}
		nf.elem = &e
	}
	return nf, nf.act != actNone
}

// action is how a field's value is read: one for every way to store it.
type action uint8

const (
	actNone action = iota
	actBool
	actInt     // with the type's range
	actFloat   //
	actText    // a string as it is
	actTime    // timestamp and timestamptz
	actDecimal // a number, or a string, through the type's text form
	actParsed  // a string through the type's text form
	actJSON    // any value, as its text
	actList    // an array of scalars
)

func actionOf(t types.Type) action {
	if t.Array {
		return actList
	}
	switch t.Kind {
	case types.Bool:
		return actBool
	case types.Int2, types.Int4, types.Int8:
		return actInt
	case types.Float4, types.Float8:
		return actFloat
	case types.Text:
		return actText
	case types.Varchar:
		if t.Mod == types.NoMod {
			return actText
		}
		return actParsed
	case types.Timestamp, types.TimestampTZ:
		return actTime
	case types.Numeric, types.OID:
		return actDecimal
	case types.BPChar, types.Name, types.Char, types.Bytea, types.Bit, types.VarBit, types.Date, types.Time, types.TimeTZ, types.Interval, types.UUID:
		return actParsed
	case types.JSON, types.JSONB:
		return actJSON
	}
	return actNone
}
