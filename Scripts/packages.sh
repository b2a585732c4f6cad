#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# Installs, upgrades, removes and purges the Debian package in a fresh system that debootstrap makes, as root and as a
# user, and times the way to a first note: packages.sh [PACKAGE-OF-BEFORE]. `make packages`.
#
# A package of before makes a vault that the present one must open. Needs root. The system is kept in bench-out/debian.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "packages: a new system needs root" >&2; exit 1; }
# With mounts and processes of its own: both end with this script, whatever ends it, and nothing of the machine's is in reach.
if [ -z "${PACKAGES_INSIDE:-}" ]; then
    PACKAGES_INSIDE=1 exec unshare --mount --pid --fork --kill-child --propagation private "$0" "$@"
fi
new=$(echo dist/notevault_*.deb)
[ -e "$new" ] || { echo "packages: make deb first" >&2; exit 1; }
old=${1:-}
base=$PWD/bench-out/debian/base
system=$PWD/bench-out/debian/system
release=$(. /etc/os-release && echo "$VERSION_CODENAME")

if [ ! -e "$base/done" ]; then
    rm -rf "$base"
    mkdir -p "$base"
    debootstrap --variant=minbase --include=ca-certificates "$release" "$base" \
        "$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u | grep -v security | head -n 1)" >/dev/null
    cp -a /etc/apt/. "$base/etc/apt/"
    touch "$base/done"
fi
findmnt -Rn "$system" >/dev/null && { echo "packages: something is mounted on $system" >&2; exit 1; }
rm -rf --one-file-system "$system"
cp -a "$base" "$system"
mount -t proc proc "$system/proc"
mount -t tmpfs -o mode=755 tmpfs "$system/dev"
for device in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
    read -r name major minor <<<"$device"
    mknod -m 666 "$system/dev/$name" c "$major" "$minor"
done
mkdir -m 1777 "$system/dev/shm"
ln -s /proc/self/fd "$system/dev/fd"
in_system() { chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_user() { in_system setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/home/ada XDG_RUNTIME_DIR=/run/user/1000 /bin/sh -c "cd; $*"; }

seconds() { date +%s.%N; }
took() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f s", b - a }'; }
expect() {
    local found
    found=$(as_user "$1")
    [ "$found" = "$2" ] || { echo "packages: '$1' said '$found', not '$2'" >&2; exit 1; }
}
put() { cp "$1" "$system/srv/vault.deb"; in_system apt-get install -y -qq /srv/vault.deb >"$system/srv/log" 2>&1 || { cat "$system/srv/log" >&2; exit 1; }; }

in_system apt-get update -qq
in_system useradd -m -u 1000 ada
in_system install -d -m 700 -o ada -g ada /run/user/1000
in_system install -d -m 700 /srv/admin
as_user "umask 077; printf 'corduroy bramble osprey teak nine' > password; printf 'another bramble osprey teak ten' > other"

begin=$(seconds)
put "${old:-$new}"
echo "installed with what it needs: $(took "$begin"), $(in_system dpkg-query -W -f '${Installed-Size}' notevault) kB; the package $(stat -c %s "${old:-$new}") bytes"
first=$(seconds)
as_user "vault init --no-recovery --password-file password >/dev/null && vault unlock --password-file password >/dev/null && vault new 'My first note' >/dev/null"
echo "from the package to a first note: $(took "$begin"), of which $(took "$first") after the installation"
expect "vault ls --count" 1
expect "vault search first --json | grep -c 'My first note'" 1
as_user "vault lock >/dev/null"

if [ -n "$old" ]; then
    as_user "vault unlock --password-file password >/dev/null"
    put "$new"
    # The agent of before still runs, and is told apart.
    as_user "vault ls >/dev/null 2>&1 || vault lock >/dev/null 2>&1 || true; vault unlock --password-file password >/dev/null"
    expect "vault cat first" "My first note"
    as_user "vault new second >/dev/null; vault check >/dev/null"
    expect "vault ls --count" 2
    as_user "vault lock >/dev/null"
    echo "upgraded over a vault of $(basename "$old"): its note is there, a second one too"
else
    # Over itself, with the vault open, as an upgrade does.
    as_user "vault unlock --password-file password >/dev/null"
    in_system apt-get install -y -qq --reinstall /srv/vault.deb >/dev/null 2>&1
    expect "vault cat first" "My first note"
    as_user "vault new second >/dev/null; vault check >/dev/null"
    expect "vault ls --count" 2
    as_user "vault lock >/dev/null"
    echo "installed over itself with an open vault: its note is there, a second one too"
fi
# Root has a vault of its own, and gets no other one by mistake.
in_system env HOME=/srv/admin XDG_RUNTIME_DIR=/srv/admin /bin/sh -c "umask 077; printf 'roots bramble osprey teak nine' > /srv/admin/password; vault init --kdf-target 0 --no-recovery --password-file /srv/admin/password >/dev/null && vault new x --password-file /srv/admin/password >/dev/null && vault ls --count --password-file /srv/admin/password" | grep -qx 1
for shell in bash zsh fish; do
    in_system sh -c "ls /usr/share/bash-completion/completions/vault /usr/share/zsh/vendor-completions/_vault /usr/share/fish/vendor_completions.d/vault.fish" | grep -q "$shell"
done

in_system apt-get remove -y -qq notevault >/dev/null 2>&1
in_system sh -c "command -v vault" && { echo "packages: vault is still there" >&2; exit 1; }
[ -e "$system/home/ada/.local/share/notevault/default/header" ] || { echo "packages: removing took the vault" >&2; exit 1; }
in_system apt-get purge -y -qq notevault >/dev/null 2>&1
left=$(in_system sh -c "find / -xdev \( -path /home -o -path /srv -o -path /proc -o -path /run -o -path /var/lib/apt -o -path /var/cache -o -path /var/log \) -prune -o \( -name '*notevault*' -o -name 'vault*' \) -print")
[ -z "$left" ] || { echo "packages: left after purge: $left" >&2; exit 1; }
[ -e "$system/home/ada/.local/share/notevault/default/header" ] || { echo "packages: purging took the vault" >&2; exit 1; }
echo "removed and purged: nothing is left of it, and the vaults are"
