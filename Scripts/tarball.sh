#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# Makes a tarball of the release programs in dist/, for systems without dpkg: `make tarball`. Swift's runtime is linked
# into the programs; NEEDS names the Debian packages that have the C libraries.
#
# It is to be unpacked to /usr/local: `tar -C /usr/local --strip-components=1 -xf FILE`. The same bytes come from the same
# things as with Scripts/deb.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022

: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
build=${BUILD:-.build/release}
version=$("$build/vault" version | awk '{print $NF; exit}')
name=notevault-$version-linux-$(uname -m)

make --no-print-directory -o build install DESTDIR="$stage/installed" PREFIX=/usr/local BUILD="$build"
mkdir "$stage/root"
mv "$stage/installed/usr/local" "$stage/root/$name"
cp LICENSE README.md SECURITY.md CHANGELOG.md "$stage/root/$name/"
mkdir -p "$stage/debian"
printf 'Source: notevault\n\nPackage: notevault\nArchitecture: any\n' > "$stage/debian/control"
(cd "$stage" && dpkg-shlibdeps -O --ignore-missing-info "root/$name"/bin/vault* 2>/dev/null) | sed -n 's/^shlibs:Depends=//p' | sed 's/, /\n/g' > "$stage/root/$name/NEEDS"
[ -s "$stage/root/$name/NEEDS" ] || { echo "dpkg-shlibdeps found no libraries" >&2; exit 1; }

mkdir -p dist
tar -C "$stage/root" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | xz -T1 --lzma2=preset=4,dict=128MiB > "dist/$name.tar.xz"
echo "dist/$name.tar.xz $(stat -c %s "dist/$name.tar.xz") bytes"
