# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A home with a vault that is synced, and what its owner was told is saved."""

import hashlib, json, subprocess, sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Moved"))
from machine import Machine  # noqa: E402

DECRYPT = Path(__file__).resolve().parent.parent.parent / "docs/decrypt.py"
# In every text, title, tag and name of a file: no byte of it may reach a store.
MARK = "zebrafinch"
PYTHON = Path(__file__).resolve().parent.parent.parent / "bench-out/venv/bin/python3"


class Home(Machine):
    def __init__(self, name, programs, scratch):
        super().__init__(programs, Path(scratch) / name)
        self.name, self.number = name, 0
        # What was acknowledged: texts, each of one note, and files by their digest.
        self.texts, self.files = {}, {}
        self.note_secret = self.scratch / "note-password"
        self.note_secret.write_text("rosebud lantern\n")
        self.note_secret.chmod(0o600)

    @property
    def note_password(self):
        return ["--note-password-file", str(self.note_secret)]

    def open(self):
        answer = self.unlock()
        if answer.returncode != 0:
            raise RuntimeError(f"{self.name} does not open: {answer.stderr}")

    # Writing

    def write(self, body):
        """Makes a note. Returns its identifier; None when it was refused."""
        note, answer = self.new(body)
        if note:
            self.texts[body] = note
        return note

    def replace(self, note, body):
        """Puts another text in a note's place, and remembers it if it was saved."""
        process = subprocess.run(
            [f"{self.programs}/vault", "replace", note, "-", "--no-input"], input=(body + "\n").encode(),
            capture_output=True, env=self.environment, timeout=60)
        if process.returncode == 0:
            self.texts[body] = note
        return process.returncode == 0

    def attach(self, note, size=30_000):
        self.number += 1
        file = self.scratch / f"{MARK}{self.name}{self.number}.bin"
        file.write_bytes((f"{MARK} {self.name} {self.number} ".encode() * (size // 20))[:size])
        answer = self.run("attach", "add", note, str(file), "--no-input")
        if answer.returncode == 0:
            self.files[hashlib.sha256(file.read_bytes()).hexdigest()] = note
        return answer.returncode == 0

    # Meeting

    def sync(self, *more):
        return self.run("sync", "now", "--no-input", *more, seconds=1200)

    def need_sync(self, *more):
        answer = self.sync(*more)
        if answer.returncode != 0:
            raise RuntimeError(f"{self.name}: sync now ended with {answer.returncode}: {answer.stdout}{answer.stderr}")

    # Looking, by a reader that shares no code with the programs

    def read(self):
        """What the closed vault holds: notes with heads and texts of all revisions, and digests of all files."""
        self.run("lock", "--no-input")
        parts = self.scratch / "parts"
        parts.mkdir(exist_ok=True)
        for old in parts.rglob("*"):
            if old.is_file():
                old.unlink()
        python = str(PYTHON) if PYTHON.exists() else sys.executable
        answer = subprocess.run(
            [python, "-B", str(DECRYPT), str(self.vault), "--json", "--out", str(parts), "--password-file",
             str(self.secret), "--note-password-file", str(self.note_secret)],
            capture_output=True, text=True, timeout=300)
        if answer.returncode != 0:
            raise RuntimeError(f"{self.name}: decrypt.py ended with {answer.returncode}: {answer.stderr[-500:]}")
        notes = json.loads(answer.stdout)["notes"]
        files = {hashlib.sha256(path.read_bytes()).hexdigest() for path in parts.rglob("*") if path.is_file()}
        return notes, files
