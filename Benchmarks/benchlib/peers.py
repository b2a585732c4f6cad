# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""Finds the programs that we are compared with, and installs what is missing where that is allowed.

Debian packages come by apt (only as root), Python packages into an environment of their own that is kept between runs.
"""
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys

from .rounds import say

DEBIAN = {"age": "age", "age-keygen": "age", "pass": "pass", "gpg": "gnupg", "gpg-connect-agent": "gnupg", "restic": "restic",
          "gopass": "gopass", "keepassxc-cli": "keepassxc", "rg": "ripgrep"}
PYTHON = {"sqlcipher3": "sqlcipher3-binary", "argon2": "argon2-cffi"}


@dataclasses.dataclass
class Peers:
    """Paths of what is there; None for what is not, and the report then shows "–"."""
    age: "str | None" = None
    age_keygen: "str | None" = None
    pass_: "str | None" = None
    gpg: "str | None" = None
    gpg_connect: "str | None" = None
    restic: "str | None" = None
    gopass: "str | None" = None
    keepassxc: "str | None" = None
    rg: "str | None" = None
    sqlcipher_python: "str | None" = None  # an interpreter that can import sqlcipher3
    argon2_python: "str | None" = None
    jrnl: "str | None" = None

    def versions(self) -> "dict[str, str]":
        """What each says of itself, for the report."""
        asked = {"age": [self.age, "--version"], "pass": [self.pass_, "version"], "gpg": [self.gpg, "--version"],
                 "restic": [self.restic, "version"], "keepassxc-cli": [self.keepassxc, "--version"], "ripgrep": [self.rg, "--version"],
                 "jrnl": [self.jrnl, "--version"]}
        found = {name: output(command) for name, command in asked.items() if command[0]}
        found = {name: next((line.strip(" │|=") for line in text.splitlines() if any(c.isdigit() for c in line)), "")
                 for name, text in found.items()}
        sqlite = "import sqlite3; print(sqlite3.sqlite_version)"
        if self.gopass:  # Debian's is a program of few hundred lines of that name, and does not say its version
            found["gopass"] = output(["dpkg-query", "-W", "-f", "${Version}", "gopass"])
        found["Python sqlite3"] = output([sys.executable, "-c", sqlite])
        if self.sqlcipher_python:
            query = ("from sqlcipher3 import dbapi2 as d; "
                     "print(*d.connect(':memory:').execute('PRAGMA cipher_version').fetchone(), d.sqlite_version)")
            found["SQLCipher, its SQLite"] = output([self.sqlcipher_python, "-c", query])
        return found


def find(cache: pathlib.Path, install: bool) -> Peers:
    """All peers; `install` allows to fetch the missing ones."""
    missing = sorted({package for program, package in DEBIAN.items() if not shutil.which(program)})
    if missing and install:
        apt(missing)
    python = {module: interpreter(module, cache) for module in PYTHON}
    if install and not all(python.values()):
        make_environment(cache, [PYTHON[module] for module, found in python.items() if not found])
        python = {module: interpreter(module, cache) for module in PYTHON}
    for name in [program for program in DEBIAN if not shutil.which(program)] + [m for m in python if not python[m]]:
        say(f"bench: {name} is not installed; its rows show –")
    return Peers(*(shutil.which(program) for program in DEBIAN), python["sqlcipher3"], python["argon2"], journal(cache, install))


def journal(cache: pathlib.Path, install: bool) -> "str | None":
    """jrnl, in an environment of its own, since it wants certain versions of others."""
    program = cache / "jrnl/bin/jrnl"
    if not program.exists() and install:
        make_environment(cache, ["jrnl"], "jrnl")
    if not program.exists():
        say("bench: jrnl is not installed; its rows show –")
    return str(program) if program.exists() else None


def interpreter(module: str, cache: pathlib.Path) -> "str | None":
    """This interpreter if it has the module, else the one of our environment."""
    for candidate in (sys.executable, str(cache / "python/bin/python")):
        if os.access(candidate, os.X_OK) and run([candidate, "-c", f"import {module}"]):
            return candidate
    return None


def apt(packages: "list[str]") -> None:
    """Installs Debian packages; nobody but root can, and nobody is asked for a password here."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        say(f"bench: to compare with them, install: {' '.join(packages)}")
        return
    say(f"bench: installing {' '.join(packages)}")
    is_fresh = False
    for package in packages:  # one by one: a system without one of them can still have the others
        command = ["apt-get", "install", "-y", "--no-install-recommends", package]
        if not run(command) and not is_fresh:
            is_fresh = run(["apt-get", "update"])
            run(command)


def make_environment(cache: pathlib.Path, packages: "list[str]", name: str = "python") -> None:
    """A Python environment below the output directory, so that the machine's own stays as it is."""
    home = cache / name
    say(f"bench: installing {' '.join(packages)} into {home.name}")
    if not (home / "bin/pip").exists():
        shutil.rmtree(home, ignore_errors=True)
        if not run([sys.executable, "-m", "venv", str(home)]):
            shutil.rmtree(home, ignore_errors=True)
            apt(["python3-venv"])
            run([sys.executable, "-m", "venv", str(home)])
    for package in packages:  # one by one: a machine without a wheel of one can still have the other
        run([str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--prefer-binary", package])


def run(command: "list[str]") -> bool:
    """Whether a command ended well; what it wrote is of no interest."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=300).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def output(command: "list[str]") -> str:
    """What a command wrote, or nothing."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""
