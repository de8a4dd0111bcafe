#!/usr/bin/env python3
"""latency.py [--rate 20000] [--secs 60]: W7: W1 in update mode at paced clicks from Kafka. A reader polls the view; when the newest
event time of a page's rows has changed, the sample is how old that event is once the answer is here. Prints percentiles in
milliseconds and the server's CPU as a line of JSON. Needs psycopg."""
import argparse
import json
import os
import subprocess
import time

import psycopg

from server import Server

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('--rate', type=int, default=20_000, help='events a second')
ap.add_argument('--secs', type=int, default=60)
ap.add_argument('--broker', default='127.0.0.1:29092')
ap.add_argument('--gen', default=os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'bin', 'gen'))
ap.add_argument('--args', default='', help='more flags for the server')
a = ap.parse_args()

WARM_UP = 6
topic = f'pace-{os.getpid()}'
gen = subprocess.Popen([a.gen, '-rate', str(a.rate), '-secs', str(a.secs + WARM_UP + 10), '-kafka', a.broker, '-topic', topic],
                       stderr=subprocess.DEVNULL)
try:
    with Server(*a.args.split()) as server:
        time.sleep(2)
        server.sql(f"""
            CREATE STREAM clicks (page TEXT, event_time TIMESTAMPTZ, amount DOUBLE PRECISION,
              WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND)
              WITH (connector = 'kafka', brokers = '{a.broker}', topic = '{topic}', format = 'json');
            CREATE MATERIALIZED VIEW w7 AS SELECT window_start, page, count(*) AS n, sum(amount) AS s, max(event_time) AS mx
              FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, page;""")
        c = psycopg.connect(f'postgres://wmsql@127.0.0.1:{server.port}/wmsql', autocommit=True)
        query = """SELECT page, extract(epoch FROM max(mx))::float8 FROM w7
                   WHERE window_start >= now() - INTERVAL '2 minutes' GROUP BY page"""
        time.sleep(WARM_UP)
        samples, newest, polls = [], {}, 0
        used, began = server.cpu(), time.time()
        while time.time() < began + a.secs:
            rows = c.execute(query).fetchall()
            now, polls = time.time(), polls + 1
            for page, mx in rows:
                if newest.get(page, mx) != mx:
                    samples.append((now - mx) * 1000)
                newest[page] = mx
            time.sleep(0.005)
        used, took = server.cpu() - used, time.time() - began
        samples.sort()
        q = lambda p: round(samples[min(len(samples) - 1, int(p * len(samples)))])
        print(json.dumps({
            'engine': 'wmsql', 'src': 'kafka', 'rate': a.rate, 'samples': len(samples), 'polls': polls, 'server_cpu_share': round(used / took, 3),
            'p50_ms': q(.5), 'p95_ms': q(.95), 'p99_ms': q(.99), 'max_ms': q(1)}), flush=True)
finally:
    gen.terminate()
    gen.wait()
