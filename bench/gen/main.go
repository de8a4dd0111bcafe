// Command gen makes the events of the benchmarks as JSON, into files or Kafka topics. The same seed gives the same bytes, so that
// engines are compared on the same work.
//
//	gen -n 10000000 -out data/clicks -files 20        JSON lines
//	gen -n 10000000 -kafka HOST:PORT -topic clicks    four partitions
//	gen -rate 20000 -secs 60 -kafka HOST:PORT ...     paced clicks; event time is the wall clock
//	gen -kind ads|bids ...                            impressions with their clicks; bids at auctions
//
// A click is about 150 bytes. Event time spans -span seconds, out of order by up to -ooo milliseconds; a share
// of -late is so late that its window has closed in any engine with a delay of 10 seconds.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"time"
)

type config struct {
	events, files, users, pages, parts, span, ooo, rate, secs, idLen int
	late, dup                                                        float64
	seed                                                             uint64
	kind, out, kafka, topic                                          string
}

func main() {
	var c config
	flag.StringVar(&c.kind, "kind", "clicks", "what to make: clicks, ads, bids")
	flag.IntVar(&c.events, "n", 10_000_000, "events; of ads so many impressions and so many clicks")
	flag.IntVar(&c.files, "files", 20, "files of -out")
	flag.IntVar(&c.users, "users", 100_000, "different users")
	flag.IntVar(&c.pages, "pages", 1000, "different pages, by Zipf's law")
	flag.IntVar(&c.parts, "parts", 4, "partitions")
	flag.IntVar(&c.span, "span", 3600, "seconds of event time")
	flag.IntVar(&c.ooo, "ooo", 10_000, "greatest disorder, milliseconds")
	flag.Float64Var(&c.late, "late", 0.001, "share of clicks that are too late")
	flag.Float64Var(&c.dup, "dup", 0, "share of clicks that repeat the id of one of the last thousand")
	flag.IntVar(&c.idLen, "id", 0, "length of the ids of clicks, at least 11")
	flag.Uint64Var(&c.seed, "seed", 1, "seed")
	flag.IntVar(&c.rate, "rate", 0, "clicks a second by the wall clock; 0: as fast as possible")
	flag.IntVar(&c.secs, "secs", 60, "seconds of a paced run")
	flag.StringVar(&c.out, "out", "", "folder for JSON lines")
	flag.StringVar(&c.kafka, "kafka", "", "broker")
	flag.StringVar(&c.topic, "topic", "clicks", "topic")
	flag.Parse()
	if err := run(&c); err != nil {
		log.Fatal("gen: ", err)
	}
}

func run(c *config) error {
	began := time.Now()
	var err error
	switch c.kind {
	case "clicks":
		err = clicks(c)
	case "ads":
		err = ads(c)
	case "bids":
		err = bids(c)
	default:
		err = fmt.Errorf("-kind %s is none of clicks, ads, bids", c.kind)
	}
	fmt.Fprintf(os.Stderr, "gen: %d %s in %v\n", c.events, c.kind, time.Since(began).Round(time.Millisecond))
	return err
}

// epoch is the first event time, 2026-01-01, in milliseconds since 1970.
const epoch = 1767225600000

// due is the event time of event i in milliseconds, in order.
func (c *config) due(i int) int64 {
	return epoch + 10_000 + int64(i)*int64(c.span)*1000/int64(c.events)
}

func newRand(c *config) *rand.Rand { return rand.New(rand.NewPCG(c.seed, 7)) }

// appendTime appends an instant given in milliseconds as JSON text.
func appendTime(b []byte, ms int64) []byte {
	return time.UnixMilli(ms).UTC().AppendFormat(b, `"2006-01-02T15:04:05.000Z"`)
}
