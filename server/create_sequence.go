package server

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"wmsql/catalog"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

func (s *Session) createSequence(ctx context.Context, n *sql.CreateSequence) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	name := n.Name
	if err := s.placeTemporary(edit, &name, n.Temp); err != nil {
		return err
	}
	o, _, skip, err := s.place(edit, name, n.IfNotExists, false)
	if err != nil || skip {
		return err
	}
	seq := &catalog.Sequence{Object: o}
	if err := seqOptions(seq, &n.Options, n.Pos); err != nil {
		return err
	}
	if n.Options.OwnedBy != nil {
		if err := s.ownSequence(edit, seq, *n.Options.OwnedBy); err != nil {
			return err
		}
	}
	return s.addSequence(edit, seq)
}

// addSequence creates a sequence whose options are checked.
func (s *Session) addSequence(edit *catalog.Edit, seq *catalog.Sequence) error {
	seq.Kind = catalog.KindSequence
	seq.SQL = createSequenceSQL(seq)
	if err := edit.Create(seq); err != nil {
		return err
	}
	return s.srv.sequences.Set(seq.ID, seq.Start, false)
}

// createSequenceSQL is the statement that makes the sequence again.
func createSequenceSQL(seq *catalog.Sequence) string {
	text := fmt.Sprintf("CREATE SEQUENCE %s AS %s INCREMENT BY %d MINVALUE %d MAXVALUE %d START WITH %d", qualifiedName(&seq.Object), sequenceType(seq),
		seq.Increment, seq.Min, seq.Max, seq.Start)
	if seq.Cycle {
		text += " CYCLE"
	}
	return text
}

// seqOptions fills a new sequence from what is written, with Postgres's defaults.
func seqOptions(seq *catalog.Sequence, o *sql.SequenceOptions, pos sql.Pos) error {
	if seq.Bytes == 0 {
		seq.Bytes = 8
	}
	if o.Type != nil {
		t, err := build.Type(*o.Type)
		if err != nil {
			return err
		}
		width := map[types.Kind]int{types.Int2: 2, types.Int4: 4, types.Int8: 8}[t.Kind]
		if width == 0 || t.Array {
			return sqlerr.Newf(sqlerr.InvalidParameterValue, "sequence type must be smallint, integer, or bigint").At(int(o.Type.Pos))
		}
		seq.Bytes = width
	}
	seq.Increment = given(o.Increment, 1)
	top := int64(math.MaxInt64) >> (64 - 8*seq.Bytes)
	if seq.Increment > 0 {
		seq.Min, seq.Max = given(o.Min, 1), given(o.Max, top)
		seq.Start = given(o.Start, seq.Min)
	} else {
		seq.Min, seq.Max = given(o.Min, -top-1), given(o.Max, -1)
		seq.Start = given(o.Start, seq.Max)
	}
	if o.Cycle != nil {
		seq.Cycle = *o.Cycle
	}
	wrong := func(format string, args ...any) error {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, format, args...).At(int(pos))
	}
	switch {
	case seq.Increment == 0:
		return wrong("INCREMENT must not be zero")
	case seq.Max > top || seq.Max < -top-1:
		return wrong("MAXVALUE (%d) is out of range for sequence data type %s", seq.Max, sequenceType(seq))
	case seq.Min > top || seq.Min < -top-1:
		return wrong("MINVALUE (%d) is out of range for sequence data type %s", seq.Min, sequenceType(seq))
	case seq.Min >= seq.Max:
		return wrong("MINVALUE (%d) must be less than MAXVALUE (%d)", seq.Min, seq.Max)
	case seq.Start < seq.Min:
		return wrong("START value (%d) cannot be less than MINVALUE (%d)", seq.Start, seq.Min)
	case seq.Start > seq.Max:
		return wrong("START value (%d) cannot be greater than MAXVALUE (%d)", seq.Start, seq.Max)
	}
	return nil
}

func given[T any](v *T, other T) T {
	if v == nil {
		return other
	}
	return *v
}

// sequenceType is the name of the sequence's type.
func sequenceType(seq *catalog.Sequence) string {
	return map[int]string{2: "smallint", 4: "integer", 8: "bigint"}[seq.Bytes]
}

// ownSequence binds a sequence to table.column.
func (s *Session) ownSequence(edit *catalog.Edit, seq *catalog.Sequence, owner sql.Name) error {
	at := len(owner.Parts) - 1
	if at == 0 {
		return sqlerr.Newf(sqlerr.SyntaxError, "invalid OWNED BY option").WithHint("Specify OWNED BY table.column or OWNED BY NONE.").At(int(owner.Pos))
	}
	e, err := edit.Lookup(owner.Parts[:at], s.path())
	if err != nil {
		return sqlerr.From(err).At(int(owner.Pos))
	}
	for i, c := range catalog.Columns(e) {
		if c.Name == owner.Parts[at] {
			seq.Table, seq.Column = e.Head().ID, i
			return nil
		}
	}
	return sqlerr.Newf(sqlerr.UndefinedColumn, "column %q of relation %q does not exist", owner.Parts[at], e.Head().Name).At(int(owner.Pos))
}

// alterSequence changes options, and where the sequence stands.
func (s *Session) alterSequence(ctx context.Context, n *sql.AlterSequence) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	e, err := edit.Lookup(n.Name.Parts, s.path())
	if err != nil && n.IfExists {
		s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "relation %q does not exist, skipping", strings.Join(n.Name.Parts, "."))
		return nil
	}
	if err != nil {
		return sqlerr.From(err).At(int(n.Name.Pos))
	}
	seq, ok := e.(*catalog.Sequence)
	if !ok {
		return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a sequence", e.Head().Name).At(int(n.Name.Pos))
	}
	return s.changeSequence(edit, seq, n.Options, n.Pos)
}

// changeSequence changes those options of a sequence that are given.
func (s *Session) changeSequence(edit *catalog.Edit, seq *catalog.Sequence, o sql.SequenceOptions, pos sql.Pos) error {
	o.Start, o.Increment, o.Min, o.Max = other(o.Start, seq.Start), other(o.Increment, seq.Increment), other(o.Min, seq.Min), other(o.Max, seq.Max)
	c := *seq
	if err := seqOptions(&c, &o, pos); err != nil {
		return err
	}
	if o.Disowned {
		c.Table, c.Column = 0, 0
	}
	if o.OwnedBy != nil {
		if err := s.ownSequence(edit, &c, *o.OwnedBy); err != nil {
			return err
		}
	}
	edit.Replace(&c)
	if o.Restart {
		s.restartSequence(&c, given(o.RestartWith, c.Start))
	}
	return nil
}

// restartSequence lets a sequence begin at a number, unless the transaction is rolled back.
func (s *Session) restartSequence(seq *catalog.Sequence, at int64) {
	keep, undo := s.srv.sequences.Restart(seq.ID, at)
	s.tx.undo = append(s.tx.undo, undo)
	s.tx.after = append(s.tx.after, func(context.Context) { keep() })
}

func other[T any](v *T, old T) *T {
	if v == nil {
		return &old
	}
	return v
}

// serialTypes are the types that stand for a sequence and a default.
var serialTypes = map[string]string{
	"smallserial": "int2", "serial2": "int2", "serial": "int4", "serial4": "int4", "bigserial": "int8", "serial8": "int8",
}

// underSerial is the type of a serial column's values; other types stay.
func underSerial(t sql.TypeName) sql.TypeName {
	if under := serialTypes[t.Name]; under != "" && t.Schema == "" {
		t.Schema, t.Name = "pg_catalog", under
	}
	return t
}

// ownedSequence is the sequence of a serial or identity column, nil for other columns. The column gets its default; c's type is set.
func ownedSequence(t *catalog.Table, i int, c *sql.ColumnDef) (*catalog.Sequence, error) {
	col := &t.Columns[i]
	if c.Type != nil && c.Type.Schema == "" && serialTypes[c.Type.Name] != "" && c.Type.Dims == 0 {
		if c.Default != nil {
			return nil, sqlerr.Newf(sqlerr.SyntaxError, "multiple default values specified for column %q of table %q", c.Name.Name, t.Name).At(int(c.Pos))
		}
		col.NotNull = true
	} else if c.Identity == "" {
		return nil, nil
	}
	width := map[types.Kind]int{types.Int2: 2, types.Int4: 4, types.Int8: 8}[col.Type.Kind]
	if width == 0 || col.Type.Array {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "identity column type must be smallint, integer, or bigint").At(int(c.Pos))
	}
	if c.Identity != "" && c.Default != nil {
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "both default and identity specified for column %q of table %q", c.Name.Name, t.Name).At(int(c.Pos))
	}
	seq := &catalog.Sequence{Column: i, Bytes: width}
	seq.Schema = t.Schema
	return seq, seqOptions(seq, &c.Sequence, c.Pos)
}

// placeSequence gives an owned sequence its name, as Postgres chooses it, and the column its default.
func placeSequence(edit *catalog.Edit, t *catalog.Table, seq *catalog.Sequence) {
	base := t.Name + "_" + t.Columns[seq.Column].Name + "_seq"
	seq.Name = base
	for n := 1; edit.Relation(seq.Schema, seq.Name) != nil; n++ {
		seq.Name = base + strconv.Itoa(n)
	}
	t.Columns[seq.Column].Default = nextvalOf(seq)
}

// nextvalOf is the default that gives a column the numbers of a sequence.
func nextvalOf(seq *catalog.Sequence) string {
	return "nextval(" + literal(qualifiedName(&seq.Object)) + "::regclass)"
}
