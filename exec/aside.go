package exec

import (
	"strconv"
	"sync"

	"wmsql/catalog"
	"wmsql/column"
)

// aside takes the rows that leave the query by the side door: rejected ones and late ones that are kept. Workers share
// it; it alone writes to the epoch's transaction while they run.
type aside struct {
	mu       sync.Mutex
	epoch    *Epoch
	seq      int
	rejected int64 // rows of the epoch that could not be evaluated
	buf      []byte
}

// firstSeq keeps the numbers of rows rejected by operators apart from those of records that the driver rejects.
const firstSeq = 1 << 24

// recordMax is how much of a row is kept, as for a record that could not be read.
const recordMax = 4 << 10

func (a *aside) begin(e *Epoch) { a.epoch, a.seq, a.rejected = e, firstSeq, 0 }

// reject stores row i of b with its reason.
func (a *aside) reject(stream *catalog.Stream, split int, b *column.Batch, i int, reason string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.buf = appendRowJSON(a.buf[:0], b, i, nil)
	if len(a.buf) > recordMax {
		a.buf = a.buf[:recordMax]
	}
	r := &RejectedRecord{Stream: stream.Name, Split: strconv.Itoa(split), Record: a.buf, Reason: reason,
		Time: a.epoch.Now, Epoch: a.epoch.ID, Query: a.epoch.Query}
	PutRejected(a.epoch.Txn, stream.ID, a.epoch.ID, a.seq, r)
	a.seq++
}

// unevaluated counts a rejected row that no other counter knows.
func (a *aside) unevaluated() {
	a.mu.Lock()
	a.rejected++
	a.mu.Unlock()
}

// late stores row i of b, showing the columns at shown (nil: all). r says when it came and why it was late.
func (a *aside) late(b *column.Batch, i int, shown []int, r *LateRow) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.buf = appendRowJSON(a.buf[:0], b, i, shown)
	r.Query, r.Epoch, r.Row = a.epoch.Query, a.epoch.ID, a.buf
	putLate(a.epoch.Txn, a.seq, r)
	a.seq++
}
