package physicalplan

import (
	"maps"
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
)

// join lowers a join. The right side is held in memory, so a right join becomes a left join of the sides in the other order,
// and a stream always stands on the left; its tables are read as of each epoch.
func (l *lowering) join(n *logicalplan.Join) (Node, flow, error) {
	if n.AsOf() {
		return l.asOfJoin(n)
	}
	streams := l.view != nil && logicalplan.Derive(n.Left).Stream && logicalplan.Derive(n.Right).Stream
	if streams {
		l.timed++
		defer func() { l.timed-- }()
	}
	left, lf, err := l.lower(n.Left)
	if err != nil {
		return nil, lf, err
	}
	one := joinInput{left, l.keepsLate(), l.rejects(lf)}
	right, rf, err := l.lower(n.Right)
	if err != nil {
		return nil, rf, err
	}
	two := joinInput{right, l.keepsLate(), l.rejects(rf)}
	j := &HashJoin{Output: outputOf(n), Kind: n.Kind, Left: left, Right: right, L: n.L, R: n.R, On: n.On, Reject: one.reject}
	if rf == appends {
		j.Reject = two.reject
	}
	if j.Kind == logicalplan.CrossJoin {
		j.Kind = logicalplan.InnerJoin
	}
	switch {
	case lf.alters() || rf.alters():
		return nil, lf, unsupported(n.Pos, "a join of rows that may change")
	case lf == appends && rf == appends:
		return l.streamJoin(n, [2]joinInput{one, two})
	case streams:
		return nil, lf, unsupported(n.Pos, "a join of two streams outside append and update mode")
	case j.Kind == logicalplan.RightJoin, j.Kind == logicalplan.InnerJoin && rf == appends:
		return l.swapped(j, n, lf, rf)
	}
	return l.merged(j, n.Left, n.Right), lf, checkPreserved(j.Kind, rf, lf, n.Pos)
}

// swapped exchanges the sides and puts the columns back in order.
func (l *lowering) swapped(j *HashJoin, n *logicalplan.Join, lf, rf flow) (Node, flow, error) {
	cols := append(columnsOf(j.Right), columnsOf(j.Left)...)
	kind := j.Kind
	if kind == logicalplan.RightJoin {
		kind = logicalplan.LeftJoin
	}
	s := &HashJoin{Output: output(cols), Kind: kind, Left: j.Right, Right: j.Left, L: j.R, R: j.L, On: j.On, Reject: j.Reject}
	p := &Project{Output: j.Output, Input: l.merged(s, n.Right, n.Left)}
	for _, c := range columnsOf(j) {
		p.Exprs = append(p.Exprs, &expr.Column{ID: c.ID, Name: c.Name, T: c.Type})
	}
	return p, rf, checkPreserved(kind, lf, rf, n.Pos)
}

// checkPreserved refuses joins that keep rows of a table until no stream row can match them any more.
func checkPreserved(kind logicalplan.JoinKind, table, stream flow, pos int) error {
	if table == appends || stream == appends && kind == logicalplan.FullJoin {
		return unsupported(pos, "an outer join that keeps a table's rows without a partner in a stream")
	}
	return nil
}

// setOp lowers UNION and its like. Over streams only UNION ALL is left as it is.
func (l *lowering) setOp(n *logicalplan.SetOp) (Node, flow, error) {
	s := &SetOp{Output: output(n.Cols), Kind: n.Kind, All: n.All}
	f := whole
	for i, c := range n.In {
		in, cf, err := l.lower(c)
		if err != nil {
			return nil, cf, err
		}
		if i == 0 {
			f = cf
		}
		if cf == upserts || cf == whole != (f == whole) {
			return nil, f, unsupported(n.Pos, "a set operation of a stream and something else than a stream")
		}
		if cf == changes {
			f = changes
		}
		s.In, s.From = append(s.In, in), append(s.From, l.rejects(cf))
	}
	if f.stateful() && (n.Kind != logicalplan.Union || !n.All) {
		return nil, f, unsupported(n.Pos, "a set operation over streams other than UNION ALL")
	}
	l.passes(s)
	return s, f, nil
}

// passes notes that rows come from the inputs of s in turn. Above, a row that cannot be evaluated goes where that of its input would.
func (l *lowering) passes(s *SetOp) {
	l.union = nil
	for _, r := range s.From {
		if r != nil {
			l.union, l.stream, l.results = s, r.Stream, l.results || r.Results
		}
	}
}

// sort lowers ORDER BY; top is the Limit right above it.
func (l *lowering) sort(n *logicalplan.Sort, top *Limit) (Node, flow, error) {
	in, err := l.batchOnly(n.Input, n.Pos, "ORDER BY")
	if err != nil {
		return nil, whole, err
	}
	return &Sort{Output: same(in), Input: in, Keys: n.Keys, Top: top}, whole, nil
}

// limit lowers LIMIT; a Sort below need keep only the first rows then.
func (l *lowering) limit(n *logicalplan.Limit) (Node, flow, error) {
	m := &Limit{Count: n.Count, Offset: n.Offset, Ties: n.Ties}
	var f flow
	var err error
	if s, ok := n.Input.(*logicalplan.Sort); ok && n.Count != nil && n.Ties == nil {
		m.Input, f, err = l.sort(s, m)
	} else {
		m.Input, f, err = l.lower(n.Input)
	}
	if err != nil {
		return nil, f, err
	}
	if f.alters() {
		return nil, f, unsupported(n.Pos, "LIMIT over rows that may change")
	}
	m.Output = same(m.Input)
	if f == appends {
		m.State = l.table()
	}
	return m, f, nil
}

// apply lowers a correlated subquery.
func (l *lowering) apply(n *logicalplan.Apply) (Node, flow, error) {
	in, f, err := l.lower(n.Input)
	if err != nil {
		return nil, f, err
	}
	if f.alters() {
		return nil, f, unsupported(n.Pos, "a subquery over rows that may change")
	}
	stream, reject := l.stream, l.rejects(f)
	l.stream = nil // what fails within the subquery fails for the row
	sub, err := l.batchOnly(n.Subplan, n.Pos, "a subquery")
	l.stream = stream
	if err != nil {
		return nil, f, err
	}
	a := &Apply{Output: outputOf(n), Input: in, Subplan: sub, Kind: n.Kind, Test: n.Test, All: n.All, Reject: reject}
	for _, id := range slices.Sorted(maps.Keys(logicalplan.Free(n.Subplan))) {
		if at := ordinal(in, id); at >= 0 {
			a.Free = append(a.Free, at)
		} else {
			a.Enclosed = true
		}
	}
	return a, f, nil
}
