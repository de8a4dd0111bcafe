//go:build peers

package peers

import (
	"os/exec"
	"strings"
	"testing"
)

// pg_dump writes the schema. A stream is a foreign table there, as Postgres has no word for it, and a continuous view has no data.
func TestPgDump(t *testing.T) {
	s := start(t)
	s.exec(world + initials + "CREATE SEQUENCE numbers")
	look := newSpy(t, s.addr())
	out, err := exec.Command("pg_dump", "--schema-only", "-n", "public", "-n", "sales", strings.Replace(s.url(), s.addr(), look.addr, 1)+"&gssencmode=disable").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	dump := strings.Join(strings.Fields(string(out)), " ")
	for _, want := range []string{
		"CREATE TABLE public.people ( id bigint NOT NULL, name text DEFAULT 'x' NOT NULL, born date, score double precision,",
		"COMMENT ON TABLE public.people IS 'who we know';",
		"COMMENT ON COLUMN public.people.name IS 'as spoken';",
		"ALTER TABLE ONLY public.people ADD CONSTRAINT people_pkey PRIMARY KEY (id);",
		"CREATE FOREIGN TABLE public.clicks ( page text NOT NULL, event_time timestamp with time zone ) SERVER internal;",
		"CREATE MATERIALIZED VIEW public.page_clicks AS SELECT window_start, window_end, page, count(*) AS clicks",
		"CREATE VIEW public.busy AS SELECT page, sum(clicks) AS clicks FROM public.page_clicks GROUP BY page;",
		"CREATE FUNCTION public.initials(rows TABLE) RETURNS TABLE(letter text) LANGUAGE starlark",
		"CREATE SEQUENCE public.numbers START WITH 1 INCREMENT BY 1",
		"CREATE TABLE sales.orders ( a integer, b numeric(10,2), c character varying(5), d timestamp(3) without time zone, e integer[] );",
	} {
		if !strings.Contains(dump, want) {
			t.Errorf("pg_dump does not write %s\n%s", want, out)
		}
	}
	if faults := look.errors(); faults != "" {
		t.Error(faults)
	}
}

// shop is plain tables, sequences and views with what is hard to write out.
const shop = `
CREATE TABLE kinds (id serial PRIMARY KEY, code varchar(10) NOT NULL UNIQUE, price numeric(8,2) DEFAULT 0 CHECK (price >= 0),
  made timestamptz DEFAULT now(), flags boolean[], note text DEFAULT 'n/a', doc jsonb, raw bytea, who uuid, born date, span interval,
  twice numeric GENERATED ALWAYS AS (price * 2) STORED);
CREATE TABLE items (id bigint GENERATED ALWAYS AS IDENTITY (START WITH 100), kind int NOT NULL, n smallint,
  CONSTRAINT items_pk PRIMARY KEY (id, kind), CONSTRAINT n_small CHECK (n < 100), UNIQUE (kind, n));
CREATE TABLE bare (a int, b text);
CREATE SEQUENCE numbers START WITH 5 INCREMENT BY 5;
CREATE VIEW priced AS SELECT code, price FROM kinds WHERE price > 0;
COMMENT ON TABLE kinds IS 'what there is';
COMMENT ON COLUMN kinds.code IS 'it''s short';
INSERT INTO kinds (code, price, flags, note, doc, raw, who, born, span) VALUES
  ('a', 1.5, '{t,f,NULL}', E'tab\there\nline \\ "q"', '{"k": [1, null]}', '\x00ff', '00000000-0000-0000-0000-000000000001', '2020-02-29', '1 day 02:03:04'),
  ('b', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO items (kind, n) VALUES (1, 1), (2, NULL), (2, 3);
ALTER TABLE bare DROP COLUMN a;
ALTER TABLE bare ADD COLUMN c int DEFAULT 7;
INSERT INTO bare VALUES ('x'), (NULL);
ALTER TABLE bare ADD CONSTRAINT later CHECK (c > 7) NOT VALID;
SELECT nextval('numbers');`

// What pg_dump writes of a database psql restores, without an error: of Postgres into wmsql, of that into another wmsql, and of this one
// back into Postgres, with rows by COPY or by INSERT. All four have the same rows, columns and constraints.
func TestPgDump_Restores(t *testing.T) {
	theirs, a, b := postgres(t), start(t), start(t)
	back := strings.Replace(theirs, "/postgres?", "/back?", 1)
	through := func(input, url string) string {
		cmd := exec.Command("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", url)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("psql: %v\n%s\n%s", err, out, input)
		}
		return string(out)
	}
	through(shop, theirs)
	through("CREATE DATABASE back", theirs)
	const look = `SELECT * FROM kinds ORDER BY id; SELECT * FROM items ORDER BY id; SELECT * FROM bare ORDER BY b; SELECT * FROM priced;
SELECT last_value, is_called FROM numbers; SELECT last_value FROM kinds_id_seq; SELECT last_value FROM items_id_seq;
SELECT conrelid::regclass::text, conname, contype, convalidated, array_length(conkey, 1) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2;
SELECT attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attnotnull, atthasdef, attidentity, attgenerated FROM pg_attribute
WHERE attrelid IN ('kinds'::regclass, 'items'::regclass, 'bare'::regclass) AND attnum > 0 AND NOT attisdropped ORDER BY 1, attname;
SELECT obj_description('kinds'::regclass), col_description('kinds'::regclass, 2)`
	want := through(look, theirs)
	from := theirs
	for _, step := range []struct {
		to  string
		how []string
	}{{a.url(), nil}, {b.url(), []string{"--inserts"}}, {back, []string{"--column-inserts"}}} {
		dump, err := exec.Command("pg_dump", append(step.how, "-t", "public.*", from)...).Output()
		if err != nil {
			t.Fatalf("pg_dump: %v\n%s", err, dump)
		}
		through(string(dump), step.to)
		if got := through(look, step.to); got != want {
			t.Errorf("restored with %v there is\n%s\nand not\n%s", step.how, got, want)
		}
		from = step.to
	}
}
