// Command readlat reads the results a peer wrote into a Kafka topic in a latency run, and prints percentiles of how old
// the newest event of each result row was when the record was stamped.
//
//	readlat BROKER TOPIC FROM
//
// A record is JSON with "mx", the newest event time in milliseconds since 1970; those before FROM do not count.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: readlat BROKER TOPIC FROM")
	}
	from, err := strconv.ParseInt(os.Args[3], 10, 64)
	if err != nil {
		log.Fatal("readlat: FROM: ", err)
	}
	late, err := read(context.Background(), os.Args[1], os.Args[2], from)
	if err != nil {
		log.Fatal("readlat: ", err)
	}
	if len(late) == 0 {
		log.Fatal("readlat: no results")
	}
	slices.Sort(late)
	q := func(p float64) int64 { return late[min(len(late)-1, int(p*float64(len(late))))] }
	fmt.Printf(`{"samples": %d, "p50_ms": %d, "p95_ms": %d, "p99_ms": %d, "max_ms": %d}`+"\n", len(late), q(.5), q(.95), q(.99), q(1))
}

// read returns the latencies, in milliseconds, of the records that are in the topic now.
func read(ctx context.Context, broker, topic string, from int64) ([]int64, error) {
	cl, err := kgo.NewClient(kgo.SeedBrokers(broker), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	ends, err := kadm.NewClient(cl).ListEndOffsets(ctx, topic)
	if err != nil {
		return nil, err
	}
	left := map[int32]int64{}
	ends.Each(func(o kadm.ListedOffset) {
		if o.Offset > 0 {
			left[o.Partition] = o.Offset
		}
	})
	var late []int64
	for len(left) > 0 {
		fetches := cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return nil, err
		}
		fetches.EachRecord(func(r *kgo.Record) {
			var row struct{ Mx int64 }
			if json.Unmarshal(r.Value, &row) == nil && row.Mx >= from {
				late = append(late, r.Timestamp.UnixMilli()-row.Mx)
			}
			if r.Offset+1 >= left[r.Partition] {
				delete(left, r.Partition)
			}
		})
	}
	return late, nil
}
