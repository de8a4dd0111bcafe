package script

import (
	"fmt"
	"slices"
	"strings"
)

// trial is a pipeline with its rows and the way they are run.
type trial struct {
	*pipeline
	epochs [][]input
	variant
}

// shrinkTries bounds how long a failure is made smaller.
const shrinkTries = 600

// shrink takes away what a fault does not need: the ways of running, operators and clauses, micro-batches, rows and their values.
func (t trial) shrink(fault string) (trial, string) {
	tries := 0
	try := func(u trial) bool {
		if tries++; tries > shrinkTries {
			return false
		}
		f, refused := u.compare()
		if f == "" || refused {
			return false
		}
		t, fault = u, f
		return true
	}
	for again := true; again; {
		again = false
		for _, u := range t.simpler() {
			if try(u) {
				again = true
				break
			}
		}
		again = t.fewerRows(try) || again
	}
	return t, fault
}

// simpler lists the trials with one thing less.
func (t trial) simpler() (out []trial) {
	for _, v := range []variant{{4096, 1, false, "", 0}, {4096, t.workers, t.restart, t.crash, t.memory}, {t.rows, 1, t.restart, t.crash, t.memory},
		{t.rows, t.workers, false, t.crash, t.memory}, {t.rows, t.workers, t.restart, "", t.memory}, {t.rows, t.workers, t.restart, t.crash, 0}} {
		if v != t.variant {
			out = append(out, trial{t.pipeline, t.epochs, v})
		}
	}
	change := func(f func(*pipeline)) {
		p := *t.pipeline
		if f(&p); p.sql() != t.sql() {
			out = append(out, trial{&p, t.epochs, t.variant})
		}
	}
	for _, q := range t.root.simpler() {
		change(func(p *pipeline) { p.root = q })
	}
	change(func(p *pipeline) { p.newest = false })
	change(func(p *pipeline) { p.skewed = p.ttl > 0 })
	change(func(p *pipeline) { p.delay = [2]int64{} })
	change(func(p *pipeline) { p.keyType = "SMALLINT" })
	return slices.DeleteFunc(out, func(u trial) bool { return !u.fits() })
}

// fits reports whether the query is one that is made, the rows' keys are of the key type, and all streams that have rows are read.
func (t trial) fits() bool {
	for _, v := range append(t.root.views(), &query{mode: t.mode, in: []*query{t.root}}) {
		if v.mode != "append" && slices.ContainsFunc(v.in[0].in, func(c *query) bool { return c.any(func(q *query) bool { return q.op == "group" }) }) {
			return false // its groups would change
		}
	}
	for _, rows := range t.epochs {
		for _, r := range rows {
			if r.k >= len(keyTypes[t.keyType]) || !t.root.reads(r.stream) {
				return false
			}
		}
	}
	return true
}

// simpler lists the queries with one operator or clause less.
func (q *query) simpler() (out []*query) {
	out = append(out, q.in...)
	for i, c := range q.in {
		for _, s := range c.simpler() {
			r := *q
			r.in = slices.Clone(q.in)
			r.in[i] = s
			out = append(out, &r)
		}
	}
	for i := range q.aggs {
		if r := *q; len(q.aggs) > 1 {
			r.aggs = slices.Delete(slices.Clone(q.aggs), i, i+1)
			out = append(out, &r)
		}
	}
	for _, f := range []func(*query){
		func(r *query) { r.having = "" }, func(r *query) { r.own = false }, func(r *query) { r.residual = false }, func(r *query) { r.strict = false },
		func(r *query) { r.difference = false }, func(r *query) { r.offset = 0 }, func(r *query) { r.whereAbove = false },
		func(r *query) { r.totals = false },
	} {
		r := *q
		if f(&r); fmt.Sprint(r) != fmt.Sprint(*q) {
			out = append(out, &r)
		}
	}
	return out
}

// fewerRows takes away micro-batches and rows as long as it may.
func (t trial) fewerRows(try func(trial) bool) (changed bool) {
	for i := len(t.epochs) - 1; i >= 0; i-- {
		if u := t; len(t.epochs) > 1 {
			u.epochs = slices.Delete(slices.Clone(t.epochs), i, i+1)
			if try(u) {
				t, changed = u, true
				continue
			}
		}
		for j := len(t.epochs[i]) - 1; j >= 0 && len(t.epochs[i]) > 1; j-- {
			u := t
			u.epochs = slices.Clone(t.epochs)
			u.epochs[i] = slices.Delete(slices.Clone(t.epochs[i]), j, j+1)
			if try(u) {
				t, changed = u, true
			}
		}
	}
	return changed
}

// script is the trial as statements.
func (t trial) script() string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- rows an INSERT %d, workers %d, restarts %t, crash at %q, memory %d\n%s;\n", t.rows, t.workers, t.restart, t.crash, t.memory, t.sql())
	for i, rows := range t.epochs {
		fmt.Fprintf(&b, "-- micro-batch %d\n%s", i+1, t.insert(rows))
	}
	return b.String()
}
