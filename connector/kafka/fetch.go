package kafka

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/types"
)

// Bounds of what is read ahead.
const (
	maxBuffered  = 64 << 20 // bytes of records in all partitions: then polling waits, unless a partition starves
	pollTimeout  = 500 * time.Millisecond
	excuseAfter  = 5 * time.Second // a partition that has records by its end offset and gives none no longer holds the others
	errorBackoff = 200 * time.Millisecond
)

// run polls until the source is closed or cannot go on.
func (s *source) run(contact bool) {
	for contact {
		select {
		case <-s.ctx.Done():
			return
		case <-time.After(reconnectEvery):
		}
		ctx, cancel := context.WithTimeout(s.ctx, firstContact)
		err := s.assign(ctx)
		cancel()
		if err == nil {
			break
		}
		if !retryable(err) {
			s.even.Fail(err)
			return
		}
		s.note(err.Error())
	}
	s.done.Go(s.refresh)
	for s.ctx.Err() == nil {
		if err := s.poll(); err != nil {
			s.even.Fail(err)
			return
		}
	}
}

// assign asks for the topic's partitions and starts those that are not read yet.
func (s *source) assign(ctx context.Context) error {
	t, err := s.cfg.describe(ctx, s.adm)
	if err != nil {
		return err
	}
	starts, err := s.adm.ListStartOffsets(ctx, s.cfg.topic)
	if err == nil {
		err = starts.Error()
	}
	if err != nil {
		return s.cfg.unreachable(err)
	}
	end, err := s.End(ctx)
	if err != nil {
		return err
	}
	ends, _ := parsePosition(end)
	begin, err := s.beginnings(ctx, starts, ends)
	if err != nil {
		return err
	}
	return s.add(t, starts, ends, begin)
}

// beginnings returns where option start says that a new query begins.
func (s *source) beginnings(ctx context.Context, starts kadm.ListedOffsets, ends position) (map[int32]int64, error) {
	at := s.cfg.start
	out := map[int32]int64{}
	starts.Each(func(o kadm.ListedOffset) { out[o.Partition] = o.Offset })
	known := s.from.Partitions != nil || len(s.parts) > 0
	if known || !at.latest && at.after == types.MinTime {
		return out, nil // a partition that was added since is read from its beginning
	}
	if at.latest {
		for id := range out {
			if e, ok := ends.at(id); ok {
				out[id] = e
			}
		}
		return out, nil
	}
	after, err := s.adm.ListOffsetsAfterMilli(ctx, (int64(at.after)+999)/1000, s.cfg.topic)
	if err == nil {
		err = after.Error()
	}
	if err != nil {
		return nil, s.cfg.unreachable(err)
	}
	after.Each(func(o kadm.ListedOffset) { out[o.Partition] = o.Offset })
	return out, nil
}

// add starts the partitions of t that are not read yet.
func (s *source) add(t kadm.TopicDetail, starts kadm.ListedOffsets, ends position, begin map[int32]int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := ""
	if t.ID != (kadm.TopicID{}) {
		id = t.ID.String()
	}
	anew := s.topic != "" && id != "" && s.topic != id
	if anew && len(s.parts) > 0 {
		s.drop()
	}
	consume := map[int32]kgo.Offset{}
	for _, p := range t.Partitions.Sorted() {
		if p.Err != nil || s.parts[p.Partition] != nil {
			continue
		}
		first, ok := starts.Lookup(t.Topic, p.Partition)
		if !ok {
			continue
		}
		part := &partition{id: p.Partition, fetched: begin[p.Partition]}
		part.end, _ = ends.at(p.Partition)
		if from, ok := s.from.at(p.Partition); ok {
			var err error
			if part.fetched, part.note, err = s.cfg.lost(p.Partition, from, first.Offset, part.end, anew); err != nil {
				return err
			}
		}
		consume[p.Partition] = kgo.NewOffset().At(part.fetched)
		part.split = s.even.Add(partitionName(p.Partition), int(p.Partition), part.fetched, part.fetched < part.end)
		s.parts[p.Partition] = part
	}
	s.topic = id
	if len(consume) > 0 {
		s.cl.AddConsumePartitions(map[string]map[int32]kgo.Offset{s.cfg.topic: consume})
	}
	return nil
}

// drop forgets all partitions of a topic that was made anew; their positions stay known as those to go on from.
func (s *source) drop() {
	s.from.Partitions = map[string]int64{}
	for id, p := range s.parts {
		pos, _ := p.split.Stand()
		s.from.set(id, pos)
		s.even.Remove(p.split)
	}
	s.parts = map[int32]*partition{}
	s.cl.PurgeTopicsFromConsuming(s.cfg.topic)
}

// refresh looks for new partitions and for a topic made anew.
func (s *source) refresh() {
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(s.ctx, firstContact)
		err := s.assign(ctx)
		cancel()
		switch {
		case s.ctx.Err() != nil:
			return
		case err != nil && !retryable(err):
			s.even.Fail(err)
			return
		case err != nil:
			s.note(err.Error())
		default:
			s.note("")
		}
	}
}

func (s *source) note(text string) {
	s.mu.Lock()
	s.down = text
	s.mu.Unlock()
}

// poll takes what was fetched.
func (s *source) poll() error {
	if !s.room() {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, pollTimeout)
	fetches := s.cl.PollFetches(ctx)
	cancel()
	var fatal error
	fetches.EachPartition(func(p kgo.FetchTopicPartition) {
		if p.Err != nil {
			if err := s.fetchError(p); err != nil && fatal == nil {
				fatal = err
			}
		}
		s.take(p)
	})
	return fatal
}

// room waits while enough is buffered, and pauses the partitions that are far ahead while another starves.
func (s *source) room() bool {
	for {
		if starves := s.starving(); starves || s.even.Buffered() < maxBuffered {
			s.pause()
			return true
		}
		select {
		case <-s.even.Drained():
		case <-s.ctx.Done():
			return false
		}
	}
}

// starving reports whether a partition has records that are not here while nothing of it waits. One that gives none
// for long holds the others no longer, unless the broker cannot be reached.
func (s *source) starving() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	starves := false
	for _, p := range s.parts {
		if n, _ := p.split.Queued(); n > 0 || p.fetched >= p.end {
			p.late = time.Time{}
			continue
		}
		starves = true
		if p.late.IsZero() || s.down != "" {
			p.late = time.Now()
		}
		if time.Since(p.late) > excuseAfter && !p.excused {
			p.excused = true
			p.split.SetFree(true)
		}
	}
	return starves
}

// pause stops the fetches of partitions that are far ahead, when all room is taken, and lets them go on later.
func (s *source) pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	full := s.even.Buffered() >= maxBuffered
	most := int64(max(2*maxBuffered/max(len(s.parts), 1), fetchPartitionMax))
	var stop, resume []int32
	for id, p := range s.parts {
		_, ahead := p.split.Queued()
		switch {
		case !p.paused && ahead > most && full:
			p.paused = true
			stop = append(stop, id)
		case p.paused && ahead < most/4:
			p.paused = false
			resume = append(resume, id)
		}
	}
	if stop != nil {
		s.cl.PauseFetchPartitions(map[string][]int32{s.cfg.topic: stop})
	}
	if resume != nil {
		s.cl.ResumeFetchPartitions(map[string][]int32{s.cfg.topic: resume})
	}
}

// take makes jobs of the records of one partition.
func (s *source) take(p kgo.FetchTopicPartition) {
	s.mu.Lock()
	part := s.parts[p.Partition]
	if part == nil || len(p.Records) == 0 {
		s.mu.Unlock()
		return
	}
	end := p.HighWatermark
	if s.cfg.committed && p.LastStableOffset >= 0 {
		end = p.LastStableOffset
	}
	recs := p.Records
	part.fetched = recs[len(recs)-1].Offset + 1
	part.end = max(end, part.fetched)
	more := part.fetched < part.end
	if part.excused {
		part.excused = false
		part.split.SetFree(false)
	}
	s.mu.Unlock()
	small := len(recs) <= smallFetch
	for len(recs) > 0 {
		n := min(len(recs), column.MaxRows)
		j := s.jobs.Get().(*job)
		j.recs = recs[:n]
		j.slot = part.split.Reserve(sizeOf(recs[:n]), more || n < len(recs))
		recs = recs[n:]
		if small {
			s.inline.run(j)
		} else {
			s.workers.Do(j)
		}
	}
}

func sizeOf(recs []*kgo.Record) (bytes int64) {
	for _, r := range recs {
		bytes += int64(len(r.Key) + len(r.Value))
	}
	return bytes
}

// fetchError judges an error of one partition: nil when the client tries again by itself.
func (s *source) fetchError(p kgo.FetchTopicPartition) error {
	if s.ctx.Err() != nil || errors.Is(p.Err, context.DeadlineExceeded) || errors.Is(p.Err, context.Canceled) {
		return nil
	}
	if errors.Is(p.Err, kerr.OffsetOutOfRange) {
		return s.outOfRange(p.Partition)
	}
	s.note(p.Err.Error())
	select { // so that an error that stays does not spin
	case <-time.After(errorBackoff):
	case <-s.ctx.Done():
	}
	return nil
}

// outOfRange says what becomes of a partition whose next record is gone.
func (s *source) outOfRange(id int32) error {
	ctx, cancel := context.WithTimeout(s.ctx, firstContact)
	defer cancel()
	starts, err := s.adm.ListStartOffsets(ctx, s.cfg.topic)
	if err != nil {
		s.note(err.Error())
		return nil
	}
	end, err := s.End(ctx)
	if err != nil {
		s.note(err.Error())
		return nil
	}
	ends, _ := parsePosition(end)
	s.mu.Lock()
	defer s.mu.Unlock()
	part := s.parts[id]
	first, ok := starts.Lookup(s.cfg.topic, id)
	if part == nil || !ok {
		return nil
	}
	part.end, _ = ends.at(id)
	if part.fetched, part.note, err = s.cfg.lost(id, part.fetched, first.Offset, part.end, false); err != nil {
		return err
	}
	part.split.SetMore(part.fetched < part.end)
	s.cl.RemoveConsumePartitions(map[string][]int32{s.cfg.topic: {id}})
	s.cl.AddConsumePartitions(map[string]map[int32]kgo.Offset{s.cfg.topic: {id: kgo.NewOffset().At(part.fetched)}})
	return nil
}

var _ connector.Source = (*source)(nil)
