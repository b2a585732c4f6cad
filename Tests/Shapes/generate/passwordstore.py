# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A store of pass, its entries encrypted by gpg to a key without a passphrase: nested folders, names with spaces and
letters of many scripts, lines of one-time codes, an entry that is no text."""

import os, subprocess
from .material import Material

FOLDERS = ["", "web", "web/shops", "Büro/Kunden", "family & friends", "servers/prod/db"]


def gpg(home, *arguments, input=None):
    return subprocess.run(
        ["gpg", "--homedir", str(home), "--batch", "--quiet", "--no-tty", "--yes", *arguments], input=input, check=True, capture_output=True
    ).stdout


def end(home):
    """gpg leaves an agent for each folder of keys."""
    if home.exists():
        subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], capture_output=True)


def make(folder, home, count=200, seed=10):
    home.mkdir(mode=0o700, parents=True)
    gpg(home, "--passphrase", "", "--quick-generate-key", "shapes@example.org", "future-default", "default", "never")
    m = Material(seed)
    folder.mkdir(parents=True)
    (folder / ".gpg-id").write_text("shapes@example.org\n")
    (folder / ".gitattributes").write_text("*.gpg diff=gpg\n")
    plain = home.parent / "plain"
    for number in range(count):
        name = [m.title(), m.title() + " ü", f"{m.words(1)[0]}.example.{number}"][number % 3].replace("/", "-").lstrip(".")
        lines = [f"s3cret-{m.identifier()[:12]}", f"user: {m.words(1)[0]}", f"url: https://example.org/{number}"]
        if number % 4 == 0:
            lines += [f"otpauth://totp/Example:jo?secret=JBSWY3DPEHPK3PX{'ABCDEFGH'[number % 8]}&issuer=Example"]
        if number % 9 == 1:
            lines += ["", m.paragraph(), m.paragraph()]
        content = ("\n".join(lines) + "\n").encode() if number % 50 != 5 else bytes(range(0x80, 0xFF)) + m.noise(64)
        if number % 17 == 3:
            content = content.rstrip(b"\n")
        target = plain / FOLDERS[number % len(FOLDERS)] / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    # One run for a folder's worth: each start of gpg costs more than what it encrypts.
    for base, _, names in os.walk(plain):
        if not names:
            continue
        gpg(home, "--trust-model", "always", "--recipient", "shapes@example.org", "--encrypt-files", *[os.path.join(base, name) for name in names])
        into = folder / os.path.relpath(base, plain)
        into.mkdir(parents=True, exist_ok=True)
        for name in names:
            os.replace(os.path.join(base, name + ".gpg"), into / (name + ".gpg"))
        for name in names:
            os.remove(os.path.join(base, name))
