#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
#
# Builds the examples and lets them do all that they can in throw-away vaults: unlock, lock, list, show with a picture, follow a change, import, send to
# another device and read from it; make a vault without an agent.
#
#   Examples/try.sh [FOLDER]    the folder with vault, vault-agent and vault-parse; .build/release if none is given
set -euo pipefail
cd "$(dirname "$0")/.."
programs=$(cd "${1:-.build/release}" && pwd)
umask 022
# What the tests have built is not built again.
swift build -Xswiftc -index-ignore-system-modules --package-path Examples --scratch-path .build
built=$(swift build --package-path Examples --scratch-path .build --show-bin-path)

folder=$(mktemp -d "${TMPDIR:-/tmp}/vault-example.XXXXXX")
trap '"$programs/vault" lock --quiet > /dev/null 2>&1 || true; rm -rf "$folder"' EXIT
export HOME=$folder NOTEVAULT_DIR=$folder/vault XDG_RUNTIME_DIR=$folder/run XDG_STATE_HOME=$folder/state XDG_CONFIG_HOME=$folder/config TZ=UTC
mkdir -m 700 "$folder/run"
# A front end is installed beside the programs that it starts.
mkdir -m 755 "$folder/bin"
install -m 755 "$programs/vault-agent" "$programs/vault-parse" "$programs/vault-sync" "$built/notes" "$folder/bin"
notes=$folder/bin/notes
umask 077
echo "four words for examples" > "$folder/password"
vault() { "$programs/vault" "$@"; }
fail() { echo "the example failed: $1" >&2; exit 1; }

"$notes" list > "$folder/out" && fail "a locked vault was listed"
grep -q "no vault" "$folder/out" || fail "it does not say that there is no vault: $(cat "$folder/out")"
vault init --password-file "$folder/password" --kdf-target 0 --no-recovery --quiet
echo "three wrong words" | "$notes" unlock > "$folder/out" && fail "a wrong password unlocks"
grep -q "notes: " "$folder/out" || fail "it does not say that the password is wrong: $(cat "$folder/out")"
"$notes" unlock < "$folder/password" > "$folder/out" 2> "$folder/err" || fail "unlock: $(cat "$folder/out")"
grep -qx unlocked "$folder/out" || fail "unlock: $(cat "$folder/out")"
[ ! -s "$folder/err" ] || fail "unlock printed more: $(cat "$folder/err")"
vault new -t home "$(printf '# Shopping\nmilk and bread')" > "$folder/id"
id=$(cat "$folder/id")
python3 - "$folder/dot.png" << 'EOF'
import struct, sys, zlib
rows = b"".join(b"\0" + bytes((255, 128, 0)) * 16 for _ in range(16))
part = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
open(sys.argv[1], "wb").write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))
EOF
vault attach add "$id" "$folder/dot.png" > /dev/null 2>&1

"$notes" list > "$folder/list"
grep -q "Shopping  #home" "$folder/list" && grep -q "^1 notes" "$folder/list" || fail "list: $(cat "$folder/list")"
"$notes" show "$id" > "$folder/show"
grep -q "milk and bread" "$folder/show" && grep -q "dot.png, " "$folder/show" || fail "show: $(cat "$folder/show")"
grep -q "38;2;255;128;0m" "$folder/show" || fail "the picture is not drawn"

"$notes" follow 1 > "$folder/follow" &
follower=$!
for _ in $(seq 100); do grep -q following "$folder/follow" && break; sleep 0.1; done
vault title "$id" Errands > /dev/null
for _ in $(seq 100); do kill -0 "$follower" 2> /dev/null || break; sleep 0.1; done
wait "$follower" || fail "follow ended with an error"
grep -q "^changed .*Errands" "$folder/follow" || fail "follow: $(cat "$folder/follow")"

mkdir "$folder/source"
printf '# Groceries\n' > "$folder/source/groceries.md"
printf '# Tools\n[[groceries]]\n' > "$folder/source/tools.md"
ln -s /etc/hostname "$folder/source/name.md"
"$notes" import "$folder/source" > "$folder/import" 2> "$folder/err" || fail "import: $(cat "$folder/import")"
grep -qx "2 created, 0 updated, 0 unchanged" "$folder/import" || fail "import: $(cat "$folder/import")"
grep -q "^left out  name.md: " "$folder/import" || fail "it does not say what was left out: $(cat "$folder/import")"
[ ! -s "$folder/err" ] || fail "import printed more: $(cat "$folder/err")"
"$notes" list | grep -q "groceries" || fail "what was imported is not listed"

"$notes" upload "$id" > "$folder/out" && fail "a note is sent where no remote is"
grep -q "^hint: " "$folder/out" || fail "it does not say what to do without a remote: $(cat "$folder/out")"
mkdir "$folder/remote"
vault remote add folder "$folder/remote" > /dev/null
"$notes" upload "$id" > "$folder/out" || fail "upload: $(cat "$folder/out")"
grep -qx uploaded "$folder/out" || fail "upload: $(cat "$folder/out")"
other() { env NOTEVAULT_DIR="$folder/second" XDG_RUNTIME_DIR="$folder/run2" XDG_STATE_HOME="$folder/state2" "$programs/vault" "$@"; }
mkdir -m 700 "$folder/run2"
other clone "$folder/remote" --password-file "$folder/password" > /dev/null 2>&1
other --password-file "$folder/password" title "$id" "Errands of both" > /dev/null
other --password-file "$folder/password" sync now > /dev/null
"$notes" refresh > "$folder/out" || fail "refresh: $(cat "$folder/out")"
grep -q "^changed .*Errands of both" "$folder/out" && grep -qx "1 changed" "$folder/out" || fail "refresh: $(cat "$folder/out")"

"$notes" lock > "$folder/out" || fail "lock: $(cat "$folder/out")"
grep -qx locked "$folder/out" || fail "lock: $(cat "$folder/out")"
"$notes" list > "$folder/out" && fail "a vault that was locked was listed"
grep -q "the vault is locked" "$folder/out" || fail "it does not say that the vault is locked: $(cat "$folder/out")"
"$notes" lock | grep -qx "already locked" || fail "it locks twice"

"$built/library" "$folder/made" "$folder/password" > "$folder/library"
grep -q 'Shopping \["home"\]' "$folder/library" && grep -q "the password fits" "$folder/library" || fail "library: $(cat "$folder/library")"
NOTEVAULT_DIR=$folder/made vault --password-file "$folder/password" ls | grep -q Shopping || fail "vault does not open what the library made"
echo "Examples: unlock, lock, list, show, follow, import, upload and refresh work, and the library makes a vault that vault opens"
