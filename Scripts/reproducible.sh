#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# Builds the committed sources, with the packages that Package.resolved here names, in two folders, and compares the packages
# of both to the byte: `make reproducible`, some 20 minutes.
#
# The two names have one length: calls of swift_isEscapingClosureAtFileLocation, which the compiler makes for
# withoutActuallyEscaping, hold the length of the source's path and nothing else of it. There is no flag for that.
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
work=$PWD/bench-out/reproducible
rm -rf "$work"
commit=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH
for name in one two; do
    mkdir -p "$work/$name"
    git clone -q "$repository" "$work/$name/source"
    git -C "$work/$name/source" checkout -q --detach "$commit"
    [ ! -e Package.resolved ] || cp Package.resolved "$work/$name/source/"
    (cd "$work/$name/source" && make --no-print-directory -o setup build >"$work/$name.log" 2>&1 && Scripts/deb.sh && Scripts/tarball.sh)
done
cd "$work"
failed=0
for file in one/source/dist/*.deb one/source/dist/*.tar.xz; do
    if cmp "$file" "two/${file#one/}"; then
        echo "same: $(basename "$file") $(sha256sum <"$file" | cut -c1-64)"
    else
        failed=1
    fi
done
if [ "$failed" -ne 0 ]; then
    for name in one two; do mkdir -p "$name/root" && dpkg-deb -x "$name"/source/dist/*.deb "$name/root"; done
    diff -rq one/root two/root || true
    exit 1
fi
