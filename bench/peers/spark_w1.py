#!/usr/bin/env python3
"""spark_w1.py kafka BROKER TOPIC | json FOLDER: W1 on Spark Structured Streaming: append mode, everything that is there (Trigger.AvailableNow)
in micro-batches of about a million events, into Parquet files."""
import glob
import json
import shutil
import sys
import tempfile

import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyspark.sql import functions as F

from spark_session import from_kafka, session

SCHEMA = 'event_id STRING, user_id BIGINT, page STRING, event_time TIMESTAMP, amount DOUBLE'
src = sys.argv[1]
work = tempfile.mkdtemp(prefix='bench-spark-')
s = session('W1', shuffle=4)
if src == 'kafka':
    clicks = from_kafka(s, sys.argv[2], sys.argv[3], SCHEMA, 'earliest', maxOffsetsPerTrigger=1_000_000)
else:
    clicks = s.readStream.schema(SCHEMA).option('maxFilesPerTrigger', 2).json(sys.argv[2])
w1 = (clicks.withWatermark('event_time', '10 seconds').groupBy(F.window('event_time', '1 minute'), 'page')
      .agg(F.count('*').alias('n'), F.sum('amount').alias('s')))
print('START', flush=True)
query = (w1.writeStream.outputMode('append').format('parquet').option('path', work + '/result')
         .option('checkpointLocation', work + '/checkpoint').trigger(availableNow=True).start())
query.awaitTermination()
result = ds.dataset(glob.glob(work + '/result/*.parquet'), format='parquet').to_table(columns=['n', 's'])
print(json.dumps({'engine': 'Spark 4.3', 'src': src, 'events': sum(p['numInputRows'] for p in query.recentProgress), 'rows': result.num_rows,
                  'sum_n': pc.sum(result['n']).as_py(), 'sum_s': round(pc.sum(result['s']).as_py(), 2)}), flush=True)
s.stop()
shutil.rmtree(work, ignore_errors=True)
