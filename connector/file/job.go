package file

import (
	"bytes"
	"strconv"
	"sync"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/connector/format"
)

// job is a stretch of a file on its way to a batch. It owns the memory of both and is used again.
type job struct {
	file   *file
	slot   *connector.Slot
	data   []byte // whole lines; empty for Parquet
	buf    []byte // the memory of data
	base   int64  // position of data in the file
	end    int64  // position after it
	header []byte // of a CSV file
	rows   int    // of Parquet
	bad    string // why the stretch is no record, "" if it is lines
	out    *format.Rows
	part   connector.Part
	times  []int64
	pool   *sync.Pool
}

// Free takes the batch's memory back.
func (j *job) Free(*connector.Part) {
	if j.out != nil {
		j.out.Reset()
	}
	j.pool.Put(j)
}

// begin empties the part.
func (j *job) begin() *connector.Part {
	p := &j.part
	*p = connector.Part{Pos: p.Pos[:0], Bad: p.Bad[:0], End: j.end, Bytes: int64(len(j.data)), Rank: j.file.rank(), Owner: j}
	p.Split = j.file.id
	return p
}

// decoder decodes jobs on one goroutine.
type decoder struct {
	cfg  *config
	dec  format.Decoder
	fail func(error)
}

// run decodes a job and fills its slot.
func (d *decoder) run(j *job) {
	p := j.begin()
	if j.file.parquet != nil {
		if err := j.file.parquet.read(j); err != nil {
			d.fail(err)
		}
	} else {
		if j.out == nil {
			j.out = format.NewRows(d.cfg.format.Shape, column.MaxRows)
		}
		d.lines(j)
		p.Batch.Batch = j.out.Batch()
	}
	if d.cfg.event >= 0 {
		p.Times, _ = format.Times(p.Cols[d.cfg.event], j.times[:0])
		j.times = p.Times
	}
	j.slot.Fill(p)
}

// lines decodes the lines of a job. Blank ones count for nothing.
func (d *decoder) lines(j *job) {
	p := &j.part
	if j.bad != "" {
		p.Bad = append(p.Bad, j.badRecord(j.base, j.data, j.bad))
		return
	}
	csv, _ := d.dec.(*format.CSV)
	if csv != nil && j.header != nil {
		if reason := csv.SetHeader(j.header); reason != "" {
			p.Bad = append(p.Bad, j.badRecord(j.base, j.header, reason))
			return
		}
	}
	for at := 0; at < len(j.data); {
		line, size := nextLine(j.data[at:], csv != nil)
		pos := j.base + int64(at)
		at += size
		if len(line) == 0 || len(line) < 8 && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if reason := d.dec.Decode(j.out, line); reason != "" {
			p.Bad = append(p.Bad, j.badRecord(pos, line, reason))
			continue
		}
		p.Pos = append(p.Pos, pos)
	}
}

// nextLine returns the first line of data without its end, and its length with it.
func nextLine(data []byte, csv bool) (line []byte, size int) {
	if csv {
		return format.NextCSV(data)
	}
	i := bytes.IndexByte(data, '\n')
	if i < 0 {
		return data, len(data)
	}
	line = data[:i]
	if i > 0 && line[i-1] == '\r' {
		line = line[:i-1]
	}
	return line, i + 1
}

func (j *job) badRecord(pos int64, rec []byte, reason string) connector.BadRecord {
	return connector.BadRecord{Pos: pos, Rejected: connector.Rejected{
		Split: j.file.name, Offset: strconv.FormatInt(pos, 10), Record: connector.ClipRecord(rec), Reason: reason,
	}}
}
