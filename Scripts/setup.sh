#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
#
# Installs what is missing and nothing else. Usage: setup.sh [demo|test|models|bench|instructions|vectors]
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
    libexpat1-dev libxml2-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libisal2)
case "${1:-}" in
demo) packages+=(fortunes fortunes-min strace) ;;
test) packages+=(age pass gnupg git tzdata python3-venv strace patch groff zsh fish vim nano neovim emacs-nox xclip xvfb libchafa0 dbus-daemon python3-dbusmock python3-gi valgrind binutils spin gcc) ;;
models) packages+=(spin gcc) ;;
moved) packages+=(rsync syncthing bindfs sshfs openssh-sftp-server) ;;
bench) packages+=(age pass gnupg restic python3-venv) ;;
instructions) packages+=(valgrind binutils) ;;
vectors) packages+=(python3-venv) ;;
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
if { [ "${1:-}" = vectors ] || [ "${1:-}" = test ]; } && [ ! -x bench-out/venv/bin/python ]; then
    python3 -m venv bench-out/venv
    bench-out/venv/bin/pip install --quiet 'cryptography>=50' argon2-cffi
fi
# `vault` starts faster with this library in it (Package.swift); without the archive it is found when the program starts, as before.
archive=$(gcc -print-file-name=libstdc++.a 2>/dev/null || true)
if [ -f "$archive" ]; then
    mkdir -p .build/static
    ln -sf "$(realpath "$archive")" .build/static/libstdc++.a
fi
