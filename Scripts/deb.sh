#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
# Makes a Debian package of the release programs in dist/, by Debian's own tools: `make deb`.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Scripts/stage.sh
. Scripts/stage.sh
root=$stage/tree
mkdir -p "$root"

make --no-print-directory -o build install DESTDIR="$root" PREFIX=/usr BUILD="$build"
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

depends=$(needed "$root"/usr/bin/vault*)

mkdir -p "$root/DEBIAN"
install -m 755 Support/debian/postinst Support/debian/prerm "$root/DEBIAN/"
echo /etc/apparmor.d/notevault > "$root/DEBIAN/conffiles"
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@DEPENDS@/$depends/; s/@SIZE@/$(du -sk "$root/usr" | cut -f1)/; s/@EMAIL@/${VAULT_SUPPORT_EMAIL:-nobody@localhost}/" \
    Support/debian/control > "$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
chmod 644 "$root/DEBIAN/md5sums" "$root/DEBIAN/control" "$root/DEBIAN/conffiles"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

package=dist/notevault_${version}_$architecture.deb
dpkg-deb --root-owner-group -Znone --build "$root" "$stage/plain.deb" >/dev/null
# dpkg-deb has no option for the dictionary.
(cd "$stage" && ar x plain.deb && packed data.tar && { [ ! -e control.tar ] || xz -T1 control.tar; })
rm -f "$package"
(cd "$stage" && ar qcD package.deb debian-binary control.tar.* data.tar.xz)
mv "$stage/package.deb" "$package"
(cd dist && sha256sum "$(basename "$package")" > "$(basename "$package").sha256")
echo "$package $(stat -c %s "$package") bytes"
