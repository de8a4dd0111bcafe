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
		"CREATE VIEW public.busy AS SELECT page, sum(clicks) AS clicks FROM page_clicks GROUP BY page;",
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
