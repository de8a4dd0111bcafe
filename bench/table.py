#!/usr/bin/env python3
"""table.py RESULTS: the lines of measure.py as Markdown tables."""
import json
import sys


def table(rows, columns):
    """columns: heading -> what to show of a row."""
    print('| ' + ' | '.join(columns) + ' |')
    print('|' + '|'.join('---' if h in ('engine', 'from') else '---:' for h in columns) + '|')
    for row in rows:
        print('| ' + ' | '.join(str(show(row)) for show in columns.values()) + ' |')
    print()


with open(sys.argv[1]) as f:
    rows = [json.loads(line) for line in f]
for work in ('W1', 'W2', 'W3', 'W4', 'W5', 'q5'):
    of_work = [r for r in rows if r['work'] == work]
    if not of_work:
        continue
    print(work + '\n')
    table(of_work, {
        'engine': lambda r: r['engine'],
        'from': lambda r: r['src'],
        'events': lambda r: f"{r['events']:,}",
        'events/s': lambda r: f"{r['events_s']:,}",
        'CPU s/M': lambda r: f"{r['cpu_s_per_M']:.2f}",
        'of them server': lambda r: f"{r['server_cpu_s_per_M']:.2f}" if 'server_cpu_s_per_M' in r else '',
        'CPU s before': lambda r: f"{r['start_cpu_s']:.1f}",
        'peak MB': lambda r: f"{r['peak_mb']:,}",
        'rows': lambda r: f"{r['rows']:,}",
        'sum 1': lambda r: f"{r['sum_n']:,}",
        'sum 2': lambda r: f"{r['sum_s']:,.2f}",
        'others CPU s': lambda r: f"{r['others_cpu_s']:.0f}",
    })
print('W7\n')
table([r for r in rows if r['work'] == 'W7'], {
    'engine': lambda r: r['engine'],
    'from': lambda r: r['src'],
    'events/s': lambda r: f"{r['rate']:,}",
    'samples': lambda r: f"{r['samples']:,}",
    'p50 ms': lambda r: r['p50_ms'],
    'p95 ms': lambda r: r['p95_ms'],
    'p99 ms': lambda r: r['p99_ms'],
    'worst ms': lambda r: r['max_ms'],
    'peak MB': lambda r: f"{r['peak_mb']:,}",
    'others CPU s': lambda r: f"{r['others_cpu_s']:.0f}",
})
