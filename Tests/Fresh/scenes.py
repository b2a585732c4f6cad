# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""One vault at several moments, made by the real programs, with every text that was written to it."""

import contextlib, json, shutil, sys, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "Rot"))
from world import World, Written

PAGE = 4096
INDEX, MAP, LOG = "index-1.db", "index-1.map", "index-1.db-wal"
MANIFESTS = ("manifest", "manifest.2")
# What says which state of a vault counts, beside the index. Header and map decide nothing by themselves: either may be
# the newer one.
STATE = (LOG, *MANIFESTS)
FILES = (INDEX, MAP, *STATE, "header", "header.2")
# The password that opens the vault now, and those that were changed or removed since the oldest moment.
NEW, OLD, LAPTOP = "password-now", "password", "password-laptop"


class FreshWorld(World):
    """Moments: `a`, closed; `l`, a log of the same history; `f`, where two ways part; `b` and `c`, written apart from
    it; `m` and `k`, one log after `b` at two lengths, the agent of the second killed."""

    # The password that opens the vault at this moment.
    now = OLD

    def make(self, small):
        self.add_secret(NEW, "a battery that a horse staples")
        self.add_secret(LAPTOP, "the laptop has one of its own")
        self.notes, self.states, self.lists = {}, {}, {}
        self.begin()
        self.at("a")
        self.change()
        self.settle()
        self.at("l", False)
        self.at("f")
        generation = self.go_on("b")
        fork, self.notes = copied(self.notes), copied(self.states["f"].notes)
        self.take(self.states["f"])
        # Another machine has seen nothing of this.
        shutil.rmtree(self.home / ".local/state")
        self.go_on("c", generation)
        self.notes = fork
        if not small:
            self.take(self.states["b"])
            self.log_of_two_lengths()
        self.take(self.states["b"])

    @property
    def password(self):
        return ["--password-file", str(self.scratch / self.now)]

    def begin(self):
        self.need("init", "--no-recovery", "--kdf-target", "0", *self.password)
        self.open_vault()
        for number in range(26):
            self.write(self.text(number, 2500 if number % 9 == 0 else 60), "-t", f"tag{number % 5}",
                "-b", f"book{number % 3}")
        self.plain = list(self.notes)
        self.write("see [[" + self.title(self.plain[3]) + "]]")
        self.write(self.text(50), "--private", *self.note_password)
        self.private = list(self.notes)[-1]
        self.notes[self.private].private = True
        for name in self.plain[:5]:
            self.replace(name)
        for name in self.plain[5:7]:
            self.attach(name, "file.bin")
        self.need("key", "add", "--name", "laptop", "--kdf-target", "0", *self.password,
            "--new-password-file", str(self.scratch / LAPTOP))

    def change(self):
        """Something in as many tables as a few commands reach, and a password less."""
        self.open_vault()
        for name in self.plain[:8]:
            self.replace(name)
        for number in range(3):
            self.write(self.text(100 + number), "-t", "later")
        self.need("tag", self.plain[9], "other")
        self.need("mv", self.plain[10], "elsewhere")
        self.need("title", self.plain[11], "a title of its own")
        self.need("rm", self.plain[12])
        self.attach(self.plain[8], "later.bin")
        self.need("attach", "rm", self.plain[5], "file.bin")
        self.notes[self.plain[5]].files.clear()
        self.write("see [[" + self.title(self.plain[4]) + "]]")
        self.need("passwd", *self.password, "--new-password-file", str(self.scratch / NEW), "--kdf-target", "0")
        self.now = NEW
        self.need("key", "rm", "laptop", "--yes", *self.password)

    def go_on(self, name, generation=None):
        """As many transactions in each of two copies that go apart. Returns the generation."""
        self.open_vault()
        for note in self.plain[13:17]:
            self.replace(note, name)
        self.write(self.text(200) + name)
        found = self.generation()
        while generation and found < generation:
            self.write(self.text(300) + name)
            found = self.generation()
        if generation and found != generation:
            raise RuntimeError(f"the copies have {generation} and {found} transactions")
        self.at(name)
        return found

    def log_of_two_lengths(self):
        self.open_vault()
        for note in self.plain[17:20]:
            self.replace(note)
        self.settle()
        self.at("m", False)
        for note in self.plain[18:21]:
            self.replace(note)
        self.write(self.text(400))
        self.settle()
        self.kill()
        self.at("k", False)

    def at(self, name, locks=True):
        """Keeps this moment; one that is not locked is a copy of files that somebody has open."""
        if locks:
            self.need("lock")
        notes = self.notes
        self.states[name] = self.keep(name, copied(notes))
        self.notes = notes
        self.states[name].vault = self.states[name].home / self.vault.relative_to(self.home)

    # Writing

    def open_vault(self):
        self.need("unlock", "--idle", "1h", "--no-input", *self.password)

    def title(self, name):
        return self.notes[name].texts[0].split(" ", 2)[0] + " " + self.notes[name].texts[0].split(" ", 2)[1]

    def write(self, text, *options):
        self.add(self.notes, text, *options)

    def replace(self, name, ending=""):
        text = f"{self.text(len(self.notes[name].texts))} {ending}"
        self.need("replace", name, "-", stdin=text)
        self.notes[name].texts.append(text)

    def attach(self, name, file):
        path = self.scratch / file
        path.write_bytes(self.chance.randbytes(9000))
        self.need("attach", "add", name, str(path))
        self.notes[name].files[file] = path.read_bytes()

    def generation(self):
        return json.loads(self.need("status", "--json"))["generation"]

    def settle(self):
        """Until a manifest vouches for all that was written, and the pin for the manifest: what is cut off before that
        is what SECURITY.md calls the last seconds."""
        since, end = time.time(), time.monotonic() + 20
        self.replace(self.plain[22])
        files = [self.vault / "manifest.2", *(self.home / ".local/state/notevault/pins").glob("[0-9a-f]" * 32)]
        while any(file.stat().st_mtime < since for file in files):
            if time.monotonic() > end:
                raise RuntimeError("no manifest vouches for the last change")
            time.sleep(0.1)
        time.sleep(0.2)

    # For a trial

    def forget(self):
        """A machine that never saw the vault."""
        shutil.rmtree(self.home / ".local/state", ignore_errors=True)

    def fingerprint(self):
        with contextlib.suppress(ValueError, KeyError):
            return json.loads(self.run("status", "--json").stdout)["fingerprint"]


def copied(notes):
    return {name: Written(list(note.texts), note.private, dict(note.files)) for name, note in notes.items()}


def bytes_of(folder, name):
    path = folder / name
    return path.read_bytes() if path.exists() else b""


def pages_of(folder):
    data = bytes_of(folder, INDEX)
    return [data[at:at + PAGE] for at in range(0, len(data), PAGE)]
