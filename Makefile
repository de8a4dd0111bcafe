# make            build the server and run the unit tests
# make matrix     all stream scripts with every batch size, number of workers, restart and crash
# make test       everything CI runs: peers, lint, unit, matrix, race, real clients and servers
# make demo       the main job in one command
GO      ?= go
BIN     := bin/wmsql
VERSION ?= 0.1.0
TOOL    := $(GO) tool -modfile=go.tools.mod
PEERS   := $(CURDIR)/.peers

.PHONY: oracle bi all build unit matrix race lint golden peers test-peers test demo bench bench-peers bench-selects crash fuzz fuzz-wire soak clean

all: build unit

build:
	CGO_ENABLED=0 $(GO) build -ldflags "-s -w -X main.version=$(VERSION)" -o $(BIN) ./cmd/wmsql

unit:
	$(GO) test -tags invariants ./...

race:
	$(GO) test -race -short ./exec/... ./stream/... ./state/... ./server/... ./pgwire/... ./connector/...

lint:
	@files=$$(gofmt -l .); test -z "$$files" || { echo "$$files"; echo "gofmt -w the files above"; exit 1; }
	$(GO) vet ./...
	$(TOOL) golangci-lint run ./...

# Rewrites the golden files of the packages that have them; read the diff before you commit it.
golden:
	@for p in $$(grep -rlE --include=*_test.go 'cockroachdb/datadriven|flag.Bool..rewrite' . | xargs -n1 dirname | sort -u); do $(GO) test ./$$p -rewrite; done

# Installs what the tests against real peers need (psql, a JVM, Maven's Kafka, Python clients).
peers:
	./scripts/peers.sh $(PEERS)

test-peers: build peers
	WMSQL_PEERS=$(PEERS) WMSQL_BIN=$(CURDIR)/$(BIN) $(GO) test -tags peers -count=1 -timeout 20m ./internal/peers/...

# The scripts of testdata/stream and testdata/oracle must print the same in every way of running them: 85 s of CPU.
matrix:
	$(GO) test -run TestMatrix -count=1 ./internal/script -matrix

# Random SELECTs on a real Postgres 15 and on wmsql; SEED= runs those of one seed, COUNT= says how many.
oracle: build
	WMSQL_PEERS=$(PEERS) WMSQL_BIN=$(CURDIR)/$(BIN) $(GO) test -tags peers -count=1 -timeout 0 -run TestSelectsAsPostgres ./internal/peers \
	  -selects $(or $(COUNT),100000) -selects.seed $(or $(SEED),0)

# A real Apache Superset on the server draws a chart of a result: minutes, and not part of CI. Look at .peers/bi/superset.png.
bi: build
	./scripts/bi.sh $(PEERS)/bi

# The messages of clients and COPY, ten seconds each.
fuzz-wire:
	./scripts/fuzz.sh 10s pgwire

test: peers lint unit matrix race fuzz-wire test-peers

demo:
	$(GO) run ./cmd/wmsql demo

# Micro benchmarks; BENCH= narrows them.
bench:
	$(GO) test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem ./column ./expr ./exec ./state ./stream ./connector/... ./sql ./pgwire

# Whole queries beside Spark, Flink and DuckDB in the same run, then SELECTs beside Postgres: see bench/README.md.
bench-peers: build
	./bench/run.sh
	$(if $(ONLY)$(WORKS),,./bench/selects.sh)

# SELECTs beside Postgres 15 in the same run: see bench/README.md.
bench-selects: build
	./bench/selects.sh

crash:
	$(GO) test -tags invariants -run 'Crash|Recovery' -count=1 ./server/... ./stream/... ./state/...

# Every fuzz test for TIME= (30s); IN= narrows to a directory.
fuzz:
	./scripts/fuzz.sh $(or $(TIME),30s) $(or $(IN),.)

# Random pipelines against the model of internal/script, printed by the seed they begin at; SEED= goes on from one, SEEDS= says how many.
soak:
	$(GO) test -tags invariants ./internal/script -run TestModel -v -count=1 -timeout 0 -law.from $(or $(SEED),0) -law.seeds $(or $(SEEDS),50000)

clean:
	rm -rf bin
