#!/usr/bin/env bash
# bi.sh DIR: a real Apache Superset on bin/wmsql. Installs it into DIR/superset (PyPI, 1.5 GB, some minutes; not part of CI), runs
# scripts/bi.py, and leaves the chart in DIR/superset.png: look at it.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(realpath -m "${1:?usage: bi.sh DIR}")
mkdir -p "$dir"
command -v chromium >/dev/null || { echo "bi: the screenshot needs a browser; type:  apt-get install -y chromium" >&2; exit 1; }

# Superset's own list of versions is not on PyPI: what follows is what 6.1 runs with.
packages=('apache-superset==6.1.*' 'psycopg2-binary==2.9.*' 'flask-caching<2.4' rich cachetools)
if [ "$(cat "$dir/superset/.done" 2>/dev/null)" != "${packages[*]}" ]; then
	python3 -m venv "$dir/superset"
	"$dir/superset/bin/pip" install -q "${packages[@]}"
	echo "${packages[*]}" >"$dir/superset/.done"
fi

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$work"' EXIT
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free) web=$(free)
bin/wmsql start --data "$work/data" --listen "127.0.0.1:$port" >"$work/wmsql.log" 2>&1 &

export SUPERSET_HOME=$work SUPERSET_CONFIG_PATH=$PWD/scripts/bi_superset_config.py FLASK_APP=superset
SUPERSET_SECRET=$(head -c 24 /dev/urandom | base64)
export SUPERSET_SECRET
superset() { "$dir/superset/bin/superset" "$@" >>"$work/superset.log" 2>&1 || { tail -20 "$work/superset.log" >&2; return 1; }; }
superset db upgrade
superset fab create-admin --username admin --firstname a --lastname b --email admin@example.org --password admin
superset init
"$dir/superset/bin/superset" run -h 127.0.0.1 -p "$web" --with-threads >>"$work/superset.log" 2>&1 &
for _ in $(seq 120); do
	curl -fs "http://127.0.0.1:$web/health" >/dev/null && break
	sleep 1
done
"$dir/superset/bin/python" scripts/bi.py "http://127.0.0.1:$web" "$port" "$dir/superset.png"
