"""The story told by asyncpg, which sends and reads every value in binary."""
import asyncio
import datetime
import decimal
import sys

import asyncpg

from show import say


async def main():
    c = await asyncpg.connect(sys.argv[1])
    who = await c.fetchrow("SELECT current_user::text, current_database()::text")
    say("connect", c.get_server_version().major, *who)

    described = await c.prepare("SELECT * FROM people ORDER BY id")
    kinds = {"bigint": "int8", "timestamp with time zone": "timestamptz"}
    # asyncpg calls an array text[]; the catalogue's name is _text.
    say("reflect", *(f"{a.name} {'_' + a.type.name[:-2] if a.type.name.endswith('[]') else kinds.get(a.type.name, a.type.name)}" for a in described.get_attributes()))
    for r in await described.fetch():
        say("query", *r)

    asked = await c.prepare("SELECT $1::bigint + 1, $2::text || '!', $3::text IS NULL, $4::numeric(10,2) * 2, $5::timestamptz + interval '1 hour'")
    values = (41, "it's é\\", None, decimal.Decimal("6.25"), datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.timezone.utc))
    for act in ("binary", "prepared"):
        say(act, *await asked.fetchrow(*values))

    pages = rows = total = 0
    async with c.transaction():
        cur = await c.cursor("SELECT i FROM generate_series(1, $1::int) i", 25000)
        while page := await cur.fetch(1000):
            pages, rows, total = pages + 1, rows + len(page), total + sum(r[0] for r in page)
    say("paging", pages, rows, total)

    large = await c.fetch("SELECT i, repeat('x', 100) AS t FROM generate_series(1, 200000) i")
    say("large", len(large), sum(len(r[1]) for r in large))

    hours = asyncio.ensure_future(c.fetch("SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b"))
    await asyncio.sleep(0.3)
    other = await asyncpg.connect(sys.argv[1])
    await other.execute(f"SELECT pg_cancel_backend({c.get_server_pid()})")
    await other.close()
    try:
        await hours
    except asyncpg.QueryCanceledError as e:
        say("cancel", e.sqlstate, await c.fetchval("SELECT 1"))

    insert = "INSERT INTO people (id, name) VALUES (3, 'Emmy')"
    count = "SELECT count(*) FROM people"
    t = c.transaction()
    await t.start()
    await c.execute(insert)
    await t.rollback()
    before = await c.fetchval(count)
    async with c.transaction():
        await c.execute(insert)
        try:
            async with c.transaction():  # a savepoint
                await c.execute(insert)
        except asyncpg.UniqueViolationError:
            pass
    say("transaction", before, await c.fetchval(count))

    async def fault(sql, *values):
        try:
            await c.fetch(sql, *values)
        except asyncpg.PostgresError as e:
            return e

    e = await fault("SELECT nosuch FROM people")
    say("error", e.sqlstate, e.position, e.args[0])
    e = await fault("INSERT INTO people (id, name) VALUES ($1, 'x')", 1)
    say("error", e.sqlstate, e.table_name, e.constraint_name, e.detail)
    e = await fault("SELECT $1::text::date", "soon")
    say("error", e.sqlstate, e.args[0])
    await c.close()


asyncio.run(main())
