package exec

import (
	"cmp"
	"slices"

	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/types"
)

const semi = logicalplan.SemiJoin

// joinEviction frees what expired when both sides are drained, and puts out the rows that never had a match.
type joinEviction struct {
	upTo  types.MicroTime
	todo  []*joinBucket
	ready bool    // lonely and gone are the first bucket's
	from  int     // next of lonely
	alone []int32 // rows without a match
	gone  []int32
}

// plan lists the buckets that hold something to free, by their end.
func (e *joinEviction) plan(j *streamJoin) {
	e.upTo, e.todo, e.ready = j.input().EvictUpTo, e.todo[:0], false
	if e.upTo == types.MinTime || e.upTo <= j.past {
		return
	}
	for _, s := range j.sides {
		start := len(e.todo)
		for _, b := range s.buckets {
			if s.node.Frees && b.begins() <= e.upTo {
				e.todo = append(e.todo, b)
			}
		}
		slices.SortFunc(e.todo[start:], func(x, y *joinBucket) int { return cmp.Compare(x.end, y.end) })
	}
}

// planTTL lists the buckets whose rows have outlived their TTL.
func (e *joinEviction) planTTL(j *streamJoin) {
	e.upTo, e.todo, e.ready = j.epoch.Now, e.todo[:0], false
	for _, s := range j.sides {
		start := len(e.todo)
		for _, b := range s.buckets {
			if s.node.TTL > 0 && b.end <= e.upTo {
				e.todo = append(e.todo, b)
			}
		}
		slices.SortFunc(e.todo[start:], func(x, y *joinBucket) int { return cmp.Compare(x.end, y.end) })
	}
}

// next returns the next rows without a match, nil when all is freed.
func (e *joinEviction) next(j *streamJoin) (*column.Batch, error) {
	for ; len(e.todo) > 0; e.todo = e.todo[1:] {
		b := e.todo[0]
		if !e.ready {
			if err := e.open(b); err != nil {
				return nil, err
			}
		}
		if e.from < len(e.alone) {
			to := min(e.from+column.MaxRows, len(e.alone))
			rows := e.alone[e.from:to]
			e.from = to
			return j.lonely(b.side.at, takeAll(b.rows(), rows), len(rows)), nil
		}
		e.free(j, b)
		e.ready = false
	}
	return nil, nil
}

// open finds the rows of b that are to be freed. Those of a bucket that goes as a whole and puts nothing out need not be looked at.
func (e *joinEviction) open(b *joinBucket) error {
	e.ready, e.from, e.alone, e.gone = true, 0, e.alone[:0], e.gone[:0]
	if b.end <= e.upTo && !b.side.node.Keep {
		return nil
	}
	if b.cold() {
		if err := b.side.load(b); err != nil {
			return err
		}
	}
	e.alone, e.gone = b.expired(e.upTo, e.alone, e.gone)
	if !b.side.node.Keep {
		e.alone = e.alone[:0]
	}
	return nil
}

func (e *joinEviction) free(j *streamJoin, b *joinBucket) {
	if b.end <= e.upTo {
		j.stats.RowsRemoved += int64(b.live)
		b.side.drop(b)
		return
	}
	for _, r := range e.gone {
		b.kill(r)
	}
	j.stats.RowsRemoved += int64(len(e.gone))
}
