package expr

import (
	"wmsql/sqlerr"
)

// NewSubscript makes x[idx].
func NewSubscript(x, idx Expr) (Expr, error) {
	return nil, sqlerr.Unsupported("a subscript")
}

// NewSlice makes x[lo:hi]; lo and hi may be nil.
func NewSlice(x, lo, hi Expr) (Expr, error) {
	return nil, sqlerr.Unsupported("a slice")
}
