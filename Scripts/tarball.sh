#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# Makes a tarball of the release programs in dist/, for systems without dpkg: `make tarball`. Swift's runtime is linked
# into the programs; NEEDS names the Debian packages that have the C libraries.
#
# It is to be unpacked to /usr/local: `tar -C /usr/local --strip-components=1 -xf FILE`.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Scripts/stage.sh
. Scripts/stage.sh
name=notevault-$version-linux-$(uname -m)

make --no-print-directory -o build install DESTDIR="$stage/installed" PREFIX=/usr/local BUILD="$build"
mv "$stage/installed/usr/local" "$stage/$name"
cp LICENSE README.md SECURITY.md CHANGELOG.md "$stage/$name/"
needs=$(needed "$stage/$name"/bin/vault*)
printf '%s\n' "${needs//, /$'\n'}" > "$stage/$name/NEEDS"

tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | packed > "dist/$name.tar.xz"
echo "dist/$name.tar.xz $(stat -c %s "dist/$name.tar.xz") bytes"
