package state

import (
	"bytes"
	"slices"
	"sort"
)

// blockIndex is where the stored blocks of one object lie, ascending: what a commit that changes rows has to delete is found without a look into the
// store. A block stays in it until the commit that deletes it can be seen, so that every commit which may be seen before that deletes it too.
type blockIndex []indexedBlock

type indexedBlock struct {
	Span
	cols []int // numbers of its columns
}

// blockRun is blocks that follow each other.
type blockRun []indexedBlock

// blocksMax bounds the blocks of all objects: of 4,096 rows each, 270 million rows, whose index takes some 10 MB.
const blocksMax = 1 << 16

// headSpan is where a result keeps what says how its rows are to be read: when that changes, all blocks go.
var headSpan = Span{Lo: []byte{0}, Hi: []byte{1}}

// columns are the numbers of all columns of the run.
func (r blockRun) columns() (all []int) {
	for _, b := range r {
		for _, n := range b.cols {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all
}

// meets reports whether two spans have a key in common.
func (s *Span) meets(other *Span) bool {
	return (other.Hi == nil || bytes.Compare(s.Lo, other.Hi) < 0) && (s.Hi == nil || bytes.Compare(other.Lo, s.Hi) < 0)
}

// find is the range of the blocks that meet a span.
func (x blockIndex) find(s *Span) (from, to int) {
	if s.meets(&headSpan) {
		return 0, len(x)
	}
	return x.within(s)
}

func (x blockIndex) within(s *Span) (from, to int) {
	from = sort.Search(len(x), func(i int) bool { return bytes.Compare(x[i].Hi, s.Lo) > 0 })
	if s.Hi == nil {
		return from, len(x)
	}
	return from, from + sort.Search(len(x)-from, func(i int) bool { return bytes.Compare(x[from+i].Lo, s.Hi) >= 0 })
}

// touched are the blocks that meet any of the spans.
func (x blockIndex) touched(spans []Span) (runs []blockRun) {
	if len(x) == 0 {
		return nil
	}
	var found [][2]int
	for i := range spans {
		if from, to := x.find(&spans[i]); from < to {
			found = append(found, [2]int{from, to})
		}
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	done := 0
	for _, f := range found {
		if from := max(f[0], done); from < f[1] {
			runs = append(runs, slices.Clone(blockRun(x[from:f[1]])))
			done = f[1]
		}
	}
	return runs
}

// remove is x without the blocks of runs, which others may have removed already.
func (x blockIndex) remove(runs []blockRun) blockIndex {
	for _, run := range runs {
		from, to := x.within(&Span{Lo: run[0].Lo, Hi: run[len(run)-1].Hi})
		x = slices.Delete(x, from, to)
	}
	return x
}

// put is x with a block, which meets none but one of the same span.
func (x blockIndex) put(b indexedBlock) blockIndex {
	from, to := x.within(&b.Span)
	return slices.Replace(x, from, to, b)
}

func indexed(b *ColumnBlock) indexedBlock {
	out := indexedBlock{Span: b.Span}
	for _, c := range b.Cols {
		out.cols = append(out.cols, c.Number)
	}
	return out
}
