#!/usr/bin/env python3
"""w1.py --src kafka|json|parquet: the workload W1 on wmsql: a fresh server, a stream over clicks, a 1-minute tumbling count and
sum per page. Prints a line of JSON: CPU seconds of the server's process a million events from CREATE STREAM to the end of
FLUSH, its peak memory, events a second, and the sums to compare with other engines."""
import argparse
import json
import os
import time

from server import Server

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('--src', choices=('kafka', 'json', 'parquet'), default='json')
ap.add_argument('--mode', choices=('append', 'update'), default='append')
ap.add_argument('--broker', default='127.0.0.1:29092')
ap.add_argument('--topic', default='clicks')
ap.add_argument('--data', default='data/clicks', help='folder of the files')
ap.add_argument('--result', help='write the result rows into this CSV file')
ap.add_argument('--args', default='', help='more flags for the server')
a = ap.parse_args()

data = os.path.abspath(a.data)
source = f"connector = 'file', path = '{data}', format = '{a.src}'"
if a.src == 'kafka':
    source = f"connector = 'kafka', brokers = '{a.broker}', topic = '{a.topic}', format = 'json'"
emit = {'append': 'EMIT ON WINDOW CLOSE', 'update': 'EMIT ON UPDATE'}[a.mode]

with Server('--file-root', data, *a.args.split()) as server:
    print('START', flush=True)
    began, used = time.time(), server.cpu()
    server.sql(f"""
        CREATE STREAM clicks (event_id TEXT, user_id BIGINT, page TEXT, event_time TIMESTAMPTZ, amount DOUBLE PRECISION,
          WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND) WITH ({source});
        CREATE MATERIALIZED VIEW w1 AS SELECT window_start, page, count(*) AS n, sum(amount) AS s
          FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, page {emit};
        FLUSH;""")
    wall, used = time.time() - began, server.cpu() - used
    [[events, late]] = server.sql("SELECT rows_in, rows_late FROM wm_catalog.queries WHERE name = 'w1'")
    server.sql("SELECT wm_advance_watermark('clicks', 'infinity')")
    [[rows, n, s]] = server.sql('SELECT count(*), sum(n), round(sum(s)::numeric, 2) FROM w1')
    if a.result:
        with open(a.result, 'w') as f:
            f.writelines(','.join(row) + '\n' for row in server.sql('SELECT extract(epoch FROM window_start)::bigint, page, n, s FROM w1'))
    print(json.dumps({
        'engine': 'wmsql', 'src': a.src, 'mode': a.mode, 'events': int(events), 'events_s': round(int(events) / wall),
        'server_cpu_s_per_M': round(used / int(events) * 1e6, 3), 'server_peak_mb': round(server.peak_mb()),
        'rows': int(rows), 'sum_n': int(n), 'late': int(late), 'sum_s': float(s)}), flush=True)
