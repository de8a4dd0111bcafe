#!/usr/bin/env python3
"""spark_latency.py BROKER SECONDS [RATE]: W7 on Spark: update mode, a micro-batch as soon as the last has ended, results into a topic."""
import json
import shutil
import sys
import tempfile

from pyspark.sql import functions as F

from pace import Pace
from spark_session import from_kafka, session

pace = Pace(*sys.argv[1:])
work = tempfile.mkdtemp(prefix='bench-spark-')
s = session('W7', shuffle=2)
clicks = from_kafka(s, pace.broker, pace.clicks, 'page STRING, event_time TIMESTAMP, amount DOUBLE', 'latest')
w7 = (clicks.withWatermark('event_time', '10 seconds').groupBy(F.window('event_time', '1 minute'), 'page')
      .agg(F.count('*').alias('n'), F.sum('amount').alias('s'), (F.max(F.col('event_time').cast('double')) * 1000).cast('long').alias('mx')))
query = (w7.select(F.to_json(F.struct('*')).alias('value')).writeStream.outputMode('update').format('kafka')
         .option('kafka.bootstrap.servers', pace.broker).option('topic', pace.results).option('checkpointLocation', work).start())
print('START', flush=True)
pace.run()
query.stop()
s.stop()
print(json.dumps({'engine': 'Spark 4.3', 'src': 'kafka', **pace.report()}), flush=True)
shutil.rmtree(work, ignore_errors=True)
