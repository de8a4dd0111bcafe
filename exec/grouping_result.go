package exec

import "wmsql/column"

// result appends the rows of the groups at slots to the builders: keys, then aggregates.
func (g *grouping) result(bs []column.Builder, from *groups, slots []int32) error {
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
	if err := g.decodeKeys(dec, from, slots); err != nil {
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
