#!/usr/bin/env bash
# setup.sh: puts what the benchmarks need beside wmsql into .peers, once: a Kafka broker (through scripts/peers.sh), DuckDB and
# Spark in one Python environment, Flink in another, and the jars of their Kafka connectors. About 2 GB.
set -euo pipefail
cd "$(dirname "$0")/.."
peers=$PWD/.peers
./scripts/peers.sh "$peers"

venv() { # venv NAME PACKAGE...: a Python environment, once
	local dir=$peers/$1
	shift
	[ -f "$dir/.done" ] && return
	echo "bench: ${*} into $dir"
	python3 -m venv "$dir"
	"$dir/bin/pip" install -q "$@"
	touch "$dir/.done"
}
venv spark 'pyspark==4.3.0' 'duckdb==1.*' 'pyarrow'
venv flink 'apache-flink==2.3.0'

jars() { # jars NAME: what bench/peers/NAME/pom.xml asks for, once
	[ -f "$peers/jars-$1/.done" ] && return
	echo "bench: jars of $1"
	mvn -q -B -f "bench/peers/$1/pom.xml" dependency:copy-dependencies -DoutputDirectory="$peers/jars-$1"
	touch "$peers/jars-$1/.done"
}
jars spark
jars flink
