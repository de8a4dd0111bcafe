#!/usr/bin/env bash
# fuzz.sh TIME DIR: every fuzz test under DIR for TIME, one after the other.
# When the clock ends a run of go's fuzzing while an input is being tried, go may say that the test failed of "context deadline exceeded"
# although no input did: such a run counts as good. An input that fails is always written to testdata, and named.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:?usage: fuzz.sh TIME DIR}
said=$(mktemp)
trap 'rm -f "$said"' EXIT
grep -rl --include=*_test.go 'func Fuzz' "${2:-.}" | xargs -n1 dirname | sort -u | while read -r package; do
	for test in $(grep -ho 'func Fuzz[A-Za-z]*' "$package"/*_test.go | sed 's/func //'); do
		go test "./$package" -run '^$' -fuzz "^$test\$" -fuzztime "$time" 2>&1 | tee "$said" && continue
		if grep -q 'Failing input written' "$said" || ! grep -q 'context deadline exceeded' "$said"; then
			exit 1
		fi
		echo "fuzz: the clock ended $test"
	done
done
