package expr

import (
	"slices"
	"strings"
	"time"

	"wmsql/column"
	"wmsql/types"
)

func catalogSets() []*setFunction {
	return []*setFunction{
		setTable("pg_get_keywords()", fields("word", "text", "catcode", "char", "barelabel", "bool", "catdesc", "text", "baredesc", "text"), keywordRows),
		setTable("pg_timezone_names()", fields("name", "text", "abbrev", "text", "utc_offset", "interval", "is_dst", "bool"), zoneRows, stable),
		setTable("pg_options_to_table(text[])", fields("option_name", "text", "option_value", "text"), optionRows),
		set("pg_listening_channels() text", listeningRows, stable),
		set("pg_partition_ancestors(regclass) regclass", noRows),
		setTable("pg_partition_tree(regclass)", fields("relid", "regclass", "parentrelid", "regclass", "isleaf", "bool", "level", "int4"), noTableRows),
		setTable("aclexplode(aclitem[])", fields("grantor", "oid", "grantee", "oid", "privilege_type", "text", "is_grantable", "bool"), noTableRows),
		setTable("pg_lock_status()", fields("locktype", "text", "pid", "int4", "mode", "text", "granted", "bool"), noTableRows),
	}
}

// table makes rows of datums, column by column.
func table(cols []types.Field, rows [][]any) *column.Batch {
	out := &column.Batch{Rows: len(rows)}
	for c, f := range cols {
		b := column.NewBuilder(f.Type, len(rows))
		for _, r := range rows {
			if r[c] == nil {
				b.AppendNull()
			} else {
				b.AppendDatum(r[c])
			}
		}
		out.Cols = append(out.Cols, b.Build())
	}
	return out
}

// columnsOf are the columns of the table function that s calls.
func columnsOf(s *site) []types.Field {
	for _, f := range lib().sets[s.fn.Name] {
		if f.fn == s.fn {
			return f.cols(s.args)
		}
	}
	panic("expr: no table function " + s.fn.Name)
}

func noRows(_ []any, s *site) (*column.Batch, error) { return datums(s.ret, nil) }

// listeningRows asks the session for the channels that it listens to.
func listeningRows(_ []any, s *site) (*column.Batch, error) {
	session, err := s.session()
	if err != nil {
		return nil, err
	}
	list, _, err := session.Catalog("pg_listening_channels", nil)
	if err != nil {
		return nil, err
	}
	names, _ := list.([]any)
	return datums(s.ret, names)
}

func noTableRows(_ []any, s *site) (*column.Batch, error) { return table(columnsOf(s), nil), nil }

func keywordRows(_ []any, s *site) (*column.Batch, error) {
	about := map[byte]string{
		'U': "unreserved", 'C': "unreserved (cannot be function or type name)", 'T': "reserved (can be function or type name)", 'R': "reserved",
	}
	var rows [][]any
	for _, k := range keywords() {
		label := "requires AS"
		if k.bare {
			label = "can be bare label"
		}
		rows = append(rows, []any{k.word, string(k.category), k.bare, about[k.category], label})
	}
	slices.SortFunc(rows, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	return table(columnsOf(s), rows), nil
}

func zoneRows(_ []any, s *site) (*column.Batch, error) {
	now := time.UnixMicro(int64(s.ctx.Now))
	var rows [][]any
	for _, name := range types.ZoneNames() {
		zone, _, err := types.LoadZone(name)
		if err != nil {
			continue
		}
		at := now.In(zone)
		abbrev, offset := at.Zone()
		rows = append(rows, []any{name, abbrev, types.IntervalValue{Micros: int64(offset) * types.MicrosPerSecond}, at.IsDST()})
	}
	return table(columnsOf(s), rows), nil
}

func optionRows(args []any, s *site) (*column.Batch, error) {
	var rows [][]any
	for _, o := range elements(args[0]) {
		text, ok := o.(string)
		if !ok {
			continue
		}
		name, value, given := strings.Cut(text, "=")
		row := []any{name, nil}
		if given {
			row[1] = value
		}
		rows = append(rows, row)
	}
	return table(columnsOf(s), rows), nil
}
