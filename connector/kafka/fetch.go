package kafka

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/column"
	"wmsql/connector"
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
		if starves := s.starving(); starves || s.even.Buffered() < s.cfg.ahead {
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
	full := s.even.Buffered() >= s.cfg.ahead
	most := max(2*s.cfg.ahead/int64(max(len(s.parts), 1)), fetchPartitionMax)
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
