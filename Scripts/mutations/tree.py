# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A copy of the sources in which every removal is compiled in and switched off, so that one build serves them all."""
import contextlib
import fcntl
import os
import pathlib
import re
import subprocess

# Text at the end of a file moves no line, so that a failing test names the true one.
SWIFT_SWITCH = '\n@_silgen_name("vault_mutant_is_on") private func vaultMutantIsOn(_ number: UInt32) -> Bool\n'
C_SWITCH = "({{ extern _Bool vault_mutant_is_on(unsigned); vault_mutant_is_on({number}u); }})"
# Read before main: a confined parser can open nothing later, and programs start each other with clean environments.
SHIM = """#include <fcntl.h>
#include <unistd.h>

static unsigned chosen;

__attribute__((constructor(101))) static void read_choice(void) {
  char digits[16] = {0};
  int file = open("%s", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  if (read(file, digits, sizeof digits - 1) > 0)
    for (const char *at = digits; *at >= '0' && *at <= '9'; at++) chosen = chosen * 10 + (unsigned)(*at - '0');
  close(file);
}

_Bool vault_mutant_is_on(unsigned number) { return chosen == number; }
"""


class Tree:
    """`scratch/tree` holds the copy and its build, `scratch/mutant` the number of the removal that is on."""

    def __init__(self, root, scratch):
        self.root = pathlib.Path(root)
        self.scratch = pathlib.Path(scratch).resolve()
        self.path = self.scratch / "tree"
        self.choice = self.scratch / "mutant"
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.path.mkdir(exist_ok=True)

    @contextlib.contextmanager
    def alone(self):
        """The choice is one for the whole tree: a second run would switch the first one's."""
        with open(self.scratch / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise SystemExit(f"mutate: another run uses {self.scratch}; wait for it or give --scratch") from error
            self.choose(0)
            try:
                yield
            finally:
                self.choose(0)

    def choose(self, number):
        """Programs that start from now on lack this defence; 0 is none."""
        self.choice.write_text(f"{number}\n")
        self.choice.chmod(0o644)

    def write(self, entries):
        """Brings the copy up to date; files that are right already keep their time, so that they are not built again."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=self.root, check=True,
                                capture_output=True).stdout.decode().split("\0")
        wanted = {name for name in listed if name and (self.root / name).is_file()}
        edits = {}
        for entry in entries:
            for edit in () if entry.source else entry.edits:
                edits.setdefault(edit.file, []).append((entry.number, edit))
        for name in wanted:
            content = (self.root / name).read_bytes()
            if name in edits:
                content = _switched(content.decode(), name, edits[name]).encode()
            if name == "Package.swift":
                content = _lenient(content.decode()).encode()
            self._put(name, content, (self.root / name).stat().st_mode)
        shim = "Sources/CSystemShims/mutant.c"
        self._put(shim, (SHIM % self.choice).encode(), 0o644)
        self._remove_others(wanted | {shim})
        bench = self.path / "bench-out"
        if not bench.is_symlink():
            bench.symlink_to(self.root / "bench-out")

    def _put(self, name, content, mode):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
        if path.stat().st_mode & 0o777 != mode & 0o755:
            path.chmod(mode & 0o755)

    def _remove_others(self, wanted):
        for folder in ("Sources", "Tests", "Benchmarks"):
            for path in (self.path / folder).rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts and str(path.relative_to(self.path)) not in wanted:
                    path.unlink()

    @contextlib.contextmanager
    def rewritten(self, entry):
        """For tests that read the sources: the text is changed for their time, and has its old time stamp afterwards."""
        paths = {self.path / edit.file for edit in entry.edits}
        kept = {path: (path.read_bytes(), path.stat()) for path in paths}
        try:
            for edit in entry.edits:
                path = self.path / edit.file
                if edit.find not in path.read_text():
                    raise SystemExit(f"mutate: {entry.id}: another removal has changed the words that it looks for")
                path.write_text(path.read_text().replace(edit.find, edit.replace))
            yield
        finally:
            for path, (content, status) in kept.items():
                path.write_bytes(content)
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _switched(text, name, edits):
    is_swift = name.endswith(".swift")
    # From the end, so that the places before stay where they are.
    for number, edit in sorted(edits, key=lambda one: text.index(one[1].find), reverse=True):
        call = f"vaultMutantIsOn({number})" if is_swift else C_SWITCH.format(number=number)
        start = text.index(edit.find)
        text = text[:start] + edit.replace.replace("MUTANT", call) + text[start + len(edit.find):]
    return text + SWIFT_SWITCH if is_swift else text


def _lenient(package):
    """A switch leaves variables unused and code unreached: warnings say nothing here."""
    package = package.replace(".treatAllWarnings(as: .error),", '.unsafeFlags(["-suppress-warnings"]),')
    # A module that depends on nothing needs the switch all the same.
    package = package.replace('library("SyncEngine"),', 'library("SyncEngine", ["CSystemShims"]),')
    return re.sub(r"\n *\.strictMemorySafety\(\),", "", package)
