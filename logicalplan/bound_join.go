package logicalplan

import (
	"slices"

	"wmsql/expr"
)

// JoinBound says how the condition of a join of two streams ties their event times, and so how long a row of one side may find
// a partner. Sides are 0 (left) and 1 (right).
type JoinBound struct {
	OK  bool   // the state of both sides is bounded
	Why string // why it is not: one clause

	// Time is the marked column of each side that the condition ties, 0 if there is none, Mark what it is.
	Time [2]expr.ColumnID
	Mark [2]Mark
	// Equal says that the two columns must be equal. Else their difference, right - left, is from Lo to Hi µs.
	Equal              bool
	HasLo, HasHi       bool
	Lo, Hi             int64
	LoStrict, HiStrict bool  // the bound itself does not match
	Days               bool  // the bounds are sums with days in them, which time zones stretch
	Exact              []int // the conditions of On that the range says exactly
}

// Waits returns how many µs after its own Time a row of a side is freed; ok is false if it never is. An inclusive bound frees when
// the watermark is 1 µs past it, a strict one at the bound itself, equal times and windows when the time or the window has passed.
func (b *JoinBound) Waits(side int) (after int64, ok bool) {
	if b.Time[0] == 0 {
		return 0, false
	}
	partner := lateAfter(b.Mark[1-side])
	switch {
	case b.Equal:
		return partner, true
	case side == 0:
		return b.Hi + inclusive(b.HiStrict) + partner, b.HasHi
	}
	return -b.Lo + inclusive(b.LoStrict) + partner, b.HasLo
}

// Late returns how many µs after its own Time a row of a side is late.
func (b *JoinBound) Late(side int) int64 { return lateAfter(b.Mark[side]) }

// LateColumns returns the columns by which the rows of a join of two streams are late, where no condition ties their times: each side's
// event time.
func LateColumns(j *Join) (out []expr.ColumnID) {
	l, r := Derive(j.Left), Derive(j.Right)
	if !l.Stream || !r.Stream {
		return nil
	}
	return []expr.ColumnID{eventTime(j.Left, l).ID, eventTime(j.Right, r).ID}
}

// Lag is how far, in µs, the join's output is behind its input: the smallest possible event time of a row to come is after the
// watermark less this.
func (b *JoinBound) Lag() int64 {
	lag := int64(0)
	for side := range 2 {
		after, _ := b.Waits(side)
		lag = max(lag, after-b.Late(side))
	}
	return lag
}

func inclusive(strict bool) int64 {
	if strict {
		return 0
	}
	return 1
}

// lateAfter is from a marked column's value to when no row with that value may come any more.
func lateAfter(m Mark) int64 {
	switch m.Kind {
	case MarkWindowTime:
		return 1
	case MarkWindowStart:
		return Micros(m.Window.Size)
	}
	return 0
}

// JoinBoundOf reads the condition of a join of two streams.
func JoinBoundOf(j *Join) JoinBound {
	return joinBound(j, Derive(j.Left), Derive(j.Right))
}

func joinBound(j *Join, l, r *Props) JoinBound {
	if b, ok := equalBound(j, l, r); ok {
		return b
	}
	b := JoinBound{}
	for i := range j.L {
		b.narrow(j.R[i], j.L[i], "=", l, r, -1)
	}
	for i, c := range j.On {
		if call, ok := c.(*expr.Call); ok && len(call.Args) == 2 {
			b.narrow(call.Args[0], call.Args[1], call.Func.Name, l, r, i)
		}
	}
	b.OK = b.HasLo && b.HasHi
	if !b.OK {
		b.Why = b.missing(j)
	}
	return b
}

// missing says which end of the range the condition leaves open.
func (b *JoinBound) missing(j *Join) string {
	if b.Time[0] == 0 {
		return "no condition ties the event times of both sides to each other"
	}
	left, right := columnName(j.Left, b.Time[0]), columnName(j.Right, b.Time[1])
	if left == right {
		left, right = "the left "+left, "the right "+right
	}
	if b.HasLo {
		return "no condition says how long after " + left + " " + right + " may be, so rows of the left side are never freed"
	}
	return "no condition says how long before " + left + " " + right + " may be, so rows of the right side are never freed"
}

// equalBound looks among the equal pairs for two marked columns: the ends of windows before times.
func equalBound(j *Join, l, r *Props) (JoinBound, bool) {
	b := JoinBound{OK: true, Equal: true}
	for i := range j.L {
		x, okx := j.L[i].(*expr.Column)
		y, oky := j.R[i].(*expr.Column)
		if !okx || !oky {
			continue
		}
		mx, okx := l.Marks[x.ID]
		my, oky := r.Marks[y.ID]
		if !okx || !oky || openEnded(mx) || openEnded(my) {
			continue
		}
		if b.Time[0] == 0 || rank(mx.Kind)+rank(my.Kind) > rank(b.Mark[0].Kind)+rank(b.Mark[1].Kind) {
			b.Time, b.Mark = [2]expr.ColumnID{x.ID, y.ID}, [2]Mark{mx, my}
		}
	}
	return b, b.Time[0] != 0
}

// openEnded reports whether the start of a window does not tell its end.
func openEnded(m Mark) bool { return m.Kind == MarkWindowStart && m.Window.Kind == Session }

// narrow takes a comparison x op y over a time of either side; on is its place in On, -1 for an equal pair.
func (b *JoinBound) narrow(x, y expr.Expr, op string, l, r *Props, on int) {
	switch op {
	case "<", "<=":
		x, y = y, x // x >= y
	case ">", ">=", "=":
	default:
		return
	}
	lx, okx := linearOf(x)
	ly, oky := linearOf(y)
	if !okx || !oky {
		return
	}
	d := lx.minus(ly) // d >= 0
	if d.far {
		return
	}
	strict := op == "<" || op == ">"
	left, right, sign, ok := tied(d, l, r)
	if !ok || b.Time[0] != 0 && (b.Time[0] != left || b.Time[1] != right) {
		return
	}
	b.Time, b.Mark, b.Days = [2]expr.ColumnID{left, right}, [2]Mark{l.Marks[left], r.Marks[right]}, b.Days || d.days
	if sign > 0 { // right - left >= -d's constant
		b.atLeast(-d.hi, strict)
	} else {
		b.atMost(d.hi, strict)
	}
	if op == "=" && sign > 0 {
		b.atMost(-d.lo, false)
	} else if op == "=" {
		b.atLeast(d.lo, false)
	}
	if on >= 0 && !d.days && op != "=" {
		b.Exact = append(b.Exact, on)
	}
}

// tied finds the one time of each side in d; sign is the factor of the right one.
func tied(d linear, l, r *Props) (left, right expr.ColumnID, sign int, ok bool) {
	for id, n := range d.cols {
		ml, inLeft := l.Marks[id]
		mr, inRight := r.Marks[id]
		switch {
		case inLeft && left == 0 && !openEnded(ml) && (n == 1 || n == -1):
			left = id
		case inRight && right == 0 && !openEnded(mr) && (n == 1 || n == -1):
			right, sign = id, n
		default:
			return 0, 0, 0, false
		}
	}
	return left, right, sign, left != 0 && right != 0 && d.cols[left] == -sign
}

func (b *JoinBound) atLeast(lo int64, strict bool) {
	if !b.HasLo || lo > b.Lo || lo == b.Lo && strict {
		b.HasLo, b.Lo, b.LoStrict = true, lo, strict
	}
}

func (b *JoinBound) atMost(hi int64, strict bool) {
	if !b.HasHi || hi < b.Hi || hi == b.Hi && strict {
		b.HasHi, b.Hi, b.HiStrict = true, hi, strict
	}
}

// keeps reports whether a marked column of a side is still tied to the watermark above the join: the time that rows wait by and
// the windows of it. Any other may be older than the join's output watermark allows.
func (b *JoinBound) keeps(side int, id expr.ColumnID, m Mark) bool {
	own := b.Mark[side]
	switch {
	case !b.OK:
		return false
	case id == b.Time[side]:
		return true
	case own.Window != nil:
		return m.Window == own.Window
	}
	return m.Window != nil && m.Window.Time == b.Time[side]
}

// sources are the watermarks of both sides: the join goes by all of them.
func (b *JoinBound) sources() []*EventTimeWatermark {
	out := append([]*EventTimeWatermark{}, b.Mark[0].Sources...)
	for _, s := range b.Mark[1].Sources {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// carryMarks gives p the marks of a side of a join of two streams; those that do not hold any more are lost there.
func (b *JoinBound) carryMarks(p *Props, n *Join, side int, in *Props) {
	why := "the join keeps its rows for ever"
	if b.OK {
		why = "the join waits for partners by " + columnName(n.Inputs()[side], b.Time[side])
	}
	for id, m := range in.Marks {
		if b.keeps(side, id, m) {
			m.Sources = b.sources()
			p.Marks[id] = m
			continue
		}
		p.Lost[id] = Loss{Node: n, Column: id, Name: columnName(n.Inputs()[side], id), Pos: n.Pos, Why: why}
	}
	for id, x := range in.Lost {
		p.Lost[id] = x
	}
}
