package exec

import (
	"fmt"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// value appends what the subquery is worth for row i of b.
func (a *apply) value(dst column.Builder, rows, b *column.Batch, i int) error {
	switch a.node.Kind {
	case logicalplan.ApplyScalar:
		switch rows.Rows {
		case 0:
			dst.AppendNull()
		case 1:
			dst.AppendFrom(rows.Cols[0], 0)
		default:
			return errTwoRows()
		}
	case logicalplan.ApplyExists:
		dst.AppendDatum(rows.Rows > 0)
	case logicalplan.ApplyArray:
		list := dst.(*column.ListBuilder)
		if arrays, ok := first(rows).(*column.List); ok && arrays.T.Array {
			return expr.NestArrays(arrays, list)
		}
		if rows.Rows > 0 {
			list.Elems().AppendVector(rows.Cols[0]) // not as datums: those of a row have no types
		}
		list.EndRow()
	case logicalplan.ApplyIn:
		return a.in3(dst, rows, b, i)
	default:
		panic(fmt.Sprintf("exec: unknown kind of Apply %d", a.node.Kind))
	}
	return nil
}

// first is the first column of rows, nil if there are none.
func first(rows *column.Batch) column.Vector {
	if rows.Rows == 0 {
		return nil
	}
	return rows.Cols[0]
}

func errTwoRows() error {
	return sqlerr.Newf(sqlerr.CardinalityViolation, "more than one row returned by a subquery used as an expression")
}

// in3 appends the three-valued ANY or ALL of the test over the subplan's rows.
func (a *apply) in3(dst column.Builder, rows, b *column.Batch, i int) error {
	if rows.Rows == 0 {
		dst.AppendDatum(a.node.All)
		return nil
	}
	a.row.set(b, i)
	v, err := a.test.Eval(rows)
	if err != nil {
		return err
	}
	t := v.(*column.Of[bool])
	null := false
	for k, x := range t.Values {
		switch {
		case t.IsNull(k):
			null = true
		case x != a.node.All: // ANY: a true; ALL: a false decides
			dst.AppendDatum(x)
			return nil
		}
	}
	if null {
		dst.AppendNull()
	} else {
		dst.AppendDatum(a.node.All)
	}
	return nil
}
