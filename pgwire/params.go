package pgwire

import (
	"fmt"

	"github.com/jackc/pgproto3/v2"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// arguments reads the values of a Bind: a vector of one row for each parameter.
func (c *conn) arguments(m *pgproto3.Bind, from *Prepared) ([]column.Vector, error) {
	n := len(m.Parameters)
	if f := len(m.ParameterFormatCodes); f > 1 && f != n {
		return nil, sqlerr.Newf(sqlerr.ProtocolViolation, "bind message has %d parameter formats but %d parameters", f, n)
	}
	var want []types.Type
	if from.Statement != nil {
		want = from.Statement.Params()
	}
	if n != len(want) {
		return nil, sqlerr.Newf(sqlerr.ProtocolViolation, "bind message supplies %d parameters, but prepared statement \"%s\" requires %d",
			n, m.PreparedStatement, len(want))
	}
	out := make([]column.Vector, n)
	for k, value := range m.Parameters {
		v, err := argument(value, want[k], formatOf(m.ParameterFormatCodes, k), c.session.Format())
		if err != nil {
			return nil, paramError(err, m.DestinationPortal, k)
		}
		out[k] = v
	}
	return out, nil
}

func argument(value []byte, t types.Type, format int16, f *types.Format) (column.Vector, error) {
	b := column.NewBuilder(t, 1)
	switch {
	case format != formatText && format != formatBinary:
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "unsupported format code: %d", format)
	case value == nil:
		b.AppendNull()
	case format == formatText:
		if err := column.CheckText(value); err != nil {
			return nil, err
		}
		if err := b.AppendText(value, f); err != nil {
			return nil, err
		}
	default:
		if err := column.AppendFromBinary(b, value); err != nil {
			return nil, err
		}
	}
	return b.Build(), nil
}

// paramError says which parameter was wrong.
func paramError(err error, portal string, k int) error {
	e := *sqlerr.From(err)
	if e.Where == "" {
		e.Where = fmt.Sprintf("unnamed portal parameter $%d", k+1)
		if portal != "" {
			e.Where = fmt.Sprintf("portal \"%s\" parameter $%d", portal, k+1)
		}
	}
	return &e
}
