"""The story told by Python's drivers of the DB-API: psycopg, psycopg2 and pyodbc."""
import datetime
import decimal
import re
import sys
import threading
import time
import urllib.parse

from show import UTC, say

HOURS = "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"
INSERT = "INSERT INTO people (id, name) VALUES (3, 'Emmy')"
ASKED = "SELECT {0}::bigint + 1, {0}::text || '!', {0}::text IS NULL, {0}::numeric(10,2) * 2, {0}::timestamptz + interval '1 hour'"
VALUES = (41, "it's é\\", None, decimal.Decimal("6.25"), datetime.datetime(2026, 3, 1, 12, tzinfo=UTC))


def named_cursor_pages(c):
    with c.cursor("pages") as cur:
        cur.execute("SELECT i FROM generate_series(1, %s) i", (25000,))
        while page := cur.fetchmany(1000):
            yield page


def diagnosed(e):
    d = e.diag
    return d.sqlstate, d.statement_position, d.message_primary, d.table_name, d.constraint_name, d.message_detail


def psycopg3(url):
    import psycopg

    c = psycopg.connect(url)
    c.execute("SET TimeZone = 'UTC'")
    c.commit()

    def binary():
        say("binary", *c.cursor(binary=True).execute(ASKED.format("%b"), VALUES).fetchone())

    def kinds(cur):
        named = [(d.name, d.type_code, c.adapters.types[d.type_code]) for d in cur.description]
        return [f"{name} {'_' if t.array_oid == oid else ''}{t.name}" for name, oid, t in named]

    def prepared():
        for _ in range(2):
            row = c.execute(ASKED.format("%s"), VALUES, prepare=True).fetchone()
        names = [r[0] for r in c.execute("SELECT name FROM pg_prepared_statements").fetchall()]
        assert names == ["_pg3_0"], names
        say("prepared", *row)

    return c, "%s", psycopg.Error, [binary, prepared], lambda: named_cursor_pages(c), lambda _: c.cancel_safe(), diagnosed, kinds


def psycopg2(url):
    import psycopg2

    c = psycopg2.connect(url)

    def kinds(cur):
        names = {}
        with c.cursor() as other:
            other.execute("SELECT oid, typname FROM pg_type WHERE oid = ANY(%s)", ([d.type_code for d in cur.description],))
            names = dict(other.fetchall())
        return [f"{d.name} {names[d.type_code]}" for d in cur.description]

    return c, "%s", psycopg2.Error, [], lambda: named_cursor_pages(c), lambda _: c.cancel(), diagnosed, kinds


def odbc(url):
    import pyodbc

    to = urllib.parse.urlsplit(url)
    address = f"Driver={sys.argv[3]};Server={to.hostname};Port={to.port};Database={to.path[1:]};UID={to.username};PWD={to.password or ''};BoolsAsChar=0"
    libpq = {"sslrootcert"}  # what the driver hands on as it is
    address += "".join(f";pqopt={name}={value}" if name in libpq else f";{name}={value}" for name, value in urllib.parse.parse_qsl(to.query))
    c = pyodbc.connect(address)

    def pages():
        fetching = pyodbc.connect(address + ";UseDeclareFetch=1;Fetch=1000")  # by a cursor
        cur = fetching.cursor()
        cur.execute("SELECT i FROM generate_series(1, 25000) i")
        while page := cur.fetchmany(1000):
            yield page
        fetching.close()

    def fault(e):  # ODBC knows a code and a text
        message = re.match(r"\[\w+\] ERROR: (.*);", e.args[1])
        return e.args[0], None, message and message[1], None, None, None

    def kinds(_):
        return [f"{r.column_name} {r.type_name}" for r in c.cursor().columns(table="people", schema="public")]

    def prepared():
        cur = c.cursor()
        for _ in range(2):
            row = cur.execute(ASKED.format("?"), VALUES).fetchone()  # the same text again: not prepared anew
        say("prepared", *row)

    return c, "?", pyodbc.Error, [prepared], pages, lambda cur: cur.cancel(), fault, kinds


def main():
    c, mark, Error, ways, pages, cancel, fault, kinds = {"psycopg": psycopg3, "psycopg2": psycopg2, "odbc": odbc}[sys.argv[2]](sys.argv[1])

    def rows(sql, *values):
        cur = c.cursor()
        cur.execute(sql, values) if values else cur.execute(sql)
        return cur.fetchall()

    def caught(sql, *values):
        try:
            rows(sql, *values)
        except Error as e:
            c.rollback()
            return fault(e)
        return ("nothing",) * 6

    say("connect", rows("SHOW server_version")[0][0].split(".")[0], *rows("SELECT current_user, current_database()")[0])
    cur = c.cursor()
    cur.execute("SELECT * FROM people ORDER BY id")
    say("reflect", *kinds(cur))
    for r in cur.fetchall():
        say("query", *r)
    say("text", *rows(ASKED.format(mark), *VALUES)[0])
    for way in ways:
        way()

    count = pages_read = total = 0
    for page in pages():
        pages_read, count, total = pages_read + 1, count + len(page), total + sum(r[0] for r in page)
    say("paging", pages_read, count, total)
    c.commit()

    large = rows("SELECT i, repeat('x', 100) AS t FROM generate_series(1, 200000) i")
    say("large", len(large), sum(len(r[1]) for r in large))

    cur = c.cursor()
    threading.Thread(target=lambda: (time.sleep(0.3), cancel(cur))).start()
    try:
        cur.execute(HOURS)
    except Error as e:
        c.rollback()
        say("cancel", fault(e)[0], rows("SELECT 1")[0][0])
    c.commit()

    c.cursor().execute(INSERT)
    c.rollback()
    before = rows("SELECT count(*) FROM people")[0][0]
    c.cursor().execute(INSERT)
    c.cursor().execute("SAVEPOINT s")
    try:
        c.cursor().execute(INSERT)
    except Error:
        c.cursor().execute("ROLLBACK TO SAVEPOINT s")
    c.commit()
    say("transaction", before, rows("SELECT count(*) FROM people")[0][0])

    say("error", *caught("SELECT nosuch FROM people")[:3])
    code, _, _, *where = caught(f"INSERT INTO people (id, name) VALUES ({mark}, 'x')", 1)
    say("error", code, *where)
    say("error", *caught(f"SELECT {mark}::date", "soon")[0:3:2])
    c.close()


main()
