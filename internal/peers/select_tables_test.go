//go:build peers

package peers

import "strings"

// selectTables are created alike on both servers.
const selectTables = `
CREATE TABLE t1 (id int PRIMARY KEY, a int, b bigint, c numeric(12,2), d double precision, e text, f boolean, g date, h timestamp, i timestamptz, j interval);
INSERT INTO t1 VALUES
 (1, 1, 10, 1.50, 0.5, 'abc', true, '2024-01-31', '2024-01-31 12:30:00', '2024-01-31 12:30:00+00', '1 day'),
 (2, 2, -20, -2.25, 1.25, 'ABC', false, '2024-02-29', '2024-02-29 23:59:59.999999', '2024-02-29 00:00:00+00', '2 hours 30 minutes'),
 (3, NULL, 30, 0.00, -1, 'a b  c', NULL, '1999-12-31', NULL, '1999-12-31 23:00:00+00', '1 month'),
 (4, -7, NULL, 100.00, NULL, '', true, NULL, '1970-01-01 00:00:00', NULL, '-3 days'),
 (5, 42, 0, NULL, 1e10, NULL, false, '2024-12-25', '2024-07-04 04:05:06.7', '2024-07-04 04:05:06.7+02', NULL),
 (6, 0, 1234567890123, 99999.99, 0, 'Ünïcödé', true, '2023-03-26', '2023-03-26 02:30:00', '2023-03-26 01:30:00+00', '1 year 2 months 3 days 04:05:06'),
 (7, 1, 10, 1.50, 0.5, 'abc', NULL, '2024-01-31', '2024-01-31 12:30:00', '2024-01-31 12:30:00+00', '24 hours'),
 (8, 100, -1, 3.33, 2.5e-5, '12', false, '2000-02-29', '2000-02-29 06:00:00', '2000-02-29 06:00:00+00', '00:00:01.5');
CREATE TABLE t2 (id int PRIMARY KEY, k int, x smallint, y text, z numeric, w timestamptz);
INSERT INTO t2 VALUES
 (1, 1, 5, 'abc', 1, '2024-01-31 12:30:00+00'), (2, 1, -5, 'xyz', 1.000, '2024-02-01 00:00:00+00'), (3, 2, NULL, 'b%', 0.001, NULL),
 (4, NULL, 0, NULL, 12345678901234567890.5, '1999-12-31 23:00:00+00'), (5, 9, 7, 'ABC', NULL, '2024-07-04 02:05:06.7+00'), (6, 42, 1, '_x', -3, '2024-12-31 23:59:59+00');
CREATE TABLE t3 (id int PRIMARY KEY, k int, v varchar(8), s char(4), r real, t time, u uuid, o bytea, l int[], p text[], q jsonb, m timestamp(3));
INSERT INTO t3 VALUES
 (1, 1, 'abc', 'ab', 1.5, '12:30:00', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\x00ff10', '{1,2,3}', '{a,NULL,"b c"}', '{"a": 1, "b": [1, 2, {"c": "x"}], "d": null}', '2024-01-31 12:30:00.123'),
 (2, 2, '12', 'x', -0.1, '00:00:00', NULL, '', '{}', '{}', '[1, "two", null, true]', NULL),
 (3, NULL, NULL, NULL, NULL, NULL, '00000000-0000-0000-0000-000000000000', NULL, NULL, NULL, NULL, '1999-12-31 23:59:59.999'),
 (5, 2, 'Zz', 'abcd', 3e38, '23:59:59.999999', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'abc', '{NULL,7}', '{abc}', '"s"', '2024-07-04 04:05:06.7'),
 (7, -7, '', '', 0, '06:00:00.5', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\x61', '{3,2,1,1}', '{b,a}', '{"b": {"a": 5}, "a": "12"}', '2024-02-29 00:00:00')`

// selectScopes are the columns of the tables. A type stands for those that are cast to it unasked.
var selectScopes = map[string][]selectColumn{
	"t1": columnsOf("id int, a int, b bigint, c numeric, d float8, e text, f bool, g date, h timestamp, i timestamptz, j interval"),
	"t2": columnsOf("id int, k int, x int, y text, z numeric, w timestamptz"),
	"t3": columnsOf("id int, k int, v text, s text, r float8, t time, u uuid, o bytea, l ints, p texts, q jsonb, m timestamp"),
}

// selectColumn is what may be named: a column, or an expression that may be used like one.
type selectColumn struct {
	name  *part
	typ   string
	plain bool // a column, which a subquery may read too
}

func columnsOf(list string) (out []selectColumn) {
	for c := range strings.SplitSeq(list, ", ") {
		name, typ, _ := strings.Cut(c, " ")
		out = append(out, column(name, typ))
	}
	return out
}

func column(name, typ string) selectColumn {
	return selectColumn{say(name).of(typ), typ, true}
}

// qualified are the columns of a table under an alias.
func qualified(table, alias string) (out []selectColumn) {
	for _, c := range selectScopes[table] {
		out = append(out, column(alias+"."+c.name.String(), c.typ))
	}
	return out
}

// selectTypes are the types a column of a result may have, the usual ones more often.
var selectTypes = strings.Fields("int int int bigint numeric numeric float8 text text text bool date timestamp timestamptz timestamptz interval time uuid bytea ints texts jsonb")

// typeNames are the names of the types in SQL.
var typeNames = map[string]string{
	"int": "int", "bigint": "bigint", "numeric": "numeric", "float8": "float8", "text": "text", "bool": "bool", "date": "date", "timestamp": "timestamp", "timestamptz": "timestamptz",
	"interval": "interval", "time": "time", "uuid": "uuid", "bytea": "bytea", "ints": "int[]", "intss": "int[]", "texts": "text[]", "jsonb": "jsonb",
}

// literals of each type.
var literals = parseCalls(`
int: 0 | 1 | 2 | (-3) | 7 | 100 | 3::smallint | NULL::int
bigint: 0::bigint | 5::bigint | (-12)::bigint | 4000000000
numeric: 0.5 | 1.0 | (-2.75) | 10.000 | 3::numeric | 0.1 | 1.25::numeric(9,3)
float8: 0.5::float8 | 2::float8 | (-1.25)::float8 | 1e3::float8 | 1.5::real
text: 'abc' | 'a' | '' | 'B b' | '12' | 'x%y' | 'a,b,,c' | NULL | 'xyz'::varchar(5)
bool: true | false | NULL::bool
date: DATE '2024-01-15' | DATE '2000-02-29' | '2024-12-30'::date
timestamp: TIMESTAMP '2024-01-15 10:20:30.5' | TIMESTAMP '1999-12-31 00:00:00' | TIMESTAMP '2024-03-31 02:30:00'
timestamptz: TIMESTAMPTZ '2024-01-15 10:20:30+00' | TIMESTAMPTZ '2024-06-01 00:00:00+02' | TIMESTAMPTZ '2024-10-27 00:30:00+00'
interval: INTERVAL '1 day' | INTERVAL '90 minutes' | INTERVAL '1 month -1 day' | INTERVAL '1.5 seconds' | INTERVAL '1 2:03:04.5' day to minute | INTERVAL '3' HOUR
time: TIME '10:20:30' | TIME '23:59:59.5'
uuid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid
bytea: '\x00ff'::bytea | 'abc'::bytea
ints: ARRAY[1, 2] | '{}'::int[] | '{3,NULL,1}'::int[]
intss: ARRAY[[1, 2], [3, 4]] | '{{5,NULL}}'::int[] | '[0:1][2:2]={{1},{2}}'::int[] | '{}'::int[]
texts: ARRAY['a', 'b'] | '{abc,NULL}'::text[] | '{}'::text[]
jsonb: '{"a": 1, "b": [1, 2]}'::jsonb | '[1, "a", null]'::jsonb | 'null'::jsonb | '"abc"'::jsonb | '{"a": {"b": "c"}}'::jsonb
`)

// parseCalls reads lines of a type and what gives it. A type may have several lines.
func parseCalls(text string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		typ, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		out[typ] = append(out[typ], strings.Split(list, " | ")...)
	}
	return out
}
