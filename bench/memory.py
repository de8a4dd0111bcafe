#!/usr/bin/env python3
"""memory.py group --data FOLDER: bytes of memory a group of state: growth of the heap, collected before and after, over the live groups of
W2 while no window closes.
memory.py cap --data FOLDER --memory 512MiB: state far larger than memory: counts by event id (ids of 200 bytes: gen -id 200) and window, no
window closing before all is read, then all at once. Prints peak resident memory, disk and the sums, which must be those of the same
run with enough memory."""
import argparse
import json
import os
import re
import subprocess
import threading
import urllib.request

from server import Server

PPROF = '127.0.0.1:' + os.environ.get('PPROF_PORT', '26060')
CLICKS = """CREATE STREAM clicks (event_id TEXT, user_id BIGINT, page TEXT, event_time TIMESTAMPTZ, amount DOUBLE PRECISION,
  WATERMARK FOR event_time AS event_time - INTERVAL '1' DAY) WITH (connector = 'file', path = '{data}', format = 'json');"""
QUERY = """CREATE MATERIALIZED VIEW w AS SELECT window_start, {key}, count(*) AS n, sum(amount) AS s, max(user_id) AS m
  FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '{size}') GROUP BY window_start, window_end, {key} EMIT ON WINDOW CLOSE; FLUSH;"""


def heap():
    """Bytes of the heap after a collection."""
    text = urllib.request.urlopen(f'http://{PPROF}/debug/pprof/heap?gc=1&debug=1').read().decode()
    return int(re.search(r'# HeapAlloc = (\d+)', text)[1])


def group(a, data):
    with Server('--file-root', data, '--pprof', PPROF) as server:
        before = heap()
        server.sql(CLICKS.format(data=data) + QUERY.format(key='user_id', size='1 minute').replace(', sum(amount) AS s, max(user_id) AS m', ''))
        [[groups]] = server.sql('SELECT sum(num_rows_total) FROM wm_catalog.state_operators')
        return {'groups': int(groups), 'bytes_a_group': round((heap() - before) / int(groups), 1)}


def cap(a, data):
    with Server('--file-root', data, '--memory', a.memory) as server:
        disk, done = 0, threading.Event()

        def watch():
            nonlocal disk
            while not done.wait(2):
                used = subprocess.run(['du', '-sm', server.dir], capture_output=True, text=True).stdout.split()
                disk = max(disk, int(used[0]) if used else 0)

        threading.Thread(target=watch, daemon=True).start()
        server.sql(CLICKS.format(data=data) + QUERY.format(key='event_id', size=a.window))
        state = disk
        server.sql("SELECT wm_advance_watermark('clicks', 'infinity')")
        [[rows, n, s, m]] = server.sql('SELECT count(*), sum(n), round(sum(s)::numeric, 2), sum(m) FROM w')
        done.set()
        return {'memory': a.memory, 'window': a.window, 'peak_mb': round(server.peak_mb()), 'disk_before_closing_mb': state, 'disk_mb': disk,
                'server_cpu_s': round(server.cpu(), 1), 'rows': int(rows), 'sum_n': int(n), 'sum_s': float(s), 'sum_m': int(m)}


ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('what', choices=('group', 'cap'))
ap.add_argument('--data', required=True)
ap.add_argument('--memory', default='512MiB')
ap.add_argument('--window', default='1 minute', help='1 day: one window holds everything')
args = ap.parse_args()
print('START', flush=True)
print(json.dumps({'engine': 'wmsql', 'src': 'json', **{'group': group, 'cap': cap}[args.what](args, os.path.abspath(args.data))}), flush=True)
