#!/usr/bin/env python3
"""check.py RESULT.csv FOLDER EVENTS SPAN: compares the rows that w1.py --result wrote with DuckDB's over the same JSON files. No row may
count more events than there are, nor fewer than those that came inside the watermark's delay (gen makes the others 100 s late
and more); where the counts are equal, so must the sums be. Prints a line of JSON; fails at the first difference."""
import json
import sys

import duckdb

result, folder, events, span = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
FIRST = 1767225600 + 10  # gen's clock at the first event, seconds
db = duckdb.connect()
db.execute("SET threads = 2; SET timezone = 'UTC'")
db.execute(f"""CREATE TABLE truth AS
    SELECT epoch(time_bucket(INTERVAL '1 minute', event_time))::BIGINT AS w, page, count(*) AS n, sum(amount) AS s, count(*) FILTER (behind < 100) AS due
    FROM (SELECT *, {FIRST} + event_id[2:]::BIGINT * {span} / {events} - epoch(event_time) AS behind
          FROM read_json('{folder}/*.json', format = 'newline_delimited',
                         columns = {{event_id: 'VARCHAR', page: 'VARCHAR', event_time: 'TIMESTAMP', amount: 'DOUBLE'}}))
    GROUP BY ALL""")
db.execute(f"CREATE TABLE result AS FROM read_csv('{result}', columns = {{w: 'BIGINT', page: 'VARCHAR', n: 'BIGINT', s: 'DOUBLE'}})")
bad = db.execute("""
    SELECT w, page, truth.n, due, result.n, truth.s, result.s FROM truth FULL JOIN result USING (w, page)
    WHERE coalesce(result.n, 0) NOT BETWEEN coalesce(due, 0) AND coalesce(truth.n, 0)
       OR result.n = truth.n AND abs(result.s - truth.s) > 1e-9 * truth.s LIMIT 1""").fetchall()
if bad:
    sys.exit(f'bench: the result differs from DuckDB (window, page, events, in time, counted, sum, summed): {bad[0]}')
names = ['groups', 'equal_groups', 'events', 'counted', 'late_made']
row = db.execute("""SELECT count(*), count(*) FILTER (result.n = truth.n), sum(truth.n)::BIGINT, sum(result.n)::BIGINT, sum(truth.n - due)::BIGINT
                    FROM truth LEFT JOIN result USING (w, page)""").fetchone()
print('bench: the sums are DuckDB\'s:', json.dumps(dict(zip(names, row))))
