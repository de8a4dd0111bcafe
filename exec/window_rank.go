package exec

import (
	"wmsql/column"
	"wmsql/sqlerr"
)

func (c *windowCall) rank(s *sortedRows) column.Vector {
	out := make([]int64, s.rows.Rows)
	for i := range out {
		p := s.peers[i]
		switch c.call.Name {
		case "row_number":
			out[i] = int64(int32(i)-s.from[i]) + 1
		case "rank":
			out[i] = int64(p.start-s.from[i]) + 1
		default:
			out[i] = int64(p.number) + 1
		}
	}
	return &column.Of[int64]{T: c.call.Out.Type, Values: out}
}

func (c *windowCall) share(s *sortedRows) column.Vector {
	out := make([]float64, s.rows.Rows)
	for i := range out {
		p, n := s.peers[i], s.to[i]-s.from[i]
		switch {
		case c.call.Name == "cume_dist":
			out[i] = float64(p.end-s.from[i]) / float64(n)
		case n > 1:
			out[i] = float64(p.start-s.from[i]) / float64(n-1)
		}
	}
	return &column.Of[float64]{T: c.call.Out.Type, Values: out}
}

// ntile cuts each partition into equal parts, the first ones larger by one row where it does not come out even. Their number is
// that of the partition's first row, as in Postgres.
func (c *windowCall) ntile(s *sortedRows, count *column.Of[int64]) (column.Vector, error) {
	b := column.NewFixedBuilder[int64](c.call.Out.Type, s.rows.Rows)
	for i := range int32(s.rows.Rows) {
		first := int(s.from[i])
		if count.IsNull(first) || !s.wants(int(i)) {
			b.AppendNull()
			continue
		}
		parts := count.Values[first]
		if parts <= 0 {
			return nil, sqlerr.Newf("22014", "argument of ntile must be greater than zero")
		}
		n, at := int64(s.to[i]-s.from[i]), int64(i-s.from[i])
		size, large := n/parts, n%parts
		if at < large*(size+1) {
			b.Append(at/(size+1) + 1)
		} else {
			b.Append(large + (at-large*(size+1))/size + 1)
		}
	}
	return b.Build(), nil
}

// shift is lag and lead: the value so many rows away in the partition, else the default.
func (c *windowCall) shift(s *sortedRows, args []column.Vector) column.Vector {
	b := column.NewBuilder(c.call.Out.Type, s.rows.Rows)
	sign := int64(-1)
	if c.call.Name == "lead" {
		sign = 1
	}
	for i := range s.rows.Rows {
		by := int64(1)
		if len(args) > 1 {
			if args[1].IsNull(i) {
				b.AppendNull()
				continue
			}
			by = args[1].(*column.Of[int64]).Values[i]
		}
		at := int64(i) + sign*by
		switch {
		case at >= int64(s.from[i]) && at < int64(s.to[i]):
			b.AppendFrom(args[0], int(at))
		case len(args) > 2:
			b.AppendFrom(args[2], i)
		default:
			b.AppendNull()
		}
	}
	return b.Build()
}

// pick is first_value, last_value and nth_value.
func (c *windowCall) pick(s *sortedRows, args []column.Vector) (column.Vector, error) {
	bounds, err := c.frame.bounds(s)
	if err != nil {
		return nil, err
	}
	b := column.NewBuilder(c.call.Out.Type, s.rows.Rows)
	var rows []int32
	for i := range s.rows.Rows {
		if !s.wants(i) {
			b.AppendNull()
			continue
		}
		rows = bounds.rows(rows[:0], s, int32(i))
		at := 0
		switch c.call.Name {
		case "last_value":
			at = len(rows) - 1
		case "nth_value":
			n := args[1].(*column.Of[int64])
			if n.IsNull(i) {
				b.AppendNull()
				continue
			}
			if n.Values[i] <= 0 {
				return nil, sqlerr.Newf("22016", "argument of nth_value must be greater than zero")
			}
			at = int(min(n.Values[i]-1, int64(len(rows))))
		}
		if at < 0 || at >= len(rows) {
			b.AppendNull()
			continue
		}
		b.AppendFrom(args[0], int(rows[at]))
	}
	return b.Build(), nil
}
