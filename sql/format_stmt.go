package sql

import (
	"strconv"
	"strings"
)

func (f *formatter) stmt(s Stmt) {
	switch s := s.(type) {
	case *SelectStmt:
		f.query(s.Query)
	case *CreateSchema, *CreateStream, *CreateFunction, *CreateTable, *CreateIndex, *Reindex, *CreateSequence, *AlterSequence, *CreateView, *CreateMaterializedView, *Drop, *Alter, *AlterTable, *Grant, *Rename, *Refresh, *Maintain, *Truncate, *Comment:
		f.ddl(s)
	case *Role:
		f.role(s)
	case *DropRole:
		f.dropRole(s)
	case *Insert:
		f.insert(s)
	case *Update:
		f.update(s)
	case *Delete:
		f.delete(s)
	case *Merge:
		f.merge(s)
	case *ExplainWindow:
		f.write("EXPLAIN WINDOW ")
		f.name(s.View)
		f.write(" AT ")
		f.expr(s.When)
	case *Explain:
		f.explain(s)
	case *Show:
		f.show(s)
	case *Describe:
		f.write("DESCRIBE ")
		f.name(s.Name)
	case *Set:
		f.set(s)
	case *Transaction:
		f.transaction(s)
	case *Unsupported:
		f.write("-- unsupported: ", s.What)
	default:
		f.session(s)
	}
}

// session writes the statements about prepared statements, cursors and the like.
func (f *formatter) session(s Stmt) {
	switch s := s.(type) {
	case *Prepare:
		f.prepare(s)
	case *Execute:
		f.write("EXECUTE ", quoteIdent(s.Name))
		if s.Args != nil {
			f.write("(")
			f.exprs(s.Args)
			f.write(")")
		}
	case *Deallocate:
		f.write("DEALLOCATE ", nameOrAll(s.Name))
	case *DeclareCursor:
		f.declareCursor(s)
	case *Fetch:
		f.fetch(s)
	case *CloseCursor:
		f.write("CLOSE ", nameOrAll(s.Name))
	case *Copy:
		f.copy(s)
	case *Subscribe:
		f.subscribe(s)
	case *Discard:
		f.write("DISCARD ", strings.ToUpper(s.What))
	case *Listen:
		f.write(strings.ToUpper(s.Kind), " ")
		if s.Channel == "*" && s.Kind == "unlisten" {
			f.write("*")
		} else {
			f.ident(s.Channel)
		}
		if s.Payload != "" {
			f.write(", ", quoteString(s.Payload))
		}
	case *Lock:
		f.write("LOCK TABLE ")
		each(f, s.Names, f.name)
		f.write(" IN ", strings.ToUpper(s.Mode), " MODE")
		f.flag(s.NoWait, " NOWAIT")
	case *Flush:
		f.write("FLUSH")
	default:
		unformattable(s)
	}
}

func nameOrAll(name string) string {
	if name == "" {
		return "ALL"
	}
	return quoteIdent(name)
}

// into writes which columns INSERT gives values to, and what it overrides.
func (f *formatter) into(columns []Ident, overriding string) {
	if columns != nil {
		f.write(" ")
		f.idents(columns)
	}
	f.flag(overriding != "", " OVERRIDING "+strings.ToUpper(overriding)+" VALUE")
}

func (f *formatter) insert(s *Insert) {
	f.write("INSERT INTO ")
	f.target(s.Table, s.Alias)
	f.into(s.Columns, s.Overriding)
	if s.Query == nil {
		f.write(" DEFAULT VALUES")
	} else {
		f.write(" ")
		f.query(s.Query)
	}
	if s.OnConflict != nil {
		f.onConflict(s.OnConflict)
	}
	f.returning(s.Returning)
}

func (f *formatter) onConflict(c *OnConflict) {
	f.write(" ON CONFLICT")
	switch {
	case c.Columns != nil:
		f.write(" ")
		f.idents(c.Columns)
	case c.Constraint != nil:
		f.write(" ON CONSTRAINT ")
		f.ident(c.Constraint.Name)
	}
	if !c.Update {
		f.write(" DO NOTHING")
		return
	}
	f.write(" DO UPDATE")
	f.setList(c.Set)
	f.where(c.Where)
}

func (f *formatter) setList(list []Assignment) {
	f.write(" SET ")
	each(f, list, func(a Assignment) {
		f.ident(a.Column.Name)
		f.write(" = ")
		f.expr(a.Value)
	})
}

func (f *formatter) update(s *Update) {
	if s.With != nil {
		f.with(&Select{With: s.With, Recursive: s.Recursive})
	}
	f.write("UPDATE ")
	f.target(s.Table, s.Alias)
	f.setList(s.Set)
	f.from(" FROM ", s.From)
	f.where(s.Where)
	f.returning(s.Returning)
}

func (f *formatter) delete(s *Delete) {
	if s.With != nil {
		f.with(&Select{With: s.With, Recursive: s.Recursive})
	}
	f.write("DELETE FROM ")
	f.target(s.Table, s.Alias)
	f.from(" USING ", s.Using)
	f.where(s.Where)
	f.returning(s.Returning)
}

func (f *formatter) target(table Name, alias string) {
	f.name(table)
	if alias != "" {
		f.write(" AS ", quoteIdent(alias))
	}
}

func (f *formatter) returning(items []Item) {
	if items != nil {
		f.write(" RETURNING ")
		f.items(items)
	}
}

func (f *formatter) explain(s *Explain) {
	f.write("EXPLAIN ")
	if s.Options != nil {
		f.write("(")
		each(f, s.Options, func(o Option) {
			f.ident(o.Name)
			if o.Value != "" {
				f.write(" ", quoteString(o.Value))
			}
		})
		f.write(") ")
	} else {
		f.flag(s.Analyze, "ANALYZE ")
		f.flag(s.Verbose, "VERBOSE ")
	}
	f.stmt(s.Stmt)
}

func (f *formatter) show(s *Show) {
	f.write("SHOW ")
	switch s.What {
	case "parameter":
		f.write(s.Name.String())
		return
	case "lateness":
		f.write("LATENESS FOR ")
		f.name(s.Name)
		return
	}
	f.write(strings.ToUpper(s.What))
	if s.Name.Parts != nil {
		f.write(" ")
		f.name(s.Name)
	}
	if s.Like != "" {
		f.write(" LIKE ", quoteString(s.Like))
	}
}

func (f *formatter) set(s *Set) {
	if s.Reset {
		f.write("RESET ", s.Name)
		return
	}
	f.write("SET ")
	f.flag(s.Local, "LOCAL ")
	if s.Default {
		f.write(s.Name, " TO DEFAULT")
		return
	}
	f.write(s.Name, " = ")
	each(f, s.Values, func(v string) { f.write(quoteString(v)) })
}

func (f *formatter) transaction(s *Transaction) {
	switch s.Kind {
	case "release":
		f.write("RELEASE SAVEPOINT ")
	case "rollback to":
		f.write("ROLLBACK TO SAVEPOINT ")
	case "set session characteristics":
		f.write("SET SESSION CHARACTERISTICS AS TRANSACTION")
	default:
		f.write(strings.ToUpper(s.Kind))
		f.flag(s.Kind == "savepoint", " ")
	}
	f.flag(s.Name != "", quoteIdent(s.Name))
	f.flag(len(s.Modes) > 0, " ")
	each(f, s.Modes, func(m string) { f.write(strings.ToUpper(m)) })
	f.flag(s.Chain, " AND CHAIN")
}

func (f *formatter) prepare(s *Prepare) {
	f.write("PREPARE ", quoteIdent(s.Name))
	if s.Types != nil {
		f.write(" (")
		each(f, s.Types, f.typeName)
		f.write(")")
	}
	f.write(" AS ")
	f.stmt(s.Stmt)
}

func (f *formatter) declareCursor(s *DeclareCursor) {
	f.write("DECLARE ", quoteIdent(s.Name), " ")
	f.flag(s.Binary, "BINARY ")
	f.flag(s.Scroll != "", strings.ToUpper(s.Scroll)+" ")
	f.write("CURSOR ")
	f.flag(s.Hold, "WITH HOLD ")
	f.write("FOR ")
	if s.Subscribe != nil {
		f.subscribe(s.Subscribe)
		return
	}
	f.query(s.Query)
}

func (f *formatter) subscribe(s *Subscribe) {
	f.write("SUBSCRIBE TO ")
	if s.Name != nil {
		f.name(*s.Name)
	} else {
		f.write("(")
		f.query(s.Query)
		f.write(")")
	}
	f.switches(s.Options)
	if s.AsOf >= 0 {
		f.write(" AS OF ", strconv.FormatInt(s.AsOf, 10))
	}
}

// switches writes options that may have no value.
func (f *formatter) switches(opts []Option) {
	if len(opts) == 0 {
		return
	}
	f.write(" WITH (")
	each(f, opts, func(o Option) {
		f.write(optionName(o.Name))
		if o.Value != "" {
			f.write(" = ", quoteString(o.Value))
		}
	})
	f.write(")")
}

func (f *formatter) fetch(s *Fetch) {
	f.write(map[bool]string{false: "FETCH ", true: "MOVE "}[s.Move], strings.ToUpper(s.Direction))
	switch {
	case s.All:
		f.write(" ALL")
	case s.Direction == "forward" || s.Direction == "backward" || s.Direction == "absolute" || s.Direction == "relative":
		f.write(" ", strconv.FormatInt(s.Count, 10))
	}
	f.write(" FROM ", quoteIdent(s.Cursor))
	f.switches(s.Options)
}

func (f *formatter) copy(s *Copy) {
	f.write("COPY ")
	switch {
	case s.Subscribe != nil:
		f.write("(")
		f.subscribe(s.Subscribe)
		f.write(")")
	case s.Query != nil:
		f.write("(")
		f.query(s.Query)
		f.write(")")
	default:
		f.name(*s.Table)
		if s.Columns != nil {
			f.write(" ")
			f.idents(s.Columns)
		}
	}
	end := " TO STDOUT"
	if s.From {
		end = " FROM STDIN"
	}
	if s.File != "" {
		end = strings.TrimSuffix(strings.TrimSuffix(end, "STDOUT"), "STDIN") + quoteString(s.File)
	}
	f.write(end)
	f.copyOptions(s.Options)
}

func (f *formatter) copyOptions(opts []Option) {
	if len(opts) == 0 {
		return
	}
	f.write(" WITH (")
	each(f, opts, func(o Option) {
		f.ident(o.Name)
		switch {
		case strings.HasPrefix(o.Name, "force_") && o.Value != "*":
			f.write(" ")
			f.columns(strings.Split(o.Value, ","))
		case o.Value == "*":
			f.write(" *")
		case o.Value != "":
			f.write(" ", quoteString(o.Value))
		}
	})
	f.write(")")
}
