#!/usr/bin/env bash
# kafka.sh start|stop: one Kafka broker for the benchmarks on 127.0.0.1:$BENCH_PORT (29092), with its data in bench/data/kafka.
set -euo pipefail
cd "$(dirname "$0")"
port=${BENCH_PORT:-29092}
data=$PWD/data/kafka
jars="$PWD/../.peers/kafka/*"
conf=$data/server.properties

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

start() {
	if answers; then
		echo "bench: something listens on 127.0.0.1:$port already; take another port with BENCH_PORT" >&2
		return 1
	fi
	mkdir -p "$data"
	cat >"$conf" <<-END
		process.roles=broker,controller
		node.id=1
		controller.quorum.voters=1@127.0.0.1:$((port + 1))
		listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$((port + 1))
		advertised.listeners=PLAINTEXT://127.0.0.1:$port
		controller.listener.names=CONTROLLER
		listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
		log.dirs=$data/log
		offsets.topic.replication.factor=1
		transaction.state.log.replication.factor=1
		transaction.state.log.min.isr=1
		group.initial.rebalance.delay.ms=0
		log.retention.hours=-1
	END
	quiet=-Dorg.slf4j.simpleLogger.defaultLogLevel=warn
	if [ ! -f "$data/log/meta.properties" ]; then
		java $quiet -cp "$jars" kafka.tools.StorageTool format -t MkU3OEVBNTcwNTJENDM2Qk -c "$conf" >/dev/null
	fi
	nohup java -Xmx1g -XX:+UseG1GC $quiet -cp "$jars" kafka.Kafka "$conf" >"$data/out" 2>&1 &
	echo $! >"$data/pid"
	for _ in $(seq 600); do
		if answers; then return; fi
		sleep 0.2
	done
	echo "bench: the broker does not answer; see $data/out" >&2
	return 1
}

stop() {
	[ -f "$data/pid" ] || return 0
	kill "$(cat "$data/pid")" 2>/dev/null || true
	while kill -0 "$(cat "$data/pid")" 2>/dev/null; do sleep 0.2; done
	rm -f "$data/pid"
}

case ${1:-} in
start) start ;;
stop) stop ;;
*) echo "usage: kafka.sh start|stop" >&2; exit 2 ;;
esac
