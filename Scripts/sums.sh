#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# Writes SHA256SUMS of what lies in dist/, and signs it: sums.sh [KEY [DIRECTORY]]. KEY is a private SSH key (ed25519, or
# one on a security key); without it nothing is signed. README.md says how both are verified.
set -euo pipefail
key=${1:+$(realpath "$1")}
cd "${2:-$(dirname "$0")/../dist}"
rm -f SHA256SUMS SHA256SUMS.sig
sums=$(find . -maxdepth 1 -type f ! -name '*.sha256' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 -r sha256sum)
[ -n "$sums" ] || { echo "sums: there is nothing in $PWD" >&2; exit 1; }
printf '%s\n' "$sums" > SHA256SUMS
if [ -n "$key" ]; then ssh-keygen -q -Y sign -f "$key" -n notevault-release SHA256SUMS; fi
