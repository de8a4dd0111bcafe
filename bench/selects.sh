#!/usr/bin/env bash
# selects.sh: SELECTs on wmsql and on Postgres 15, which it starts on free ports over folders that are deleted afterwards. See README.md.
#   ROWS=10000000   rows of the large table
#   KEYS=1000000    rows of the result view and of the small table
#   SECONDS_POINT=6 length of a measurement of point SELECTs
#   MEASURES=join   only the measurements that match this pattern
set -euo pipefail
cd "$(dirname "$0")/.."
pg=${PG_BIN:-/usr/lib/postgresql/15/bin}
go build -o bin/selects ./bench/selects
dir=$(mktemp -d -t wmsql-selects-XXXXXX)
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
as() { if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi; }
[ "$(id -u)" != 0 ] || chown postgres "$dir"
as "$pg/initdb" -D "$dir/postgres" -U wmsql -A trust -E UTF8 --locale=C.UTF-8 -N >"$dir/initdb.log"
pgport=$(port) wmport=$(port) server=

start() {
	as "$pg/pg_ctl" -D "$dir/postgres" -o "-p $pgport -k $dir -c listen_addresses=127.0.0.1" -l "$dir/postgres.log" -w start >>"$dir/start.log"
	bin/wmsql start --data "$dir/wmsql" --listen "127.0.0.1:$wmport" >>"$dir/wmsql.log" 2>&1 &
	server=$!
	for _ in $(seq 100); do psql -qh 127.0.0.1 -p "$wmport" -U wmsql -d wmsql -c 'SELECT 1' >/dev/null 2>&1 && break || sleep 0.1; done
}

stop() {
	kill "$server"
	as "$pg/pg_ctl" -D "$dir/postgres" -m fast stop >>"$dir/start.log"
	wait "$server" || true
}

# measure [FLAG...]: lines of the table.
measure() {
	bin/selects -rows "${ROWS:-10000000}" -keys "${KEYS:-1000000}" -seconds "${SECONDS_POINT:-6}" \
		-wmsql-pid "$server" -postgres-pid "$(head -1 "$dir/postgres/postmaster.pid")" "$@" \
		"postgres://wmsql@127.0.0.1:$wmport/wmsql" "postgres://wmsql@127.0.0.1:$pgport/postgres"
}

# first NAME: the measurements that match, each as the first statement after a start, under a name.
first() {
	local what
	for what in 'GROUP BY' join; do
		[[ $what =~ ${MEASURES:-.} ]] || continue
		stop
		start
		measure -rounds 1 -only "$what, again" | sed "s/, again/, $1/"
	done
}

start
trap 'stop; rm -rf "$dir"' EXIT
measure -rounds 0 # loads
first 'first of all' >"$dir/first"
echo '| | wmsql | Postgres 15 | times | CPU, wmsql | CPU, Postgres | times |'
echo '|---|---:|---:|---:|---:|---:|---:|'
measure -only "${MEASURES:-.}"
first 'first after a start'
cat "$dir/first"
