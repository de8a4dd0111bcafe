#!/usr/bin/env python3
"""measure.py RESULTS WORK COMMAND...: runs a command and says what it cost.

The figures are those of the whole process tree, JVMs and Python included. A command prints the line START when it is set up and
the work begins, and at its end a line of JSON with what it did ("engine", "src", "events", ...). To that are added
    wall_s, cpu_s              from START to the end
    start_wall_s, start_cpu_s  before START
    cpu_s_per_M, events_s      cpu_s a million events, events a second of wall_s
    peak_mb                    greatest sum of resident memory, sampled five times a second
    others_cpu_s               what the rest of the machine, the broker too, used meanwhile
and the line is appended to the file RESULTS."""
import ctypes
import json
import os
import resource
import subprocess
import sys
import threading
import time

TICK, PAGE = os.sysconf('SC_CLK_TCK'), os.sysconf('SC_PAGE_SIZE')
PR_SET_CHILD_SUBREAPER = 36


def processes():
    """All processes: pid -> (parent, CPU seconds with those of its dead children, resident bytes)."""
    found = {}
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{pid}/stat') as f:
                fields = f.read().rsplit(')', 1)[1].split()
        except OSError:
            continue  # ended meanwhile
        found[int(pid)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICK, int(fields[21]) * PAGE)
    return found


def tree():
    """CPU seconds and resident bytes of all that descends from this process."""
    procs = processes()
    children = {}
    for pid, (parent, _, _) in procs.items():
        children.setdefault(parent, []).append(pid)
    cpu, rss, todo = 0, 0, list(children.get(os.getpid(), []))
    while todo:
        pid = todo.pop()
        cpu += procs[pid][1]
        rss += procs[pid][2]
        todo += children.get(pid, [])
    return cpu, rss


def machine_cpu():
    """CPU seconds the whole machine has used."""
    with open('/proc/stat') as f:
        user, nice, system, _, _, irq, softirq = map(int, f.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / TICK


def main():
    results, work, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    # A JVM that outlives its parent stays ours, so that its CPU is counted.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    peak, done = 0, threading.Event()

    def sample():
        nonlocal peak
        while not done.wait(0.2):
            peak = max(peak, tree()[1])

    threading.Thread(target=sample, daemon=True).start()
    busy, began = machine_cpu(), time.time()
    start, start_cpu, report = began, 0.0, {}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in child.stdout:
        if line.strip() == 'START':
            start, (start_cpu, _) = time.time(), tree()
        elif line.startswith('{'):
            report = json.loads(line)
            wall = time.time() - start
    if child.wait() != 0 or not report:
        sys.exit(f'bench: {" ".join(command)}: no result')
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    done.set()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = used.ru_utime + used.ru_stime
    row = {'work': work, **report, 'wall_s': round(wall, 2), 'cpu_s': round(total - start_cpu, 2), 'start_wall_s': round(start - began, 2),
           'start_cpu_s': round(start_cpu, 2), 'peak_mb': round(peak / 2**20), 'others_cpu_s': round(machine_cpu() - busy - total, 2)}
    if report.get('events'):
        row['cpu_s_per_M'] = round((total - start_cpu) / report['events'] * 1e6, 3)
        row['events_s'] = round(report['events'] / wall)
    print('bench:', json.dumps(row))
    with open(results, 'a') as f:
        f.write(json.dumps(row) + '\n')


main()
