package kafka

import (
	"encoding/json"
	"strconv"

	"wmsql/connector"
	"wmsql/sqlerr"
)

// position is what an Offset holds: for every partition the offset of the record to read next, and the topic's id,
// by which a topic that was deleted and made anew is known.
type position struct {
	Partitions map[string]int64 `json:"partitions"`
	Topic      string           `json:"topic_id,omitempty"`
}

func (p position) offset() connector.Offset {
	b, err := json.Marshal(p)
	if err != nil {
		panic("kafka: an offset does not encode: " + err.Error())
	}
	return connector.Offset(b)
}

func parsePosition(o connector.Offset) (position, error) {
	var p position
	if o == "" {
		return p, nil
	}
	if err := json.Unmarshal([]byte(o), &p); err != nil || p.Partitions == nil {
		return p, sqlerr.Newf(sqlerr.DataCorrupted, "not an offset of a Kafka topic: %s", o)
	}
	return p, nil
}

// at returns the offset of a partition.
func (p position) at(partition int32) (int64, bool) {
	o, ok := p.Partitions[strconv.Itoa(int(partition))]
	return o, ok
}

func (p position) set(partition int32, offset int64) {
	p.Partitions[strconv.Itoa(int(partition))] = offset
}
