package stream

import "time"

const (
	defaultMaxRows  = 1 << 20
	defaultMaxDelay = 500 * time.Millisecond
	// firstRows is the bound a query begins with, minRows what a slow plan is not pushed below.
	firstRows = 32 << 10
	minRows   = 1 << 10
	// maxEpochBytes bounds the records of an epoch: they stream through, so it bounds what a crash has to read again.
	maxEpochBytes = 512 << 20
)

// batchSize adapts the bound on the rows of an epoch. A trickle never meets it. On a backlog it doubles while an epoch takes less than
// half of the delay, and shrinks when one takes longer than the delay.
type batchSize struct {
	rows, max int64
	delay     time.Duration
}

func newBatchSize(maxRows int64, maxDelay time.Duration) batchSize {
	if maxRows <= 0 {
		maxRows = defaultMaxRows
	}
	if maxDelay <= 0 {
		maxDelay = defaultMaxDelay
	}
	return batchSize{rows: min(firstRows, maxRows), max: maxRows, delay: maxDelay}
}

// after learns from an epoch of so many rows.
func (b *batchSize) after(rows int64, took time.Duration) {
	switch {
	case took > b.delay:
		b.rows = min(b.max, max(minRows, int64(float64(b.rows)*float64(b.delay)/float64(took))))
	case b.full(rows) && took < b.delay/2:
		b.rows = min(b.max, 2*b.rows)
	}
}

// full reports whether the bound ended the epoch: more rows are waiting.
func (b *batchSize) full(rows int64) bool { return rows >= b.rows }
