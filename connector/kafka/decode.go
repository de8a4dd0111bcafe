package kafka

import (
	"strconv"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/connector"
	"wmsql/connector/format"
	"wmsql/types"
)

// job is a stretch of one partition's records on its way to a batch. It owns the batch's memory and is used again.
type job struct {
	recs  []*kgo.Record
	slot  *connector.Slot
	rows  *format.Rows
	part  connector.Part
	times []int64
	pool  *sync.Pool
}

// Free takes the batch's memory back.
func (j *job) Free(*connector.Part) {
	j.rows.Reset()
	j.pool.Put(j)
}

// decoder decodes jobs on one goroutine.
type decoder struct {
	cfg *config
	dec format.Decoder
}

// run decodes a job and fills its slot.
func (d *decoder) run(j *job) {
	p := &j.part
	last := j.recs[len(j.recs)-1]
	arrivals := p.Arrivals[:0]
	*p = connector.Part{Pos: p.Pos[:0], Bad: p.Bad[:0], End: last.Offset + 1, Owner: j}
	p.Split = int(last.Partition)
	p.Arrival = types.MicroTime(last.Timestamp.UnixMicro())
	for _, r := range j.recs {
		if !r.Attrs.IsControl() {
			p.Bytes += int64(len(r.Value))
			if reason := d.record(j.rows, r); reason != "" {
				p.Bad = append(p.Bad, badRecord(r, reason))
			} else {
				p.Pos = append(p.Pos, r.Offset)
				arrivals = append(arrivals, r.Timestamp.UnixMicro())
			}
		}
		r.Recycle()
	}
	p.Batch.Batch = j.rows.Batch()
	p.Arrivals = arrivals
	p.Times = arrivals
	if d.cfg.event >= 0 {
		p.Times, _ = format.Times(p.Cols[d.cfg.event], j.times[:0])
		j.times = p.Times
	}
	j.recs = nil
	j.slot.Fill(p)
}

// record appends a record's row, or says why it is none.
func (d *decoder) record(rows *format.Rows, r *kgo.Record) (reason string) {
	if r.Value == nil {
		return "a tombstone: the record has no value"
	}
	if reason = d.dec.Decode(rows, r.Value); reason != "" {
		return reason
	}
	for _, m := range d.cfg.meta {
		if reason = m(rows, r); reason != "" {
			rows.Truncate(rows.N - 1)
			return reason
		}
	}
	return ""
}

func badRecord(r *kgo.Record, reason string) connector.BadRecord {
	return connector.BadRecord{Pos: r.Offset, Rejected: connector.Rejected{
		Split:  partitionName(r.Partition),
		Offset: strconv.FormatInt(r.Offset, 10),
		Record: connector.ClipRecord(r.Value),
		Reason: reason,
		Time:   types.MicroTime(r.Timestamp.UnixMicro()),
	}}
}

func partitionName(p int32) string { return "partition " + strconv.Itoa(int(p)) }

// recordPool recycles the client's records, by size: slot i holds slices of 2^i and more.
type recordPool struct{ sizes [24]sync.Pool }

// GetRecords returns a slice with room for n records.
func (p *recordPool) GetRecords(n int) []kgo.Record {
	i := sizeClass(n)
	if i < len(p.sizes) {
		if s, ok := p.sizes[i].Get().(*[]kgo.Record); ok {
			return (*s)[:0]
		}
	}
	return make([]kgo.Record, 0, 1<<i)
}

// PutRecords takes a slice back.
func (p *recordPool) PutRecords(s []kgo.Record) {
	i := sizeClass(cap(s))
	if 1<<i > cap(s) {
		i--
	}
	if i >= 0 && i < len(p.sizes) {
		p.sizes[i].Put(&s)
	}
}

// sizeClass is the least power of two, as its exponent, that is n or more.
func sizeClass(n int) int {
	i := 0
	for 1<<i < n {
		i++
	}
	return i
}
