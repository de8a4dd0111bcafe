//go:build peers

package peers

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// python runs a script with the server's URL as its argument and compares what it prints.
func (s *wmsql) python(script, want string) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(env(s.t, "WMSQL_PEERS"), "venv", "bin", "python"), "-c", script, s.url())
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != want {
		s.t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

// SQLAlchemy's ORM, over psycopg 3 and 2, makes tables with serial, identity and unique columns, inserts, updates, upserts, deletes, and
// finds what is broken in the driver's own exceptions.
func TestORM(t *testing.T) {
	want := ""
	for _, driver := range []string{"psycopg", "psycopg2"} {
		want += driver + ` [(1, 'ada@y', datetime.date(1900, 1, 1), Decimal('3.75')), (2, 'bob@x', None, None)]
UniqueViolation person_mail_key
1 ['person_mail_key'] ['id']
`
	}
	start(t).python(`
import sys, datetime as dt
import sqlalchemy as sa
from sqlalchemy.orm import declarative_base, Session
from sqlalchemy.dialects.postgresql import insert
Base = declarative_base()
class Person(Base):
    __tablename__ = "person"
    id = sa.Column(sa.Integer, primary_key=True)
    mail = sa.Column(sa.String(80), unique=True, nullable=False)
    born = sa.Column(sa.Date)
class Order(Base):
    __tablename__ = "orders"
    id = sa.Column(sa.BigInteger, sa.Identity(always=True), primary_key=True)
    person = sa.Column(sa.Integer, nullable=False)
    price = sa.Column(sa.Numeric(10, 2))
    at = sa.Column(sa.DateTime(timezone=True), server_default=sa.func.now())
for driver in ("psycopg", "psycopg2"):
    e = sa.create_engine(sys.argv[1].replace("postgres://", f"postgresql+{driver}://"))
    Base.metadata.drop_all(e); Base.metadata.create_all(e)
    with Session(e) as s:
        ada = Person(mail="ada@x", born=dt.date(1815, 12, 10))
        s.add_all([ada, Person(mail="bob@x")]); s.flush()
        s.add_all([Order(person=ada.id, price="1.50"), Order(person=ada.id, price="2.25")])
        s.commit()
        ada.mail = "ada@y"; s.commit()
        st = insert(Person).values(mail="ada@y", born=dt.date(1900, 1, 1))
        s.execute(st.on_conflict_do_update(index_elements=["mail"], set_={"born": st.excluded.born})); s.commit()
        print(driver, s.execute(sa.select(Person.id, Person.mail, Person.born, sa.func.sum(Order.price)).outerjoin(Order, Order.person == Person.id).group_by(Person.id, Person.mail, Person.born).order_by(Person.id)).all())
        s.delete(s.get(Person, 2)); s.commit()
        try:
            s.add(Person(mail="ada@y")); s.commit()
        except sa.exc.IntegrityError as x:
            s.rollback(); print(x.orig.__class__.__name__, x.orig.diag.constraint_name)
        print(s.query(Person).count(), [c["name"] for c in sa.inspect(e).get_unique_constraints("person")], sa.inspect(e).get_pk_constraint("orders")["constrained_columns"])
`, want)
}

// asyncpg, which speaks the binary protocol alone: arrays, jsonb, numeric and interval as parameters, a cursor, COPY, a broken constraint by
// name, cancel.
func TestAsyncpg(t *testing.T) {
	start(t).python(`
import asyncio, asyncpg, sys, datetime as dt, decimal
async def main():
    c = await asyncpg.connect(sys.argv[1])
    await c.execute("DROP TABLE IF EXISTS apg; CREATE TABLE apg (id SERIAL PRIMARY KEY, name TEXT, tags TEXT[], at TIMESTAMPTZ, price NUMERIC(10,2), doc JSONB, gap INTERVAL)")
    await c.executemany("INSERT INTO apg (name, tags, at, price, doc, gap) VALUES ($1, $2, $3, $4, $5, $6)", [("a", ["x", "y"], dt.datetime(2026, 3, 1, 12, tzinfo=dt.timezone.utc), decimal.Decimal("1.50"), '{"k": 1}', dt.timedelta(hours=1)), ("b", None, None, None, None, None)])
    for r in await c.fetch("SELECT * FROM apg ORDER BY id"): print(tuple(r))
    print(await c.fetchval("SELECT count(*) FROM apg WHERE name = ANY($1)", ["a", "b", "c"]))
    async with c.transaction():
        print([r[0] async for r in c.cursor("SELECT g FROM generate_series(1, 7) g", prefetch=3)])
    try:
        async with c.transaction():
            await c.execute("INSERT INTO apg (id) VALUES (1)")
    except asyncpg.UniqueViolationError as x: print(x.sqlstate, x.constraint_name)
    print(await c.copy_records_to_table("apg", records=[(10, "copied")], columns=["id", "name"]))
    try: await asyncio.wait_for(c.fetch("SELECT count(*) FROM generate_series(1, 9000000) a, generate_series(1, 1000) b"), 0.3)
    except asyncio.TimeoutError: print("cancelled", await c.fetchval("SELECT 1"))
    await c.close()
asyncio.run(main())
`, `(1, 'a', ['x', 'y'], datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.timezone.utc), Decimal('1.50'), '{"k": 1}', datetime.timedelta(seconds=3600))
(2, 'b', None, None, None, None, None)
2
[1, 2, 3, 4, 5, 6, 7]
23505 apg_pkey
COPY 1
cancelled 1
`)
}
