package build

import (
	"wmsql/expr"
	"wmsql/types"
)

// recordShape is what is known of records beyond their type, which does not say their fields: for a column of records, and for one of arrays of
// them.
type recordShape struct {
	fields []types.Field
	within []*recordShape // of the fields that are records or arrays of them; nil, or nil for a field, if it is not known
}

// recordOf is the shape of a record, or of the elements of an array of records; nil if it is not known.
func (b *binder) recordOf(x expr.Expr) *recordShape {
	switch x := x.(type) {
	case *expr.Column:
		return b.shapes[x.ID]
	case *expr.Array:
		if len(x.Items) > 0 && x.T.Kind == types.Record {
			return b.recordOf(x.Items[0])
		}
	case *expr.Field:
		if s := b.recordOf(x.X); s != nil && s.within != nil {
			return s.within[x.N]
		}
	case *expr.Row:
		s := &recordShape{fields: make([]types.Field, len(x.Items)), within: make([]*recordShape, len(x.Items))}
		for i, item := range x.Items {
			s.fields[i] = types.Field{Name: "f" + itoa(i+1), Type: item.Type()}
			if col, ok := item.(*expr.Column); ok && b.whole[x] {
				s.fields[i].Name = bareName(col.Name)
			}
			s.within[i] = b.recordOf(item)
		}
		return s
	}
	return nil
}

// shapeOf is the fields of a record, nil if they are not known.
func (b *binder) shapeOf(x expr.Expr) []types.Field {
	if s := b.recordOf(x); s != nil {
		return s.fields
	}
	return nil
}

// names are the names of the fields, as JSON needs them.
func (s *recordShape) names() expr.FieldNames {
	if s == nil {
		return nil
	}
	out := make(expr.FieldNames, len(s.fields))
	for i, f := range s.fields {
		out[i].Name = f.Name
		if s.within != nil {
			out[i].Within = s.within[i].names()
		}
	}
	return out
}

// jsonOf makes JSON of a record, or of an array of records, with the names of its fields, which the value does not carry; x itself if it is
// nothing of the kind.
func (b *binder) jsonOf(x expr.Expr, binary bool) expr.Expr {
	s := b.recordOf(x)
	if x.Type().Kind != types.Record || s == nil {
		return x
	}
	return expr.NamedJSON(x, nil, s.names(), binary)
}
