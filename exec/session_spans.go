package exec

import (
	"context"
	"math"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// sessionSpans adds to each row the span [time, time + gap) that it keeps a session open for. A row without a time, at
// infinity, or with a gap that is NULL or not positive is left out. One whose span ends where no timestamp can say is rejected.
type sessionSpans struct {
	in   Operator
	node *physicalplan.SessionSpans
	gap  int64 // µs, where it is the same for all rows

	split splitter // of rows whose span cannot be said

	rows         []int32
	starts, ends []int64
	times        []int64
	out          column.Batch
	cols         []column.Vector
}

// Begin begins the input.
func (s *sessionSpans) Begin(ctx context.Context, e *Epoch) error { return s.in.Begin(ctx, e) }

// Next returns the next batch with a row in a session.
func (s *sessionSpans) Next(ctx context.Context) (*column.Batch, error) {
	for {
		b, err := s.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		if err := s.assign(b); err != nil {
			return nil, err
		}
		switch len(s.rows) {
		case 0:
			continue
		case b.Rows:
			return s.emit(b), nil
		}
		return s.emit(b.Take(s.rows)), nil
	}
}

func (s *sessionSpans) assign(b *column.Batch) error {
	s.rows, s.starts, s.ends, s.times = s.rows[:0], s.starts[:0], s.ends[:0], s.times[:0]
	var gaps *column.Of[types.IntervalValue]
	if s.node.Gap >= 0 {
		gaps = b.Cols[s.node.Gap].(*column.Of[types.IntervalValue])
	}
	v := b.Cols[s.node.Time].(*column.Of[int64])
	for i, t := range v.Values {
		if v.IsNull(i) || t == int64(types.Infinity) || t == int64(types.NegInfinity) {
			continue
		}
		end := plusMicros(t, s.gap)
		if gaps != nil {
			if gaps.IsNull(i) {
				continue
			}
			end = spanEnd(t, gaps.Values[i])
		}
		if end <= t {
			continue
		}
		if !types.TimestampInRange(end) {
			if err := s.split.refuse(b, i, outOfRange(t, "session")); err != nil {
				return err
			}
			continue
		}
		s.rows = append(s.rows, int32(i))
		s.starts, s.ends, s.times = append(s.starts, t), append(s.ends, end), append(s.times, end-1)
	}
	return nil
}

// spanEnd is t + gap, before or after all times if no time can say it.
func spanEnd(t int64, gap types.IntervalValue) int64 {
	end, err := types.AddInterval(t, gap)
	if err == nil {
		return end
	}
	if days := 31*float64(gap.Months) + float64(gap.Days); days*float64(dayMicros)+float64(gap.Micros) < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}

// emit adds the spans to b.
func (s *sessionSpans) emit(b *column.Batch) *column.Batch {
	n := len(b.Cols)
	fs := s.node.Schem.Fields
	s.cols = append(s.cols[:0], b.Cols...)
	for k, vals := range [...][]int64{s.starts, s.ends, s.times} {
		s.cols = append(s.cols, &column.Of[int64]{T: fs[n+k].Type, Values: vals})
	}
	s.out = column.Batch{Schema: s.node.Schem, Cols: s.cols, Rows: len(s.ends), Ops: b.Ops}
	return &s.out
}

// Bounds is the input's.
func (s *sessionSpans) Bounds() Bounds { return s.in.Bounds() }

// Close closes the input.
func (s *sessionSpans) Close() error { return s.in.Close() }
