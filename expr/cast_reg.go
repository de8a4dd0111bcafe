package expr

import (
	"strconv"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// regOut writes object ids by name, as the catalog knows it: regclassout and its like. An id that
// names nothing is written as a number.
func regOut(s *site) body {
	fn := s.args[0].Kind.Info().PgName + "out"
	out := bytesOutput{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		ids := in[0].(*column.Of[int64])
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			name, known, err := s.catalog(fn, []any{ids.Values[i]})
			if err != nil {
				return nil, err
			}
			if text, ok := name.(string); known && ok {
				return append(dst, text...), nil
			}
			if ids.Values[i] == 0 && !isOperator(s.args[0].Kind) {
				return append(dst, '-'), nil
			}
			return strconv.AppendInt(dst, ids.Values[i], 10), nil
		})
	}
}

// isOperator reports whether k names operators, of which none is written 0.
func isOperator(k types.Kind) bool { return k == types.RegOper || k == types.RegOperator }

// regName is the name of an object id inside an array or a row, "" if it has none.
func (s *site) regName(k types.Kind, id int64) string {
	name, _, err := s.catalog(k.Info().PgName+"out", []any{id})
	text, _ := name.(string)
	if err != nil {
		return ""
	}
	return text
}

// regIn reads the name of an object, or its number.
func regIn(s *site) body {
	kind := s.ret.Kind
	out := output[int64]{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		text := in[0].(*column.Bytes)
		return out.fill(nulls, n, func(i int) (int64, error) { return s.readReg(kind, string(text.Value(i))) })
	}
}

func (s *site) readReg(kind types.Kind, text string) (int64, error) {
	if text == "-" {
		return 0, nil
	}
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return int64(n), nil
	}
	id, known, err := s.catalog(kind.Info().PgName+"in", []any{text})
	if err != nil {
		return 0, err
	}
	if n, ok := id.(int64); known && ok {
		return n, nil
	}
	if kind == types.RegType {
		t, err := TypeByName("", text, nil, 0)
		if err != nil {
			return 0, err
		}
		return int64(t.OID()), nil
	}
	return 0, sqlerr.Newf(regMissing(kind), "%s \"%s\" does not exist", regNoun(kind), text)
}

// regMissing is the code of a name that names nothing.
func regMissing(k types.Kind) sqlerr.Code {
	switch k {
	case types.RegClass:
		return sqlerr.UndefinedTable
	case types.RegProc, types.RegProcedure, types.RegOper, types.RegOperator:
		return sqlerr.UndefinedFunction
	case types.RegNamespace:
		return sqlerr.InvalidSchemaName
	}
	return sqlerr.UndefinedObject
}

func regNoun(k types.Kind) string {
	switch k {
	case types.RegProc, types.RegProcedure:
		return "function"
	case types.RegOper, types.RegOperator:
		return "operator"
	case types.RegCollation:
		return "collation"
	case types.RegConfig:
		return "text search configuration"
	case types.RegDictionary:
		return "text search dictionary"
	case types.RegNamespace:
		return "schema"
	case types.RegRole:
		return "role"
	}
	return "relation"
}

// catalog asks the server; known is false when there is none.
func (s *site) catalog(name string, args []any) (value any, known bool, err error) {
	if s.ctx == nil || s.ctx.Session == nil {
		return nil, false, nil
	}
	return s.ctx.Session.Catalog(name, args)
}
