// Command gen makes the events of the benchmarks: clicks as JSON, into files or a Kafka topic. The same seed
// gives the same bytes, so that engines are compared on the same work.
//
//	gen -n 10000000 -out data/clicks -files 20        JSON lines
//	gen -n 10000000 -kafka HOST:PORT -topic clicks    four partitions
//	gen -rate 20000 -secs 60 -kafka HOST:PORT ...     paced; event time is the wall clock
//
// A click is about 150 bytes. Event time spans -span seconds, out of order by up to -ooo milliseconds; a share
// of -late is so late that its window has closed in any engine with a delay of 10 seconds.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

type config struct {
	events, files, users, pages, parts, span, ooo, rate, secs int
	late                                                      float64
	seed                                                      uint64
	out, kafka, topic                                         string
}

func main() {
	var c config
	flag.IntVar(&c.events, "n", 10_000_000, "events")
	flag.IntVar(&c.files, "files", 20, "files of -out")
	flag.IntVar(&c.users, "users", 100_000, "different users")
	flag.IntVar(&c.pages, "pages", 1000, "different pages, by Zipf's law")
	flag.IntVar(&c.parts, "parts", 4, "partitions")
	flag.IntVar(&c.span, "span", 3600, "seconds of event time")
	flag.IntVar(&c.ooo, "ooo", 10_000, "greatest disorder, milliseconds")
	flag.Float64Var(&c.late, "late", 0.001, "share of events that are too late")
	flag.Uint64Var(&c.seed, "seed", 1, "seed")
	flag.IntVar(&c.rate, "rate", 0, "events a second by the wall clock; 0: as fast as possible")
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
	s, err := open(c)
	if err != nil {
		return err
	}
	g := newGenerator(c)
	if c.rate > 0 {
		err = paced(c, g, s)
	} else {
		err = all(c, g, s)
	}
	if err == nil {
		err = s.close()
	}
	fmt.Fprintf(os.Stderr, "gen: %d events in %v\n", g.made, time.Since(began).Round(time.Millisecond))
	return err
}

// epoch is the first event time, 2026-01-01, in milliseconds since 1970.
const epoch = 1767225600000

func all(c *config, g *generator, s sink) error {
	span := int64(c.span) * 1000
	for i := range c.events {
		if err := s.put(i%c.parts, g.click(epoch+10_000+int64(i)*span/int64(c.events))); err != nil {
			return err
		}
	}
	return nil
}

func paced(c *config, g *generator, s sink) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	began := time.Now()
	for sent := 0; ; {
		<-tick.C
		due := int(time.Since(began).Seconds() * float64(c.rate))
		for ; sent < due; sent++ {
			if err := s.put(sent%c.parts, g.click(time.Now().UnixMilli())); err != nil {
				return err
			}
		}
		if time.Since(began) > time.Duration(c.secs)*time.Second {
			return nil
		}
	}
}

type generator struct {
	c    *config
	rnd  *rand.Rand
	cum  []float64 // cumulated Zipf probabilities of the pages
	buf  []byte
	made int
}

func newGenerator(c *config) *generator {
	g := &generator{c: c, rnd: rand.New(rand.NewPCG(c.seed, 7)), cum: make([]float64, c.pages)}
	total := 0.0
	for i := range g.cum {
		total += 1 / float64(i+1)
		g.cum[i] = total
	}
	for i := range g.cum {
		g.cum[i] /= total
	}
	return g
}

// click makes an event near the given time in milliseconds. The bytes are valid until the next call.
func (g *generator) click(ms int64) []byte {
	if g.c.rate == 0 {
		ms -= int64(g.rnd.IntN(g.c.ooo))
		if g.rnd.Float64() < g.c.late {
			ms -= int64(g.c.ooo) + 90_000 + int64(g.rnd.IntN(60_000))
		}
	}
	cents := g.rnd.IntN(10_000)
	b := fmt.Appendf(g.buf[:0], `{"event_id":"e%010d","user_id":`, g.made)
	b = strconv.AppendInt(b, int64(g.rnd.IntN(g.c.users)), 10)
	b = fmt.Appendf(b, `,"page":"/page/%04d","event_time":"`, sort.SearchFloat64s(g.cum, math.Min(g.rnd.Float64(), 1)))
	b = time.UnixMilli(ms).UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
	b = fmt.Appendf(b, `","amount":%d.%02d,"ref":"https://example.org/r/%04d"}`, cents/100, cents%100, g.rnd.IntN(1000))
	g.buf = b
	g.made++
	return b
}

// sink takes events; the bytes are its own only during put.
type sink interface {
	put(part int, rec []byte) error
	close() error
}

func open(c *config) (sink, error) {
	if c.kafka != "" {
		return openTopic(c)
	}
	if c.out == "" {
		return nil, fmt.Errorf("say -out FOLDER or -kafka BROKER")
	}
	return &folder{dir: c.out, per: (c.events + c.files - 1) / c.files}, os.MkdirAll(c.out, 0o755)
}

// folder writes part-0000.json, part-0001.json, ... of per events each.
type folder struct {
	dir     string
	per     int
	n, file int
	f       *os.File
	w       *bufio.Writer
}

func (s *folder) put(_ int, rec []byte) error {
	if s.f == nil || s.n == s.per {
		if err := s.close(); err != nil {
			return err
		}
		f, err := os.Create(filepath.Join(s.dir, fmt.Sprintf("part-%04d.json", s.file)))
		if err != nil {
			return err
		}
		s.f, s.w, s.n = f, bufio.NewWriterSize(f, 1<<20), 0
		s.file++
	}
	s.n++
	if _, err := s.w.Write(rec); err != nil {
		return err
	}
	return s.w.WriteByte('\n')
}

func (s *folder) close() error {
	if s.f == nil {
		return nil
	}
	if err := s.w.Flush(); err != nil {
		return err
	}
	return s.f.Close()
}

type topicSink struct {
	cl    *kgo.Client
	topic string
}

func openTopic(c *config) (*topicSink, error) {
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.kafka), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.MaxBufferedRecords(200_000), kgo.ProducerLinger(2*time.Millisecond), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		return nil, err
	}
	res, err := kadm.NewClient(cl).CreateTopic(context.Background(), int32(c.parts), 1, nil, c.topic)
	if err != nil && res.Err == nil {
		return nil, err
	}
	return &topicSink{cl, c.topic}, nil
}

func (s *topicSink) put(part int, rec []byte) error {
	r := &kgo.Record{Topic: s.topic, Partition: int32(part), Value: append([]byte(nil), rec...)}
	s.cl.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
		if err != nil {
			log.Fatal("gen: lost an event: ", err)
		}
	})
	return nil
}

func (s *topicSink) close() error { return s.cl.Flush(context.Background()) }
