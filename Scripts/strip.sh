#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# Strips programs: strip.sh FILE…. Symbols go. Hashes of Swift's modules, which only a compiler reads and which depend on
# the folder of the build, become zeros: without the section itself strip would leave out PT_GNU_RELRO.
set -euo pipefail
zeros=$(mktemp)
trap 'rm -f "$zeros"' EXIT
for program in "$@"; do
    strip -s "$program"
    size=$(readelf -SW "$program" | awk '/ \.swift_modhash / { sub(/.*\]/, ""); print $5 }')
    [ -n "$size" ] || continue
    head -c $((16#$size)) /dev/zero >"$zeros"
    objcopy --update-section .swift_modhash="$zeros" "$program"
    readelf -lW "$program" | grep -q GNU_RELRO || { echo "strip: $program has lost its RELRO" >&2; exit 1; }
done
