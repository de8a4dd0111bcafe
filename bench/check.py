#!/usr/bin/env python3
"""check.py W1|W2|W3 RESULT.csv FOLDER EVENTS SPAN: compares the rows that work.py --result wrote with DuckDB's over the same JSON files. No
row may count more events than there are, nor fewer than those that came inside the watermark's delay (gen makes the others
100 s late and more); where the counts are equal, so must the sums be. Prints a line of JSON; fails at the first difference."""
import json
import sys

import duckdb

work, result, folder, events, span = *sys.argv[1:4], int(sys.argv[4]), int(sys.argv[5])
key, kind, s, windows = {'W1': ('page', 'VARCHAR', 'sum(amount)', 1), 'W2': ('user_id', 'BIGINT', '0', 1), 'W3': ('page', 'VARCHAR', '0', 10)}[work]
FIRST = 1767225600 + 10  # gen's clock at the first event, seconds
db = duckdb.connect()
db.execute("SET threads = 2; SET timezone = 'UTC'")
db.execute(f"""CREATE TABLE truth AS
    SELECT w - k * 60 AS w, {key}, sum(n)::BIGINT AS n, sum(s) AS s, sum(due)::BIGINT AS due FROM (
      SELECT epoch(time_bucket(INTERVAL '1 minute', event_time))::BIGINT AS w, {key}, count(*) AS n, {s} AS s, count(*) FILTER (behind < 100) AS due
      FROM (SELECT *, {FIRST} + number * {span} / {events} - epoch(event_time) AS behind
            FROM (SELECT *, row_number() OVER () - 1 AS number
                  FROM read_json('{folder}/*.json', format = 'newline_delimited',
                                 columns = {{page: 'VARCHAR', user_id: 'BIGINT', event_time: 'TIMESTAMP', amount: 'DOUBLE'}})))
      GROUP BY ALL), range({windows}) AS r(k)
    GROUP BY ALL""")
db.execute(f"CREATE TABLE result AS FROM read_csv('{result}', columns = {{w: 'BIGINT', {key}: '{kind}', n: 'BIGINT', s: 'DOUBLE'}})")
bad = db.execute(f"""
    SELECT w, {key}, truth.n, due, result.n, truth.s, result.s FROM truth FULL JOIN result USING (w, {key})
    WHERE coalesce(result.n, 0) NOT BETWEEN coalesce(due, 0) AND coalesce(truth.n, 0)
       OR result.n = truth.n AND abs(result.s - truth.s) > 1e-9 * truth.s LIMIT 1""").fetchall()
if bad:
    sys.exit(f'bench: the result differs from DuckDB (window, key, events, in time, counted, sum, summed): {bad[0]}')
names = ['groups', 'equal_groups', 'events', 'counted', 'late_made']
row = db.execute(f"""SELECT count(*), count(*) FILTER (result.n = truth.n), sum(truth.n)::BIGINT, sum(result.n)::BIGINT, sum(truth.n - due)::BIGINT
                    FROM truth LEFT JOIN result USING (w, {key})""").fetchone()
print(f"bench: {work}: the sums are DuckDB's:", json.dumps(dict(zip(names, row))))
