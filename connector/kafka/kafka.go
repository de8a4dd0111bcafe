// Package kafka reads Kafka topics: all partitions, those that are added later too, from offsets that the
// engine keeps, with no consumer group.
//
//	client (one goroutine polls) -> jobs -> decoders (GOMAXPROCS goroutines) -> connector.Even -> the query
//
// The path of a record allocates nothing: the client's records and our batches are recycled. Every queue is bounded:
// see maxBuffered.
package kafka

import (
	"context"

	"wmsql/connector"
	"wmsql/types"
)

// Driver returns the driver of connector = 'kafka'.
func Driver() connector.Driver {
	return connector.Driver{
		Check: check,
		Open: func(ctx context.Context, spec connector.Spec, from connector.Offset) (connector.Source, error) {
			return open(ctx, spec, from)
		},
		Options:  optionNames,
		Whole:    map[string]string{"start": "earliest"},
		Metadata: metadata,
	}
}

// metadata are the columns that are filled when the stream declares them.
var metadata = []types.Field{
	{Name: "kafka_partition", Type: types.Of(types.Int4)},
	{Name: "kafka_offset", Type: types.Of(types.Int8)},
	{Name: "kafka_timestamp", Type: types.Of(types.TimestampTZ)},
	{Name: "kafka_key", Type: types.Of(types.Text)},
	{Name: "kafka_headers", Type: types.Of(types.JSONB)},
}

// otherTypes are further types that metadata columns may have.
var otherTypes = map[string][]types.Kind{
	"kafka_partition": {types.Int8},
	"kafka_timestamp": {types.Timestamp},
	"kafka_key":       {types.Bytea},
	"kafka_headers":   {types.JSON},
}
