#!/usr/bin/env bash
# peers.sh DIR: puts what the tests against real peers need into DIR, and on the machine through apt when it
# may (root on Debian or Ubuntu). What it cannot install it names, with the line to type, and fails.
#   psql         apt postgresql-client
#   postgres     apt postgresql: a server of its own beside wmsql
#   java, javac  apt default-jdk-headless
#   mvn          apt maven; brings DIR/kafka (a broker) and DIR/jdbc (the driver)
#   python3      apt python3-venv; DIR/venv has psycopg 2 and 3, asyncpg, SQLAlchemy, pyodbc and pgcli, DIR/dbt has dbt; DIR/psql16 is the psql of pgserver
#   psqlODBC     apt odbc-postgresql, unixodbc
#   pgbouncer    apt pgbouncer
#   npm          apt npm; DIR/node has node-postgres
#   cargo        apt cargo, libssl-dev, pkg-config; DIR/rust has the Rust driver's program, built
#   git          apt git: dbt asks for it
set -euo pipefail
cd "$(dirname "$0")/.."
dir=${1:?usage: peers.sh DIR}
mkdir -p "$dir"

missing=()
need() { # need COMMAND PACKAGE
	command -v "$1" >/dev/null 2>&1 || missing+=("$2")
}
need psql postgresql-client
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || need postgres postgresql
need javac default-jdk-headless
need mvn maven
need python3 python3
need npm npm
need cargo cargo
need pkg-config pkg-config
pkg-config --exists openssl 2>/dev/null || missing+=(libssl-dev)
PATH=$PATH:/usr/sbin need pgbouncer pgbouncer
ls /usr/lib/*/odbc/psqlodbcw.so >/dev/null 2>&1 || missing+=(unixodbc odbc-postgresql)
need git git
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)

if [ ${#missing[@]} -gt 0 ]; then
	line="apt-get update && apt-get install -y ${missing[*]}"
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "peers: $line"
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q "${missing[@]}"
	else
		echo "peers: the tests need ${missing[*]}; type:  sudo sh -c '$line'" >&2
		exit 1
	fi
fi

jars() { # jars NAME: the jars of scripts/NAME/pom.xml into DIR/NAME, once
	[ -f "$dir/$1/.done" ] && return
	echo "peers: jars of $1"
	mvn -q -B -f "scripts/$1/pom.xml" dependency:copy-dependencies -DoutputDirectory="$(realpath "$dir")/$1" ||
		{ echo "peers: mvn could not fetch the jars of $1; is Maven Central reachable?" >&2; exit 1; }
	touch "$dir/$1/.done"
}
jars kafka
jars jdbc

clients=('psycopg[binary]==3.2.*' 'psycopg2-binary==2.9.*' 'asyncpg==0.30.*' 'SQLAlchemy==2.0.*' 'pyodbc==5.*' 'pgcli==4.*')
if [ "$(cat "$dir/venv/.done" 2>/dev/null)" != "${clients[*]}" ]; then
	echo "peers: Python clients"
	python3 -m venv "$dir/venv"
	"$dir/venv/bin/pip" install -q "${clients[@]}" ||
		{ echo "peers: pip could not fetch ${clients[*]}" >&2; exit 1; }
	"$dir/venv/bin/pip" install -q --no-deps 'pgserver==0.1.4' # brings Postgres 16 whole; psql alone is used
	ln -sf "$("$dir/venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("pgserver").submodule_search_locations[0])')/pginstall/bin/psql" "$dir/psql16"
	echo "${clients[*]}" >"$dir/venv/.done"
fi

if ! cmp -s scripts/node/package.json "$dir/node/package.json"; then
	echo "peers: Node.js client"
	mkdir -p "$dir/node"
	npm install --silent --no-audit --no-fund --prefix "$dir/node" $(sed -n 's/.*"\(pg[a-z-]*\)": "\(.*\)".*/\1@\2/p' scripts/node/package.json) ||
		{ echo "peers: npm could not fetch the packages of scripts/node" >&2; exit 1; }
	cp scripts/node/package.json "$dir/node/package.json"
fi

echo "peers: Rust client"
CARGO_TARGET_DIR="$(realpath "$dir")/rust" cargo build -q --locked --manifest-path internal/peers/testdata/story/rust/Cargo.toml
dbt=('dbt-core==1.11.*' 'dbt-postgres==1.9.*')
if [ "$(cat "$dir/dbt/.done" 2>/dev/null)" != "${dbt[*]}" ]; then
	echo "peers: dbt"
	python3 -m venv "$dir/dbt"
	"$dir/dbt/bin/pip" install -q "${dbt[@]}" || { echo "peers: pip could not fetch ${dbt[*]}" >&2; exit 1; }
	echo "${dbt[*]}" >"$dir/dbt/.done"
fi

echo "peers: ready in $dir"
