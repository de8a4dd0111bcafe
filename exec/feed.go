package exec

import (
	"context"

	"wmsql/physicalplan"
)

// Feed is the leaf that the driver fills with what a source read for the epoch. Workers of the plan may pull from it at the
// same time; next is called by one of them at a time.
type Feed struct {
	Scan *physicalplan.StreamScan

	next    func(ctx context.Context) (*Input, error)
	recycle func(*Input)
}

// Set gives the feed its source for the coming epoch: next returns nil at the epoch's end, recycle takes a batch back.
func (f *Feed) Set(next func(ctx context.Context) (*Input, error), recycle func(*Input)) {
	f.next, f.recycle = next, recycle
}
