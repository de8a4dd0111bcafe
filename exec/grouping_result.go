package exec

import (
	"wmsql/column"
	"wmsql/expr"
)

// result appends the rows of the groups at slots to the builders: keys, then aggregates.
func (g *grouping) result(bs []column.Builder, from *groups, slots []int32) error {
	if err := g.resultKeys(bs, from, slots); err != nil {
		return err
	}
	n := from.table.len()
	for k, acc := range from.accs {
		acc.Resize(n)
		if err := acc.Result(bs[len(g.node.Keys)+k], slots); err != nil {
			return err
		}
	}
	return nil
}

// failedGroup is a group whose aggregates cannot be computed, for one of them overflows.
type failedGroup struct {
	at  int32 // in the slots that were asked for
	why error
}

// results is result for a continuous query, which no group stops: those that fail have NULLs for the aggregates that do, and are returned,
// in order.
func (g *grouping) results(bs []column.Builder, from *groups, slots []int32) ([]failedGroup, error) {
	had := 0
	if len(bs) > 0 {
		had = bs[0].Len()
	}
	err := g.result(bs, from, slots)
	if err == nil || !ofRow(err) {
		return nil, err
	}
	for _, b := range bs {
		b.Truncate(had)
	}
	if err := g.resultKeys(bs, from, slots); err != nil {
		return nil, err
	}
	why := make([]error, len(slots))
	for k, acc := range from.accs {
		if err := resultEach(bs[len(g.node.Keys)+k], acc, slots, why); err != nil {
			return nil, err
		}
	}
	return failedOf(why), nil
}

// failedOf lists the groups that have an error.
func failedOf(why []error) (failed []failedGroup) {
	for i, err := range why {
		if err != nil {
			failed = append(failed, failedGroup{int32(i), err})
		}
	}
	return failed
}

// resultEach appends the results of slots one by one, and notes in why those that fail.
func resultEach(b column.Builder, acc expr.Accumulator, slots []int32, why []error) error {
	for i := range slots {
		err := acc.Result(b, slots[i:i+1])
		switch {
		case err == nil:
			continue
		case !ofRow(err):
			return err
		case why[i] == nil:
			why[i] = err
		}
		b.AppendNull()
	}
	return nil
}

// besidesFailed returns the numbers below n that are not failed.
func besidesFailed(n int, failed []failedGroup) []int32 {
	out := make([]int32, 0, n)
	for i := range int32(n) {
		if len(failed) > 0 && failed[0].at == i {
			failed = failed[1:]
			continue
		}
		out = append(out, i)
	}
	return out
}

// resultKeys appends the keys of the groups at slots.
func (g *grouping) resultKeys(bs []column.Builder, from *groups, slots []int32) error {
	fixed, coded := 0, 0
	dec := make([]column.Builder, len(g.layout.forms))
	for k := range g.node.Keys {
		if g.node.Fixed[k] {
			appendFixed(bs[k].(*column.FixedBuilder[int64]), from.fixed[fixed], len(slots))
			fixed++
			continue
		}
		dec[coded] = bs[k]
		coded++
	}
	return g.decodeKeys(dec, from, slots)
}

// decodeKeys appends the encoded keys; lossy columns are shown as they came first.
func (g *grouping) decodeKeys(bs []column.Builder, from *groups, slots []int32) error {
	if len(bs) == 0 {
		return nil
	}
	target := bs
	if len(g.layout.lossy) > 0 {
		target = make([]column.Builder, len(bs))
		copy(target, bs)
		for _, c := range g.layout.lossy {
			target[c] = column.NewBuilder(g.layout.types[c], len(slots))
			v := from.shown[c].View()
			for _, s := range slots {
				bs[c].AppendFrom(v, int(s))
			}
		}
	}
	for _, s := range slots {
		if err := g.layout.decode(target, from.table.keys.key(int(s))); err != nil {
			return err
		}
	}
	return nil
}

func appendFixed(b *column.FixedBuilder[int64], k fixedKey, n int) {
	for range n {
		if k.null {
			b.AppendNull()
		} else {
			b.Append(k.value)
		}
	}
}
