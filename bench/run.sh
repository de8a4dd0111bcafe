#!/usr/bin/env bash
# run.sh: W1 and W7 on wmsql, DuckDB, Flink and Spark, one after the other on this machine; results into bench/results/. See README.md.
#   EVENTS=3000000   a smaller set (10,000,000)
#   SECONDS_W7=60    length of a latency run
#   ONLY=wmsql       only the engines that match this pattern: wmsql, duckdb, flink, spark
set -euo pipefail
cd "$(dirname "$0")/.."
events=${EVENTS:-10000000}
span=$((events * 9 / 25000)) # seconds of event time: always as many events a minute
seconds=${SECONDS_W7:-60}
only=${ONLY:-.}
broker=127.0.0.1:${BENCH_PORT:-29092}
data=$PWD/bench/data
json=$data/clicks-$events
parquet=$json-parquet
topic=clicks-$events
spark=.peers/spark/bin/python
flink=.peers/flink/bin/python
export BENCH_EVENTS=$events

./bench/setup.sh
go build -o bin/gen ./bench/gen
go build -o bin/readlat ./bench/readlat
trap ./bench/kafka.sh\ stop EXIT
./bench/kafka.sh start

# Clicks, made once: the same in files, in Parquet files and in a topic.
clicks() { bin/gen -n "$events" -span "$span" "$@"; }
[ -f "$json/.done" ] || { clicks -out "$json" && touch "$json/.done"; }
[ -f "$parquet/.done" ] || { $spark bench/peers/duck_parquet.py "$json" "$parquet" && touch "$parquet/.done"; }
[ -f "$data/kafka/$topic.done" ] || { clicks -kafka "$broker" -topic "$topic" && touch "$data/kafka/$topic.done"; }

mkdir -p bench/results
results=bench/results/$(date +%Y-%m-%d-%H%M).jsonl
failed=0
measure() { # measure ENGINE WORK COMMAND...; one that fails does not stop the others
	local engine=$1
	shift
	[[ $engine =~ $only ]] || return 0
	python3 bench/measure.py "$results" "$@" || failed=1
}

measure wmsql W1 python3 bench/w1.py --src kafka --broker "$broker" --topic "$topic" --result "$data/result-kafka.csv"
measure wmsql W1 python3 bench/w1.py --src json --data "$json" --result "$data/result-json.csv"
measure wmsql W1 python3 bench/w1.py --src parquet --data "$parquet" --result "$data/result-parquet.csv"
for csv in "$data"/result-*.csv; do
	$spark bench/check.py "$csv" "$json" "$events" "$span"
done
measure duckdb W1 $spark bench/peers/duck_w1.py json "$json"
measure duckdb W1 $spark bench/peers/duck_w1.py parquet "$parquet"
measure flink W1 $flink bench/peers/flink_w1.py kafka "$broker" "$topic"
measure flink W1 $flink bench/peers/flink_w1.py json "$json"
measure spark W1 $spark bench/peers/spark_w1.py kafka "$broker" "$topic"
measure spark W1 $spark bench/peers/spark_w1.py json "$json"

measure wmsql W7 .peers/venv/bin/python bench/latency.py --broker "$broker" --secs "$seconds"
measure flink W7 $flink bench/peers/flink_latency.py "$broker" "$seconds"
measure spark W7 $spark bench/peers/spark_latency.py "$broker" "$seconds"

python3 bench/table.py "$results" | tee "${results%.jsonl}.md"
exit $failed
