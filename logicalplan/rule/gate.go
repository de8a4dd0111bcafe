package rule

import (
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// Gate runs all checks and returns every fault, errors first. Faults that Allow covers come as warnings ("warn") or not at all ("allow").
func Gate(n logicalplan.Node, t *Target) []*sqlerr.Error { return nil }
