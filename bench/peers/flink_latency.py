#!/usr/bin/env python3
"""flink_latency.py BROKER SECONDS [RATE]: W7 on Flink SQL: an updating aggregate by page and minute (windows give no early results in
Flink), without mini-batches, which are slower here, into an upsert topic."""
import json
import shutil
import sys
import tempfile

from flink_table import clicks, environment
from pace import Pace

pace = Pace(*sys.argv[1:])
work = tempfile.mkdtemp(prefix='bench-flink-')
t = environment(work)
servers = f"'properties.bootstrap.servers' = '{pace.broker}'"
t.execute_sql(clicks('page STRING', f"'connector' = 'kafka', {servers}, 'topic' = '{pace.clicks}', 'properties.group.id' = 'w7', 'scan.startup.mode' = 'latest-offset'"))
t.execute_sql(f"""CREATE TABLE w7 (page STRING, w TIMESTAMP_LTZ(3), n BIGINT, s DOUBLE, mx BIGINT, PRIMARY KEY (page, w) NOT ENFORCED)
  WITH ('connector' = 'upsert-kafka', {servers}, 'topic' = '{pace.results}', 'key.format' = 'json', 'value.format' = 'json')""")
milliseconds = "UNIX_TIMESTAMP(DATE_FORMAT(event_time, 'yyyy-MM-dd HH:mm:ss')) * 1000 + EXTRACT(MILLISECOND FROM event_time)"
job = t.execute_sql(f"""INSERT INTO w7 SELECT page, FLOOR(event_time TO MINUTE), count(*), sum(amount), max({milliseconds})
  FROM clicks GROUP BY page, FLOOR(event_time TO MINUTE)""")
print('START', flush=True)
pace.run()
job.get_job_client().cancel().result()
print(json.dumps({'engine': 'Flink 2.3', 'src': 'kafka', **pace.report()}), flush=True)
shutil.rmtree(work, ignore_errors=True)
