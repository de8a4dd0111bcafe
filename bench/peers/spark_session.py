"""The Spark session of the benchmarks: local, two threads, RocksDB state with changelog checkpoints."""
import glob
import os

from pyspark.sql import SparkSession

JARS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '.peers', 'jars-spark', '*.jar')
ROCKSDB = 'org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider'


def session(name, shuffle):
    s = (SparkSession.builder.master('local[2]').appName(name)
         .config('spark.driver.memory', '6g')
         .config('spark.sql.shuffle.partitions', shuffle)
         .config('spark.ui.enabled', 'false')
         .config('spark.sql.session.timeZone', 'UTC')
         .config('spark.driver.host', '127.0.0.1').config('spark.driver.bindAddress', '127.0.0.1')
         .config('spark.jars', ','.join(glob.glob(JARS)))
         .config('spark.sql.streaming.stateStore.providerClass', ROCKSDB)
         .config('spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled', 'true')
         .getOrCreate())
    s.sparkContext.setLogLevel('ERROR')
    return s


def from_kafka(s, broker, topic, schema, start, **options):
    """The JSON records of a topic as rows."""
    from pyspark.sql import functions as F
    reader = (s.readStream.format('kafka').option('kafka.bootstrap.servers', broker).option('subscribe', topic)
              .option('startingOffsets', start).options(**options))
    return reader.load().select(F.from_json(F.col('value').cast('string'), schema).alias('j')).select('j.*')
