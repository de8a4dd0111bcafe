package stream

import (
	"encoding/json"

	"wmsql/catalog"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// position is what a query has committed: it lies in the same batch as the results that come of it.
type position struct {
	Version     int             `json:"v"`
	Epoch       int64           `json:"epoch"`
	Fingerprint string          `json:"fingerprint"`
	Scans       []scanPosition  `json:"scans"`
	Counters    counters        `json:"counters"`
	Time        types.MicroTime `json:"time"`           // when the epoch ran
	Wake        types.MicroTime `json:"wake,omitempty"` // when the next one is due, rows or not; 0: never
	Held        bool            `json:"held,omitempty"` // a part of what the watermark frees was put off to the next one
	// Reissue makes the next epoch put out all open groups: the query above the state has changed.
	Reissue bool `json:"reissue,omitempty"`
	// Mark is the watermark that the result is under, nil if it is not known.
	Mark *types.MicroTime `json:"mark,omitempty"`
}

// scanPosition is how far one scan of the plan has read its stream.
type scanPosition struct {
	Stream catalog.ID       `json:"stream"`
	Name   string           `json:"name"`
	Offset connector.Offset `json:"offset"`
}

// counters sum up since the query was created: in = counted + late + null + rejected + filtered.
type counters struct {
	In       int64 `json:"in"`
	Late     int64 `json:"late"`
	Null     int64 `json:"null"`
	Rejected int64 `json:"rejected"`
	Out      int64 `json:"out"`
}

const positionVersion = 1

var (
	positionKey = []byte("position")
	planKey     = []byte("plan") // the plan's text when the query was created, to say what was changed
)

// readPosition returns what a query has committed, nil if it never ran.
func readPosition(r state.Reader, query catalog.ID) (*position, error) {
	v, err := r.Get(state.Offsets, uint32(query), positionKey)
	if err != nil || v == nil {
		return nil, err
	}
	var p position
	if err := json.Unmarshal(v, &p); err != nil || p.Version != positionVersion {
		return nil, sqlerr.Newf(sqlerr.DataCorrupted, "the stored position of query %d is damaged", query)
	}
	return &p, nil
}

// put stores the position in the epoch's transaction.
func (p *position) put(txn state.Txn, query catalog.ID) error {
	v, err := json.Marshal(p)
	if err != nil {
		return err
	}
	txn.Put(state.Offsets, uint32(query), positionKey, v)
	return nil
}
