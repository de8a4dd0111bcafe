package exec

import (
	"wmsql/column"
	"wmsql/types"
)

// Rows that do not fit in memory are divided by the hash of their keys: rows with one key are of one part, in the order in which they came.
// A part that does not fit either is divided again, by other bits of the hash.
const (
	partBits  = 4
	partCount = 1 << partBits
	// partDepth is how often rows are divided: 16 million parts. Rows that still do not fit have one key, or few.
	partDepth = 6
)

// partOf is the part of a hash at a depth. Hash tables go by the lowest bits, parts by the highest.
func partOf(hash uint32, depth int) int {
	return int(hash >> (32 - partBits*(depth+1)) & (partCount - 1))
}

// division divides rows over runs of one file.
type division struct {
	depth int
	runs  [partCount]*spillRun
	bufs  [partCount]*collector
	flush int64 // bytes of a buffer from which on it is written
	idx   [partCount][]int32
}

// newDivision divides rows of schema s in a file, holding at most about a quarter of limit bytes.
func newDivision(f *spillFile, s *types.Schema, depth int, limit int64) *division {
	p := &division{depth: depth, flush: max(limit/(4*partCount), 1)}
	for i := range p.runs {
		p.runs[i] = f.run(s)
		p.bufs[i] = newCollector(s, 0)
	}
	return p
}

// add divides rows of b (nil: all) by their hashes.
func (p *division) add(b *column.Batch, hashes []uint32, rows []int32) error {
	for i := range p.idx {
		p.idx[i] = p.idx[i][:0]
	}
	if rows == nil {
		for i, h := range hashes[:b.Rows] {
			at := partOf(h, p.depth)
			p.idx[at] = append(p.idx[at], int32(i))
		}
	}
	for _, i := range rows {
		at := partOf(hashes[i], p.depth)
		p.idx[at] = append(p.idx[at], i)
	}
	for at, idx := range p.idx {
		if len(idx) == 0 {
			continue
		}
		c := p.bufs[at]
		if err := c.add(b.Take(idx)); err != nil {
			return err
		}
		if c.rows >= column.MaxRows || c.bytes() >= p.flush {
			if err := p.runs[at].write(c.take()); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish writes what is left in the buffers.
func (p *division) finish() error {
	for at, c := range p.bufs {
		if err := p.runs[at].write(c.take()); err != nil {
			return err
		}
	}
	return nil
}
