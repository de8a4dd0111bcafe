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
	// sourcePart is which part of a query's memory a source may read ahead, commitPart which part an epoch should write at most:
	// both are held beside the state.
	sourcePart = 4
	commitPart = 8
	// coldDelays is how many delays an epoch may take that reads state back from the store.
	coldDelays = 8
)

// batchSize adapts the bound on the rows of an epoch. A trickle never meets it. On a backlog it doubles while an epoch takes less than
// half of the delay, and shrinks when one takes longer than the delay, or writes more than one commit should hold.
type batchSize struct {
	rows, max int64
	delay     time.Duration
	bytes     int64 // that an epoch should write at most; 0: no bound
}

func newBatchSize(maxRows int64, maxDelay time.Duration, memory int64) batchSize {
	if maxRows <= 0 {
		maxRows = defaultMaxRows
	}
	if maxDelay <= 0 {
		maxDelay = defaultMaxDelay
	}
	return batchSize{rows: min(firstRows, maxRows), max: maxRows, delay: maxDelay, bytes: memory / commitPart}
}

// after learns from an epoch of so many rows that has written so many bytes. One that read state back takes long for that, however few
// its rows are: the more share it the better.
func (b *batchSize) after(rows int64, took time.Duration, wrote int64, cold bool) {
	delay := b.delay
	if cold {
		delay *= coldDelays
	}
	part := min(1, float64(delay)/float64(max(took, 1)))
	if b.bytes > 0 {
		part = min(part, float64(b.bytes)/float64(max(wrote, 1)))
	}
	switch {
	case part < 1 && (took > delay || b.full(rows)):
		b.rows = min(b.max, max(minRows, int64(float64(b.rows)*part)))
	case part == 1 && b.full(rows) && took < delay/2 && (b.bytes == 0 || wrote < b.bytes/2):
		b.rows = min(b.max, 2*b.rows)
	}
}

// full reports whether the bound ended the epoch: more rows are waiting.
func (b *batchSize) full(rows int64) bool { return rows >= b.rows }
