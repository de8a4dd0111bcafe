//go:build peers

package peers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The catalogue has what Postgres's has: every relation with its columns, and of the rows that every database has, those that are here say
// the same there. Both sides answer the same query; ours must be among Postgres's answers.
func TestCatalogueAsPostgres(t *testing.T) {
	s := start(t)
	pg, err := pgx.Connect(t.Context(), postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pg.Close(context.Background()) }()
	own := s.connect()
	const catalogue = "IN ('pg_catalog', 'information_schema')"
	// Types without values here are text, the domains of information_schema are what they are made of.
	const columnType = `CASE WHEN t.typname IN ('inet', 'pg_lsn', 'anyarray', 'pg_ndistinct', 'pg_dependencies', 'pg_mcv_list') THEN 'text' WHEN t.typname = '_pg_statistic' THEN '_text'
		WHEN t.typname = 'sql_identifier' THEN 'name' WHEN t.typname IN ('character_data', 'yes_or_no') THEN 'varchar' WHEN t.typname = 'cardinal_number' THEN 'int4'
		WHEN t.typname = 'time_stamp' THEN 'timestamptz' ELSE t.typname END`
	for _, x := range []struct{ name, sql string }{
		{"relations =", `SELECT n.nspname, c.relname, c.relkind, c.relnatts FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE n.nspname ` + catalogue + ` AND c.relkind IN ('r', 'v')`},
		{"oids of relations =", "SELECT oid, relname FROM pg_class WHERE relnamespace = 11 AND relkind = 'r'"},
		{"columns =", `SELECT n.nspname, c.relname, a.attnum, a.attname, ` + columnType + ` FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
			JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid WHERE n.nspname ` + catalogue + ` AND c.relkind IN ('r', 'v') AND a.attnum > 0`},
		{"types", `SELECT oid, typname, typnamespace, typlen, typbyval, typtype, typcategory, typispreferred, typisdefined, typdelim, typrelid, typelem,
			typinput::oid, typoutput::oid, typreceive::oid, typsend::oid, typalign, typstorage, typnotnull, typbasetype, typtypmod, typndims, typcollation FROM pg_type`},
		{"arrays of types", "SELECT oid, typarray FROM pg_type WHERE typarray <> 0"},
		{"casts", "SELECT castsource, casttarget, castcontext, castmethod FROM pg_cast"},
		{"operators", "SELECT oid, oprname, oprkind, oprleft, oprright, oprresult FROM pg_operator WHERE oid < 16384"},
		// Not those whose result is an inet or an xid8.
		{"functions", `SELECT oid, proname, prokind, proretset, pronargs, prorettype, proargtypes::text FROM pg_proc
			WHERE oid < 12000 AND proname NOT IN ('inet_client_addr', 'inet_server_addr', 'pg_current_xact_id')`},
		{"functions that read and write values", `SELECT oid, proname, proisstrict, provolatile, proparallel FROM pg_proc
			WHERE oid < 12000 AND (oid IN (SELECT typinput FROM pg_type) OR oid IN (SELECT typoutput FROM pg_type))`},
		{"operator classes", "SELECT oid, opcmethod, opcname, opcfamily, opcintype, opcdefault, opckeytype FROM pg_opclass"},
		{"operator families", "SELECT oid, opfmethod, opfname FROM pg_opfamily"},
		{"operators of families", "SELECT oid, amopfamily, amoplefttype, amoprighttype, amopstrategy, amopopr FROM pg_amop"},
		{"access methods", "SELECT oid, amname, amtype FROM pg_am"},
		{"collations", "SELECT oid, collname, collprovider, collisdeterministic FROM pg_collation"},
		{"languages", "SELECT oid, lanname, lanispl, lanpltrusted FROM pg_language WHERE oid < 12000"},
		{"tablespaces =", "SELECT oid, spcname FROM pg_tablespace"},
		{"schemas", "SELECT oid, nspname FROM pg_namespace WHERE nspname IN ('pg_catalog', 'public')"},
		{"settings", "SELECT name, vartype, unit FROM pg_settings WHERE name NOT LIKE '%.%'"},
		{"index classes", `SELECT i.indclass::text, i.indcollation::text, i.indoption::text, i.indkey::text, pg_get_indexdef(i.indexrelid), pg_get_constraintdef(k.oid)
			FROM pg_index i JOIN pg_constraint k ON k.conindid = i.indexrelid WHERE i.indrelid = 'keyed'::regclass`},
		{"columns of a table =", `SELECT attname, atttypid, attlen, attnum, attndims, atttypmod, attbyval, attalign, attstorage, attnotnull, atthasdef, attidentity, attgenerated, attcollation
			FROM pg_attribute WHERE attrelid = 'keyed'::regclass AND attnum > 0`},
		{"constraints =", `SELECT conname, contype, conkey, conindid <> 0, connoinherit, confupdtype, confdeltype, confmatchtype, convalidated, conislocal, condeferrable
			FROM pg_constraint WHERE conrelid = 'keyed'::regclass`},
		{"columns of constraints =", "SELECT table_name, column_name, constraint_name FROM information_schema.constraint_column_usage WHERE table_name = 'keyed'"},
		{"columns by information_schema =", `SELECT * FROM information_schema.columns WHERE table_name = 'keyed'`},
		{"constraints by information_schema =", `SELECT table_name, constraint_type, nulls_distinct FROM information_schema.table_constraints WHERE table_name = 'keyed'`},
		{"privileges by information_schema =", `SELECT grantor, grantee, table_schema, table_name, privilege_type, is_grantable, with_hierarchy
			FROM information_schema.table_privileges WHERE table_name IN ('keyed', 'seen')`},
		{"sequences by information_schema =", `SELECT sequence_name, data_type, numeric_precision, start_value, minimum_value, maximum_value, increment, cycle_option FROM information_schema.sequences`},
		{"views by information_schema =", `SELECT view_schema, view_name, table_name FROM information_schema.view_table_usage WHERE view_name = 'seen'`},
		{"dependencies =", `SELECT DISTINCT d.deptype, v.relname, u.relname FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid AND d.classid = 'pg_rewrite'::regclass
			JOIN pg_class v ON v.oid = r.ev_class JOIN pg_class u ON u.oid = d.refobjid AND d.refclassid = 'pg_class'::regclass WHERE v.relname = 'seen' AND (d.deptype = 'i' OR u.oid <> v.oid)`},
		{"owned sequences =", `SELECT c.relname, d.deptype, d.refobjid::regclass::text, d.refobjsubid FROM pg_depend d JOIN pg_class c ON c.oid = d.objid
			WHERE d.classid = 'pg_class'::regclass AND c.relkind = 'S' AND d.deptype IN ('a', 'i')`},
	} {
		theirs, ours := map[string]bool{}, map[string]bool{}
		for _, side := range []struct {
			c   *pgx.Conn
			out map[string]bool
		}{{pg, theirs}, {own, ours}} {
			_, _ = side.c.Exec(t.Context(), `CREATE TABLE keyed (a BIGINT, b VARCHAR(10) UNIQUE, c NUMERIC(10,2) DEFAULT 7, d DOUBLE PRECISION NOT NULL, e TIMESTAMPTZ, f SERIAL,
				g INT GENERATED ALWAYS AS IDENTITY, h INT[], i JSONB, j UUID, k DATE, l BOOLEAN, m SMALLINT, n CHAR(3), o BYTEA, p TEXT CHECK (p <> ''), q INTERVAL, PRIMARY KEY (p, a))`)
			_, _ = side.c.Exec(t.Context(), "CREATE VIEW seen AS SELECT a, b FROM keyed WHERE d > 0")
			if err := lines(t.Context(), side.c, x.sql, side.out); err != nil {
				t.Errorf("%s: %v", x.name, err)
			}
		}
		if len(ours) == 0 {
			t.Errorf("%s: none", x.name)
		}
		var differ []string
		for l := range ours {
			if !theirs[l] {
				differ = append(differ, "+ "+l)
			}
		}
		for l := range theirs {
			if strings.HasSuffix(x.name, " =") && !ours[l] {
				differ = append(differ, "- "+l)
			}
		}
		slices.SortFunc(differ, func(a, b string) int { return strings.Compare(a[2:]+a[:1], b[2:]+b[:1]) })
		if len(differ) > 0 {
			t.Errorf("%s: + is said here, - by Postgres\n%s", x.name, strings.Join(differ[:min(40, len(differ))], "\n"))
		}
	}
}

// What Postgres has too has Postgres's number, not one of our own.
func TestNumbersOfPostgres(t *testing.T) {
	s := start(t)
	pg, err := pgx.Connect(t.Context(), postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pg.Close(context.Background()) }()
	for _, x := range []struct{ ours, theirs string }{
		{"SELECT proname, proargtypes::text FROM pg_proc WHERE oid >= 16384 AND pronamespace = 11", "SELECT proname, proargtypes::text FROM pg_proc"},
		{"SELECT oprname, oprleft, oprright FROM pg_operator WHERE oid >= 16384", "SELECT oprname, oprleft, oprright FROM pg_operator"},
		{"SELECT castsource, casttarget FROM pg_cast WHERE oid >= 16384", "SELECT castsource, casttarget FROM pg_cast"},
	} {
		own, all := map[string]bool{}, map[string]bool{}
		if err := lines(t.Context(), s.connect(), x.ours, own); err != nil {
			t.Fatal(err)
		}
		if err := lines(t.Context(), pg, x.theirs, all); err != nil {
			t.Fatal(err)
		}
		for l := range own {
			if all[l] {
				t.Errorf("%s has a number of our own: expr/oids.txt lacks it", l)
			}
		}
	}
}

// lines adds the rows of a query to out, each as text, under the name of our database.
func lines(ctx context.Context, c *pgx.Conn, sql string, out map[string]bool) error {
	rows, err := c.Query(ctx, sql, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var b strings.Builder
		for _, v := range rows.RawValues() {
			switch {
			case v == nil:
				b.WriteString("NULL|")
			case string(v) == "postgres":
				b.WriteString("wmsql|")
			default:
				fmt.Fprintf(&b, "%s|", v)
			}
		}
		out[b.String()] = true
	}
	return rows.Err()
}
