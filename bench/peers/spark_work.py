#!/usr/bin/env python3
"""spark_work.py WORK BROKER TOPIC: a workload on Spark Structured Streaming: append mode, everything that is in the topic
(Trigger.AvailableNow) in micro-batches of about half a million events, into Parquet files."""
import glob
import json
import shutil
import sys
import tempfile

import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyspark.sql import functions as F

from spark_session import from_kafka, session

work, broker, topic = sys.argv[1:]
folder = tempfile.mkdtemp(prefix='bench-spark-')
s = session(work, shuffle=4)


def stream(schema, time_column, delay, end=''):
    read = from_kafka(s, broker, topic + end, f'{schema}, {time_column} TIMESTAMP', 'earliest', maxOffsetsPerTrigger=500_000)
    return read.withWatermark(time_column, f'{delay} seconds')


def clicks():
    return stream('event_id STRING, user_id BIGINT, page STRING, amount DOUBLE', 'event_time', 10)


def counts(events, window, key):
    return events.groupBy(window, key).agg(F.count('*').alias('n'))


def join():
    impressions = stream('ad_id BIGINT, campaign STRING, cost BIGINT', 'imp_time', 10, '-impressions')
    ad_clicks = stream('click_ad BIGINT, user_id BIGINT', 'click_time', 10, '-clicks')
    on = F.expr('click_ad = ad_id AND click_time BETWEEN imp_time AND imp_time + INTERVAL 1 HOUR')
    return ad_clicks.join(impressions, on).select('ad_id', 'campaign', 'user_id', 'cost')


def hottest():
    bids = stream('auction BIGINT, bidder BIGINT, price BIGINT', 'date_time', 4)
    of_window = counts(bids, F.window('date_time', '10 seconds', '2 seconds'), 'auction')
    return of_window.groupBy('window').agg(F.max(F.struct('n', 'auction')).alias('m')).select('window', 'm.*')


# A work is its query and the columns that are summed.
query, sums = {
    'W1': lambda: (clicks().groupBy(F.window('event_time', '1 minute'), 'page').agg(F.count('*').alias('n'), F.sum('amount').alias('s')), ['n', 's']),
    'W2': lambda: (counts(clicks(), F.window('event_time', '1 minute'), 'user_id'), ['n']),
    'W3': lambda: (counts(clicks(), F.window('event_time', '10 minutes', '1 minute'), 'page'), ['n']),
    'W4': lambda: (join(), ['user_id', 'cost']),
    'W5': lambda: (clicks().dropDuplicatesWithinWatermark(['event_id']).select('event_id'), []),
    'q5': lambda: (hottest(), ['n', 'auction']),
}[work]()
print('START', flush=True)
run = (query.writeStream.outputMode('append').format('parquet').option('path', folder + '/result')
       .option('checkpointLocation', folder + '/checkpoint').trigger(availableNow=True).start())
run.awaitTermination()
result = ds.dataset(glob.glob(folder + '/result/*.parquet'), format='parquet').to_table()
totals = [pc.sum(result[c]).as_py() for c in sums] or [result.num_rows]
print(json.dumps({'engine': 'Spark 4.3', 'src': 'kafka', 'events': sum(p['numInputRows'] for p in run.recentProgress), 'rows': result.num_rows,
                  'sum_n': totals[0], 'sum_s': round(totals[1], 2) if len(totals) > 1 else 0.0}), flush=True)
s.stop()
shutil.rmtree(folder, ignore_errors=True)
