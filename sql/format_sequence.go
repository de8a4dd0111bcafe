package sql

import "strconv"

func (f *formatter) createSequence(s *CreateSequence) {
	kind := "SEQUENCE"
	if s.Temp {
		kind = "TEMP SEQUENCE"
	}
	f.create(kind, s.IfNotExists, s.Name)
	f.sequenceOptions(s.Options)
}

func (f *formatter) alterSequence(s *AlterSequence) {
	f.write("ALTER SEQUENCE ")
	f.flag(s.IfExists, "IF EXISTS ")
	f.name(s.Name)
	f.sequenceOptions(s.Options)
}

func (f *formatter) sequenceOptions(o SequenceOptions) {
	if o.Name != nil {
		f.write(" SEQUENCE NAME ")
		f.name(*o.Name)
	}
	number := func(words string, n *int64) {
		if n != nil {
			f.write(words, strconv.FormatInt(*n, 10))
		}
	}
	if o.Type != nil {
		f.write(" AS ")
		f.typeName(*o.Type)
	}
	number(" INCREMENT BY ", o.Increment)
	number(" MINVALUE ", o.Min)
	number(" MAXVALUE ", o.Max)
	number(" START WITH ", o.Start)
	f.flag(o.Restart && o.RestartWith == nil, " RESTART")
	number(" RESTART WITH ", o.RestartWith)
	if o.Cycle != nil {
		f.write(map[bool]string{true: " CYCLE", false: " NO CYCLE"}[*o.Cycle])
	}
	f.flag(o.Disowned, " OWNED BY NONE")
	if o.OwnedBy != nil {
		f.write(" OWNED BY ")
		f.name(*o.OwnedBy)
	}
}
