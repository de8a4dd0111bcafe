#!/usr/bin/env python3
"""duck_work.py WORK json|parquet FOLDER EVENTS: a workload as one batch query of DuckDB, which knows no late rows: the anchor for the sums and the CPU."""
import json
import sys

import duckdb

work, src, folder, events = sys.argv[1:]
db = duckdb.connect()
db.execute("SET threads = 2; SET timezone = 'UTC'")


def table(columns, end=''):
    if src == 'parquet':
        return f"read_parquet('{folder}{end}/*.parquet')"
    return f"read_json('{folder}{end}/*.json', format = 'newline_delimited', columns = {{{columns}}})"


CLICKS = "event_id: 'VARCHAR', user_id: 'BIGINT', page: 'VARCHAR', event_time: 'TIMESTAMP', amount: 'DOUBLE'"
IMPRESSIONS = table("ad_id: 'BIGINT', campaign: 'VARCHAR', imp_time: 'TIMESTAMP', cost: 'BIGINT'", '/impressions')
AD_CLICKS = table("click_ad: 'BIGINT', user_id: 'BIGINT', click_time: 'TIMESTAMP'", '/clicks')
BIDS = table("auction: 'BIGINT', date_time: 'TIMESTAMP'")


def windows(of, time, key, slide, size):
    """Counts by sliding window: counts by slide, each in all the windows that hold it."""
    return f"""SELECT w - k * INTERVAL '{slide} seconds' AS w, {key}, sum(n) AS n FROM (
        SELECT time_bucket(INTERVAL '{slide} seconds', {time}) AS w, {key}, count(*) AS n FROM {of} GROUP BY ALL), range({size // slide}) AS r(k) GROUP BY ALL"""


def minutes(key, more=''):
    return f"SELECT time_bucket(INTERVAL '1 minute', event_time) AS w, {key}, count(*) AS n{more} FROM {table(CLICKS)} GROUP BY ALL"


# A work is its query and its two sums.
query, sums = {
    'W1': (minutes('page', ', sum(amount) AS s'), 'sum(n)::BIGINT, round(sum(s), 2)'),
    'W2': (minutes('user_id'), 'sum(n)::BIGINT, 0'),
    'W3': (windows(table(CLICKS), 'event_time', 'page', 60, 600), 'sum(n)::BIGINT, 0'),
    'W4': (f"""SELECT user_id, cost FROM {AD_CLICKS} JOIN {IMPRESSIONS}
        ON click_ad = ad_id AND click_time BETWEEN imp_time AND imp_time + INTERVAL '1 hour'""", 'sum(user_id)::BIGINT, sum(cost)::BIGINT'),
    'W5': (f'SELECT DISTINCT event_id FROM {table(CLICKS)}', 'count(*), 0'),
    'q5': (f"SELECT w, max((n, auction)) AS m FROM ({windows(BIDS, 'date_time', 'auction', 2, 10)}) GROUP BY ALL", 'sum(m[1])::BIGINT, sum(m[2])::BIGINT'),
}[work]
print('START', flush=True)
rows, n, s = db.execute(f'SELECT count(*), {sums} FROM ({query})').fetchone()
print(json.dumps({'engine': 'DuckDB', 'src': src, 'events': int(events), 'rows': rows, 'sum_n': n, 'sum_s': float(s)}))
