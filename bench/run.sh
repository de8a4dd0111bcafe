#!/usr/bin/env bash
# run.sh: the workloads on wmsql, DuckDB, Flink and Spark, one after the other on this machine; results into bench/results/. See README.md.
#   EVENTS=2000000   events of a workload
#   SECONDS_W7=30    length of a latency run
#   ONLY=wmsql       only the engines that match this pattern: wmsql, duckdb, flink, spark
#   WORKS=W2         only the workloads that match this pattern: W1, W2, W3, W4, W5, q5, W7
set -euo pipefail
cd "$(dirname "$0")/.."
events=${EVENTS:-2000000}
span=$((events * 9 / 25000)) # seconds of event time: always as many events a minute
seconds=${SECONDS_W7:-30}
only=${ONLY:-.}
works=${WORKS:-.}
broker=127.0.0.1:${BENCH_PORT:-29092}
data=$PWD/bench/data
spark=.peers/spark/bin/python
flink=.peers/flink/bin/python

./bench/setup.sh
go build -o bin/gen ./bench/gen
go build -o bin/readlat ./bench/readlat
trap ./bench/kafka.sh\ stop EXIT
./bench/kafka.sh start

# Events are made once: the same in files and in topics. Clicks also as Parquet files.
make_events() { # make_events NAME GEN-FLAGS...
	local name=$1-$events
	shift
	[ -f "$data/$name/.done" ] || { bin/gen "$@" -out "$data/$name" && touch "$data/$name/.done"; }
	[ -f "$data/kafka/$name.done" ] || { bin/gen "$@" -kafka "$broker" -topic "$name" && touch "$data/kafka/$name.done"; }
}
clicks=$data/clicks-$events
parquet=$clicks-parquet
make_events clicks -n "$events" -span "$span"
make_events many -n "$events" -span "$span" -users 2000000 -dup 0.1
make_events ads -kind ads -n $((events / 5)) -span 4320
make_events bids -kind bids -n "$events" -span "$span"
[ -f "$parquet/.done" ] || { $spark bench/peers/duck_parquet.py "$clicks" "$parquet" && touch "$parquet/.done"; }

mkdir -p bench/results
results=bench/results/$(date +%Y-%m-%d-%H%M).jsonl
failed=0
measure() { # measure ENGINE WORK COMMAND...; one that fails does not stop the others
	local engine=$1
	shift
	[[ $engine =~ $only && $1 =~ $works ]] || return 0
	python3 bench/measure.py "$results" "$@" || failed=1
}

work() { # work WORK NAME EVENTS: one workload on every engine
	local work=$1 name=$2-$events result=()
	export BENCH_EVENTS=$3
	[[ $work =~ W[123] ]] && result=(--result "$data/result-$work.csv")
	measure wmsql "$work" python3 bench/work.py "$work" --src kafka --broker "$broker" --topic "$name" "${result[@]}"
	measure wmsql "$work" python3 bench/work.py "$work" --src json --data "$data/$name"
	measure duckdb "$work" $spark bench/peers/duck_work.py "$work" json "$data/$name" "$3"
	measure flink "$work" $flink bench/peers/flink_work.py "$work" "$broker" "$name"
	measure spark "$work" $spark bench/peers/spark_work.py "$work" "$broker" "$name"
	if [[ $work =~ W[123] && wmsql =~ $only && $work =~ $works ]]; then
		$spark bench/check.py "$work" "$data/result-$work.csv" "$data/$name" "$events" "$span" || failed=1
	fi
}

work W1 clicks "$events"
measure wmsql W1 python3 bench/work.py W1 --src parquet --data "$parquet"
measure duckdb W1 $spark bench/peers/duck_work.py W1 parquet "$parquet" "$events"
work W2 many "$events"
work W3 clicks "$events"
work W4 ads $((events / 5 * 2))
work W5 many "$events"
work q5 bids "$events"

measure wmsql W7 .peers/venv/bin/python bench/latency.py --broker "$broker" --secs "$seconds"
measure flink W7 $flink bench/peers/flink_latency.py "$broker" "$seconds"
measure spark W7 $spark bench/peers/spark_latency.py "$broker" "$seconds"

python3 bench/table.py "$results" | tee "${results%.jsonl}.md"
exit $failed
