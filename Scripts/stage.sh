# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# shellcheck shell=bash
# What deb.sh and tarball.sh begin with; they source it. The folder `$stage` ends with the script.
#
# The same sources, Package.resolved, toolchain, length of this folder's path and SOURCE_DATE_EPOCH give the same bytes;
# without that variable the time of the last commit is taken.
umask 022
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
build=${BUILD:-.build/release}
# shellcheck disable=SC2034 # of the scripts that source this
version=$("$build/vault" version | awk '{print $NF; exit}')
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p dist "$stage/debian"

# Prints the Debian packages that have the shared libraries of programs below $stage.
needed() {
    local found
    printf 'Source: notevault\n\nPackage: notevault\nArchitecture: any\n' > "$stage/debian/control"
    found=$(cd "$stage" && dpkg-shlibdeps -O --ignore-missing-info "$@" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
    [ -n "$found" ] || { echo "dpkg-shlibdeps found no libraries" >&2; return 1; }
    printf '%s\n' "$found"
}

# Compresses as `xz` does. Three programs hold the same 30 MB of ICU's data, which a dictionary larger than a program sees:
# 30 MB and not 69.
packed() { xz -T1 --lzma2=preset=4,dict=128MiB "$@"; }
