package sql

func (f *formatter) merge(s *Merge) {
	if s.With != nil {
		f.with(&Select{With: s.With, Recursive: s.Recursive})
	}
	f.write("MERGE INTO ")
	f.target(s.Table, s.Alias)
	f.write(" USING ")
	f.table(s.Source)
	f.write(" ON ")
	f.expr(s.On)
	for _, w := range s.Whens {
		f.mergeWhen(w)
	}
}

func (f *formatter) mergeWhen(w MergeWhen) {
	f.write(" WHEN ")
	f.flag(!w.Matched, "NOT ")
	f.write("MATCHED")
	if w.Cond != nil {
		f.write(" AND ")
		f.expr(w.Cond)
	}
	f.write(" THEN ")
	switch w.Action {
	case "nothing":
		f.write("DO NOTHING")
	case "delete":
		f.write("DELETE")
	case "update":
		f.write("UPDATE")
		f.setList(w.Set)
	case "insert":
		f.mergeInsert(w)
	}
}

func (f *formatter) mergeInsert(w MergeWhen) {
	f.write("INSERT")
	f.into(w.Columns, w.Overriding)
	if w.Values == nil {
		f.write(" DEFAULT VALUES")
		return
	}
	f.write(" VALUES (")
	f.exprs(w.Values)
	f.write(")")
}
