// Package peers holds the tests that run the built server against real peers: psql, drivers of other
// languages, a Kafka broker. They need the build tag "peers" and what scripts/peers.sh installs; `make
// test-peers` runs them. Every server they start listens on 127.0.0.1 and is ended by its process id.
package peers
