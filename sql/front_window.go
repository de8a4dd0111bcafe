package sql

// over reads what follows OVER: a window's name or a specification.
func (p *parser) over(c *call) *WindowSpec {
	if !p.isPunct("(") {
		id := p.colID()
		return &WindowSpec{Name: id.Name, Pos: id.Pos}
	}
	return p.windowSpec(c)
}

// windowSpec reads ( [name] [PARTITION BY ...] [ORDER BY ...] [frame] ) as arguments of c.
func (p *parser) windowSpec(c *call) *WindowSpec {
	w := &WindowSpec{Pos: p.tok().at()}
	p.wantPunct("(")
	if p.tok().isColID() && !p.isOneOf("partition", "rows", "range", "groups") {
		w.Name = p.advance().text
	}
	if p.accept("partition", "by") {
		p.list(func() { p.item(c, &w.PartitionBy) })
	}
	if p.accept("order", "by") {
		w.OrderBy = p.orderItems(c)
	}
	if unit := p.acceptOneOf("rows", "range", "groups"); unit != "" {
		w.Frame = p.frame(c, unit)
	}
	p.wantPunct(")")
	return w
}

// holes returns the places that the parts of a specification fill, in the order in which they are
// written.
func (w *WindowSpec) holes() []*Expr {
	holes := append(holesOf(w.PartitionBy), orderHoles(w.OrderBy)...)
	if w.Frame != nil {
		for _, b := range []*Bound{&w.Frame.Start, &w.Frame.End} {
			if b.Offset != nil {
				holes = append(holes, &b.Offset)
			}
		}
	}
	return holes
}

// frame reads the extent and the exclusion of a window frame.
func (p *parser) frame(c *call, unit string) *Frame {
	f := &Frame{Unit: unit, End: Bound{Kind: "current row"}}
	first := p.tok()
	if p.accept("between") {
		first = p.tok()
		f.Start = p.bound(c)
		p.want("and")
		second := p.tok()
		f.End = p.bound(c)
		checkFrame(f, first, second)
	} else {
		f.Start = p.bound(c)
		checkFrame(f, first, first)
	}
	if p.accept("exclude") {
		switch {
		case p.accept("current", "row"):
			f.Exclude = "current row"
		case p.accept("group"), p.accept("ties"):
			f.Exclude = p.toks[p.i-1].text
		default:
			p.want("no", "others")
		}
	}
	return f
}

// bound reads one end of a frame.
func (p *parser) bound(c *call) Bound {
	if p.accept("current", "row") {
		return Bound{Kind: "current row"}
	}
	var b Bound
	if p.is("unbounded") && (p.isAt(1, "preceding") || p.isAt(1, "following")) {
		p.i++
		b.Kind = "unbounded "
	} else {
		c.next()
		p.expr()
		b.Offset = &group{} // its hole exists; the decoder puts the distance here
	}
	word := p.acceptOneOf("preceding", "following")
	if word == "" {
		p.unexpected()
	}
	b.Kind += word
	return b
}
