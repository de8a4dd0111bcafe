// The story told by node-postgres and pg-cursor.
const { Client, types } = require('pg');
const Cursor = require('pg-cursor');
const url = process.argv[2];
const say = (act, ...what) => console.log(`${act}: ${what.join('|')}`);
const iso = (t) => t.toISOString().replace('.000', '');

async function main() {
  types.setTypeParser(types.builtins.DATE, (s) => s); // a date is a day, not midnight of some zone
  const c = new Client(url);
  await c.connect();
  const one = async (text, values) => (await c.query({ text, values, rowMode: 'array' })).rows[0];

  say('connect', (await one('SHOW server_version'))[0].split('.')[0], ...(await one('SELECT current_user, current_database()')));

  const described = await c.query('SELECT * FROM people LIMIT 0');
  const names = Object.fromEntries((await c.query('SELECT oid, typname FROM pg_type WHERE oid = ANY($1)', [described.fields.map((f) => f.dataTypeID)])).rows.map((r) => [r.oid, r.typname]));
  say('reflect', ...described.fields.map((f) => `${f.name} ${names[f.dataTypeID]}`));

  for (const r of (await c.query('SELECT * FROM people ORDER BY id')).rows) say('query', r.id, r.name, r.born, r.score, r.seen && iso(r.seen), r.tags && r.tags.join('+'));

  const asked = "SELECT $1::bigint + 1, $2::text || '!', $3::text IS NULL, $4::numeric(10,2) * 2, $5::timestamptz + interval '1 hour'";
  const values = ['41', "it's é\\", null, '6.25', new Date('2026-03-01T12:00:00Z')];
  const shown = (r) => [...r.slice(0, 4), iso(r[4])];
  say('text', ...shown(await one(asked, values)));
  // A buffer goes out in binary. Results in binary node-postgres does not read: it makes text of all that comes.
  const mixed = await one(asked, [values[0], Buffer.from(values[1]), ...values.slice(2)]);
  if (mixed[1] !== "it's é\\!") throw new Error(`a parameter in binary: ${mixed[1]}`);
  await c.query({ name: 'kept', text: asked, values });
  say('prepared', ...shown((await c.query({ name: 'kept', text: asked, values, rowMode: 'array' })).rows[0]));

  await c.query('BEGIN');
  const cursor = c.query(new Cursor('SELECT i FROM generate_series(1, $1) i', [25000]));
  let pages = 0, rows = 0, sum = 0;
  for (let page; (page = await cursor.read(1000)).length > 0; pages++) for (const r of page) { rows++; sum += r.i; }
  await cursor.close();
  await c.query('COMMIT');
  say('paging', pages, rows, sum);

  const all = await c.query("SELECT i, repeat('x', 100) AS t FROM generate_series(1, 200000) i");
  say('large', all.rowCount, all.rows.reduce((n, r) => n + r.t.length, 0));

  const hours = c.query('SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b').catch((e) => e.code);
  const other = new Client(url);
  await other.connect();
  await new Promise((done) => setTimeout(done, 200));
  await other.query('SELECT pg_cancel_backend($1)', [c.processID]);
  await other.end();
  say('cancel', await hours, (await one('SELECT 1'))[0]);

  const count = async () => (await one('SELECT count(*) FROM people'))[0];
  await c.query('BEGIN');
  await c.query("INSERT INTO people (id, name) VALUES (3, 'Emmy')");
  await c.query('ROLLBACK');
  const before = await count();
  await c.query('BEGIN');
  await c.query("INSERT INTO people (id, name) VALUES (3, 'Emmy')");
  await c.query('SAVEPOINT s');
  await c.query("INSERT INTO people (id, name) VALUES (3, 'Emmy')").catch(() => {});
  await c.query('ROLLBACK TO s');
  await c.query('COMMIT');
  say('transaction', before, await count());

  const fault = (text, values) => c.query(text, values).then(() => 'nothing', (e) => e);
  const unknown = await fault('SELECT nosuch FROM people');
  say('error', unknown.code, unknown.position, unknown.message);
  const twice = await fault("INSERT INTO people (id, name) VALUES ($1, 'x')", [1]);
  say('error', twice.code, twice.table, twice.constraint, twice.detail);
  const date = await fault('SELECT $1::date', ['soon']);
  say('error', date.code, date.message);
  await c.end();
}
main().catch((e) => { console.error(e); process.exit(1); });
