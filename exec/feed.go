package exec

import (
	"context"
	"sync"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// Feed is the leaf that the driver fills with what a source read for the epoch. Workers of the plan may pull from it at the
// same time; next is called by one of them at a time.
type Feed struct {
	Scan *physicalplan.StreamScan

	mu      sync.Mutex
	next    func(ctx context.Context) (*Input, error)
	recycle func(*Input)
}

// Set gives the feed its source for the coming epoch: next returns nil at the epoch's end, recycle takes a batch back.
func (f *Feed) Set(next func(ctx context.Context) (*Input, error), recycle func(*Input)) {
	f.next, f.recycle = next, recycle
}

// swap gives an input back and returns the next one, nil at the end.
func (f *Feed) swap(ctx context.Context, done *Input) (*Input, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if done != nil && f.recycle != nil {
		f.recycle(done)
	}
	if f.next == nil {
		return nil, nil
	}
	return f.next(ctx)
}

// streamScan is one worker's end of a Feed.
type streamScan struct {
	feed *Feed
	cur  *Input // whose batch was returned last: for the operators above that need its split and arrival times
	// carried is the newest watermark that came with the epoch's rows.
	carried types.MicroTime
}

// Begin has nothing to ready: the driver fills the feed.
func (s *streamScan) Begin(context.Context, *Epoch) error {
	s.cur, s.carried = nil, types.MinTime
	return nil
}

// Next returns the next batch of the source.
func (s *streamScan) Next(ctx context.Context) (*column.Batch, error) {
	for {
		in, err := s.feed.swap(ctx, s.cur)
		s.cur = in
		if in == nil || err != nil {
			return nil, err
		}
		if s.feed.Scan != nil && s.feed.Scan.View != nil {
			s.carried = max(s.carried, in.Carried)
		}
		if in.Batch.Rows > 0 {
			return in.Batch, nil
		}
	}
}

// Bounds says that a source without a watermark above it makes nothing late and nothing final.
func (s *streamScan) Bounds() Bounds {
	return Bounds{LateUpTo: types.MinTime, EvictUpTo: types.MinTime}
}

// Close does nothing: the driver owns the source.
func (s *streamScan) Close() error { return nil }
