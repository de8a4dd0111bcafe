package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// materialize writes what the query emits to the view's result and passes it on: new rows in append mode, rows that replace those of
// their key in update mode (a deletion takes the key away), the whole result in complete mode.
type materialize struct {
	in   Operator
	node *physicalplan.Materialize
	env  *Env

	epoch  *Epoch
	ready  bool
	old    *retention // nil: rows stay
	number uint64     // of the last row without a key
	key    []byte
	row    []byte
	log    *changeLog // nil unless others follow the result
}

// Begin empties the result in complete mode.
func (m *materialize) Begin(ctx context.Context, e *Epoch) error {
	m.epoch = e
	id := uint32(m.node.View.ID)
	if !m.ready {
		rel := newRelation(schemaTypes(m.node.Schem)[:m.node.Cols], m.node.Key)
		e.Txn.Put(state.Result, id, headerKey, rel.encode())
		if m.node.Retention > 0 {
			m.old = newRetention(m.node, rel)
		}
		if m.node.How == physicalplan.Insert && len(m.node.Key) == 0 {
			var err error
			if m.number, err = lastRowNumber(m.env.Reader, id, firstRow); err != nil {
				return err
			}
		}
		m.ready = true
	}
	m.log = nil
	if e.LogChanges {
		m.log = newChangeLog(id, &types.Schema{Fields: m.node.Schem.Fields[:m.node.Cols]}, m.env.Reader, e)
	}
	if m.node.How == physicalplan.Replace {
		m.number = 0
		if m.log != nil {
			m.log.seen = map[string]struct{}{}
		}
		e.Txn.DeleteRange(state.Result, id, firstRow, afterRows)
	}
	if err := m.in.Begin(ctx, e); err != nil || m.old == nil {
		return err
	}
	return m.old.sweep(e, m.env.Reader, m.in.Bounds().LateUpTo)
}

// Next writes the next batch.
func (m *materialize) Next(ctx context.Context) (*column.Batch, error) {
	b, err := m.in.Next(ctx)
	if b == nil && err == nil && m.log != nil {
		err = m.log.finish(m.in.Bounds().EvictUpTo)
		m.log = nil
	}
	if b == nil || err != nil {
		return nil, err
	}
	id := uint32(m.node.View.ID)
	stored := b.Cols[:m.node.Cols]
	if m.log != nil && m.node.Exact {
		m.log.exact(stored, b.Rows, b.Ops)
	}
	for i := range b.Rows {
		m.rowKey(b, i)
		if b.Ops != nil && b.Ops[i].Removes() {
			m.epoch.Txn.Delete(state.Result, id, m.key)
			if err := m.logs(nil); err != nil {
				return nil, err
			}
			continue
		}
		m.row = column.AppendRow(m.row[:0], stored, i)
		if err := m.logs(m.row); err != nil {
			return nil, err
		}
		if m.old != nil {
			m.row = m.old.stamp(m.row, m.epoch)
		}
		m.epoch.Txn.Put(state.Result, id, m.key, m.row)
	}
	return b, nil
}

// logs tells those who follow that row stands under the key now, nil: that none does.
func (m *materialize) logs(row []byte) error {
	if m.log == nil || m.node.Exact {
		return nil
	}
	return m.log.replace(m.key, row)
}

// rowKey fills key. Without key columns rows are numbered; in update mode there is one row.
func (m *materialize) rowKey(b *column.Batch, i int) {
	switch {
	case len(m.node.Key) > 0 || m.node.How == physicalplan.Upsert:
		m.key = appendRowKey(append(m.key[:0], resultRow), b.Cols, m.node.Key, i)
	default:
		m.number++
		m.key = appendRowNumber(append(m.key[:0], resultRow), m.number)
	}
}

// wake is when an epoch is due for the retention alone.
func (m *materialize) wake() types.MicroTime {
	if m.old == nil {
		return types.Infinity
	}
	return m.old.wake()
}

// Bounds is the input's.
func (m *materialize) Bounds() Bounds { return m.in.Bounds() }

// Close closes the input.
func (m *materialize) Close() error { return m.in.Close() }
