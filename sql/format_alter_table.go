package sql

import "strings"

func (f *formatter) alterTable(s *AlterTable) {
	f.write("ALTER ", strings.ToUpper(s.Kind), " ")
	f.flag(s.IfExists, "IF EXISTS ")
	f.name(s.Name)
	for i, a := range s.Actions {
		f.flag(i > 0, ",")
		f.write(" ")
		f.tableAction(a)
	}
}

func (f *formatter) tableAction(a TableAction) {
	name := quoteIdent(a.Name.Name)
	switch a.What {
	case "owner":
		f.write("OWNER TO ", name)
	case "set schema":
		f.write("SET SCHEMA ", name)
	case "add column":
		f.write("ADD COLUMN ")
		f.flag(a.Exists, "IF NOT EXISTS ")
		f.write(formatColumn(*a.Column))
	case "add constraint":
		f.write("ADD ")
		if a.Key != nil {
			f.write(formatKey(*a.Key))
		} else {
			f.write(formatCheck(*a.Check))
		}
		f.flag(a.NotValid, " NOT VALID")
	case "drop column", "drop constraint":
		f.write(strings.ToUpper(a.What), " ")
		f.flag(a.Exists, "IF EXISTS ")
		f.write(name)
		f.flag(a.Cascade, " CASCADE")
	case "validate constraint":
		f.write("VALIDATE CONSTRAINT ", name)
	case "cluster":
		f.write("CLUSTER ON ", name)
	case "nothing":
		f.write("SET WITHOUT CLUSTER")
	default:
		f.write("ALTER COLUMN ", name, " ")
		f.columnAction(a)
	}
}

func (f *formatter) columnAction(a TableAction) {
	switch a.What {
	case "set default":
		f.write("SET DEFAULT ")
		f.expr(a.X)
	case "set type":
		f.write("TYPE ")
		f.typeName(*a.Type)
		if a.X != nil {
			f.write(" USING ")
			f.expr(a.X)
		}
	case "add identity":
		f.write("ADD GENERATED ", strings.ToUpper(a.Column.Identity), " AS IDENTITY")
		f.identityOptions(a.Column.Sequence)
	case "set identity":
		f.flag(a.Column.Identity != "", "SET GENERATED "+strings.ToUpper(a.Column.Identity))
		f.identityOptions(a.Column.Sequence)
	default:
		f.write(strings.ToUpper(a.What))
		f.flag(a.Exists, " IF EXISTS")
	}
}

// identityOptions writes the options of an identity column's sequence in parentheses, if there are any.
func (f *formatter) identityOptions(s SequenceOptions) {
	if s != (SequenceOptions{}) {
		var o formatter
		o.sequenceOptions(s)
		f.write(" (", strings.TrimSpace(o.String()), ")")
	}
}

func formatKey(k KeyDef) string {
	kind := "UNIQUE "
	if k.Primary {
		kind = "PRIMARY KEY "
	}
	return formatConstraint(k.Name) + kind + formatIdents(k.Columns)
}
