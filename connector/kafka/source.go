package kafka

import (
	"context"
	"errors"
	"maps"
	"net"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/connector/format"
)

// The fetch settings. A fetch answers as soon as a byte is there, so latency does not hang on maxWait; it is the time
// until partitions that begin or go on after a pause are asked for.
const (
	fetchMaxBytes      = 32 << 20
	fetchPartitionMax  = 2 << 20 // so much of every partition comes in one fetch: they arrive evenly
	fetchMaxWait       = 250 * time.Millisecond
	refreshEvery       = 5 * time.Second // how soon new partitions and a topic made anew are seen
	firstContact       = 5 * time.Second // how long Open waits for the start offsets
	reconnectEvery     = time.Second
	tellEvery          = time.Minute
	smallFetch         = 256 // records: decoded at once, without handing them to another goroutine
	decoderRowCapacity = column.MaxRows
)

// source is one query's reader of one topic.
type source struct {
	cfg     *config
	cl      *kgo.Client
	adm     *kadm.Client
	even    *connector.Even
	workers *connector.Workers[*job]
	inline  *decoder
	jobs    sync.Pool
	from    position

	ctx  context.Context
	stop context.CancelFunc
	done sync.WaitGroup

	mu    sync.Mutex
	parts map[int32]*partition
	topic string    // its id, "" before the first contact
	down  string    // why the broker cannot be reached, "" while it can
	told  time.Time // when the log heard of it
}

// partition is where one partition stands. The goroutine that polls owns all but split; others take source.mu.
type partition struct {
	id      int32
	split   *connector.Split
	fetched int64 // offset of the record to fetch next
	end     int64 // as far as is known
	paused  bool
	late    time.Time // since when nothing came of what is known to exist; zero when not so
	excused bool      // nobody waits for it
	note    string    // of data that was lost
}

func open(ctx context.Context, spec connector.Spec, from connector.Offset) (*source, error) {
	c, err := parse(spec)
	if err != nil {
		return nil, err
	}
	pos, err := parsePosition(from)
	if err != nil {
		return nil, err
	}
	s := &source{cfg: c, from: pos, even: connector.NewEven(spec.Delay, spec.Now), parts: map[int32]*partition{}, topic: pos.Topic}
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.jobs.New = func() any {
		return &job{rows: format.NewRows(c.format.Shape, decoderRowCapacity), pool: &s.jobs}
	}
	if s.cl, err = kgo.NewClient(s.clientOptions()...); err != nil {
		s.stop()
		return nil, c.unreachable(err)
	}
	s.adm = kadm.NewClient(s.cl)
	s.inline = &decoder{cfg: c, dec: c.format.New()}
	s.workers = connector.NewWorkers(runtime.GOMAXPROCS(0), func() func(*job) {
		return (&decoder{cfg: c, dec: c.format.New()}).run
	})
	first, cancel := context.WithTimeout(ctx, firstContact)
	defer cancel()
	contacted := s.assign(first)
	if contacted != nil && !retryable(contacted) {
		s.shut()
		return nil, contacted
	}
	s.done.Go(func() { s.run(contacted != nil) })
	return s, nil
}

func (s *source) clientOptions() []kgo.Opt {
	isolation := kgo.ReadUncommitted()
	if s.cfg.committed {
		isolation = kgo.ReadCommitted()
	}
	return []kgo.Opt{
		kgo.SeedBrokers(s.cfg.brokers...),
		kgo.ClientID("wmsql"),
		kgo.DisableClientMetrics(),
		kgo.FetchMaxBytes(fetchMaxBytes),
		kgo.FetchMaxPartitionBytes(fetchPartitionMax),
		kgo.FetchMinBytes(1),
		kgo.FetchMaxWait(fetchMaxWait),
		kgo.FetchIsolationLevel(isolation),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()), // lost data is never skipped in silence
		kgo.KeepControlRecords(),                    // so that the offset after a transaction's last marker is reached
		kgo.DialTimeout(5 * time.Second),
		kgo.RetryTimeout(firstContact),
		kgo.MetadataMinAge(500 * time.Millisecond),
		kgo.WithPools(&recordPool{}),
		kgo.WithHooks(&brokerHook{s}),
	}
}

// brokerHook keeps source.down.
type brokerHook struct{ s *source }

// OnBrokerConnect notes whether a broker can be reached.
func (h *brokerHook) OnBrokerConnect(meta kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	note := ""
	if err != nil {
		note = "cannot reach the broker at " + net.JoinHostPort(meta.Host, strconv.Itoa(int(meta.Port))) + ": " + err.Error() + "; trying again"
	}
	h.s.note(note)
}

// Wait returns when Next may find a row.
func (s *source) Wait(ctx context.Context) error { return s.even.Wait(ctx) }

// Begin starts an epoch.
func (s *source) Begin(b connector.Bounds) error { return s.even.Begin(b) }

// Next returns the next rows.
func (s *source) Next(ctx context.Context) (*connector.Batch, error) { return s.even.Next(ctx) }

// Recycle takes a batch back.
func (s *source) Recycle(b *connector.Batch) { s.even.Recycle(b) }

// Rejected returns the records that were no rows.
func (s *source) Rejected() []connector.Rejected { return s.even.Rejected() }

// Release does nothing: the broker keeps records by its own rules.
func (s *source) Release(connector.Offset) error { return nil }

// Offset returns the position after all rows handed out.
func (s *source) Offset() connector.Offset {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.parts) == 0 {
		if s.from.Partitions == nil {
			return ""
		}
		return s.from.offset()
	}
	p := position{Partitions: maps.Clone(s.from.Partitions), Topic: s.topic}
	if p.Partitions == nil {
		p.Partitions = map[string]int64{}
	}
	for id, part := range s.parts {
		p.Partitions[strconv.Itoa(int(id))], _ = part.split.Stand()
	}
	return p.offset()
}

// End asks the broker for the end of every partition.
func (s *source) End(ctx context.Context) (connector.Offset, error) {
	list := s.adm.ListEndOffsets
	if s.cfg.committed {
		list = s.adm.ListCommittedOffsets
	}
	ends, err := list(ctx, s.cfg.topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return "", s.cfg.unreachable(err)
	}
	s.mu.Lock()
	p := position{Partitions: map[string]int64{}, Topic: s.topic}
	s.mu.Unlock()
	ends.Each(func(o kadm.ListedOffset) { p.Partitions[strconv.Itoa(int(o.Partition))] = o.Offset })
	return p.offset(), nil
}

// Reached reports whether position at has come to end in every partition. A position in a topic that was made anew since has not.
func (s *source) Reached(at, end connector.Offset) bool {
	a, errA := parsePosition(at)
	e, errE := parsePosition(end)
	if errA != nil || errE != nil {
		return false
	}
	for id, o := range e.Partitions {
		if have, ok := a.Partitions[id]; o > 0 && (!ok || have < o || a.Topic != "" && a.Topic != e.Topic) {
			return false
		}
	}
	return true
}

// Status describes the partitions.
func (s *source) Status() []connector.SplitStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]connector.SplitStatus, 0, len(s.parts))
	for _, id := range slices.Sorted(maps.Keys(s.parts)) {
		p := s.parts[id]
		pos, newest := p.split.Stand()
		note := p.note
		if s.down != "" {
			note = s.down
		}
		out = append(out, connector.SplitStatus{
			Split: partitionName(id), Offset: strconv.FormatInt(pos, 10), Lag: max(p.end-pos, 0), Newest: newest, Note: note,
		})
	}
	if len(out) == 0 && s.down != "" {
		out = append(out, connector.SplitStatus{Split: "topic " + s.cfg.topic, Lag: -1, Note: s.down})
	}
	return out
}

// Close ends the goroutines.
func (s *source) Close() error {
	s.stop()
	s.done.Wait()
	s.shut()
	return nil
}

func (s *source) shut() {
	s.stop()
	s.workers.Close()
	s.cl.Close()
}

// retryable reports whether err is the network's and no answer.
func retryable(err error) bool {
	var lost *lossError
	return !errors.As(err, &lost)
}
