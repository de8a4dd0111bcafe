//go:build peers

package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// results are a result view and a table of the same columns.
const results = `CREATE STREAM readings (b BIGINT, i INT, n NUMERIC, d DOUBLE PRECISION, t TEXT, ts TIMESTAMPTZ);
CREATE MATERIALIZED VIEW res AS SELECT b, i, n, d, t, ts FROM readings EMIT ON WINDOW CLOSE;
CREATE TABLE tab (b BIGINT PRIMARY KEY, i INT DEFAULT 7, n NUMERIC(10,2), d DOUBLE PRECISION NOT NULL, t TEXT CHECK (t <> ''), ts TIMESTAMPTZ);
CREATE VIEW vie AS SELECT b, t FROM tab WHERE i > 0;
COMMENT ON TABLE tab IS 'a table';
COMMENT ON COLUMN tab.i IS 'a column';
CREATE SCHEMA other;
CREATE TABLE other.tab (x INT);
`

// The types that wmsql sends are in pg_type as Postgres has them: name, schema, length, element and array.
func TestTypeCatalogue(t *testing.T) {
	s := start(t)
	s.exec(results + "CREATE TABLE counted (id SERIAL PRIMARY KEY, v INT GENERATED ALWAYS AS IDENTITY)")
	s.want(`SELECT t.oid, t.typname, n.nspname, t.typtype, t.typlen, t.typelem, t.typarray FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.oid IN (16,17,20,21,23,25,700,701,1009,1016,1043,1082,1114,1184,1186,1700,3802) ORDER BY t.oid`, `16|bool|pg_catalog|b|1|0|1000
		17|bytea|pg_catalog|b|-1|0|1001
		20|int8|pg_catalog|b|8|0|1016
		21|int2|pg_catalog|b|2|0|1005
		23|int4|pg_catalog|b|4|0|1007
		25|text|pg_catalog|b|-1|0|1009
		700|float4|pg_catalog|b|4|0|1021
		701|float8|pg_catalog|b|8|0|1022
		1009|_text|pg_catalog|b|-1|25|0
		1016|_int8|pg_catalog|b|-1|20|0
		1043|varchar|pg_catalog|b|-1|0|1015
		1082|date|pg_catalog|b|4|0|1182
		1114|timestamp|pg_catalog|b|8|0|1115
		1184|timestamptz|pg_catalog|b|8|0|1185
		1186|interval|pg_catalog|b|16|0|1187
		1700|numeric|pg_catalog|b|-1|0|1231
		3802|jsonb|pg_catalog|b|-1|0|3807`)
	for _, rule := range []string{
		// Every type of a column, and every array and element, is there; so is every function that reads and writes it.
		"SELECT DISTINCT atttypid::regtype FROM pg_attribute WHERE atttypid NOT IN (SELECT oid FROM pg_type)",
		"SELECT typname FROM pg_type WHERE typarray <> 0 AND typarray NOT IN (SELECT oid FROM pg_type)",
		"SELECT typname FROM pg_type WHERE typelem <> 0 AND typelem NOT IN (SELECT oid FROM pg_type)",
		"SELECT typname FROM pg_type WHERE typinput::oid NOT IN (SELECT oid FROM pg_proc) OR typoutput::oid NOT IN (SELECT oid FROM pg_proc)",
		"SELECT typname FROM pg_type WHERE typtype = 'b' AND typreceive <> 0 AND typreceive::oid NOT IN (SELECT oid FROM pg_proc)",
		"SELECT typname FROM pg_type WHERE typnamespace NOT IN (SELECT oid FROM pg_namespace)",
		"SELECT proname FROM pg_proc WHERE prorettype <> 0 AND format_type(prorettype, NULL) = '???'",
		"SELECT castsource FROM pg_cast WHERE castsource NOT IN (SELECT oid FROM pg_type) OR casttarget NOT IN (SELECT oid FROM pg_type)",
		"SELECT oprname FROM pg_operator WHERE oprright NOT IN (SELECT oid FROM pg_type) OR oprresult NOT IN (SELECT oid FROM pg_type)",
		"SELECT oid FROM pg_type GROUP BY oid HAVING count(*) > 1",
		"SELECT oid FROM pg_proc GROUP BY oid HAVING count(*) > 1",
		"SELECT oid FROM pg_operator GROUP BY oid HAVING count(*) > 1",
		// Every relation has its columns, and none is without one.
		"SELECT relname FROM pg_class WHERE relnatts = 0",
		"SELECT relname FROM pg_class c WHERE relnatts <> (SELECT count(*) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0)",
		"SELECT attname FROM pg_attribute WHERE attrelid NOT IN (SELECT oid FROM pg_class)",
		"SELECT relname FROM pg_class WHERE relnamespace NOT IN (SELECT oid FROM pg_namespace) OR relowner NOT IN (SELECT oid FROM pg_roles)",
		"SELECT oid FROM pg_class GROUP BY oid HAVING count(*) > 1",
		// Both catalogues say the same.
		`SELECT table_schema, table_name, column_name, data_type, udt_name FROM information_schema.columns
			EXCEPT SELECT n.nspname, c.relname, a.attname, CASE WHEN t.typelem <> 0 AND t.typlen = -1 AND t.typtype = 'b' AND t.typname LIKE '\_%' THEN 'ARRAY' ELSE format_type(a.atttypid, NULL) END, t.typname
			FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid`,
		"SELECT relname FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'f') AND oid::regclass::oid <> oid",
	} {
		s.want(rule, "")
	}
}

// Every relation of the catalogue can be read whole, with objects of every kind there.
func TestEveryCatalogueRelation(t *testing.T) {
	s := start(t)
	s.exec(results + "INSERT INTO readings (b) VALUES (1)")
	s.exec("FLUSH")
	for name := range strings.Lines(s.query("SELECT oid::regclass FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'f') ORDER BY oid")) {
		if _, err := s.try("SELECT * FROM " + name); err != nil {
			t.Errorf("%s: %v", strings.TrimSpace(name), err)
		}
	}
}

// A result view, a table and a view lead from pg_class to pg_attribute, and information_schema agrees.
func TestColumnsInTheCatalogue(t *testing.T) {
	s := start(t)
	s.exec(results)
	const types = `b|bigint|int8|YES|1
		i|integer|int4|YES|2
		n|numeric|numeric|YES|3
		d|double precision|float8|YES|4
		t|text|text|YES|5
		ts|timestamp with time zone|timestamptz|YES|6`
	for relation, want := range map[string]string{
		"res": types, "readings": types,
		"tab": strings.NewReplacer("int8|YES", "int8|NO", "float8|YES", "float8|NO").Replace(types),
		"vie": "b|bigint|int8|YES|1\nt|text|text|YES|2",
	} {
		s.want("SELECT column_name, data_type, udt_name, is_nullable, ordinal_position FROM information_schema.columns WHERE table_name='"+relation+
			"' AND table_schema = 'public' ORDER BY ordinal_position", want)
	}
	s.want(`SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
WHERE a.attrelid = 'res'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
		"b|bigint\ni|integer\nn|numeric\nd|double precision\nt|text\nts|timestamp with time zone")
	s.want(`SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum)
FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attrelid = 'public.tab'::regclass AND a.attnum > 0 ORDER BY a.attnum`,
		"b|bigint|t|NULL|NULL\ni|integer|f|7|a column\nn|numeric(10,2)|f|NULL|NULL\nd|double precision|t|NULL|NULL\nt|text|f|NULL|NULL\nts|timestamp with time zone|f|NULL|NULL")
	s.want("SELECT relname, relkind, obj_description(oid, 'pg_class') FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname",
		"readings|f|NULL\nres|m|NULL\ntab|r|a table\ntab_pkey|i|NULL\nvie|v|NULL")
	s.want("SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
		"readings|FOREIGN\nres|BASE TABLE\ntab|BASE TABLE\nvie|VIEW")
	s.want("SELECT 'res'::regclass, 'public.res'::regclass, 'other.tab'::regclass, 'tab'::regclass::oid = 'public.tab'::regclass::oid", "res|res|other.tab|t")
	s.want("SET search_path = other; SELECT 'tab'::regclass, 'public.tab'::regclass", "tab|public.tab")
}

// What JDBC tools ask of a database's metadata gets an answer: every method of DatabaseMetaData runs, and lists what there is.
func TestJDBCMetadata(t *testing.T) {
	s := start(t)
	s.exec(results)
	look := newSpy(t, s.addr())
	java := filepath.Join(t.TempDir(), "Meta.java")
	if err := os.WriteFile(java, []byte(`
import java.lang.reflect.*;
import java.sql.*;
import java.util.*;
public class Meta {
  static void print(String what, ResultSet r, String... columns) throws Exception {
    while (r.next()) {
      StringBuilder b = new StringBuilder(what);
      for (String c : columns) b.append(" ").append(r.getString(c));
      System.out.println(b);
    }
  }
  public static void main(String[] a) throws Exception {
    try (Connection c = DriverManager.getConnection("jdbc:postgresql://" + a[0] + "/wmsql?user=wmsql&sslmode=disable&gssEncMode=disable")) {
      DatabaseMetaData m = c.getMetaData();
      for (Method f : DatabaseMetaData.class.getMethods()) {
        Object[] args = Arrays.stream(f.getParameterTypes()).map(p -> p == int.class ? (Object) 0 : p == boolean.class ? (Object) true : null).toArray();
        try {
          Object got = f.invoke(m, args);
          if (got instanceof ResultSet) { ResultSet r = (ResultSet) got; while (r.next()) for (int k = 1; k <= r.getMetaData().getColumnCount(); k++) r.getString(k); }
        } catch (InvocationTargetException e) {
          if (e.getCause() instanceof SQLFeatureNotSupportedException) continue;
          if (e.getCause().getMessage() != null && !(e.getCause() instanceof NullPointerException)) System.out.println("FAULT " + f.getName() + " " + e.getCause());
        }
      }
      print("table", m.getTables(null, "public", "%", null), "TABLE_NAME", "TABLE_TYPE", "REMARKS");
      print("column", m.getColumns(null, "public", "tab", "%"), "COLUMN_NAME", "TYPE_NAME", "COLUMN_SIZE", "DECIMAL_DIGITS", "NULLABLE", "COLUMN_DEF", "REMARKS");
      print("key", m.getPrimaryKeys(null, "public", "tab"), "COLUMN_NAME", "KEY_SEQ", "PK_NAME");
      print("index", m.getIndexInfo(null, "public", "tab", false, false), "INDEX_NAME", "COLUMN_NAME", "NON_UNIQUE");
      print("row", m.getBestRowIdentifier(null, "public", "tab", 0, true), "COLUMN_NAME");
      print("schema", m.getSchemas(), "TABLE_SCHEM");
      print("function", m.getFunctions(null, null, "lower"), "FUNCTION_NAME");
      ResultSetMetaData r = c.prepareStatement("SELECT * FROM res WHERE b = ?").getMetaData();
      for (int k = 1; k <= r.getColumnCount(); k++) System.out.println("result " + r.getColumnName(k) + " " + r.getColumnTypeName(k) + " " + r.getColumnClassName(k));
    }
  }
}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("java", "-cp", filepath.Join(env(t, "WMSQL_PEERS"), "jdbc", "*"), java, look.addr)
	out, err := cmd.CombinedOutput()
	const want = `table readings FOREIGN TABLE null
table res MATERIALIZED VIEW null
table tab TABLE a table
table tab_pkey INDEX null
table vie VIEW null
column b int8 19 0 0 null null
column i int4 10 0 1 7 a column
column n numeric 10 2 1 null null
column d float8 17 17 0 null null
column t text 2147483647 0 1 null null
column ts timestamptz 35 6 1 null null
key b 1 tab_pkey
index tab_pkey b f
row b
schema information_schema
schema other
schema pg_catalog
schema public
schema wm_catalog
function lower
result b int8 java.lang.Long
result i int4 java.lang.Integer
result n numeric java.math.BigDecimal
result d float8 java.lang.Double
result t text java.lang.String
result ts timestamptz java.sql.Timestamp
`
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, l := range got {
		got[i] = strings.TrimSpace(l)
	}
	if g, w := strings.Join(got, "\n"), trimLines(want); err != nil || sorted(g) != sorted(w) {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, g, w)
	}
	if faults := look.errors(); faults != "" {
		t.Error(faults)
	}
}

// SQLAlchemy reflects tables, views, keys and comments, and a reflected table can be read.
func TestReflection(t *testing.T) {
	s := start(t)
	s.exec(results + "INSERT INTO tab (b, d, t) VALUES (1, 2.5, 'x')")
	look := newSpy(t, s.addr())
	script := `
import sys, sqlalchemy as sa
e = sa.create_engine("postgresql+psycopg://wmsql@" + sys.argv[1] + "/wmsql?sslmode=disable&gssencmode=disable")
i = sa.inspect(e)
print(i.get_schema_names(), i.default_schema_name)
print(i.get_table_names(), i.get_view_names(), i.get_materialized_view_names(), i.get_foreign_table_names())
print([(c["name"], str(c["type"]), c["nullable"], c["default"], c["comment"]) for c in i.get_columns("tab")])
print([(c["name"], str(c["type"])) for c in i.get_columns("res")])
print(i.get_pk_constraint("tab"), i.get_foreign_keys("tab"), i.get_indexes("tab"), i.get_unique_constraints("tab"))
print(i.get_check_constraints("tab"), i.get_table_comment("tab"))
print(i.get_view_definition("vie"), i.get_sequence_names(), i.has_table("res"), i.has_table("nosuch"), i.get_enums(), i.get_domains())
m = sa.MetaData()
m.reflect(e, views=True)
m.reflect(e, schema="other")
print(sorted(m.tables))
with e.connect() as c:
    print(c.execute(sa.select(m.tables["tab"].c.b, m.tables["tab"].c.i).where(m.tables["tab"].c.t == "x")).all())
`
	cmd := exec.Command(filepath.Join(env(t, "WMSQL_PEERS"), "venv", "bin", "python"), "-c", script, look.addr)
	out, err := cmd.CombinedOutput()
	const want = `['information_schema', 'other', 'public', 'wm_catalog'] public
['tab'] ['vie'] ['res'] ['readings']
[('b', 'BIGINT', False, None, None), ('i', 'INTEGER', True, '7', 'a column'), ('n', 'NUMERIC(10, 2)', True, None, None), ('d', 'DOUBLE PRECISION', False, None, None), ('t', 'TEXT', True, None, None), ('ts', 'TIMESTAMP', True, None, None)]
`
	if err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, out, want)
	}
	if faults := look.errors(); faults != "" {
		t.Error(faults)
	}
}

// sorted is s with its lines in order.
func sorted(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// What drivers and tools ask when they connect and draw their trees of objects: the constructs of Npgsql, DataGrip, DBeaver, pgAdmin,
// Grafana and Metabase, each over the catalogue.
func TestToolQueries(t *testing.T) {
	s := start(t)
	s.exec(results)
	for _, x := range []struct{ name, sql, want string }{
		{"types with the element of arrays, by the function that reads them",
			`SELECT t.typname, CASE WHEN p.proname = 'array_recv' THEN 'a' ELSE t.typtype END AS kind, e.typname FROM pg_type AS t
LEFT JOIN pg_proc AS p ON p.oid = t.typreceive LEFT JOIN pg_type AS e ON e.oid = t.typelem AND p.proname = 'array_recv'
LEFT JOIN pg_class AS c ON c.oid = t.typrelid LEFT JOIN pg_range AS r ON r.rngtypid = t.oid
WHERE t.oid IN (23, 1007, 1184, 2249) ORDER BY CASE WHEN t.typtype IN ('b', 'p') THEN 0 END, t.oid`,
			"int4|b|NULL\n_int4|a|int4\ntimestamptz|b|NULL\nrecord|p|NULL"},
		{"enums and composites", `SELECT t.oid, enumlabel FROM pg_enum JOIN pg_type AS t ON t.oid = enumtypid
UNION ALL SELECT t.oid, a.attname::text FROM pg_type AS t JOIN pg_attribute AS a ON a.attrelid = t.typrelid WHERE t.typtype = 'c'`, ""},
		{"a state number of every object", "SELECT relname FROM pg_class AS c WHERE relnamespace = 'public'::regnamespace AND c.xmin::text::bigint <= txid_current() AND age(c.xmin) > 0 ORDER BY 1",
			"readings\nres\ntab\ntab_pkey\nvie"},
		{"a state number of what is missing", "SELECT n.nspname, d.xmin FROM pg_namespace AS n LEFT JOIN pg_description AS d ON d.objoid = n.oid AND d.description = 'x' WHERE n.nspname = 'other'", "other|NULL"},
		{"columns by a row of two keys", `SELECT a.attname, pg_get_expr(d.adbin, a.attrelid) FROM pg_attribute AS a
LEFT JOIN pg_attrdef AS d ON (a.attrelid, a.attnum) = (d.adrelid, d.adnum) WHERE a.attrelid = 'tab'::regclass AND a.attnum BETWEEN 1 AND 2 ORDER BY a.attnum`, "b|NULL\ni|7"},
		{"index columns by their place", `SELECT k, i.indkey[k - 1], pg_get_indexdef(i.indexrelid, k::int, true), k <= i.indnkeyatts, o FROM pg_index AS i
CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS u (u, k) CROSS JOIN pg_indexam_has_property(403, 'can_order') AS o WHERE i.indrelid = 'tab'::regclass`, "1|1|b|t|t"},
		{"constraints with arrays of operators", `SELECT conname, contype, conkey, pg_get_constraintdef(oid), array(SELECT unnest::regoper::varchar FROM unnest(conexclop)) FROM pg_constraint
WHERE conrelid = 'tab'::regclass ORDER BY 1`, "tab_pkey|p|{1}|PRIMARY KEY (b)|{}\ntab_t_check|c|{5}|CHECK (t <> '')|{}"},
		{"parents as text", "SELECT relname, (SELECT array_agg(inhparent::bigint ORDER BY inhseqno)::varchar FROM pg_inherits WHERE inhrelid = c.oid) FROM pg_class AS c WHERE oid = 'tab'::regclass", "tab|NULL"},
		{"sources of views", "SELECT relname, relkind, pg_get_viewdef(oid, true) LIKE '%SELECT%' FROM pg_class WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace ORDER BY 1", "res|m|t\nvie|v|t"},
		{"the search path taken apart", `SELECT quote_ident(column_name) FROM information_schema.columns WHERE quote_ident(table_name) = 'vie' AND table_schema IN
(SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1),
array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i, string_to_array(current_setting('search_path'), ',') AS s) ORDER BY 1`, "b\nt"},
		{"privileges by quoted names", `SELECT has_any_column_privilege(current_user, '"' || replace(schemaname, '"', '""') || '"."' || tablename || '"', 'update'), has_table_privilege(current_user, 'tab', 'select'),
has_schema_privilege(current_user, schemaname, 'usage') FROM pg_tables WHERE schemaname = 'public'`, "t|t|t"},
		{"keys by information_schema", `SELECT k.column_name, k.ordinal_position, c.constraint_type FROM information_schema.table_constraints AS c JOIN information_schema.key_column_usage AS k
USING (constraint_schema, constraint_name, table_schema, table_name) WHERE c.table_name = 'tab' AND c.table_schema = 'public'`, "b|1|PRIMARY KEY"},
		{"descriptions by class", `SELECT c.relname, d.description FROM pg_class AS c LEFT JOIN pg_description AS d ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass
WHERE c.oid = 'tab'::regclass`, "tab|a table"},
		{"the session", "SELECT current_schema(), session_user, pg_is_in_recovery(), pg_encoding_to_char(encoding), datallowconn FROM pg_database WHERE datname = current_database()", "public|wmsql|f|UTF8|t"},
		{"settings that connection pools reset", "DISCARD ALL; RESET ALL; CLOSE ALL; UNLISTEN *; SELECT pg_advisory_unlock_all() IS NULL", "f"},
	} {
		if got, err := s.try(x.sql); err != nil || strings.TrimSpace(got) != trimLines(x.want) {
			t.Errorf("%s: %v\ngot\n%s\nwant\n%s", x.name, err, got, x.want)
		}
	}
}

// A result's columns have the names and the types that Postgres gives them.
func TestNamesAndTypesOfColumns(t *testing.T) {
	s := start(t)
	s.exec(`CREATE TABLE t ("Page" TEXT, page TEXT, b BIGINT, i INT, n NUMERIC(10,2))`)
	c := s.connect()
	for _, x := range []struct{ sql, want string }{
		{`SELECT "Page", PAGE, Page, "page" FROM t`, "Page text, page text, page text, page text"},
		{"SELECT 7/2 AS a, 7.0/2 AS d, 'a'||'b' AS f, 1||'x' AS g, 'x', NULL", "a int4, d numeric, f text, g text, ?column? text, ?column? text"},
		{"SELECT sum(b), sum(i), avg(i), avg(n), count(*), max(page), min(i) + 1 FROM t", "sum numeric, sum int8, avg numeric, avg numeric, count int8, max text, ?column? int4"},
		{"SELECT CASE WHEN true THEN 1 END, i::text, CAST(i AS bigint), (i), -i, array[i], coalesce(i, 0), now() FROM t",
			"case int4, i text, i int8, i int4, ?column? int4, array _int4, coalesce int4, now timestamptz"},
		{"SELECT t.*, extract(epoch FROM now()), interval '1 day', date '2026-03-01', 1e0, 1.0, 9223372036854775808 FROM t",
			"Page text, page text, b int8, i int4, n numeric, extract numeric, interval interval, date date, ?column? numeric, ?column? numeric, ?column? numeric"},
		{"SELECT EXISTS (SELECT 1), (SELECT 1 AS inner), row_number() OVER (), true AND false, NOT true", "exists bool, inner int4, row_number int8, ?column? bool, ?column? bool"},
		{"VALUES (1, 'a')", "column1 int4, column2 text"},
	} {
		d, err := c.Prepare(t.Context(), "", x.sql)
		if err != nil {
			t.Errorf("%s: %v", x.sql, err)
			continue
		}
		var got []string
		for _, f := range d.Fields {
			typ, _ := c.TypeMap().TypeForOID(f.DataTypeOID)
			got = append(got, f.Name+" "+typ.Name)
		}
		if g := strings.Join(got, ", "); g != x.want {
			t.Errorf("%s\ngot  %s\nwant %s", x.sql, g, x.want)
		}
	}
}
