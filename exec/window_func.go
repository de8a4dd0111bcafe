package exec

import (
	"wmsql/physicalplan"
	"wmsql/sqlerr"
)

func (b *builder) windowFunc(*physicalplan.WindowFunc) (Operator, error) {
	return nil, sqlerr.Unsupported("a window function (OVER)")
}
