package sql

import "strings"

func (f *formatter) ddl(s Stmt) {
	switch s := s.(type) {
	case *CreateSchema:
		f.create("SCHEMA", s.IfNotExists, Name{Parts: []string{s.Name.Name}})
	case *CreateStream:
		f.createStream(s)
	case *CreateFunction:
		f.createFunction(s)
	case *CreateTable:
		f.createTable(s)
	case *CreateIndex:
		f.createIndex(s)
	case *Reindex:
		f.reindex(s)
	case *CreateSequence:
		f.createSequence(s)
	case *AlterSequence:
		f.alterSequence(s)
	case *CreateView:
		f.write("CREATE ")
		f.flag(s.OrReplace, "OR REPLACE ")
		f.flag(s.Temp, "TEMP ")
		f.write("VIEW ")
		f.name(s.Name)
		f.columns(s.Columns)
		f.write(" AS ")
		f.query(s.Query)
	case *CreateMaterializedView:
		f.createMaterializedView(s)
	case *Drop:
		f.write("DROP ", strings.ToUpper(s.Kind), " ")
		f.flag(s.Concurrently, "CONCURRENTLY ")
		f.flag(s.IfExists, "IF EXISTS ")
		f.names(s.Names)
		f.flag(s.Cascade, " CASCADE")
	case *Alter:
		f.alter(s)
	case *AlterTable:
		f.alterTable(s)
	case *Grant:
		f.grant(s)
	case *Rename:
		f.rename(s)
	case *Refresh:
		f.write("REFRESH MATERIALIZED VIEW ")
		f.name(s.Name)
		f.flag(s.LateRows, " WITH LATE ROWS")
	case *Maintain:
		f.write(strings.ToUpper(s.Kind))
		f.flag(s.Full, " FULL")
		if len(s.Names) > 0 {
			f.write(" ")
			f.names(s.Names)
		}
	case *Truncate:
		f.write("TRUNCATE ")
		f.names(s.Names)
		f.flag(s.Restart, " RESTART IDENTITY")
	case *Comment:
		f.write("COMMENT ON ", strings.ToUpper(s.Kind), " ")
		f.name(s.Name)
		f.write(" IS ")
		if s.Text == nil {
			f.write("NULL")
		} else {
			f.write(quoteString(*s.Text))
		}
	}
}

func (f *formatter) create(kind string, ifNotExists bool, name Name) {
	f.write("CREATE ", kind, " ")
	f.flag(ifNotExists, "IF NOT EXISTS ")
	f.name(name)
}

func (f *formatter) createStream(s *CreateStream) {
	f.create("STREAM", s.IfNotExists, s.Name)
	var elements []string
	for _, c := range s.Columns {
		elements = append(elements, formatColumn(c))
	}
	for _, w := range s.Watermarks {
		elements = append(elements, "WATERMARK FOR "+quoteIdent(w.Column.Name)+" AS "+Format(w.Value))
	}
	f.elements(elements)
	f.options(s.Options)
	f.asQuery(s.Query)
}

func (f *formatter) createFunction(s *CreateFunction) {
	f.flag(s.OrReplace, "CREATE OR REPLACE FUNCTION ")
	f.flag(!s.OrReplace, "CREATE FUNCTION ")
	f.name(s.Name)
	var params, returns []string
	if s.Table.Name != "" {
		params = append(params, quoteIdent(s.Table.Name)+" TABLE")
	}
	for _, c := range s.Params {
		params = append(params, formatColumn(c))
	}
	for _, c := range s.Returns {
		returns = append(returns, formatColumn(c))
	}
	if s.Watermark.Name != "" {
		returns = append(returns, "WATERMARK FOR "+quoteIdent(s.Watermark.Name))
	}
	f.write("(", strings.Join(params, ", "), ") RETURNS TABLE (", strings.Join(returns, ", "), ") LANGUAGE ", quoteIdent(s.Language.Name),
		" AS ", quoteString(s.Source))
}

func (f *formatter) createTable(s *CreateTable) {
	kind := "TABLE"
	if s.Temp {
		kind = "TEMP TABLE"
	}
	f.create(kind, s.IfNotExists, s.Name)
	var elements []string
	for _, c := range s.Columns {
		elements = append(elements, formatColumn(c))
	}
	for _, k := range s.Keys {
		elements = append(elements, formatKey(k))
	}
	for _, c := range s.Checks {
		elements = append(elements, formatCheck(c))
	}
	if elements == nil && s.Query == nil {
		f.write(" ()")
	}
	f.elements(elements)
	f.flag(s.OnCommit != "", " ON COMMIT "+strings.ToUpper(s.OnCommit))
	f.asQuery(s.Query)
	f.flag(s.NoData, " WITH NO DATA")
}

func (f *formatter) elements(list []string) {
	if list != nil {
		f.write(" (", strings.Join(list, ", "), ")")
	}
}

func (f *formatter) asQuery(q *Select) {
	if q != nil {
		f.write(" AS ")
		f.query(q)
	}
}

func formatIdents(ids []Ident) string {
	var f formatter
	f.idents(ids)
	return f.String()
}

func formatColumn(c ColumnDef) string {
	var f formatter
	f.ident(c.Name.Name)
	if c.Type == nil {
		if c.Generated != nil {
			f.write(" AS ")
			f.expr(c.Generated)
		}
		return f.String()
	}
	f.write(" ")
	f.typeName(*c.Type)
	if c.Collate != nil {
		f.write(" COLLATE ")
		f.name(*c.Collate)
	}
	f.flag(c.PrimaryKey, " "+formatConstraint(c.KeyName)+"PRIMARY KEY")
	f.flag(c.NotNull && !c.PrimaryKey, " NOT NULL")
	f.flag(c.Unique && !c.PrimaryKey, " "+formatConstraint(c.KeyName)+"UNIQUE")
	if c.Default != nil {
		f.write(" DEFAULT ")
		f.operand(c.Default)
	}
	if c.Identity != "" {
		f.write(" GENERATED ", strings.ToUpper(c.Identity), " AS IDENTITY")
		f.identityOptions(c.Sequence)
	}
	if c.Generated != nil {
		f.write(" GENERATED ALWAYS AS (")
		f.expr(c.Generated)
		f.write(") STORED")
	}
	for _, check := range c.Checks {
		f.write(" ", formatCheck(check))
	}
	return f.String()
}

func formatCheck(c CheckDef) string {
	return formatConstraint(c.Name) + "CHECK (" + Format(c.X) + ")"
}

// formatConstraint is CONSTRAINT name, or nothing.
func formatConstraint(name string) string {
	if name == "" {
		return ""
	}
	return "CONSTRAINT " + quoteIdent(name) + " "
}

func (f *formatter) createMaterializedView(s *CreateMaterializedView) {
	kind := "MATERIALIZED VIEW"
	if s.OrReplace {
		kind = "OR REPLACE " + kind
	}
	f.create(kind, s.IfNotExists, s.Name)
	f.columns(s.Columns)
	f.options(s.Options)
	f.asQuery(s.Query)
	if s.Emit != "" {
		f.write(" EMIT ON ", strings.ToUpper(s.Emit))
	}
}

func (f *formatter) alter(s *Alter) {
	f.write("ALTER ", strings.ToUpper(s.Kind), " ")
	f.name(s.Name)
	f.write(" ", strings.ToUpper(s.Action))
	switch s.Action {
	case "set":
		f.write(strings.Replace(withOptions(s.Options), " WITH", "", 1))
	case "reset":
		f.write(" (")
		each(f, s.Options, func(o Option) { f.write(optionName(o.Name)) })
		f.write(")")
	case "add column":
		f.write(" ", formatColumn(*s.Column))
	case "alter column":
		f.write(" ", quoteIdent(s.Column.Name.Name), " TYPE ")
		f.typeName(*s.Column.Type)
	case "alter watermark":
		f.write(" FOR ", quoteIdent(s.Watermark.Column.Name), " AS ", Format(s.Watermark.Value))
	}
}

func withOptions(opts []Option) string {
	var f formatter
	f.options(opts)
	return f.String()
}
