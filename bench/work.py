#!/usr/bin/env python3
"""work.py W1|W2|W3|W4|W5|q5 --src kafka|json|parquet: a workload on wmsql: a fresh server, streams over the events, one materialized
view in append mode. Prints a line of JSON: CPU seconds of the server's process a million events from CREATE STREAM to the end
of FLUSH, its peak memory, events a second, and the sums to compare with other engines."""
import argparse
import json
import os
import sys
import time

from server import Server

CLICKS = ('clicks', 'event_id TEXT, user_id BIGINT, page TEXT, event_time TIMESTAMPTZ, amount DOUBLE PRECISION', 'event_time', 10)
IMPRESSIONS = ('impressions', 'ad_id BIGINT, campaign TEXT, imp_time TIMESTAMPTZ, cost BIGINT', 'imp_time', 10)
AD_CLICKS = ('ad_clicks', 'click_ad BIGINT, user_id BIGINT, click_time TIMESTAMPTZ', 'click_time', 10)
BIDS = ('bids', 'auction BIGINT, bidder BIGINT, price BIGINT, date_time TIMESTAMPTZ', 'date_time', 4)

# A work is the streams it reads, each with the end of its folder's or topic's name, the view's query and the sums of its columns.
WORKS = {
    'W1': ([(CLICKS, '')], """SELECT window_start, page, count(*) AS n, sum(amount) AS s
        FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, page""",
           'sum(n), round(sum(s)::numeric, 2)'),
    'W2': ([(CLICKS, '')], """SELECT window_start, user_id, count(*) AS n
        FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, user_id""",
           'sum(n), 0'),
    'W3': ([(CLICKS, '')], """SELECT window_start, page, count(*) AS n
        FROM HOP(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_start, window_end, page""",
           'sum(n), 0'),
    'W4': ([(IMPRESSIONS, 'impressions'), (AD_CLICKS, 'clicks')], """SELECT ad_id, campaign, user_id, cost FROM ad_clicks JOIN impressions
        ON click_ad = ad_id AND click_time BETWEEN imp_time AND imp_time + INTERVAL '1' HOUR""",
           'sum(user_id), sum(cost)'),
    'W5': ([(CLICKS, '')], 'SELECT DISTINCT ON (event_id) WITHIN WATERMARK event_id, event_time FROM clicks',
           'count(DISTINCT event_id), 0'),
    'q5': ([(BIDS, '')], """SELECT window_start, num, auction FROM (
          SELECT *, row_number() OVER (PARTITION BY window_start, window_end ORDER BY num DESC, auction DESC) AS rank FROM (
            SELECT window_start, window_end, auction, count(*) AS num
            FROM HOP(TABLE bids, DESCRIPTOR(date_time), INTERVAL '2' SECOND, INTERVAL '10' SECOND)
            GROUP BY window_start, window_end, auction) AS counts) AS ranked
        WHERE rank <= 1""",
           'sum(num), sum(auction)'),
}

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('work', choices=WORKS)
ap.add_argument('--src', choices=('kafka', 'json', 'parquet'), default='json')
ap.add_argument('--broker', default='127.0.0.1:29092')
ap.add_argument('--topic', default='clicks', help='topic, or the start of the names of several')
ap.add_argument('--data', default='data/clicks', help='folder of the files, or the one above several')
ap.add_argument('--result', help='write the result rows (window, key, n, s) into this CSV file')
ap.add_argument('--args', default='', help='more flags for the server')
ap.add_argument('--before', default='', help='statements to run first, such as SET')
ap.add_argument('--keep', action='store_true', help='wait for Enter before the server is stopped')
a = ap.parse_args()

streams, query, sums = WORKS[a.work]
data = os.path.abspath(a.data)


def create(stream, end):
    name, columns, time_column, delay = stream
    source = f"connector = 'file', path = '{os.path.join(data, end)}', format = '{a.src}'"
    if a.src == 'kafka':
        topic = f'{a.topic}-{end}' if end else a.topic
        source = f"connector = 'kafka', brokers = '{a.broker}', topic = '{topic}', format = 'json'"
    return f"CREATE STREAM {name} ({columns}, WATERMARK FOR {time_column} AS {time_column} - INTERVAL '{delay}' SECOND) WITH ({source});"


with Server('--file-root', data, *a.args.split()) as server:
    print('START', flush=True)
    began, used = time.time(), server.cpu()
    server.sql(a.before + ''.join(create(*s) for s in streams) + f'CREATE MATERIALIZED VIEW w AS {query} EMIT ON WINDOW CLOSE; FLUSH;')
    wall, used = time.time() - began, server.cpu() - used
    peak = server.peak_mb()
    [[events, late]] = server.sql("SELECT rows_in, rows_late FROM wm_catalog.queries WHERE name = 'w'")
    for stream, _ in streams:
        server.sql(f"SELECT wm_advance_watermark('{stream[0]}', 'infinity')")
    [[rows, n, s]] = server.sql(f'SELECT count(*), {sums} FROM w')
    if a.result:
        columns = {'W1': 'page, n, s', 'W2': 'user_id, n, 0', 'W3': 'page, n, 0'}[a.work]
        with open(a.result, 'w') as f:
            f.writelines(','.join(row) + '\n' for row in server.sql(f'SELECT extract(epoch FROM window_start)::bigint, {columns} FROM w'))
    print(json.dumps({
        'engine': 'wmsql', 'src': a.src, 'events': int(events), 'events_s': round(int(events) / wall),
        'server_cpu_s_per_M': round(used / int(events) * 1e6, 3), 'server_peak_mb': round(peak),
        'rows': int(rows), 'sum_n': int(n), 'late': int(late), 'sum_s': float(s)}), flush=True)
    if a.keep:
        print('server on port', server.port, file=sys.stderr)
        input()
