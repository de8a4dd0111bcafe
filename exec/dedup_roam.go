package exec

import (
	"wmsql/column"
	"wmsql/types"
)

// roams reports whether a key may be in any bucket: it expires by the row it came with.
func (d *dedup) roams() bool { return !d.node.InKey || d.node.TTL > 0 }

// expires reports whether keys expire at all.
func (d *dedup) expires() bool { return d.node.Expires >= 0 || d.node.TTL > 0 }

// freesUpTo is the time at which expired keys are freed at the end of the epoch.
func (d *dedup) freesUpTo() types.MicroTime {
	if d.node.TTL > 0 {
		return d.epoch.Now
	}
	return d.Bounds().EvictUpTo
}

// within is firsts where keys roam. A row without an event time is let through under WITHIN WATERMARK unless its key is known, and is
// not remembered.
func (d *dedup) within(b *column.Batch) error {
	var times, by *column.Of[int64]
	if d.node.TTL == 0 {
		times = b.Cols[d.node.Expires].(*column.Of[int64])
	} else if d.node.By >= 0 {
		by = b.Cols[d.node.By].(*column.Of[int64])
	}
	for i := range b.Rows {
		k, s, err := d.known(i)
		if err != nil {
			return err
		}
		expires, best := int64(d.epoch.Now)+d.node.TTL, int64(0)
		switch {
		case by != nil:
			if best = orLast(by, i); k != nil && !d.before(best, k.best[s]) {
				continue
			}
		case k != nil:
			continue
		}
		d.keep = append(d.keep, int32(i))
		if times != nil {
			if times.IsNull(i) {
				continue
			}
			expires = plusMicros(times.Values[i], d.node.After)
		}
		if err := d.remember(i, expires, best); err != nil {
			return err
		}
		if k != nil && k.expires[s] != expires {
			k.leave(s, int64(d.past), d.epoch.ID) // for a later bucket
		}
	}
	return nil
}

// orLast is the event time of row i; NULL is last, as in Postgres.
func orLast(by *column.Of[int64], i int) int64 {
	if by.IsNull(i) {
		return int64(types.Infinity)
	}
	return by.Values[i]
}

// before reports whether a row at t is before the first of its key so far.
func (d *dedup) before(t, first int64) bool {
	if d.node.Desc {
		return t > first
	}
	return t < first
}

// known finds key i of the batch in a bucket where it has not expired; k is nil if there is none.
func (d *dedup) known(i int) (k *keyBucket, s int32, err error) {
	for _, k := range d.order {
		if k.cold() {
			if err := d.load(k); err != nil {
				return nil, 0, err
			}
		}
		if s := k.table.lookup(&d.set, i); s >= 0 && k.expires[s] > int64(d.past) {
			return k, s, nil
		}
	}
	return nil, 0, nil
}

// remember puts key i of the batch into the bucket of its expiry.
func (d *dedup) remember(i int, expires, best int64) error {
	to, err := d.bucket(bucketID{end: d.span(expires)})
	if err != nil {
		return err
	}
	row := [1]int32{int32(i)}
	d.slots = to.table.find(d.slots[:0], &d.set, row[:], 0)
	s := d.slots[0]
	switch {
	case len(to.table.added) > 0:
		to.expiresAt(expires)
	case to.expires[s] > int64(d.past): // it is there, with another first row
		to.again(s, expires)
		to.dead++
	default:
		to.again(s, expires) // it had expired, but not all of its bucket
	}
	if d.node.By >= 0 {
		to.best = put(to.best, s, best)
	}
	return nil
}

// withinBuckets is about how many buckets the life of a key is cut into where keys roam: a key is looked for in all of them.
const withinBuckets = 4

// span is the end of the bucket of a key that expires at t.
func (d *dedup) span(t int64) types.MicroTime {
	width := max((d.node.After+d.node.TTL)/withinBuckets, 1e6)
	if t > int64(types.Infinity)-2*width || t < int64(types.MinTime)+2*width {
		return types.Infinity
	}
	return types.MicroTime(floorTo(t, 0, width) + width - 1)
}

// wake is when an epoch is due for expired keys alone.
func (d *dedup) wake() types.MicroTime {
	out := types.Infinity
	if d.node.TTL > 0 {
		for _, k := range d.buckets {
			out = min(out, k.id.end)
		}
	}
	return out
}
