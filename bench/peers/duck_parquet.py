#!/usr/bin/env python3
"""duck_parquet.py FROM TO: the JSON files of one folder as Parquet files (typed columns, snappy) in another."""
import glob
import os
import sys

import duckdb

source, target = sys.argv[1:3]
os.makedirs(target, exist_ok=True)
db = duckdb.connect()
db.execute("SET threads = 2; SET timezone = 'UTC'")
columns = "{event_id: 'VARCHAR', user_id: 'BIGINT', page: 'VARCHAR', event_time: 'TIMESTAMPTZ', amount: 'DOUBLE'}"
for path in sorted(glob.glob(source + '/*.json')):
    name = os.path.basename(path).replace('.json', '.parquet')
    db.execute(f"""COPY (FROM read_json('{path}', format = 'newline_delimited', columns = {columns}))
                   TO '{target}/{name}' (FORMAT parquet, COMPRESSION snappy)""")
