package server

import (
	"wmsql/catalog"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// ownedSequences are the sequences that columns of a table own.
func ownedSequences(s *catalog.Snapshot, table catalog.ID) []*catalog.Sequence {
	var out []*catalog.Sequence
	for e := range s.All() {
		if q, ok := e.(*catalog.Sequence); ok && q.Table == table {
			out = append(out, q)
		}
	}
	return out
}

// sequenceOf finds the sequence that column i owns, nil if there is none.
func (c *tableChange) sequenceOf(i int) *catalog.Sequence {
	for _, q := range ownedSequences(c.edit.Snapshot, c.t.ID) {
		if q.Column == i {
			return q
		}
	}
	return nil
}

// addOwned creates the sequence of a new serial or identity column.
func (c *tableChange) addOwned(seq *catalog.Sequence, name *sql.Name) error {
	placeSequence(c.edit, c.t, seq)
	if name != nil {
		schema, own, err := c.edit.Target(name.Parts, c.s.path())
		if err != nil {
			return sqlerr.From(err).At(int(name.Pos))
		}
		seq.Schema, seq.Name = schema, own
		c.t.Columns[seq.Column].Default = nextvalOf(seq)
	}
	seq.Table = c.t.ID
	return c.s.addSequence(c.edit, seq)
}

func (c *tableChange) addIdentity(i int, a sql.TableAction) error {
	col := &c.t.Columns[i]
	wrong := func(format string, args ...any) error { return sqlerr.Newf(sqlerr.ObjectNotReady, format, args...) }
	switch {
	case !col.NotNull:
		return wrong("column %q of relation %q must be declared NOT NULL before identity can be added", col.Name, c.t.Name)
	case col.Identity != "":
		return wrong("column %q of relation %q is already an identity column", col.Name, c.t.Name)
	case col.Default != "":
		return wrong("column %q of relation %q already has a default value", col.Name, c.t.Name)
	}
	col.Identity = a.Column.Identity
	seq, err := ownedSequence(c.t, i, a.Column)
	if err != nil {
		return err
	}
	return c.addOwned(seq, a.Column.Sequence.Name)
}

func (c *tableChange) setIdentity(i int, a sql.TableAction) error {
	col := &c.t.Columns[i]
	if col.Identity == "" {
		return sqlerr.Newf(sqlerr.ObjectNotReady, "column %q of relation %q is not an identity column", col.Name, c.t.Name)
	}
	if a.Column.Identity != "" {
		col.Identity = a.Column.Identity
	}
	if seq := c.sequenceOf(i); seq != nil && a.Column.Sequence != (sql.SequenceOptions{}) {
		return c.s.changeSequence(c.edit, seq, a.Column.Sequence, a.Pos)
	}
	return nil
}

// dropIdentity makes a column one without a default.
func (c *tableChange) dropIdentity(i int, a sql.TableAction) error {
	col := &c.t.Columns[i]
	if col.Identity == "" {
		return c.isNot("an identity column", col.Name, a.Exists)
	}
	col.Identity, col.Default = "", ""
	return c.dropSequence(i)
}

// dropSequence drops the sequence that column i owns.
func (c *tableChange) dropSequence(i int) error {
	seq := c.sequenceOf(i)
	if seq == nil {
		return nil
	}
	return c.s.tx.remove(c.edit, []catalog.Entry{seq})
}

// retypeSequence gives the sequence of an identity column the width of the column's new type. Bounds that were those of the old type
// become those of the new one.
func (c *tableChange) retypeSequence(i, width int) error {
	seq := c.sequenceOf(i)
	if seq == nil || seq.Bytes == width {
		return nil
	}
	fresh := catalog.Sequence{Bytes: width}
	was := catalog.Sequence{Bytes: seq.Bytes}
	step := sql.SequenceOptions{Increment: &seq.Increment}
	if err := seqOptions(&was, &step, 0); err != nil {
		return err
	}
	o := sql.SequenceOptions{Start: &seq.Start, Increment: &seq.Increment}
	if seq.Min != was.Min {
		o.Min = &seq.Min
	}
	if seq.Max != was.Max {
		o.Max = &seq.Max
	}
	if err := seqOptions(&fresh, &o, 0); err != nil {
		return err
	}
	catalog.Change(c.edit, seq, func(q *catalog.Sequence) { q.Bytes, q.Min, q.Max = fresh.Bytes, fresh.Min, fresh.Max })
	return nil
}

// moveSequences tells the sequences that columns behind column i own that it is gone.
func (c *tableChange) moveSequences(i int) {
	for _, q := range ownedSequences(c.edit.Snapshot, c.t.ID) {
		if q.Column > i {
			catalog.Change(c.edit, q, func(q *catalog.Sequence) { q.Column-- })
		}
	}
}
