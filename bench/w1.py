#!/usr/bin/env python3
"""w1.py --src kafka|json|parquet [--mode append|update] [--broker H:P] [--topic T] [--data DIR] [--bin PATH]: the workload W1
on wmsql: a fresh server, a stream over the source, a 1-minute tumbling count and sum per page. Prints one JSON line: CPU
seconds of the server's process per million events, peak memory, events a second, and the sums to compare with other engines."""
import argparse, json, os, shutil, signal, socket, subprocess, sys, tempfile, time

ap = argparse.ArgumentParser()
ap.add_argument('--src', default='json'); ap.add_argument('--mode', default='append')
ap.add_argument('--broker', default='127.0.0.1:19092'); ap.add_argument('--topic', default='clicks')
ap.add_argument('--data', default='data/clicks'); ap.add_argument('--bin', default='bin/wmsql'); ap.add_argument('--n', type=int, default=10_000_000)
ap.add_argument('--args', default=''); a = ap.parse_args()

with socket.socket() as s:
    s.bind(('127.0.0.1', 0)); port = s.getsockname()[1]
d = tempfile.mkdtemp(prefix='wmsql-bench-')
log = open(os.path.join(d, 'log'), 'w')
srv = subprocess.Popen([a.bin, 'start', '--data', d + '/data', '--listen', f'127.0.0.1:{port}', *a.args.split()], stdout=log, stderr=log)
psql = ['psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', str(port), '-U', 'wmsql', '-d', 'wmsql']
def run(sql): return subprocess.run(psql, input=sql, text=True, capture_output=True, check=False)
def cpu():
    f = open(f'/proc/{srv.pid}/stat').read().rsplit(')', 1)[1].split()
    return (int(f[11]) + int(f[12])) / os.sysconf('SC_CLK_TCK')
def peak():
    return next(int(l.split()[1]) / 1024 for l in open(f'/proc/{srv.pid}/status') if l.startswith('VmHWM'))
try:
    for _ in range(200):
        if run('SELECT 1').returncode == 0: break
        time.sleep(0.05)
    source = {'kafka': f"connector='kafka', brokers='{a.broker}', topic='{a.topic}', format='json'",
              'json': f"connector='file', path='{os.path.abspath(a.data)}', format='json'",
              'parquet': f"connector='file', path='{os.path.abspath(a.data)}', format='parquet'"}[a.src]
    emit = {'append': 'EMIT ON WINDOW CLOSE', 'update': 'EMIT ON UPDATE'}[a.mode]
    c0, t0 = cpu(), time.time()
    r = run(f"""CREATE STREAM clicks (event_id TEXT, user_id BIGINT, page TEXT, event_time TIMESTAMPTZ, amount DOUBLE PRECISION,
  WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND) WITH ({source});
CREATE MATERIALIZED VIEW w1 AS SELECT window_start, page, count(*) AS n, sum(amount) AS s
FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, page {emit};
FLUSH;""")
    if r.returncode: sys.exit(r.stderr)
    wall, used = time.time() - t0, cpu() - c0
    rows_in, late = run("SELECT rows_in, rows_late FROM wm_catalog.queries WHERE name = 'w1'").stdout.strip().split('|')
    run("SELECT wm_advance_watermark('clicks', 'infinity')")
    rows, n, s = run('SELECT count(*), sum(n), round(sum(s)::numeric, 2) FROM w1').stdout.strip().split('|')
    m = int(rows_in) / 1e6
    print(json.dumps(dict(engine='wmsql', src=a.src, mode=a.mode, events=int(rows_in), late=int(late), wall_s=round(wall, 2), events_s=round(int(rows_in) / wall),
          cpu_s_per_M=round(used / m, 3), peak_mb=round(peak()), rows=int(rows), sum_n=int(n), sum_s=float(s))))
finally:
    srv.send_signal(signal.SIGTERM); srv.wait(20); log.close()
    if os.environ.get('KEEP_LOG'): print(open(d + '/log').read()[-3000:], file=sys.stderr)
    shutil.rmtree(d, ignore_errors=True)
