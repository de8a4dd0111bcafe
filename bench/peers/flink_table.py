"""Flink's table environment of the benchmarks: a local cluster with parallelism 2, RocksDB state, a checkpoint each 5 seconds."""
import glob
import os

os.environ.setdefault('JAVA_TOOL_OPTIONS', '-Xmx4g')

from pyflink.common import Configuration  # noqa: E402  (reads the variable)
from pyflink.table import EnvironmentSettings, TableEnvironment  # noqa: E402

JARS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '.peers', 'jars-flink', 'flink-sql-connector-kafka*.jar')


def environment(checkpoints):
    c = Configuration()
    for key, value in {
        'pipeline.jars': 'file://' + os.path.abspath(glob.glob(JARS)[0]),
        'parallelism.default': '2',
        'state.backend.type': 'rocksdb',
        'taskmanager.memory.managed.size': '1gb',
        'taskmanager.memory.network.min': '128mb',
        'taskmanager.memory.network.max': '128mb',
        'taskmanager.numberOfTaskSlots': '2',
        'table.local-time-zone': 'UTC',
        'rest.address': '127.0.0.1',
        'rest.bind-address': '127.0.0.1',
        'rest.bind-port': '38081-38099',
        'execution.checkpointing.interval': '5 s',
        'execution.checkpointing.dir': 'file://' + checkpoints,
        'execution.checkpointing.incremental': 'true',
    }.items():
        c.set_string(key, value)
    return TableEnvironment.create(EnvironmentSettings.new_instance().in_streaming_mode().with_configuration(c).build())


def clicks(columns, options):
    """The statement that makes the table clicks."""
    return f"""CREATE TABLE clicks ({columns}, event_time TIMESTAMP_LTZ(3), amount DOUBLE, WATERMARK FOR event_time AS event_time - INTERVAL '10' SECOND)
      WITH ({options}, 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601')"""
