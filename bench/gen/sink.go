package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// sink takes events; the bytes are its own only during put.
type sink interface {
	put(part int, rec []byte) error
	close() error
}

// open makes the sink of one kind of event: name is a folder below -out, or the end of the topic's name; "" is -out and -topic.
func open(c *config, name string) (sink, error) {
	if c.kafka != "" {
		topic := c.topic
		if name != "" {
			topic += "-" + name
		}
		return openTopic(c, topic)
	}
	if c.out == "" {
		return nil, fmt.Errorf("say -out FOLDER or -kafka BROKER")
	}
	dir := filepath.Join(c.out, name)
	return &folder{dir: dir, per: (c.events + c.files - 1) / c.files}, os.MkdirAll(dir, 0o755)
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

func openTopic(c *config, topic string) (*topicSink, error) {
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.kafka), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.MaxBufferedRecords(200_000), kgo.ProducerLinger(2*time.Millisecond), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		return nil, err
	}
	res, err := kadm.NewClient(cl).CreateTopic(context.Background(), int32(c.parts), 1, nil, topic)
	if err != nil && res.Err == nil {
		return nil, err
	}
	return &topicSink{cl, topic}, nil
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
