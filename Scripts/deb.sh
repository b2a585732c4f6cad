#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# Makes a Debian package of the release programs in dist/, by Debian's own tools: `make deb`.
#
# The same sources, Package.resolved, toolchain, length of this folder's path and SOURCE_DATE_EPOCH give the same package;
# without that variable the time of the last commit is taken.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022

: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || date +%s)}"
export SOURCE_DATE_EPOCH
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/root
mkdir -p "$root" "$stage/debian"

make --no-print-directory -o build install DESTDIR="$root" PREFIX=/usr BUILD="${BUILD:-.build/release}"
version=$("$root/usr/bin/vault" version | awk '{print $NF; exit}')
architecture=$(dpkg --print-architecture)

# Where Debian's shells look.
mkdir -p "$root/usr/share/zsh"
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
doc=$root/usr/share/doc/notevault
mkdir -p "$doc" "$root/usr/share/lintian/overrides"
find "$root/usr/share/man" -type f -exec gzip -9n {} +
# Programs that vault starts are described there.
for name in agent parse sync web fetch tui audit; do
    [ -e "$root/usr/share/man/man1/vault-$name.1.gz" ] || ln -s vault.1.gz "$root/usr/share/man/man1/vault-$name.1.gz"
done
sed -i '1{/^#!/d}' "$root/usr/share/bash-completion/completions/vault"
install -m 644 Support/debian/copyright "$doc/copyright"
gzip -9nc CHANGELOG.md > "$doc/changelog.gz"
sed "s/@VERSION@/$version/; s/@EMAIL@/${VAULT_SUPPORT_EMAIL:-nobody@localhost}/; s/@DATE@/$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")/" Support/debian/changelog \
    | gzip -9nc > "$doc/changelog.Debian.gz"
install -m 644 Support/debian/lintian-overrides "$root/usr/share/lintian/overrides/notevault"
install -m 644 SECURITY.md "$doc/SECURITY.md"
install -D -m 644 Support/apparmor/notevault "$root/etc/apparmor.d/notevault"

# What the programs are linked to.
printf 'Source: notevault\n\nPackage: notevault\nArchitecture: any\n' > "$stage/debian/control"
depends=$(cd "$stage" && dpkg-shlibdeps -O --ignore-missing-info "$root"/usr/bin/vault* 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "dpkg-shlibdeps found no libraries" >&2; exit 1; }

mkdir -p "$root/DEBIAN"
install -m 755 Support/debian/postinst Support/debian/prerm "$root/DEBIAN/"
echo /etc/apparmor.d/notevault > "$root/DEBIAN/conffiles"
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@DEPENDS@/$depends/; s/@SIZE@/$(du -sk "$root/usr" | cut -f1)/; s/@EMAIL@/${VAULT_SUPPORT_EMAIL:-nobody@localhost}/" \
    Support/debian/control > "$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
chmod 644 "$root/DEBIAN/md5sums" "$root/DEBIAN/control" "$root/DEBIAN/conffiles"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

mkdir -p dist
package=dist/notevault_${version}_$architecture.deb
dpkg-deb --root-owner-group -Znone --build "$root" "$stage/plain.deb" >/dev/null
# Three programs hold the same 30 MB of ICU's data. xz sees that with a dictionary larger than a program, which dpkg-deb
# has no option for: a package of 30 MB and not 69.
(cd "$stage" && ar x plain.deb && xz -T1 --lzma2=preset=4,dict=128MiB data.tar && { [ ! -e control.tar ] || xz -T1 control.tar; })
rm -f "$package"
(cd "$stage" && ar qcD package.deb debian-binary control.tar.* data.tar.xz)
mv "$stage/package.deb" "$package"
(cd dist && sha256sum "$(basename "$package")" > "$(basename "$package").sha256")
echo "$package $(stat -c %s "$package") bytes"
