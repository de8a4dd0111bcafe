package stream

import (
	"wmsql/catalog"
	"wmsql/physicalplan"
	"wmsql/state"
)

// Adopt lets a query of another plan over the same state go on where the one before stood: from the next epoch on, which puts all
// groups out once more. The query must stand still. One that has never run needs nothing.
func Adopt(r state.Reader, txn state.Txn, query catalog.ID, plan *physicalplan.Plan) error {
	pos, err := readPosition(r, query)
	if pos == nil || err != nil {
		return err
	}
	pos.Reissue = true
	txn.Put(state.Offsets, uint32(query), planKey, []byte(planText(plan)))
	return pos.put(txn, query)
}
