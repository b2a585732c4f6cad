#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
#
# The main job on real text, in a throw-away vault. Usage: demo.sh DIRECTORY-OF-PROGRAMS
set -euo pipefail

programs=$(cd "$1" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/vault-demo.XXXXXX")
chmod 700 "$work"
mkdir -m 700 "$work/home" "$work/run" "$work/notes"
export HOME="$work/home" XDG_RUNTIME_DIR="$work/run" XDG_STATE_HOME="$work/home/state"
export NOTEVAULT_DIR="$work/vault" TZ="${TZ:-UTC}"
marker="quokka-$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')"

finish() {
    "$programs/vault" lock >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap finish EXIT

exec 2>&1
step() { printf '\n\033[1m== %s\033[0m\n' "$*" >&2; }
run() { printf '$ vault %s\n' "$*" >&2; "$programs/vault" "$@"; }
# Passes when the command ends with the exit code that is expected.
expect() {
    local wanted=$1 got=0
    shift
    run "$@" || got=$?
    echo "  (exit code $got)"
    [ "$got" -eq "$wanted" ] || { echo "demo: expected exit code $wanted" >&2; exit 1; }
}

# Debian's fortunes, one note each: real text, some of it in other scripts.
split_fortunes() {
    local folder=/usr/share/games/fortunes
    [ -d "$folder" ] || folder=/usr/share/fortune
    for file in "$folder"/*; do
        case "$file" in *.dat | *.u8) continue ;; esac
        [ -f "$file" ] || continue
        local name
        name=$(basename "$file")
        mkdir -p "$work/notes/$name"
        awk -v out="$work/notes/$name" 'BEGIN { RS = "\n%\n" } NF { n++; f = sprintf("%s/%05d.md", out, n); print > f; close(f) }' "$file"
    done
}

step "a folder of real texts: Debian's fortunes, one file each"
split_fortunes
count=$(find "$work/notes" -name '*.md' | wc -l)
echo "$count files, $(du -sh "$work/notes" | cut -f1)"

step "init: the password comes from a file here; at a terminal you are asked twice"
(umask 077; head -c 18 /dev/urandom | base64 >"$work/password")
run init --kdf-target 0 --no-recovery --password-file "$work/password"

step "unlock: an agent holds the open vault until it locks"
run unlock --password-file "$work/password"
run status

step "import: folders become notebooks; a second run updates instead of doubling"
# 12 is "done with losses": other versions of the texts may have some.
run import markdown "$work/notes" || [ $? -eq 12 ]
run import markdown "$work/notes" || [ $? -eq 12 ]

step "new, append, show"
id=$(run new "A private thought
with a word that is nowhere else: $marker" | tail -n 1)
run append "$id" "and a second thought, Ünïcödé, 中文, العربية, 🦘"
run show "$id"

step "ls: newest first"
run ls --limit 3
run ls --count

step "search: any substring, any script, without regard to case and accents"
run search "$marker"
run search unicode
run search 中文
run search --limit 3 '"the unix"'

step "check: everything is read back and compared"
run check

step "lock, and what is then possible"
run lock
expect 3 show "$id"
printf 'wrong password\n' >"$work/wrong"
chmod 600 "$work/wrong"
expect 4 unlock --no-input --password-file "$work/wrong"

step "what a thief would see: names, sizes and times, and nothing else"
ls -l "$work/vault"
"$programs/vault-audit" inspect "$work/vault" | head -n 20
if grep -rq "$marker" "$work/vault" "$work/home" "$work/run"; then
    echo "demo: the marker was found in a file" >&2
    exit 1
fi
echo "the word of the private note is in none of these files"

step "done; nothing is left behind"
