package build

import "wmsql/sql"

// outputName is the name of an output column without an alias.
func outputName(e sql.Expr) string { return "?column?" }
