#!/usr/bin/env python3
"""duck_w1.py json|parquet FOLDER: W1 as one batch query of DuckDB, which knows no late rows: the anchor for the sums and the CPU."""
import json
import sys

import duckdb

src, folder = sys.argv[1:3]
db = duckdb.connect()
db.execute("SET threads = 2; SET timezone = 'UTC'")
columns = "{event_id: 'VARCHAR', user_id: 'BIGINT', page: 'VARCHAR', event_time: 'TIMESTAMP', amount: 'DOUBLE'}"
files = {'json': f"read_json('{folder}/*.json', format = 'newline_delimited', columns = {columns})",
         'parquet': f"read_parquet('{folder}/*.parquet')"}[src]
print('START', flush=True)
rows, n, s = db.execute(f"""
    SELECT count(*), sum(n)::BIGINT, sum(s) FROM (
      SELECT time_bucket(INTERVAL '1 minute', event_time) AS w, page, count(*) AS n, sum(amount) AS s FROM {files} GROUP BY ALL)""").fetchone()
print(json.dumps({'engine': 'DuckDB', 'src': src, 'events': n, 'rows': rows, 'sum_n': n, 'sum_s': round(s, 2)}))
