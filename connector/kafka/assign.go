package kafka

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/types"
)

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

// note keeps why nothing comes, "" when all is well again. The log hears of it once every tellEvery.
func (s *source) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text != "" && time.Since(s.told) > tellEvery {
		s.told = time.Now()
		s.cfg.tell("the source cannot be read; trying again", "topic", s.cfg.topic, "error", text)
	}
	s.down = text
}
