package expr

import (
	"wmsql/column"
)

// Filter is a compiled condition.
type Filter interface {
	// Select appends to dst the numbers of the rows for which the condition is true.
	Select(dst []int32, b *column.Batch) ([]int32, error)
}

// CompileFilter compiles a conjunction. The conditions run in order, each over the rows that those before it kept.
func CompileFilter(conds []Expr, layout []ColumnID, ctx *Context, outer Outer) (Filter, error) {
	c := newCompiler(layout, ctx, outer)
	f := &filter{}
	for _, e := range conds {
		t := filterTerm{}
		var err error
		if t.cond, err = c.narrowed(e); err != nil {
			return nil, err
		}
		if t.fast, err = c.fastCompare(e); err != nil {
			return nil, err
		}
		f.terms = append(f.terms, t)
	}
	return f, nil
}

type filter struct {
	terms []filterTerm
	rows  []int32
}

// filterTerm is one condition; fast is set when it compares a column with a constant.
type filterTerm struct {
	cond narrowed
	fast *fastCompare
}

// Select appends the rows for which every condition is true.
func (f *filter) Select(dst []int32, b *column.Batch) ([]int32, error) {
	all := true // f.rows stands for all rows and is not filled yet
	for k := range f.terms {
		t := &f.terms[k]
		if t.fast != nil && b.Rows > 0 {
			if all {
				f.rows = allRows(f.rows, b.Rows)
			}
			var err error
			if f.rows, err = t.fast.keep(f.rows, b); err != nil {
				return nil, err
			}
			all = false
			continue
		}
		if err := f.general(t, b, all); err != nil {
			return nil, err
		}
		all = false
		if len(f.rows) == 0 {
			break
		}
	}
	if all {
		return append(dst, allRows(f.rows[:0], b.Rows)...), nil
	}
	return append(dst, f.rows...), nil
}

// general evaluates a condition and keeps the rows where it is true.
func (f *filter) general(t *filterTerm, b *column.Batch, all bool) error {
	if all || t.cond.total {
		v, err := t.cond.Eval(b)
		if err != nil {
			return err
		}
		if all {
			f.rows = allRows(f.rows, b.Rows)
		}
		f.rows = keepTrue(f.rows, v.(*column.Of[bool]), true)
		return nil
	}
	if len(f.rows) == 0 {
		return nil
	}
	v, err := t.cond.over(b, f.rows)
	if err != nil {
		return err
	}
	f.rows = keepTrue(f.rows, v.(*column.Of[bool]), false)
	return nil
}

// keepTrue keeps the rows for which v is true. v is as long as the batch (byRow) or as rows.
func keepTrue(rows []int32, v *column.Of[bool], byRow bool) []int32 {
	kept := rows[:0]
	for k, row := range rows {
		i := k
		if byRow {
			i = int(row)
		}
		if v.Values[i] && (v.Nulls == nil || !v.Nulls[i]) {
			kept = append(kept, row)
		}
	}
	return kept
}
