# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The vault authors
"""A vault of the real programs in a home of its own: made, damaged, asked."""

import dataclasses, json, os, shutil, signal, subprocess, sys, time
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTE_PASSWORD = "another horse"
WORDS = "river stone cloud paper night table window garden letter morning copper violet harbour engine".split()


@dataclasses.dataclass
class Written:
    """What was written to a note, oldest text first."""

    texts: list
    private: bool = False
    files: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class State:
    """A vault at rest: a copy of its home, the names and sizes of its files, and what it holds."""

    name: str
    home: Path
    files: list
    notes: dict


@dataclasses.dataclass
class Whole:
    """What docs/decrypt.py takes from the damaged bytes: the present text of each note that lies whole in them."""

    notes: dict


class World:
    """Everything lies at one path, since a pin knows a vault by its path; a state is copied there for each trial."""

    def __init__(self, programs, scratch, chance):
        self.programs, self.scratch, self.chance = programs, scratch, chance
        self.home, self.runtime = scratch / "home", scratch / "run"
        self.vault = self.home / ".local/share/notevault/default"
        self.said, self.repaired, self.state = "", None, None
        for folder in (self.home, self.runtime):
            folder.mkdir(parents=True, mode=0o700)
        self.secret("password", "correct horse battery")
        self.secret("note-password", NOTE_PASSWORD)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def secret(self, name, text):
        path = self.scratch / name
        path.write_text(text + "\n")
        path.chmod(0o600)

    def run(self, *words, stdin=None, vault=None):
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.runtime), "LANG": "C.UTF-8",
        }
        where = ["--vault", str(vault)] if vault else []
        return subprocess.run(
            [f"{self.programs}/vault", *words, *where], input=stdin, capture_output=True, text=True, env=environment,
            stdin=None if stdin is not None else subprocess.DEVNULL, timeout=120)

    def need(self, *words, **options):
        answer = self.run(*words, **options)
        if answer.returncode != 0:
            raise RuntimeError(f"vault {' '.join(words)} ended with {answer.returncode}: {answer.stderr}")
        return answer.stdout

    @property
    def password(self):
        return ["--password-file", str(self.scratch / "password")]

    @property
    def note_password(self):
        return ["--note-password-file", str(self.scratch / "note-password")]

    # Making it

    def make_clean(self):
        notes = self.write()
        self.need("lock")
        return self.keep("closed", notes)

    def make_killed(self):
        """Commits in the log that no checkpoint has taken into the index yet."""
        self.need("unlock", "--idle", "1h", *self.password)
        notes = {name: Written(list(note.texts), note.private, dict(note.files)) for name, note in self.notes.items()}
        plain = [name for name, note in notes.items() if not note.private]
        for name in self.chance.sample(plain, 12):
            notes[name].texts.append(self.text(len(notes)))
            self.need("append", name, notes[name].texts[-1])
            notes[name].texts[-1] = self.need("cat", name).rstrip("\n")
        for number in range(6):
            self.add(notes, self.text(100 + number))
        self.wait_for_manifest()
        self.kill()
        return self.keep("killed", notes)

    def wait_for_manifest(self):
        """Until the manifest vouches for the log: sectors of zeros in a last commit before that look like a torn write."""
        manifest, end = self.vault / "manifest", time.monotonic() + 20
        written = manifest.stat().st_mtime_ns
        while manifest.stat().st_mtime_ns == written and time.monotonic() < end:
            time.sleep(0.1)

    def write(self):
        self.need("init", "--no-recovery", "--kdf-target", "0", *self.password)
        self.need("unlock", "--idle", "1h", *self.password)
        notes = {}
        for number in range(46):
            size = 4 if number % 9 == 0 else 3000 if number % 11 == 0 else self.chance.randrange(10, 200)
            self.add(notes, self.text(number, size), "-t", self.chance.choice(WORDS), "-b", self.chance.choice(WORDS))
        for number in range(4):
            self.add(notes, self.text(60 + number), "--private", *self.note_password)
            notes[list(notes)[-1]].private = True
        plain = [name for name, note in notes.items() if not note.private]
        for name in plain[:10]:
            notes[name].texts.append(notes[name].texts[-1] + "\n" + self.text(200))
            self.need("append", name, notes[name].texts[-1].rsplit("\n", 1)[1])
            notes[name].texts[-1] = self.need("cat", name).rstrip("\n")
        for name in plain[10:14]:
            path = self.scratch / f"file-{name}.bin"
            path.write_bytes(self.chance.randbytes(self.chance.choice((900, 30_000, 90_000))))
            self.need("attach", "add", name, str(path))
            notes[name].files[path.name] = path.read_bytes()
        self.notes = notes
        return notes

    def text(self, number, words=40):
        return f"note {number} " + " ".join(self.chance.choice(WORDS) for _ in range(words))

    def add(self, notes, text, *options):
        answer = json.loads(self.need("new", "-", "--json", *options, stdin=text))
        notes[answer["notes"][0]["id"]] = Written([text])

    def keep(self, name, notes):
        self.notes = notes
        home = self.scratch / f"state-{name}"
        shutil.copytree(self.home, home, symlinks=True)
        vault = home / self.vault.relative_to(self.home)
        files = [
            (str(path.relative_to(vault)), path.stat().st_size) for path in sorted(vault.rglob("*")) if path.is_file()
        ]
        return State(name, home, files, notes)

    # A trial

    def take(self, state):
        self.end()
        shutil.rmtree(self.home)
        shutil.rmtree(self.scratch / "new", ignore_errors=True)
        shutil.rmtree(self.scratch / "salvaged", ignore_errors=True)
        shutil.rmtree(self.scratch / "backup", ignore_errors=True)
        shutil.copytree(state.home, self.home, symlinks=True)
        self.state = state

    def agents(self):
        """The agents of this home, by their runtime folder."""
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                if not os.readlink(f"/proc/{name}/exe").endswith("vault-agent"):
                    continue
                if str(self.runtime).encode() in Path(f"/proc/{name}/environ").read_bytes():
                    yield int(name)
            except OSError:
                continue

    def kill(self):
        for agent in list(self.agents()):
            os.kill(agent, signal.SIGKILL)
            while os.path.exists(f"/proc/{agent}"):
                os.sched_yield()

    def end(self):
        self.run("lock")
        self.kill()

    def open(self):
        """Which of the owner's commands opened the vault."""
        unlock = ["unlock", "--idle", "1h", "--no-input", *self.password]
        repair = ["repair", "--no-input", *self.password]
        # What is given up by the owner's word comes last.
        ways = (("opened", [unlock]), ("repaired", [repair, unlock]), ("word", [[*unlock, "--accept-loss"]]))
        self.repaired = None
        for opening, words in ways:
            for line in words:
                answer = self.run(*line)
                if line[0] == "repair":
                    self.repaired = answer
            if self.run("status", "--json").returncode == 0 and self.run("ls", "-n", "1", "--no-input").returncode == 0:
                return opening
            self.said = answer.stderr.strip()[:300]
        return "never"

    def readable_without_vault(self):
        """The present text of each note that an independent reader takes from the damaged files, private ones too."""
        copy = self.scratch / "damaged"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.vault, copy)
        answer = subprocess.run(
            [python(), "-B", str(ROOT / "docs/decrypt.py"), "--salvage", "--json",
                "--note-password-file", str(self.scratch / "note-password"), *self.password, str(copy)],
            capture_output=True, text=True, timeout=120)
        if answer.returncode == 13:
            return Whole({})
        if answer.returncode not in (0, 12):
            raise RuntimeError(f"docs/decrypt.py ended with {answer.returncode}: {answer.stderr.strip()[:300]}")
        report = json.loads(answer.stdout)
        return Whole({note["id"]: note.get("body") for note in report["notes"] if note["state"] == "whole"})

    def seen(self, when, faults, counts, vault=None):
        """The text of each note that the program shows; what is shown must be the present text, or be named."""
        export = self.run("export", "json", "--plaintext", "-o", "-", "--no-input", vault=vault)
        texts = {}
        try:
            document = json.loads(export.stdout)
            notes = document["notes"]
        except (ValueError, KeyError):
            notes = []
            if export.returncode == 0:
                faults.append(f"{when}: an export ended with 0 and is none")
        for note in notes:
            texts[note["id"]] = note["body"].rstrip("\n")
        if export.returncode == 13:
            # An attachment that does not open ends an export; each note is asked for by itself then.
            for name, note in self.state.notes.items():
                shown = self.run("cat", name, "--no-input", vault=vault)
                if shown.returncode == 0:
                    texts[name] = shown.stdout.rstrip("\n")
        for name, note in self.state.notes.items():
            if note.private and self.run("note", "unlock", name, "--no-input", *self.note_password, vault=vault).returncode == 0:
                shown = self.run("cat", name, "--no-input", vault=vault)
                if shown.returncode == 0:
                    texts[name] = shown.stdout.rstrip("\n")
        for name, text in texts.items():
            known = self.state.notes[name].texts if name in self.state.notes else []
            if text not in known:
                counts["wrong"] += 1
                faults.append(f"{when}: {name} has a text that was never written: {text[:80]!r}")
        return texts

    def compare(self, command, texts, whole, state, counts, faults, said):
        """What a command brought back, beside what was written and what lies whole in the files."""
        report = said.stdout + said.stderr
        for name, note in state.notes.items():
            if name in texts and texts[name] != note.texts[-1]:
                # An older text that is shown as if it were the present one is a wrong text.
                if name[:4] in report and said.returncode != 0:
                    counts["older"] += 1
                else:
                    counts["wrong"] += 1
                    faults.append(f"{command}: {name} came back with an older text, and was not named")
            if name in whole.notes and texts.get(name) != note.texts[-1]:
                counts["needless"] += 1
                faults.append(f"{command}: {name} lies whole in the files, and did not come back")
            if name not in texts and (name[:4] not in report or said.returncode == 0):
                counts["wrong"] += 1
                faults.append(f"{command}: {name} is gone, and was not named")

    def backup(self, before, counts, faults):
        """A snapshot that is called whole restores, with everything that was there."""
        folder, target = self.scratch / "backup", self.scratch / "new"
        create = self.run("backup", "create", str(folder), "--no-input")
        verify = self.run("backup", "verify", str(folder), "--no-input")
        if create.returncode == 0 and verify.returncode != 0:
            faults.append(f"create ended with 0 and verify with {verify.returncode}")
        if verify.returncode != 0:
            return
        counts["verified"] += 1
        restore = self.run("backup", "restore", str(folder), "--as-copy", "--no-input", *self.password, vault=target)
        unlock = self.run("unlock", "--no-input", *self.password, vault=target)
        texts = self.seen("restored", faults, counts, vault=target) if unlock.returncode == 0 else {}
        if restore.returncode != 0 or texts != before:
            counts["broken"] += 1
            faults.append(f"verified, and restored {len(texts)} of {len(before)}: {restore.stderr.strip()[:200]}")
        self.run("lock", vault=target)

    def salvage(self, faults, counts):
        """A new vault from the damaged files, and its texts; None when nothing was taken."""
        target = self.scratch / "salvaged"
        answer = self.run(
            "salvage", str(self.scratch / "damaged"), "-o", str(target), "--json", "--no-input", *self.password)
        if answer.returncode not in (0, 12):
            return answer, None
        unlock = self.run("unlock", "--no-input", *self.password, vault=target)
        if unlock.returncode != 0:
            return answer, None
        texts = self.seen("salvaged", faults, counts, vault=target)
        self.run("lock", vault=target)
        return answer, texts


def python():
    """One with the packages that docs/decrypt.py needs."""
    own = ROOT / "bench-out/venv/bin/python"
    return str(own) if own.exists() else sys.executable
