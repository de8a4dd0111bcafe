package exec

import (
	"bytes"
	"context"

	"wmsql/column"
	"wmsql/logicalplan"
)

// mergeJoin joins sides that both come in the order of their first keys. It holds a batch of each, joins the two, and goes on with the side
// whose last key is the smaller: rows of the other may match what comes next there. Where both are the same, it stays with the side in which
// no key comes twice, for the next batch of the other may begin with that key. Nothing is kept of what is behind.
type mergeJoin struct {
	join
	keys int  // how many of the pairs the sides are in the order of
	once bool // no two right rows have one key; else no two left rows

	ends   [2]bool    // of each side: all was read
	spans  [2]keySpan // of the batches in hand
	joined bool       // they were joined with each other
}

// keySpan is the first and the last key of a batch.
type keySpan struct{ first, last []byte }

func (s *keySpan) set(cols []column.Vector, rows int) {
	s.first, s.last = s.first[:0], s.last[:0]
	for _, v := range cols {
		s.first, s.last = column.AppendKey(s.first, v, 0, false), column.AppendKey(s.last, v, rows-1, false)
	}
}

// Begin begins both sides anew.
func (m *mergeJoin) Begin(ctx context.Context, e *Epoch) error {
	m.table, m.tail, m.matched, m.probe.b = nil, chunks{}, nil, nil
	m.ends, m.joined = [2]bool{}, false
	return m.beginSides(ctx, e)
}

// Next returns the next joined rows.
func (m *mergeJoin) Next(ctx context.Context) (*column.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if b := m.tail.next(); b != nil {
			return b, nil
		}
		var out *column.Batch
		var err error
		full := m.node.Kind == logicalplan.FullJoin
		left, right := m.probe.b != nil, m.table != nil
		switch {
		case !left && !m.ends[0]:
			err = m.nextLeft(ctx)
		case !right && !m.ends[1] && (left || full):
			err = m.nextRight(ctx)
		case !left && right && full:
			m.passRight()
		case !left:
			return nil, nil
		case !right:
			out = m.passLeft()
		case !m.joined:
			out, err = m.pair()
		default:
			out = m.pass()
		}
		if err != nil || out != nil && out.Rows > 0 {
			return out, err
		}
	}
}

// nextLeft takes the next left batch.
func (m *mergeJoin) nextLeft(ctx context.Context) error {
	b, err := m.left.Next(ctx)
	if m.ends[0] = b == nil; b == nil || err != nil {
		return err
	}
	p := &m.probe
	if p.cols, b, err = m.split.evals(p.cols[:0], m.lkeys, b); err != nil || b.Rows == 0 {
		return err
	}
	m.spans[0].set(p.cols[:m.keys], b.Rows)
	p.b, p.row, p.chain = b, 0, -1
	p.hit = append(p.hit[:0], make([]bool, b.Rows)...)
	m.begin()
	return nil
}

// nextRight takes the next right batch.
func (m *mergeJoin) nextRight(ctx context.Context) error {
	b, err := m.right.Next(ctx)
	if m.ends[1] = b == nil; b == nil || err != nil {
		return err
	}
	cols, b, err := m.pairs.evals(nil, m.rkeys, b)
	if err != nil || b.Rows == 0 {
		return err
	}
	m.spans[1].set(cols[:m.keys], b.Rows)
	m.hold(b, cols)
	m.begin()
	return nil
}

// begin readies the batches in hand to be joined, if keys of one can be among the other's.
func (m *mergeJoin) begin() {
	p := &m.probe
	if p.b == nil || m.table == nil {
		return
	}
	l, r := &m.spans[0], &m.spans[1]
	m.joined = bytes.Compare(l.last, r.first) < 0 || bytes.Compare(r.last, l.first) < 0
	if p.row, p.chain = 0, -1; !m.joined && m.table.encodes() {
		m.layout.encode(&p.set, p.cols, p.b.Rows)
	}
}

// pair joins about a batch of candidates.
func (m *mergeJoin) pair() (*column.Batch, error) {
	p := &m.probe
	p.l, p.r = p.l[:0], p.r[:0]
	m.candidates()
	out, err := m.matches()
	m.joined = p.row == p.b.Rows && p.chain < 0
	return out, err
}

// pass goes on with the side that is behind.
func (m *mergeJoin) pass() *column.Batch {
	if c := bytes.Compare(m.spans[0].last, m.spans[1].last); c < 0 || c == 0 && m.once {
		return m.passLeft()
	}
	m.passRight()
	return nil
}

// passLeft lets the left batch go, and returns its rows that are for themselves.
func (m *mergeJoin) passLeft() *column.Batch {
	out := m.lonely(nil)
	m.probe.b = nil
	return out
}

// passRight lets the right batch go; of a full join, its rows without a match come out.
func (m *mergeJoin) passRight() {
	m.finish()
	m.table = nil
}
