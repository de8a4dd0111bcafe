#!/usr/bin/env python3
"""flink_w1.py kafka BROKER TOPIC | json FOLDER: W1 on Flink SQL: a streaming job over what is there (a bounded read), into CSV files."""
import csv
import glob
import json
import os
import shutil
import sys
import tempfile

from flink_table import clicks, environment

src = sys.argv[1]
work = tempfile.mkdtemp(prefix='bench-flink-')
t = environment(work + '/checkpoints')
if src == 'kafka':
    source = f"""'connector' = 'kafka', 'properties.bootstrap.servers' = '{sys.argv[2]}', 'topic' = '{sys.argv[3]}', 'properties.group.id' = 'w1',
      'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset'"""
else:
    source = f"'connector' = 'filesystem', 'path' = 'file://{os.path.abspath(sys.argv[2])}'"
t.execute_sql(clicks('event_id STRING, user_id BIGINT, page STRING', source))
t.execute_sql(f"""CREATE TABLE w1 (window_start TIMESTAMP(3), page STRING, n BIGINT, s DOUBLE)
  WITH ('connector' = 'filesystem', 'path' = 'file://{work}/result', 'format' = 'csv')""")
print('START', flush=True)
t.execute_sql("""INSERT INTO w1 SELECT window_start, page, count(*), sum(amount)
  FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, page""").wait()
rows, n, s = 0, 0, 0.0
for path in glob.glob(work + '/result/**/*', recursive=True):
    if os.path.isfile(path):
        with open(path) as f:
            for row in csv.reader(f):
                rows, n, s = rows + 1, n + int(row[2]), s + float(row[3])
print(json.dumps({'engine': 'Flink 2.3', 'src': src, 'events': int(os.environ['BENCH_EVENTS']), 'rows': rows, 'sum_n': n, 'sum_s': round(s, 2)}), flush=True)
shutil.rmtree(work, ignore_errors=True)
