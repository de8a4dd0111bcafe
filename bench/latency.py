#!/usr/bin/env python3
"""latency.py [--rate 20000] [--secs 60]: W1 in update mode at paced events from Kafka. A reader polls the view for the newest event time of
its rows, max(event_time), and takes how old it is at the moment it becomes visible. Prints percentiles in milliseconds as JSON."""
import argparse, json, os, shutil, signal, socket, subprocess, sys, tempfile, time
import psycopg

ap = argparse.ArgumentParser()
ap.add_argument('--rate', type=int, default=20000); ap.add_argument('--secs', type=int, default=60)
ap.add_argument('--broker', default='127.0.0.1:19092'); ap.add_argument('--bin', default='bin/wmsql'); ap.add_argument('--gen', default='bin/gen'); a = ap.parse_args()
with socket.socket() as s:
    s.bind(('127.0.0.1', 0)); port = s.getsockname()[1]
d = tempfile.mkdtemp(prefix='wmsql-lat-'); topic = f'lat{os.getpid()}'
log = open(d + '/log', 'w')
gen = subprocess.Popen([a.gen, '-rate', str(a.rate), '-secs', str(a.secs + 10), '-kafka', a.broker, '-topic', topic], stderr=log)
srv = subprocess.Popen([a.bin, 'start', '--data', d + '/data', '--listen', f'127.0.0.1:{port}'], stdout=log, stderr=log)
try:
    time.sleep(2)
    c = psycopg.connect(f'postgres://wmsql@127.0.0.1:{port}/wmsql', autocommit=True)
    c.execute(f"""CREATE STREAM clicks (page TEXT, event_time TIMESTAMPTZ, amount DOUBLE PRECISION, WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND)
 WITH (connector='kafka', brokers='{a.broker}', topic='{topic}', format='json')""")
    c.execute("""CREATE MATERIALIZED VIEW w7 AS SELECT window_start, page, count(*) AS n, sum(amount) AS s, max(event_time) AS mx
 FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, page""")
    time.sleep(6)
    lat, last, end = [], {}, time.time() + a.secs
    while time.time() < end:
        rows = c.execute("SELECT page, extract(epoch FROM max(mx))::float8 FROM w7 WHERE window_start >= now() - INTERVAL '2 minutes' GROUP BY page").fetchall()
        now = time.time()
        for page, mx in rows:
            if last.get(page) != mx:
                if page in last: lat.append((now - mx) * 1000)
                last[page] = mx
        time.sleep(0.005)
    lat.sort(); q = lambda p: round(lat[min(len(lat) - 1, int(p * len(lat)))]) if lat else None
    print(json.dumps(dict(engine='wmsql', rate=a.rate, samples=len(lat), p50_ms=q(.5), p95_ms=q(.95), p99_ms=q(.99), max_ms=q(1))))
finally:
    for p in (gen, srv):
        p.send_signal(signal.SIGTERM); p.wait(20)
    log.close(); shutil.rmtree(d, ignore_errors=True)
