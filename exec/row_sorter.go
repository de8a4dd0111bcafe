package exec

import (
	"context"

	"wmsql/column"
	"wmsql/types"
)

// rowSorter orders rows, of which it holds no more in memory than it may: what is more is sorted and written as a run, and the runs are
// merged. Rows that are equal keep their order.
type rowSorter struct {
	node   node
	schema *types.Schema
	keys   *exprs
	order  []keyOrder
	limit  int64 // bytes
	spill  *spill
	keep   int // how many of the first rows are wanted; -1: all

	c     *collector
	file  *spillFile
	runs  []*spillRun
	wide  *types.Schema // of runs: the rows' columns, then the keys
	piece int           // rows of a batch in a run
}

// keyOrder is how one key orders.
type keyOrder struct{ desc, first bool } // first: NULLs first

// begin forgets the rows.
func (s *rowSorter) begin() error {
	s.c, s.runs, s.piece = newCollector(s.schema, 0), nil, 0
	return s.close()
}

// close removes the runs.
func (s *rowSorter) close() error {
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.close()
}

// topSlack is how many rows beyond the wanted ones a top-N collects before it sorts them away.
const topSlack = 4 * column.MaxRows

// add takes the rows of b.
func (s *rowSorter) add(b *column.Batch) error {
	if err := s.c.add(b); err != nil {
		return err
	}
	full := s.limit > 0 && s.c.bytes() > s.limit
	if s.keep >= 0 && (s.c.rows > 2*s.keep+topSlack || full && s.c.rows > s.keep) {
		best, err := s.inMemory(s.c.take())
		if err != nil {
			return err
		}
		if err := s.c.add(best); err != nil {
			return err
		}
		full = s.limit > 0 && s.c.bytes() > s.limit
	}
	if !full {
		return nil
	}
	if !s.spill.able() {
		return overBudget(s.limit)
	}
	return s.writeRun()
}

// drain takes all rows of in and returns them in order.
func (s *rowSorter) drain(ctx context.Context, in rows) (rows, error) {
	for {
		b, err := in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return s.finish(ctx)
		}
		if err := s.add(b); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// finish returns the rows in order.
func (s *rowSorter) finish(ctx context.Context) (rows, error) {
	if s.runs == nil {
		b, err := s.inMemory(s.c.take())
		return &chunks{b: b}, err
	}
	if err := s.writeRun(); err != nil {
		return nil, err
	}
	for len(s.runs) > mergeWidth {
		if err := s.mergeRuns(ctx); err != nil {
			return nil, err
		}
	}
	return s.merge(s.runs), nil
}

// inMemory returns the first rows of b in order.
func (s *rowSorter) inMemory(b *column.Batch) (*column.Batch, error) {
	if b.Rows == 0 {
		return b, nil
	}
	keys, err := s.keys.eval(nil, b)
	if err != nil {
		return nil, err
	}
	return b.Take(s.sorted(b.Rows, keys)), nil
}

// sorted numbers the wanted rows in order.
func (s *rowSorter) sorted(n int, keys []column.Vector) []int32 {
	idx := upTo(nil, n)
	sortRows(idx, orderings(s.order, keys))
	if s.keep >= 0 && s.keep < len(idx) {
		idx = idx[:s.keep]
	}
	return idx
}

// writeRun sorts the rows in memory and writes them as a run, with their keys: an expression may give another value when it is computed
// again.
func (s *rowSorter) writeRun() error {
	b := s.c.take()
	if b.Rows == 0 {
		return nil
	}
	keys, err := s.keys.eval(nil, b)
	if err != nil {
		return err
	}
	if s.file == nil {
		if s.file, err = s.spill.create(s.node); err != nil {
			return err
		}
		s.wide = widen(s.schema, keys)
		s.piece = max(1, int(min(column.MaxRows, int64(b.Rows)*s.limit/mergeWidth/max(1, batchBytes(b)))))
	}
	idx := s.sorted(b.Rows, keys)
	run := s.file.run(s.wide)
	for len(idx) > 0 {
		n := min(s.piece, len(idx))
		part := b.Take(idx[:n])
		for _, k := range keys {
			part.Cols = append(part.Cols, k.Take(idx[:n]))
		}
		if err := run.write(part); err != nil {
			return err
		}
		idx = idx[n:]
	}
	s.runs = append(s.runs, run)
	return nil
}

// widen adds columns for keys to a schema.
func widen(s *types.Schema, keys []column.Vector) *types.Schema {
	out := &types.Schema{Fields: append([]types.Field{}, s.Fields...)}
	for _, k := range keys {
		out.Fields = append(out.Fields, types.Field{Type: k.Type()})
	}
	return out
}

// mergeRuns makes one run of each mergeWidth of them, in a file of their own.
func (s *rowSorter) mergeRuns(ctx context.Context) error {
	f, err := s.spill.create(s.node)
	if err != nil {
		return err
	}
	var out []*spillRun
	for from := 0; from < len(s.runs); from += mergeWidth {
		run := f.run(s.wide)
		m := s.merge(s.runs[from:min(from+mergeWidth, len(s.runs))])
		m.rows = s.piece
		for {
			b, err := m.wideNext(ctx)
			if err != nil {
				return err
			}
			if b == nil {
				break
			}
			if err := run.write(b); err != nil {
				return err
			}
		}
		out = append(out, run)
	}
	old := s.file
	s.file, s.runs = f, out
	return old.close()
}

func (s *rowSorter) merge(runs []*spillRun) *merge {
	return newMerge(runs, s.wide, s.schema, s.order, s.keep)
}
