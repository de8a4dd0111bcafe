#!/usr/bin/env python3
"""flink_work.py WORK BROKER TOPIC: a workload on Flink SQL: a streaming job over what is in the topic now (a bounded read), into CSV files."""
import csv
import glob
import json
import os
import shutil
import sys
import tempfile

from flink_table import environment

work, broker, topic = sys.argv[1:]
folder = tempfile.mkdtemp(prefix='bench-flink-')
t = environment(folder + '/checkpoints')
if work == 'W5':
    t.get_config().set('table.exec.state.ttl', '20 s')  # Flink forgets ids by the clock; by event time it has no such deduplication


def table(name, columns, time_column, delay, end=''):
    t.execute_sql(f"""CREATE TABLE {name} ({columns}, {time_column} TIMESTAMP_LTZ(3), arrival AS PROCTIME(),
        WATERMARK FOR {time_column} AS {time_column} - INTERVAL '{delay}' SECOND)
      WITH ('connector' = 'kafka', 'properties.bootstrap.servers' = '{broker}', 'topic' = '{topic}{end}', 'properties.group.id' = '{work}',
        'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601')""")


if work == 'W4':
    table('impressions', 'ad_id BIGINT, campaign STRING, cost BIGINT', 'imp_time', 10, '-impressions')
    table('ad_clicks', 'click_ad BIGINT, user_id BIGINT', 'click_time', 10, '-clicks')
elif work == 'q5':
    table('bids', 'auction BIGINT, bidder BIGINT, price BIGINT', 'date_time', 4)
else:
    table('clicks', 'event_id STRING, user_id BIGINT, page STRING, amount DOUBLE', 'event_time', 10)

MINUTES = "TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE))"
SLIDING = "TABLE(HOP(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE, INTERVAL '10' MINUTE))"
WINDOW = 'window_start, window_end'
# A work is the columns of its sink, its query, and which columns are summed.
columns, query, sums = {
    'W1': ('w TIMESTAMP(3), page STRING, n BIGINT, s DOUBLE', f'SELECT window_start, page, count(*), sum(amount) FROM {MINUTES} GROUP BY {WINDOW}, page', (2, 3)),
    'W2': ('w TIMESTAMP(3), user_id BIGINT, n BIGINT', f'SELECT window_start, user_id, count(*) FROM {MINUTES} GROUP BY {WINDOW}, user_id', (2,)),
    'W3': ('w TIMESTAMP(3), page STRING, n BIGINT', f'SELECT window_start, page, count(*) FROM {SLIDING} GROUP BY {WINDOW}, page', (2,)),
    'W4': ('ad_id BIGINT, campaign STRING, user_id BIGINT, cost BIGINT', """SELECT ad_id, campaign, user_id, cost FROM ad_clicks, impressions
        WHERE click_ad = ad_id AND click_time BETWEEN imp_time AND imp_time + INTERVAL '1' HOUR""", (2, 3)),
    'W5': ('event_id STRING', """SELECT event_id FROM (
        SELECT event_id, row_number() OVER (PARTITION BY event_id ORDER BY arrival) AS k FROM clicks) WHERE k = 1""", ()),
    'q5': ('w TIMESTAMP(3), num BIGINT, auction BIGINT', f"""SELECT window_start, num, auction FROM (
        SELECT {WINDOW}, auction, num, row_number() OVER (PARTITION BY {WINDOW} ORDER BY num DESC, auction DESC) AS k FROM (
          SELECT {WINDOW}, auction, count(*) AS num
          FROM TABLE(HOP(TABLE bids, DESCRIPTOR(date_time), INTERVAL '2' SECOND, INTERVAL '10' SECOND)) GROUP BY {WINDOW}, auction))
      WHERE k = 1""", (1, 2)),
}[work]
t.execute_sql(f"CREATE TABLE emitted ({columns}) WITH ('connector' = 'filesystem', 'path' = 'file://{folder}/result', 'format' = 'csv')")
print('START', flush=True)
t.execute_sql('INSERT INTO emitted ' + query).wait()
rows, totals = 0, [0.0, 0.0]
for path in glob.glob(folder + '/result/**/*', recursive=True):
    if os.path.isfile(path):
        with open(path) as f:
            for row in csv.reader(f):
                rows += 1
                for k, c in enumerate(sums):
                    totals[k] += float(row[c])
print(json.dumps({'engine': 'Flink 2.3', 'src': 'kafka', 'events': int(os.environ['BENCH_EVENTS']), 'rows': rows,
                  'sum_n': int(totals[0]) if sums else rows, 'sum_s': round(totals[1], 2)}), flush=True)
shutil.rmtree(folder, ignore_errors=True)
