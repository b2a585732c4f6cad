#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
#
# All tests, in three processes at once: most of the time goes by in programs under test that wait for each other, and one process leaves half
# of a machine of two cores idle. A few that fail beside two hundred other suites are run again alone: on a busy machine a wait may be too short.
# What fails twice is red; what failed once is named at the end, so that nobody overlooks it.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
export NO_COLOR=1
tests=$(swift build --show-bin-path)/vaultPackageTests.xctest
log=$(mktemp "${TMPDIR:-/tmp}/vault-tests.XXXXXX")
trap 'rm -f "$log" "$log.programs" "$log.more" "$log.rest"' EXIT

run() { "$tests" --testing-library swift-testing "$@" 2>&1; }
run --filter '^ProgramTests\.[A-I]' >"$log.programs" &
programs=$!
run --filter '^ProgramTests\.[^A-I]' >"$log.more" &
more=$!
run --skip '^ProgramTests\.' | tee "$log.rest"
status=${PIPESTATUS[0]}
wait $programs || status=1
wait $more || status=1
cat "$log.programs" "$log.more"
cat "$log.rest" "$log.programs" "$log.more" >"$log"
# Both have to have come to their end, with tests in them.
ended=$(grep -cE '^(✔|✘) Test run with [1-9][0-9]* tests' "$log")
[ "$status" -eq 0 ] && [ "$ended" -eq 3 ] && exit 0

failed=$(sed -n 's/^✘ Test \([A-Za-z0-9_]*\)(.* failed after .*/\1/p' "$log" | sort -u)
count=$(printf '%s' "$failed" | grep -c .)
echo
echo "== failed: $count tests"
grep -E '^✘ Test .*recorded an issue|^✘ Test .* failed after ' "$log" | cut -c1-600
if [ "$count" -eq 0 ] || [ "$count" -gt 5 ] || [ "$ended" -ne 3 ]; then exit 1; fi

echo "== once more, alone"
run --no-parallel --filter "($(printf '%s' "$failed" | paste -sd '|'))" | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
    grep -E '^✘ ' "$log" | cut -c1-600
    exit 1
fi
# A filter that fits nothing must not pass for success.
grep -qE '^✔ Test run with [1-9]' "$log" || exit 1
echo "== unsteady, passed alone: $(printf '%s' "$failed" | paste -sd ' ')"
